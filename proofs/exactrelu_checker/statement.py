"""All of a claim, for a reader: ``--statement``.

A sentence is for one line, so long lists are shortened in it, and its words are those of
the field. Here nothing is shortened: what is long has a name in the sentence, L1, L2, …,
and stands below it, as the networks, domains, systems, matrices and unions do that the
sentence names; and each word that is not plain has its definition, or the page of ``rules``
that has it.

It is printed of a file that was accepted, and of no other. The claim is read from the file
again, and is the accepted one if its sentence is: a sentence determines its claim.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .check import Outcome
from .claims import Book, quotient, read_claim, row_text
from .file import Limits, Proof, Refused
from .main import line_of
from .objects import read_matrix, read_network, read_system

# A pattern of words in sentences, and what they mean; a reader meets them in this order.
WORDS = (
    ("sha256", "the SHA-256 of the canonical JSON of what is named"),
    (
        "networks?",
        "layers x -> W x + b; after each but the last, ReLU: max(0, z) for each unit z, "
        "but for linear units, which are passed on as they are; widths 2-3+1-1 have 1 "
        "linear unit",
    ),
    ("plain network", "a network without linear units"),
    ("layers?", "counted from 1, the last one has the outputs; 0 is the input"),
    (
        "hidden (layers?|neurons?|units?|preactivations?)",
        "of a layer that is not the last one",
    ),
    ("neurons?", "a unit of a hidden layer with a ReLU; it is active where it is positive"),
    ("units?", "a unit of a layer, the last one too; in no-chain, counted from 0"),
    ("preactivations?", "the value of a unit before its ReLU"),
    ("(hidden )?signs", "of preactivations: +, -, 0; = for a linear unit"),
    ("widths", "the numbers of inputs and of units of each layer"),
    ("parameters", "all entries of W and b of all layers"),
    (
        "(the |its )(values|function)",
        "the outputs of the network as a function of its inputs",
    ),
    ("closure", "the set with its boundary: rows > 0 are read as >= 0"),
    ("relative interior", "where the equations of the set hold and its other rows are > 0"),
    (
        "affine hull",
        "the solutions of the equations of a set: it is flat if it has any, and what "
        "is said is said of the network restricted to it",
    ),
    (
        "interior of the union",
        "the inner points of the boxes together, with those between boxes",
    ),
    ("orthant", "the points without negative coordinates"),
    (
        "activation regions?",
        "a nonempty open part of the domain on which the same hidden neurons "
        "are positive; where a neuron is constant it cuts nothing (rules/regions.md)",
    ),
    (
        "(?<!activation )regions(?! of equal)",
        "sets that are open in the domain, on which it is "
        "fixed which hidden neurons are active",
    ),
    (
        "regions of equal signs",
        "points at which all hidden neurons have the same signs -, 0, + "
        "have the same number, counted from 0: rules/local-regions.md",
    ),
    ("complex", "the set of all faces, of all dimensions (rules/complex.md)"),
    (
        "faces?",
        "a set of points at which each hidden preactivation has one sign: -, 0 or +",
    ),
    ("codimension", "the dimension of the domain less that of the face"),
    ("facets?", "a face of codimension 1"),
    (
        "cancelled",
        "the derivative of the network is the same on both sides of a facet on which a "
        "neuron bends, though each hidden layer after it has a positive neuron there: "
        "rules/cancellation-free.md",
    ),
    (
        "breakpoint complex",
        "the facets on whose two sides the network has different affine "
        "functions, with the faces in their closures: rules/honest.md",
    ),
    (
        "(non-bending )?ridge",
        "a face of codimension 2; it does not bend if each facet of the breakpoint "
        "complex around it goes on behind it, in the same hyperplane and with the same "
        "jump: rules/honest.md",
    ),
    (
        "bent hyperplanes?",
        "that of a neuron has the facets on which the neuron is 0, and is not 0 "
        "on one side: rules/honest.md",
    ),
    ("fold-set", "the points at which the network is not differentiable: rules/folds.md"),
    ("canonical representation", "the pieces of the fold-set by levels: rules/folds.md"),
    ("pieces", "[level, hyperplane, a point of the piece], in hexadecimal: rules/folds.md"),
    (
        "dependencies",
        "[piece, piece, a point where one ends at the other], counted from 0, in "
        "hexadecimal: rules/folds.md",
    ),
    (
        "codimension, places of \\+, places of -",
        "of each face its codimension, and two sets of "
        "places as bits: 5 has the places 0 and 2; in hexadecimal: rules/sign-vectors.md",
    ),
    (
        "chain of bends",
        "points, one for each layer, at which the bend of one unit ends at another: "
        "rules/no-chain.md",
    ),
    (
        "bends?",
        "hyperplanes inside the domain on which the function is not affine, numbered and "
        "oriented by the first neurons on them: rules/fiber-strata.md",
    ),
    ("sides", "a neuron on a bend is positive on its side + or on its side -"),
    (
        "strata",
        "for each bend and other hyperplane the sides of the neurons on it, and how many "
        "neurons are linear and dead: rules/fiber-strata.md",
    ),
    ("other hyperplanes", "where neurons change their sign and add up to something affine"),
    ("linear (and|or) dead", "a neuron that is >= 0, or <= 0, on all of the domain"),
    (
        "r1, r2",
        "W2 and b2 are the output weights and bias; with _ between two numbers above 9: "
        "rules/fiber-equations.md",
    ),
    ("path", "a continuous curve of parameters"),
    (
        "hides?",
        "the live neurons of layer 2 are positive only where a neuron of layer 1 is: "
        "rules/fiber-half-lines.md",
    ),
    (
        "translations|half-line|flips",
        "changes of a hidden neuron and of what reads it that keep "
        "the function: rules/fiber-half-lines.md",
    ),
    (
        "dead neurons?|live",
        "dead: no entry of the row (w | b) is positive, so that it never is; "
        "live: it is not dead",
    ),
    ("permutation", "the neurons of a hidden layer in another order"),
    (
        "(positive )?scaling",
        "(w, b) of a neuron times c > 0, its output weights divided by c",
    ),
    (
        "identifiable",
        "its function determines its parameters, up to what the sentence says, among "
        "the networks that it names",
    ),
    ("among all networks", "all networks of these widths"),
    (
        "general position",
        "no two neurons are 0 on a facet and no three on a ridge, what bends shows unless "
        "a later layer is off there, and later bends turn where they meet earlier ones: "
        "T1 to T3 in rules/identifiable.md, by tracks; almost all networks are so",
    ),
    (
        "general(?! position)",
        "masked ranks are maximal, no two units with indicators are proportional, and no "
        "preactivation has a local optimum 0: rules/determined.md; another sense than "
        "general position",
    ),
    ("generic", "masked ranks are maximal and the network is supertransversal"),
    (
        "supertransversal",
        "each face of codimension k lies in the zero sets of exactly k neurons",
    ),
    (
        "transparent",
        "each hidden layer has a preactivation >= 0 at every point of the domain",
    ),
    (
        "minimal",
        "no network with as many layers, none wider, and fewer neurons has its function",
    ),
    (
        "masked ranks?",
        "the ranks of I_l W_l ... I_k W_k, where the masks I keep some neurons of their "
        "layers; maximal: the least of n_(k-1) and the sizes of the masks, for all masks "
        "(rules/masked-rank.md)",
    ),
    (
        "indicators?",
        "a choice of active neurons of the layers before a unit, whether or not it "
        "occurs at a point: rules/non-proportional.md",
    ),
    ("proportional", "one is a number times the other, 0 too"),
    ("local optimum", "a local minimum or maximum, strict or not"),
    ("one-to-one|injective", "no two points have the same value"),
    ("independent", "no row is a sum of multiples of the others"),
    (
        "singular value|\\|Ax\\|/\\|x\\|",
        "the least |Ax|/|x| of all x that are not 0, in Euclidean "
        "norms: 0 if A has a kernel",
    ),
    (
        "stability of",
        "norms are Euclidean, x and y are points of the domain: rules/stability.md",
    ),
    ("supremum", "the least number that no difference exceeds; infinite if there is none"),
    (
        "nonnegative column rank",
        "the least k with A = U B, B with k rows and no negative entry: "
        "rules/nonnegative-column-rank.md",
    ),
    ("cone of the rows", "all sums of nonnegative multiples of the rows"),
    (
        "derivatives",
        "at all points of these regions; the span of all of them together: "
        "rules/functional-dimension.md",
    ),
    (
        "is false for",
        "the hypotheses of the statement hold for these objects and its conclusion fails: "
        "rules/counterexample.md, and the words of the statement are those of its paper, "
        "as exactrelu_checker/lemmas asks for them",
    ),
)


class Whole(Book):
    """The subjects of a sentence in which nothing is shortened."""

    def __init__(self) -> None:
        super().__init__()
        self.below: list[tuple[str, Sequence[str]]] = []

    def name(self, letter: str, value: Any, about: str) -> str:
        """Keep what gets a name."""
        said = super().name(letter, value, about)
        if " " in said:
            self.below.append((said, list(_entries(value))))
        return said

    def short(self, text: str, entries: Sequence[str] = ()) -> str:
        """Give a name to what is long."""
        if text == super().short(text):
            return text
        name = f"L{sum(name[0] == 'L' for name, _ in self.below) + 1}"
        self.below.append((name, entries or [text]))
        return name


def sayer(limits: Limits) -> Callable[[Outcome, bool], str]:
    """Return what says all of a claim that was accepted, and the usual line of another
    file.
    """

    def said(outcome: Outcome, pinned: bool) -> str:
        line = line_of(outcome, pinned)
        if outcome.verdict != "ACCEPTED":
            return line
        try:
            with open(outcome.file, "rb") as stream:
                value = Proof(stream, limits).claim()
            sentence, book = read_claim(value, Book()).sentence, Whole()
        except (OSError, Refused):
            sentence = ""
        if sentence != outcome.claim:
            return f"{line}\n  (the file is another one now: all of its claim is not known)"
        return "\n".join([line, *_statement(value, read_claim(value, book).sentence, book)])

    return said


def _statement(value: dict[str, Any], sentence: str, book: Whole) -> Iterator[str]:
    yield f"  what was proved: {sentence}"
    for name, entries in book.below:
        yield f"  {name}, {len(entries)} in all:"
        yield from (f"    {entry}" for entry in entries)
    for pattern, meaning in WORDS:
        found = re.search(rf"(?<![\w-])({pattern})(?![\w-])", sentence)
        if found:
            yield f"  {found[0].strip()}: {meaning}"
    facts = value["facts"]["list"] if "facts" in value else []
    kinds = dict.fromkeys([value["kind"], *(fact["kind"] for fact in facts)])
    yield f"  what it means exactly: {', '.join(f'rules/{kind}.md' for kind in kinds)}"


def _entries(value: dict[str, Any]) -> Iterator[str]:
    """Yield the rows of what has a name in a sentence."""
    if "layers" in value:
        for number, layer in enumerate(read_network(value).layers, 1):
            for unit, row in enumerate(layer.rows, 1):
                linear = ", linear" if unit - 1 in layer.linear else ""
                *weights, bias = (quotient(entry, layer.den) for entry in row)
                said = ", ".join(weights) or "none"
                yield f"layer {number}, unit {unit}{linear}: weights {said}; bias {bias}"
    elif "dim" in value:
        yield from (row_text(sense, row) for sense, row in read_system(value).pairs)
    else:
        matrix = read_matrix(value.get("boxes", value))
        yield from (", ".join(quotient(x, matrix.den) for x in row) for row in matrix.rows)
