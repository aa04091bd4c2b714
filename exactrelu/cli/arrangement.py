"""``exactrelu arrangement FILE``: the cells of a hyperplane arrangement.

The cells of m hyperplanes are the activation regions of a layer of m neurons, so the
certificate of their number is that of the regions of such a network.
"""

from __future__ import annotations

import argparse

from exactrelu.cli.command import Command, Outcome, add_matrix_arguments
from exactrelu.errors import InputError


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.exact.matrix_json import load_matrix
    from exactrelu.files import errors_in
    from exactrelu.network.network import Layer, Network
    from exactrelu.polyhedra.arrangement import Arrangement
    from exactrelu.polyhedra.characteristic import characteristic_polynomial, n_cells
    from exactrelu.polyhedra.general_position import degeneracy
    from exactrelu.questions.regions import regions
    from exactrelu.view.text import count

    rows = load_matrix(args.matrix).rows()
    with errors_in(args.matrix):
        if not rows or len(rows[0]) < 2:
            raise InputError("expected rows of a normal and an offset")
        dimension = len(rows[0]) - 1
        arrangement = Arrangement.of(dimension, [(row[:-1], row[-1]) for row in rows])
    polynomial = characteristic_polynomial(arrangement)
    layer = Layer.of([row[:-1] for row in rows], [row[-1] for row in rows])
    network = Network((layer, Layer.of([[0] * len(rows)], [0])))
    found = regions(network, certify=args.certificate is not None)
    if found.n_regions != n_cells(arrangement):
        raise ArithmeticError("the cells disagree with Zaslavsky's theorem: a bug")
    fault = degeneracy(arrangement)
    chosen = [] if fault is None else [i + 1 for i in fault.hyperplanes]
    position = "in general position"
    if chosen:
        position = f"not in general position: see hyperplanes {', '.join(map(str, chosen))}"
    reason = (
        f"{count(len(rows), 'hyperplane')} in R^{dimension}: "
        f"{count(found.n_regions, 'cell')}, {position}"
    )
    fields = {
        "n_cells": found.n_regions,
        "characteristic_polynomial": list(polynomial),
        "general_position": fault is None,
        "dependent_hyperplanes": chosen,
    }
    terms = ", ".join(map(str, polynomial))
    text = f"{reason}\ncharacteristic polynomial, constant term first: ({terms})"
    return Outcome(
        text,
        reason,
        fields,
        found.certificate,
        certified=("n_cells",),
        computed=("general position", "characteristic polynomial"),
    )


ARRANGEMENT = Command(
    "arrangement",
    "cells, characteristic polynomial and general position of hyperplanes (rows a…, b)",
    "exactrelu arrangement cases/S002-P10-nonneg-column-rank/triangle.matrix.json",
    add_matrix_arguments,
    _run,
)
