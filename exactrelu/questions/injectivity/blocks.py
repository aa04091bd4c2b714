"""Layers that are injective block by block (Puthawala et al., lemma 2 and theorem 3).

If rows J of a layer see only the inputs I, and s(W_JI·u + b_J) is injective for u in R^I,
then at every x the active rows among J span R^I.  If such sets I cover all inputs, the
active rows span everything at every x: the layer is injective (theory 6.2).

For a convolution the blocks are boxes P of inputs, and all rows that see nothing else:
the shifts of the kernels inside P, and at the border kernels that are cut off.  The
test is sufficient only; with P as large as the input it is the exact decision.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from exactrelu.answer import Names, Part, is_no
from exactrelu.certificates.certificate import Certificate, Verdict, record
from exactrelu.display import brief
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError, one_line
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Point
from exactrelu.network.convolution import Convolution
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.injectivity.collisions import sampled_collision
from exactrelu.questions.injectivity.constructions import need_matrices
from exactrelu.questions.injectivity.layer import LayerProof, layer_injective
from exactrelu.questions.injectivity.network import (
    collision_verdict,
    is_injective,
    layer_claim,
    two_points,
)
from exactrelu.questions.question import Call, question

Box = tuple[int, ...]


@dataclass(frozen=True)
class RowBlock:
    """Rows of a layer that see only these inputs, and the number of their proof."""

    inputs: tuple[int, ...]
    rows: tuple[int, ...]
    proof: int


@dataclass(frozen=True)
class Blocks:
    """Blocks of one shape that cover the inputs, and the proofs that they are injective."""

    box: Box
    blocks: tuple[RowBlock, ...]
    proofs: tuple[LayerProof, ...]

    def certificate(self, network: Network) -> Certificate:
        """That the first layer of a network is injective; a proof follows its first block."""
        everywhere = Domain.of(None, network.n_inputs)
        return layer_claim(network, 1, everywhere, "blocks", self._records())

    def _records(self) -> Iterator[str]:
        n_written = 0
        for block in self.blocks:
            yield record("block", block.proof, len(block.inputs), *block.inputs, *block.rows)
            if block.proof == n_written:
                yield from self.proofs[block.proof].records
                n_written += 1


@dataclass(frozen=True, eq=False, repr=False)
class ConvolutionVerdict(Verdict):
    """The verdict, the shapes of boxes that prove nothing, and what is known of the next one.

    ``n_covered`` inputs are covered by boxes of the next shape that are injective.
    """

    PARTS = (
        Part(
            "witness",
            "null, or two points with one image",
            proved=is_no,
            said=two_points,
            of="points",
        ),
        Part("box", "null, or the shape of the boxes that prove it"),
        Part("rows", "the rows of the layer", proved=True),
        Part("columns", "its columns", proved=True),
        Part("tried", "the shapes of boxes that prove nothing"),
        Part("n_covered", "the inputs that are covered by boxes of the next shape"),
    )

    tried: tuple[Box, ...] = ()
    n_covered: int = 0
    rows: int = 0
    columns: int = 0

    @property
    def points(self) -> tuple[Point, Point] | None:
        """The two points of a no."""
        return self.witness if self.answer is False else None

    @property
    def box(self) -> Box | None:
        """The shape of the boxes that prove it."""
        return None if self.answer is False else self.witness

    def _computed(self, *, lists: bool) -> Names:
        """What a certificate leaves to be believed."""
        return () if self.answer is None else ("that the layer is this convolution",)


class _BoxesSoFar:
    """The boxes that were tried, and what the one that is being tried covers."""

    def __init__(self, n_inputs: int) -> None:
        self.n_inputs = n_inputs
        self.tried: list[Box] = []
        self.covered: set[int] = set()

    def undecided(self, stopped: Stopped) -> ConvolutionVerdict:
        """The answer if the work is stopped now."""
        words = (
            f"{len(self.tried)} shapes of boxes prove nothing, the next one covers "
            f"{len(self.covered):,} of {self.n_inputs:,} inputs so far"
        )
        tried, n_covered = tuple(self.tried), len(self.covered)
        return ConvolutionVerdict.undecided(stopped, words, tried=tried, n_covered=n_covered)


@question
def convolution_injective(
    call: Call[ConvolutionVerdict],
    convolution: Convolution,
    box: Box | None = None,
    **limits: Unpack[Limits],
) -> ConvolutionVerdict:
    """Whether ReLU after a convolutional layer is one-to-one.

    Parameters
    ----------
    convolution : Convolution
        The layer.
    box : tuple of int, optional
        Only this box of inputs; by default small ones first, the whole input last, which decides.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    ConvolutionVerdict
        The ``witness`` of a yes is the box that proves it, that of a no two points with one image.

    Notes
    -----
    A box of p inputs takes as much as a layer with p inputs.

    References
    ----------
    Puthawala et al., *Globally injective ReLU networks*, Theorem 3.

    Examples
    --------
    >>> import exactrelu as er
    >>> import numpy as np
    >>> vector = er.matrices.vector
    >>> kernels = np.array([[vector([1, 0])], [vector([-1, 0])]], dtype=object)
    >>> both = er.layers.Convolution(kernels, (1, 3), (1,), "periodic", vector([0, 0]))
    >>> er.layers.convolution_injective(both).answer
    True
    """
    if box is not None:
        box = fitting(box, convolution)
    so_far = _BoxesSoFar(math.prod(convolution.input_shape))
    m, n = convolution.shape

    def late(stopped: Stopped) -> ConvolutionVerdict:
        return replace(so_far.undecided(stopped), rows=m, columns=n)

    call.knows(late)
    return replace(_by_boxes(convolution, box, call.effort, so_far), rows=m, columns=n)


def _by_boxes(
    convolution: Convolution, box: Box | None, effort: Effort, so_far: _BoxesSoFar
) -> ConvolutionVerdict:
    need_matrices(*convolution.shape, effort)
    network = convolution.network(effort)
    layer = network.layers[0]
    collision = sampled_collision(layer, effort)
    if collision is not None:
        everywhere = Domain.of(None, layer.n_inputs)
        found = collision_verdict(network, 1, everywhere, collision)
        return ConvolutionVerdict(found.answer, found.reason, found.witness, found.certificate)
    for shape in boxes(convolution) if box is None else (box,):
        tried = tuple(so_far.tried)
        if shape == convolution.spatial:
            found = is_injective(network, layer=1, effort=effort)
            return ConvolutionVerdict(
                found.answer, found.reason, found.witness, found.certificate, tried
            )
        blocks = injective_blocks(convolution, layer, shape, effort, so_far.covered)
        if blocks is not None:
            words = " × ".join(map(str, shape))
            reason = f"{len(blocks.blocks)} boxes of {words} inputs, all injective"
            return ConvolutionVerdict(True, reason, shape, blocks.certificate(network), tried)
        so_far.tried.append(shape)
        so_far.covered.clear()
    reason = "no box that was tried proves it, which says nothing against it"
    return ConvolutionVerdict(None, reason, tried=tuple(so_far.tried))


def parse_box(text: str, convolution: Convolution) -> Box:
    """A shape P1,P2,… of boxes that fit into the input of a convolution."""
    try:
        return fitting(tuple(int(part) for part in text.split(",")), convolution)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"box {one_line(text)}: expected integers P1,P2,…") from None


def fitting(box: Box, convolution: Convolution) -> Box:
    """The shape of a box, if it fits into the input of a convolution."""
    sides = convolution.spatial
    if len(box) == len(sides) and all(1 <= p <= n for p, n in zip(box, sides, strict=True)):
        return box
    shape, found = " × ".join(map(str, sides)), brief(box)
    raise InputError(f"box {found}: expected a shape that fits into the input, {shape}")


def boxes(convolution: Convolution) -> Iterator[Box]:
    """The shapes of boxes from that of the kernel to that of the input, small ones first."""
    sides = (
        range(min(k, n), n + 1)
        for k, n in zip(convolution.window, convolution.spatial, strict=True)
    )
    yield from sorted(itertools.product(*sides), key=lambda box: (math.prod(box), box))


def injective_blocks(
    convolution: Convolution, layer: Layer, box: Box, effort: Effort, covered: set[int]
) -> Blocks | None:
    """Blocks of the shape of ``box`` that prove the layer injective, if there are such.

    The inputs that they cover are added to ``covered``.
    """
    integers = [tuple(map(int, row)) for row in layer.affine.integer_form[0].tolist()]
    supports = [frozenset(j for j, w in enumerate(row[:-1]) if w) for row in integers]
    numbers: dict[tuple[tuple[int, ...], ...], int | None] = {}
    proofs: list[LayerProof] = []
    found: list[RowBlock] = []
    for inputs in _placements(convolution, box):
        inside = frozenset(inputs)
        if inside <= covered:
            continue
        effort.spend()
        rows = tuple(i for i, seen in enumerate(supports) if seen and seen <= inside)
        # Integers are a faster key than rationals; most boxes have the matrix of another.
        matrix = tuple(tuple(integers[i][j] for j in (*inputs, -1)) for i in rows)
        if matrix not in numbers:
            proof = _proof(matrix, len(inputs), effort)
            numbers[matrix] = None if proof is None else len(proofs)
            proofs += [] if proof is None else [proof]
        number = numbers[matrix]
        if number is not None:
            found.append(RowBlock(inputs, rows, number))
            covered |= inside
    is_complete = len(covered) == layer.n_inputs
    return Blocks(box, tuple(found), tuple(proofs)) if is_complete else None


def _placements(convolution: Convolution, box: Box) -> Iterator[tuple[int, ...]]:
    """The inputs in every box of a shape, in the order of the box; over the edge if periodic."""
    channels, *spatial = convolution.input_shape
    is_periodic = convolution.padding == "periodic"
    origins = (
        range(n) if is_periodic and side < n else range(n - side + 1)
        for n, side in zip(spatial, box, strict=True)
    )
    places = np.arange(math.prod(convolution.input_shape)).reshape(convolution.input_shape)
    for origin in itertools.product(*origins):
        axes = [
            [(o + t) % n for t in range(side)]
            for o, side, n in zip(origin, box, spatial, strict=True)
        ]
        yield tuple(map(int, places[np.ix_(range(channels), *axes)].ravel()))


def _proof(matrix: tuple[tuple[int, ...], ...], n: int, effort: Effort) -> LayerProof | None:
    if len(matrix) < 2 * n:
        return None  # Fewer rows than 2n are never enough (corollary 2).
    weights = Matrix([row[:-1] for row in matrix], n)
    layer = Layer.of(weights, [row[-1] for row in matrix])
    if sampled_collision(layer, effort) is not None:
        return None
    answer = layer_injective(weights, layer.flint_bias, effort=effort)
    effort.spend()
    return answer if isinstance(answer, LayerProof) else None
