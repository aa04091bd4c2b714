"""``exactrelu info NET``: what a network is."""

from __future__ import annotations

import argparse
from collections import Counter

from exactrelu.cli.command import Command, Outcome


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.network.formats import load
    from exactrelu.network.roles import Role, neuron_groups, neuron_roles
    from exactrelu.view.text import count, described

    network = load(args.network)
    roles = neuron_roles(network)
    totals = Counter(role for layer in roles for role in layer)
    widths = "-".join(map(str, network.widths))
    reason = (
        f"{network.name or 'the network'} is a {widths} ReLU network with "
        f"{count(network.n_parameters, 'parameter')} of at most {count(network.bits, 'bit')}"
    )
    lines = [f"{name:<11} {text}" for name, text in described(network)]
    fields = {
        "name": network.name,
        "widths": list(network.widths),
        "parameters": network.n_parameters,
        "bits": network.bits,
        "sha256": network.sha256,
        "neurons": {role.value: totals[role] for role in Role},
        "roles": [[role.value for role in layer] for layer in roles],
        "groups": [
            {
                "layer": g.layer + 1,
                "neurons": [i + 1 for i in g.neurons],
                "duplicates": g.has_duplicates,
                "cancelling": g.is_cancelling,
            }
            for g in neuron_groups(network)
        ],
    }
    computed = ("roles of neurons",) if network.n_hidden_neurons else ()
    return Outcome("\n".join(lines), reason, fields, computed=computed)


INFO = Command(
    "info",
    "architecture, parameters, size of the rationals, roles of the neurons",
    "exactrelu info cases/xor/network.json",
    _add_arguments,
    _run,
)
