"""A query about networks, posed as a property: domain, cases, and the way back.

The networks of the property are those that the query declares, in order; then, for each hidden
node, the network up to that node, whose inputs equal those of the network that has it.  So every
variable of the query is one coordinate of (x, y).  Rows in x alone that hold in all cases make up
the domain: those that are asserted, those that every case has, and, where every case bounds an
input, the weakest of these bounds, so that a union of boxes lies in its hull.  Everything else is a
row of a case.  Where there would be too many cases (:mod:`.cases`) the rows of the domain come from
each clause on its own, and ``clauses`` has the cases of each.  The query is satisfiable if and only
if the property does not hold.

*Tensors* are those of the file in its order, as VNN-LIB has it, and flattened row by row.  Shapes
may differ by axes of length 1, and one of both may be flat; anything else would be another order.

An empty domain is no mistake: then nothing is satisfiable, and multipliers prove it
(``empty``, claim ``nonempty``).

Symbols: x, y as in :mod:`.property`; a variable v is the coordinate ``columns[v]`` of (x, y).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from flint import fmpq

from exactrelu.display import Shown
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.files import PathLike
from exactrelu.network.declared import is_same_order
from exactrelu.network.evaluation import evaluate
from exactrelu.network.formats.load import is_nnet, load
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Infeasible
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.properties.cases import (
    CaseRow,
    Cases,
    TooManyCases,
    alternatives,
    bounds_of,
    cases_of,
    rows_of,
)
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.query import And, Atom, DeclaredNetwork, DeclaredTensor, Query

#: A network, or the file that it is read from.
NetworkLike: TypeAlias = Network | PathLike
#: By the names of the query; one that stands alone needs no name.
NetworksLike: TypeAlias = Mapping[str, NetworkLike] | NetworkLike


@dataclass(frozen=True, repr=False)
class Posed(Shown):
    """A query about networks as a property.

    ``system`` has the rows of the domain, ``domain`` is None where they have no solution, which
    ``empty`` proves.
    """

    query: Query
    networks: tuple[Network, ...]
    system: LinearSystem
    cases: tuple[LinearSystem, ...]
    domain: Domain | None
    empty: Infeasible | None
    #: The coordinate of (x, y) of each variable of the query.
    columns: tuple[int, ...]
    #: What was dropped of the formula.
    words: str = ""
    #: The cases clause by clause, if of each clause one must hold.
    clauses: tuple[tuple[LinearSystem, ...], ...] = ()

    def _headline(self) -> str:
        return f"Posed: {self.query!r}, {len(self.cases):,} cases"

    def _facts(self) -> Iterator[tuple[str, object]]:
        yield "domain", "empty" if self.domain is None else self.domain.text
        yield "cases", self.words or "all that distribution gives"

    @property
    def n_inputs(self) -> int:
        """The number of inputs of all networks, also of those up to hidden nodes."""
        return self.system.dimension

    def point(self, inputs: Sequence[fmpq]) -> Vector:
        """x, from the inputs of the declared networks one after the other."""
        x = [*inputs, *[ZERO] * (self.n_inputs - len(inputs))]
        for first, other in _linked(self.query):
            x[other] = x[first]
        return tuple(x)

    def values(self, x: Sequence[fmpq]) -> Vector:
        """All variables of the query at a point x, hidden nodes and outputs exactly."""
        both = [*x]
        start = 0
        for network in self.networks:
            both += evaluate(network, tuple(x[start : start + network.n_inputs]))
            start += network.n_inputs
        return tuple(both[column] for column in self.columns)

    @cached_property
    def property(self) -> Property:
        """The property, which needs a point in its domain."""
        if self.domain is None:
            raise InputError("no input satisfies the query: the domain is empty")
        return Property(self.networks, self.domain, self.cases, self.clauses)


def property_of(query: Query, networks: NetworksLike, effort: Effort = UNLIMITED) -> Posed:
    """The property that a query asks about, of these networks.

    >>> from exactrelu.questions.properties.versions import parse_query
    >>> query = parse_query(\"""
    ... (declare-const X_0 Real) (declare-const Y_0 Real)
    ... (assert (or (<= X_0 -1) (>= X_0 1))) (assert (<= X_0 3)) (assert (> Y_0 2))\""")
    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> posed = property_of(query, absolute)
    >>> posed.property.case_at((fmpq(5, 2),)), posed.property.case_at((fmpq(2),)), len(posed.cases)
    (2, None, 2)
    """
    return _posed(query, _networks(query, networks, effort), query.formula, effort)


def posed_in_turn(
    query: Query, networks: NetworksLike, effort: Effort = UNLIMITED
) -> tuple[Posed, ...]:
    """The same for a formula that is taken apart: satisfied iff one of several others is."""
    found = _networks(query, networks, effort)
    try:
        return (_posed(query, found, query.formula, effort),)
    except TooManyCases:
        parts = alternatives(query.formula, effort)
        return tuple(_posed(query, found, part, effort) for part in parts)


def _posed(query: Query, found: tuple[Network, ...], asked: And, effort: Effort) -> Posed:
    """A formula in the variables of a query as a property of its networks."""
    columns = _columns(query)
    n_inputs = sum(network.n_inputs for network in found)
    n_all = n_inputs + sum(network.n_outputs for network in found)
    formula = cases_of(asked, effort)
    inputs = {v for v, column in enumerate(columns) if column < n_inputs}
    shared, rest = _split(formula, inputs)
    rows = [_row(fact, columns, n_inputs) for fact in shared]
    rows += [_equation(pair, n_inputs) for pair in _linked(query)]
    system = LinearSystem(n_inputs, tuple(rows))

    def case(facts: Sequence[CaseRow]) -> LinearSystem:
        effort.spend()
        return LinearSystem(n_all, tuple(_row(fact, columns, n_all) for fact in facts))

    clauses = tuple(tuple(map(case, clause)) for clause in rest)
    cases = tuple(one for clause in clauses for one in clause)
    domain, empty = _domain(system, effort)
    return Posed(
        query,
        found,
        system,
        cases,
        domain,
        empty,
        columns,
        formula.words,
        clauses if len(clauses) > 1 else (),
    )


def posed_at_points(query: Query, networks: NetworksLike, effort: Effort = UNLIMITED) -> Posed:
    """The same for a formula whose cases are too many: all inputs, and no cases yet."""
    everything = property_of(replace(query, formula=And(())), networks, effort)
    return replace(everything, query=query, cases=())


def with_case_at(posed: Posed, atoms: Iterable[Atom], values: Sequence[fmpq]) -> Posed:
    """The same with one case: the rows of atoms that hold at these values of all variables."""
    n_all = posed.n_inputs + sum(network.n_outputs for network in posed.networks)
    facts = dict.fromkeys(
        next(fact for fact in rows_of(atom) if fact.holds(values)) for atom in atoms
    )
    rows = tuple(_row(fact, posed.columns, n_all) for fact in facts)
    return replace(posed, cases=(LinearSystem(n_all, rows),))


def _domain(system: LinearSystem, effort: Effort) -> tuple[Domain | None, Infeasible | None]:
    """The domain, or the proof that it is empty."""
    try:
        return Domain.of(system, system.dimension, effort), None
    except InputError:
        empty = feasible(system, effort=effort)
        if isinstance(empty, Infeasible):
            return None, empty
        raise


# --- Which rows go where


def _split(formula: Cases, inputs: set[int]) -> tuple[list[CaseRow], list[list[list[CaseRow]]]]:
    """The rows of the domain, and what is left of each case of each clause.

    All cases are those of one clause, unless there are too many.
    """

    def is_about_inputs(fact: CaseRow) -> bool:
        return all(v in inputs for v, _ in fact.terms)

    others = [fact for fact in formula.common if not is_about_inputs(fact)]
    shared = dict.fromkeys(fact for fact in formula.common if is_about_inputs(fact))
    for clause in formula.clauses or (formula.cases,):
        _share(shared, [[fact for fact in case if is_about_inputs(fact)] for case in clause])
    if not formula.clauses:
        return list(shared), [[[*others, *_without(case, shared)] for case in formula.cases]]
    rest = [[_without(case, shared) for case in clause] for clause in formula.clauses]
    # A clause with a case that the domain has already says nothing more.
    asked = [[others]] if others else []
    return list(shared), [*asked, *(clause for clause in rest if all(clause))] or [[[]]]


def _share(shared: dict[CaseRow, None], cases: Sequence[Sequence[CaseRow]]) -> None:
    """Add what all cases say of the inputs, and the weakest bounds where all have some."""
    first, *more = cases
    everywhere = set(first).intersection(*more)
    shared |= dict.fromkeys(fact for fact in first if fact in everywhere)
    shared |= dict.fromkeys(_hull(cases, shared))


def _without(case: Iterable[CaseRow], shared: Iterable[CaseRow]) -> list[CaseRow]:
    return [fact for fact in case if fact not in shared]


def _hull(cases: Sequence[Sequence[CaseRow]], shared: Iterable[CaseRow]) -> Iterator[CaseRow]:
    """The weakest of the bounds of a variable, where all cases have one and it says something."""
    if len(cases) < 2:
        return
    known = bounds_of(shared)
    ends = [bounds_of(case) for case in cases]
    for side, sign in ((0, 1), (1, -1)):
        bounded = set(ends[0][side]).intersection(*(found[side] for found in ends[1:]))
        for v in sorted(bounded):
            value = min(sign * found[side][v][0] for found in ends)
            if v in known[side] and sign * known[side][v][0] >= value:
                continue
            end = sign * value
            yield CaseRow(((v, sign * int(end.q)),), -sign * int(end.p), Sense.AT_LEAST)


def _row(fact: CaseRow, columns: Sequence[int], n: int) -> Row:
    normal = [ZERO] * n
    for v, a in fact.terms:
        normal[columns[v]] = fmpq(a)
    return Row(tuple(normal), fmpq(fact.constant), fact.sense)


def _equation(pair: tuple[int, int], n: int) -> Row:
    """Two coordinates are equal."""
    normal = [ZERO] * n
    normal[pair[0]], normal[pair[1]] = ONE, -ONE
    return Row(tuple(normal), ZERO, Sense.EQUAL)


# --- Coordinates


def _hidden(query: Query) -> Iterator[tuple[DeclaredNetwork, DeclaredTensor]]:
    """The hidden nodes of all networks, in order."""
    return ((network, tensor) for network in query.networks for tensor in network.hidden)


def _columns(query: Query) -> tuple[int, ...]:
    """The coordinate of (x, y) of each variable: inputs, their copies; outputs, hidden nodes."""
    inputs = [tensor for network in query.networks for tensor in network.inputs]
    outputs = [tensor for network in query.networks for tensor in network.outputs]
    order = [v for tensor in inputs for v in query.variables(tensor)]
    n_copies = sum(_size(network.inputs) for network, _ in _hidden(query))
    after = [*outputs, *(tensor for _, tensor in _hidden(query))]
    columns = dict(zip(order, range(len(order)), strict=True))
    rest = [v for tensor in after for v in query.variables(tensor)]
    first = len(order) + n_copies
    columns |= dict(zip(rest, range(first, first + len(rest)), strict=True))
    return tuple(columns[v] for v in range(len(columns)))


def _linked(query: Query) -> Iterator[tuple[int, int]]:
    """The coordinates of x that are equal: inputs, and those of the same network up to a node."""
    firsts, start = {}, 0
    for network in query.networks:
        firsts[network.name] = start
        start += _size(network.inputs)
    for network, _ in _hidden(query):
        for i in range(_size(network.inputs)):
            yield firsts[network.name] + i, start + i
        start += _size(network.inputs)


def _size(tensors: Iterable[DeclaredTensor]) -> int:
    return sum(tensor.size for tensor in tensors)


# --- Networks


def _networks(query: Query, given: NetworksLike, effort: Effort) -> tuple[Network, ...]:
    """The declared networks, then those up to hidden nodes; all of the declared sizes."""
    named = named_networks(query, given)
    loaded: dict[tuple[str, str], Network] = {}

    def found(network: DeclaredNetwork, tensor: DeclaredTensor | None = None) -> Network:
        owner, node = network.equal_to or network.name, "" if tensor is None else tensor.node
        if (owner, node) not in loaded:
            loaded[owner, node] = _loaded(named[owner], owner, node, effort)
        network_or_part = loaded[owner, node]
        after = network.outputs if tensor is None else (tensor,)
        _require_sizes(network, after, network_or_part)
        if tensor is None and query.version != "1.0":
            _require_shapes(network, network_or_part)
        return network_or_part

    return (*map(found, query.networks), *(found(*pair) for pair in _hidden(query)))


def folded_in(given: NetworksLike) -> tuple[str, ...]:
    """What a query must know of the files that it is asked about: a sentence each."""
    files = given.values() if isinstance(given, Mapping) else [given]
    return tuple(
        f"{os.fspath(file)}: the normalisation of the NNet file is folded in: X are inputs before "
        "it, Y outputs after it; normalize=False (--no-normalize) leaves it out"
        for file in files
        if isinstance(file, str | os.PathLike) and is_nnet(file)
    )


def named_networks(query: Query, given: NetworksLike) -> Mapping[str, NetworkLike]:
    """What is given for each network that needs a file, and nothing else."""
    needed = [network.name for network in query.networks if network.equal_to is None]
    copies = {network.name: network.equal_to for network in query.networks if network.equal_to}
    if not isinstance(given, Mapping):
        given = {"": given}
    if len(needed) == len(given) == 1 and (set(given) == {""} or query.version == "1.0"):
        return {needed[0]: next(iter(given.values()))}
    expected = f"expected networks for {', '.join(needed)}"
    for name in given:
        if name in copies:
            raise InputError(
                f"network {name}: declared equal to {copies[name]}, so it has no file: {expected}"
            )
        if name not in needed:
            what = f"network {name!r} is not declared" if name else "found one without a name"
            raise InputError(f"{what}: {expected}")
    missing = [name for name in needed if name not in given]
    if missing:
        raise InputError(f"network {missing[0]} is missing: {expected}")
    return given


def _loaded(given: NetworkLike, name: str, node: str, effort: Effort) -> Network:
    if isinstance(given, str | os.PathLike):
        return load(given, until=node or None, effort=effort)
    if node:
        raise InputError(
            f"network {name}: found a Network, expected its ONNX file, as the hidden node "
            f"{node!r} is asked about"
        )
    return given


def _require_sizes(
    declared: DeclaredNetwork, after: Sequence[DeclaredTensor], network: Network
) -> None:
    """The network has as many inputs and outputs as are declared."""
    for what, tensors, n in (
        ("inputs", declared.inputs, network.n_inputs),
        ("outputs", after, network.n_outputs),
    ):
        if _size(tensors) != n:
            said = ", ".join(tensor.text for tensor in tensors)
            raise ShapeError(
                f"network {declared.name}: {said}: declared {_size(tensors):,} {what}, "
                f"found {n:,} in the network"
            )


def _require_shapes(declared: DeclaredNetwork, network: Network) -> None:
    """The tensors are those of the file, one by one, if it has such."""
    for what, tensors, stored in (
        ("input", declared.inputs, network.input_tensors),
        ("output", declared.outputs, network.output_tensors),
    ):
        if stored and len(tensors) != len(stored):
            raise ShapeError(
                f"network {declared.name}: declared {len(tensors):,} {what}s, found "
                f"{len(stored):,} in the file: {', '.join(other.text for other in stored)}"
            )
        for tensor, other in zip(tensors, stored, strict=False):
            if not is_same_order(tensor.shape, other.shape):
                raise ShapeError(
                    f"network {declared.name}: declared the {what} {tensor.text}, found "
                    f"{other.text} in the file, where it is the next one"
                )
