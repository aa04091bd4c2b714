"""``exactrelu cancellation-free NET``: does every facet in an active part show?"""

from __future__ import annotations

import argparse
from typing import Any

from exactrelu.cli.command import Command, Outcome
from exactrelu.cli.honest import add_arguments


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.complex import face_json
    from exactrelu.cli.domain import network_on_domain, restriction
    from exactrelu.cli.progress import counting
    from exactrelu.questions.cancellation_free import is_cancellation_free

    network, domain, where = network_on_domain(args)
    with counting("faces") as progress:
        verdict = is_cancellation_free(
            network, domain, max_faces=args.max_faces, timeout=args.timeout, progress=progress
        )
    failures: list[dict[str, Any]] = [
        {**face_json(jump.facet), "neurons": [list(neuron) for neuron in jump.bent_neurons()]}
        for jump in verdict.witness or ()
    ]
    text = f"cancellation-free{where}: {verdict.word}, {verdict.reason}"
    computed = (*restriction(args), *(("which neurons bend there",) if failures else ()))
    return Outcome.of(verdict, text, {"failures": failures}, computed=computed)


CANCELLATION_FREE = Command(
    "cancellation-free",
    "is no jump 0 but where a layer is dead?",
    "exactrelu cancellation-free cases/xor/network.json",
    add_arguments,
    _run,
)
