"""Statements of arXiv 2605.18319, *The symmetries of three-layer ReLU networks*."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from . import s002_deep as deep
from . import s002_shallow as shallow
from .lemma import Instance, Lemma, Need


def _lemma(words: str, names: str, needs: Callable[[Instance], Iterator[Need]]) -> Lemma:
    return Lemma(words, frozenset(names.split()), needs)


_PAIR = "if A and B are generic, of one architecture with {}, and compute one function, and {}"
_DEAD = "layer 2 of A has no dead neuron and hides nothing, then {}"
_ROWS = "the rows of [W1|b1] are the same up to order and positive scaling"
LEMMAS: Mapping[str, Lemma] = MappingProxyType(
    {
        "S002-visibility": _lemma(
            _PAIR.format("three layers and n0 >= 2", "x is on the hyperplane of neuron i (from 0) ")
            + "of layer 1 of A and some neuron of layer 2 is positive there, then this is a "
            "hyperplane of layer 1 of B",
            "A B i x",
            deep.visibility,
        ),
        "S002-theorem-5": _lemma(
            _PAIR.format("three layers and n0 >= n1", "no row of [W2|b2] of A has one sign, nor ")
            + "do all hide one neuron, then A is B up to order and scaling of hidden neurons",
            "A B",
            deep.theorem_5,
        ),
        "S002-hiding": _lemma(
            _PAIR.format("three layers, n0 >= n1 and n2 >= 2", "all neurons of layer 2 of A hide ")
            + "neuron i, then B is a translate of A, so that layer 2 of B hides a neuron",
            "A B",
            deep.hiding(single=False),
        ),
        "S002-hiding-single": _lemma(
            _PAIR.format("three layers, n0 >= n1 and n2 = 1", "layer 2 of A hides neuron i, then ")
            + "B is a translate of a flip of A, so that layer 2 of B hides a neuron",
            "A B",
            deep.hiding(single=True),
        ),
        "S002-first-layer": _lemma(
            _PAIR.format("three layers and n0 >= n1", _DEAD.format(_ROWS)),
            "A B",
            deep.fixed(1, may_be_dead=False),
        ),
        "S002-proposition-4": _lemma(
            _PAIR.format(
                "three layers and n0 >= n1 >= 2", _DEAD.format("layer 2 of B has no dead neuron")
            ),
            "A B",
            deep.proposition_4,
        ),
        "S002-procedure": _lemma(
            _PAIR.format("three layers and n0 >= n1 >= 2", f"A hides nothing, then {_ROWS}"),
            "A B",
            deep.fixed(2, may_be_dead=True),
        ),
        "S002-procedure-case-2": _lemma(
            _PAIR.format("three layers, n0 >= n1 >= 2 and n2 >= 2", "the live neurons of layer 2 ")
            + "of A hide neuron i, then the other rows of [W1|b1] of A are positive multiples of "
            "rows of B",
            "A B",
            deep.case_2,
        ),
        "S002-definition-22": _lemma(
            "if A and B have one hidden layer of one width and are equal on the orthant, then the "
            "rows of W of B can be scaled to norm 1",
            "A B",
            shallow.definition_22,
        ),
        "S002-remark-23": _lemma(
            "on R^n fibers are finite unions of varieties: if w_i = 0 and b_i <= 0 in N, so that "
            "all smaller b_i give the same function, then so does b_i = 1",
            "N i",
            shallow.remark_23,
        ),
        "S002-minimal-no-dead": _lemma(
            "if N has one hidden layer, is generic and minimal on the orthant, then none of its "
            "neurons is dead there",
            "N",
            shallow.minimal_no_dead,
        ),
        "S002-generic-minimal": _lemma(
            "if N has one hidden layer, is generic, and has on the orthant no dead neuron and at "
            "most min(n0, n2 + 1) linear ones, then it is minimal there",
            "N",
            shallow.generic_minimal,
        ),
        "S002-lemma-20": _lemma(
            "if N is supertransversal, then each point x of the bent hyperplane of a neuron j of "
            "the last hidden layer is a breakpoint",
            "N j x",
            shallow.lemma_20,
        ),
        "S002-lemma-9-open": _lemma(
            "if N is generic, with three layers, then networks near it are: for no D, p, d, "
            "t0 do more than n0 neurons of the network with W2 + D/t vanish at p + t d for all t "
            ">= t0",
            "D N d p t0",
            deep.lemma_9,
        ),
        "S002-generic-point": _lemma(
            "if A has one hidden layer, is generic and minimal on the orthant, M is in its fiber "
            "there, with bent rows turned where e = -1, then the sum of e_i V_i w_i is not 0, as "
            "in any generic network with these bent neurons",
            "A M e",
            shallow.generic_point,
        ),
        "S002-signs": _lemma(
            "if A and B have one hidden layer with one linear neuron, one output, the same signs, "
            "and are generic and minimal on the orthant, and M is in the fiber of A there, with "
            "bent rows turned where e = -1, then B has such a member too",
            "A B M e",
            shallow.signs,
        ),
        "S002-parallel-pairs": _lemma(
            "if N is generic, with three layers and n0 >= n1, different facets of layer 2, which "
            "contain x and y, are parallel only if they lie in one region of layer 1 with one "
            "active neuron",
            "N x y",
            deep.parallel_pairs,
        ),
        "S002-bottleneck-test": _lemma(
            "if n0 >= n1, rank W1 = n1, every square submatrix of W2 is nonsingular and the rank "
            "of W3[I,J] W2[J,A] is min(|I|, |J|, |A|) for all I, J, A, then all masked ranks are "
            "maximal",
            "N",
            deep.bottleneck_test,
        ),
    }
)
