"""Trees of signs that other verifiers write, in the language APTP: what floats have proved there.

Beside a query in VNN-LIB 1.0, the inputs and outputs of which it repeats, such a file has the
leaves of a tree, each by the signs of neurons on the way to it (activation pattern tree proofs;
αβ-CROWN and NeuralSAT write them):

    (declare-const X_0 Real) (declare-const Y_0 Y_1 Real)
    (declare-pwl N_1 N_2 N_3 ReLU)
    (assert (>= X_0 -2.0)) (assert (<= X_0 2.0))
    (assert (or (and (< N_2 0)) (and (>= N_2 0) (< N_3 0)) (and (>= N_2 0) (>= N_3 0))))
    (assert (<= Y_0 Y_1))

Neurons are counted from 1 through all layers.  The order of leaves, and of signs in one, says
nothing: a tree is found again (:func:`grown`) from the neurons that all leaves name.

Nothing of it is believed.  The signs are a start of our own search (:mod:`.sign_search`), which
finds the multipliers; the box may be rounded, and is that of the query.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem
from exactrelu.exact.text import BYTES_OF_LETTER
from exactrelu.files import PathLike, errors_in, read_text
from exactrelu.questions.properties.posed import property_of
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.query import Query
from exactrelu.questions.properties.sign_search import SignPart
from exactrelu.questions.properties.syntax import Form, Nest, Token, forms, quoted, shown
from exactrelu.questions.properties.vnnlib1 import query_of

#: The signs of a leaf by neurons, counted from 0 through all layers.
Leaf = Mapping[int, int]

#: Parts that are made, for each leaf.
MOST = 4

_NEURON = re.compile(r"N_([1-9][0-9]{0,8})", re.ASCII)
_ZEROS = ("0", "0.0")
_SIGNS = {"<": -1, "<=": -1, ">": 1, ">=": 1}
_EXPECTED = "(assert (or (and (< N_1 0)) (and (>= N_1 0))))"


@dataclass(frozen=True)
class GivenTree:
    """A tree of signs: what it is about, its leaves, and how many neurons it speaks of."""

    query: Query
    leaves: tuple[Leaf, ...]
    n_neurons: int


def read_trees(
    paths: Sequence[PathLike], asked: Property, effort: Effort = UNLIMITED
) -> Mapping[int, tuple[Leaf, ...]]:
    """The leaves of the trees of files by the cases of a property that they are about.

    A tree is about the cases that have all its rows but for their constants.
    """
    found: dict[int, tuple[Leaf, ...]] = {}
    for path in paths:
        text = read_text(path, effort)
        effort.need(BYTES_OF_LETTER * len(text), f"a tree of {len(text):,} letters")
        with errors_in(path):
            tree = parse_tree(text, effort)
            for case in _cases_of(tree, asked, effort):
                if case in found:
                    raise InputError("the query has another tree for these outputs already")
                found[case] = tree.leaves
    return found


def _cases_of(tree: GivenTree, asked: Property, effort: Effort) -> list[int]:
    """The cases of a property that a tree is about, of the same network."""
    if len(asked.networks) > 1:
        raise InputError(f"a tree is about one network, the query about {len(asked.networks)}")
    network = asked.networks[0]
    posed = property_of(tree.query, network, effort)
    n = sum(layer.n_outputs - len(layer.linear) for layer in network.layers[:-1])
    if tree.n_neurons > n:
        raise InputError(f"found the neuron N_{tree.n_neurons}, the network has {n:,} of them")
    given = [_normals(case) for case in posed.cases]

    def is_meant(case: LinearSystem) -> bool:
        normals = _normals(case)
        return any(one and one <= normals for one in given)

    found = [k for k, case in enumerate(asked.cases) if is_meant(case)]
    if not found:
        raise InputError("the tree is about outputs that the query does not ask about")
    return found


def _normals(case: LinearSystem) -> set[tuple[object, ...]]:
    """The normals of rows, each over its first entry that is not 0."""
    found: set[tuple[object, ...]] = set()
    for row in case.rows:
        first = next((abs(x) for x in row.flint_normal if x), None)
        if first is not None:
            found.add(tuple(x / first for x in row.flint_normal))
    return found


def grown(
    leaves: Sequence[Leaf], neurons: Sequence[tuple[int, int]], effort: Effort = UNLIMITED
) -> tuple[SignPart, int]:
    """The tree that leaves are those of, and how many of its parts none of them is.

    For each neuron its unit is given, with the sign that its ends on the box show, or 0.  Leaves
    that are those of no tree may lie in several parts, of which not too many are made.

    >>> root, n_missing = grown([{1: -1}, {1: 1, 0: -1}], [(0, 0), (1, 0)])
    >>> [part.path for part in root.leaves() if not part.parts], n_missing
    ([((1, -1),), ((1, 1), (0, -1)), ((1, 1), (0, 1))], 1)
    """
    inside = [leaf for leaf in leaves if all(neurons[n][1] != -s for n, s in leaf.items())]
    found = [{neurons[n][0]: s for n, s in leaf.items() if not neurons[n][1]} for leaf in inside]
    root, n_parts, n_missing = SignPart(), 1, 0
    stack = [(root, found)]
    while stack:
        part, known = stack.pop()
        effort.spend("parts", 1 + len(known))
        if not all(known):
            continue
        if not known or n_parts > MOST * len(leaves):
            n_missing += 1
            continue
        counts = Counter(unit for leaf in known for unit in leaf)
        unit = max(counts, key=lambda one: counts[one])
        part.cut(unit)
        n_parts += 1
        for side, sign in zip(part.parts, (-1, 1), strict=True):
            rest = (leaf for leaf in known if leaf.get(unit, sign) == sign)
            stack.append((side, [{u: s for u, s in leaf.items() if u != unit} for leaf in rest]))
    return root, n_missing


# --- Reading


def parse_tree(text: str, effort: Effort = UNLIMITED) -> GivenTree:
    """The tree of a text.

    >>> tree = parse_tree(\"\"\"
    ... (declare-const X_0 Real) (declare-const Y_0 Real) (declare-pwl N_1 N_2 ReLU)
    ... (assert (>= X_0 -2.0)) (assert (<= X_0 2.0)) (assert (<= Y_0 -1))
    ... (assert (or (and (< N_2 0)) (and (>= N_2 0) (< N_1 0)) (and (>= N_2 0) (>= N_1 0))))\"\"\")
    >>> tree.leaves
    ({1: -1}, {1: 1, 0: -1}, {1: 1, 0: 1})
    """
    leaves: list[Leaf] = []
    trees: list[Nest] = []
    neurons = [0]

    def others() -> Iterator[Nest]:
        for form in forms(text, effort):
            names = [int(found[1]) for word in _words(form) if (found := _NEURON.fullmatch(word))]
            neurons.extend(names)
            if form.head == "declare-pwl":
                _require_relu(form)
            elif names:
                trees.append(form)
            elif form.head == "declare-const" and len(form.parts) > 2:
                *first, sort = form.parts
                yield from (Nest((first[0], name, sort), form.line) for name in first[1:])
            else:
                yield form

    query = query_of(others(), sha256(text.encode()).hexdigest(), effort)
    if len(trees) != 1:
        what = f"line {trees[1].line}: found another tree" if trees else "found no signs of neurons"
        raise InputError(f"{what}, expected one {_EXPECTED}")
    for part in _alternatives(trees[0]):
        effort.spend()
        leaf = _leaf(part)
        if leaf is not None:
            leaves.append(leaf)
    return GivenTree(query, tuple(leaves), max(neurons))


def _words(form: Form) -> Iterator[str]:
    stack = [form]
    while stack:
        one = stack.pop()
        if isinstance(one, Token):
            yield one.text
        else:
            stack.extend(reversed(one.parts))


def _require_relu(form: Nest) -> None:
    last = form.parts[-1]
    if not isinstance(last, Token) or last.text.lower() != "relu":
        raise InputError(f"line {form.line}: found {quoted(last)}, expected ReLU")


def _alternatives(form: Nest) -> Sequence[Form]:
    """The conjunctions of the one assertion."""
    body = form.parts[1] if len(form.parts) == 2 and form.head == "assert" else form
    if isinstance(body, Nest) and body.head == "or":
        return body.parts[1:]
    if isinstance(body, Nest) and body.head == "and":
        return [body]
    raise InputError(f"line {form.line}: found {quoted(form)}, expected {_EXPECTED}")


def _leaf(form: Form) -> Leaf | None:
    """The signs of a conjunction; None if they contradict each other."""
    if not isinstance(form, Nest) or form.head != "and":
        raise InputError(f"line {form.line}: found {quoted(form)}, expected (and (< N_1 0) …)")
    found: dict[int, int] = {}
    for part in form.parts[1:]:
        words = [shown(one) for one in part.parts] if isinstance(part, Nest) else []
        name = _NEURON.fullmatch(words[1]) if len(words) == 3 else None
        if name is None or words[0] not in _SIGNS or words[2] not in _ZEROS:
            said = "signs of neurons such as (< N_1 0); cuts of inputs are not read"
            raise InputError(f"line {part.line}: found {quoted(part)}, expected {said}")
        neuron, sign = int(name[1]) - 1, _SIGNS[words[0]]
        if found.setdefault(neuron, sign) != sign:
            return None
    return found
