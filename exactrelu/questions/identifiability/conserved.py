"""Quantities that gradient flow conserves (theory 3.9).

Where neurons I of a hidden layer are linear on all data, with incoming rows W_I, b_I and outgoing
columns V_I, the matrix  Q = W_I W_Iᵀ + b_I b_Iᵀ − V_Iᵀ V_I  is constant under gradient flow for
every loss.  The next preactivation is V_I (W_I h + b_I) + (what does not depend on them); with
g the gradient of the loss there, G = Σ g hᵀ and γ = Σ g over the data,

∂W_I = V_Iᵀ G,   ∂b_I = V_Iᵀ γ,   ∂V_I = G W_Iᵀ + γ b_Iᵀ,

and dQ/dt = 0 is a polynomial identity in W_I, b_I, V_I, G, γ.  Without b_I b_Iᵀ it is none.
For a single neuron of any kind the 1 × 1 matrix is conserved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exactrelu.display import Shown
from exactrelu.errors import InputError, pair_of, shortened
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, point, rational
from exactrelu.network.network import Network, PlainNetwork, plain, trace

#: Of more neurons, inputs or outputs SymPy writes no polynomials in any time that anybody has.
MOST = 100

#: Pairs of an input and the output that is wanted there.
Data = Sequence[tuple[Sequence[Any], Sequence[Any]]]


@dataclass(frozen=True, repr=False)
class Identity(Shown):
    """Q, and its derivative along gradient flow, as SymPy matrices in the symbols above."""

    Q: Any
    derivative: Any

    @property
    def holds(self) -> bool:
        """Whether the derivative is 0."""
        return bool(self.derivative.is_zero_matrix)


def conserved_identity(
    n_neurons: int, n_inputs: int, n_outputs: int, *, with_bias: bool = True
) -> Identity:
    """What gradient flow conserves where neurons are linear, as an identity of polynomials.

    Parameters
    ----------
    n_neurons : int
        How many neurons of the layer are linear.
    n_inputs : int
        How many inputs they have.
    n_outputs : int
        How many neurons listen to them.
    with_bias : bool, optional
        With b bᵀ in Q; without it the identity fails.

    Returns
    -------
    Identity
        ``Q`` and its ``derivative`` along the flow, matrices of SymPy; ``holds`` if that is 0.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Theorem 6 and Proposition 35.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.identifiability.conserved_identity(2, 2, 1).holds
    True
    >>> er.identifiability.conserved_identity(2, 2, 1, with_bias=False).holds
    False
    """
    import sympy

    for name, n in (("neurons", n_neurons), ("inputs", n_inputs), ("outputs", n_outputs)):
        if not 1 <= n <= MOST:
            raise InputError(f"{name}: found {shortened(n)}, expected a number from 1 to {MOST}")
    W = sympy.Matrix(sympy.MatrixSymbol("W", n_neurons, n_inputs))
    b = sympy.Matrix(sympy.MatrixSymbol("b", n_neurons, 1))
    V = sympy.Matrix(sympy.MatrixSymbol("V", n_outputs, n_neurons))
    G = sympy.Matrix(sympy.MatrixSymbol("G", n_outputs, n_inputs))
    gamma = sympy.Matrix(sympy.MatrixSymbol("gamma", n_outputs, 1))
    dW, db, dV = -V.T * G, -V.T * gamma, -(G * W.T + gamma * b.T)
    Q = W * W.T - V.T * V
    rate = dW * W.T + W * dW.T - dV.T * V - V.T * dV
    if with_bias:
        Q += b * b.T
        rate += db * b.T + b * db.T
    return Identity(Q, rate.applyfunc(sympy.expand))


@dataclass(frozen=True)
class NeuronBlock:
    """Incoming rows, biases (a column) and outgoing columns of some neurons of one layer."""

    W: Matrix
    b: Matrix
    V: Matrix

    def moved(self, by: NeuronBlock, step: Any) -> NeuronBlock:
        """self − step·by, one Euler step."""
        s = rational(step)
        return NeuronBlock(self.W - by.W.scale(s), self.b - by.b.scale(s), self.V - by.V.scale(s))

    def quantity(self, with_bias: bool = True) -> Matrix:
        """Q, or Q without b bᵀ."""
        Q = self.W @ self.W.T - self.V.T @ self.V
        return Q + self.b @ self.b.T if with_bias else Q


def block(network: Network, layer: int, neurons: Sequence[int]) -> NeuronBlock:
    """The parameters of neurons (from 0) of a hidden layer (from 0)."""
    if not 0 <= layer < len(network.layers) - 1:
        raise InputError(f"layer {layer + 1}: expected a hidden layer")
    here, after = network.layers[layer : layer + 2]
    return NeuronBlock(
        here.weights.take(rows=neurons),
        here.affine.take(rows=neurons, columns=[here.n_inputs]),
        after.weights.take(columns=neurons),
    )


def squared_loss_gradient(
    network: Network, data: Data, layer: int, neurons: Sequence[int]
) -> NeuronBlock:
    """The gradient of ½ Σ |f(x) − y|² by the parameters of some neurons, exactly.

    At 0 the derivative of ReLU is taken to be 0, as programs do.
    """
    here = block(network, layer, neurons)
    total = NeuronBlock(*(Matrix.zero(*part.shape) for part in (here.W, here.b, here.V)))
    for k, sample in enumerate(data, 1):
        x, y = pair_of(sample, f"sample {k}", "a point and a value")
        x, y = point(x, network.n_inputs, f"sample {k}"), point(y, network.n_outputs, f"value {k}")
        part = _gradient_at(network, x, y, layer, neurons)
        total = NeuronBlock(total.W + part.W, total.b + part.b, total.V + part.V)
    return total


def _gradient_at(
    network: Network, x: Vector, y: Vector, layer: int, neurons: Sequence[int]
) -> NeuronBlock:
    at = trace(network, x)
    values = [x, *(tuple(max(z, rational(0)) for z in row) for row in at.flint_preactivations[:-1])]
    error = Matrix.column_vector([a - b for a, b in zip(at.flint_output, y, strict=True)])
    # The gradients by the preactivations of each layer, last first.
    by_layer = [error]
    for later, signs in zip(reversed(network.layers), reversed(at.pattern), strict=False):
        mask = Matrix.diagonal([rational(int(s > 0)) for s in signs])
        by_layer.append(mask @ later.weights.T @ by_layer[-1])
    by_layer.reverse()
    g = by_layer[layer].take(rows=neurons)
    incoming = Matrix([values[layer]])
    outgoing = Matrix([[values[layer + 1][i] for i in neurons]])
    return NeuronBlock(g @ incoming, g, by_layer[layer + 1] @ outgoing)


def derivative(
    network: PlainNetwork, data: Data, layer: int, neurons: Sequence[int], with_bias: bool = True
) -> Matrix:
    """dQ/dt along gradient flow of the squared loss, exactly."""
    at, slope = block(network, layer, neurons), squared_loss_gradient(network, data, layer, neurons)
    W = slope.W @ at.W.T + at.W @ slope.W.T
    V = slope.V.T @ at.V + at.V.T @ slope.V
    b = slope.b @ at.b.T + at.b @ slope.b.T
    return V - W - b if with_bias else V - W


def is_conserved(
    network: Network,
    data: Data,
    *,
    layer: int,
    neurons: Sequence[int],
    with_bias: bool = True,
) -> bool:
    """Whether gradient flow of the squared loss on some data conserves Q to first order.

    Parameters
    ----------
    network : Network
        The network.
    data : sequence of pairs
        Points x with the outputs y that are wanted there.
    layer : int
        The hidden layer, from 1.
    neurons : sequence of int
        Its neurons, from 1.
    with_bias : bool, optional
        With b bᵀ in Q.

    Returns
    -------
    bool
        Whether the derivative of Q is exactly 0.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Theorem 6 and Proposition 35.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [1]], [[2, 3]]], [[1, 2], [0]])
    >>> data = [([1], [0]), ([2], [1])]
    >>> er.identifiability.is_conserved(net, data, layer=1, neurons=[1, 2])
    True
    >>> er.identifiability.is_conserved(net, data, layer=1, neurons=[1, 2], with_bias=False)
    False
    """
    network = plain(network, "conservation by gradient flow")
    if not 1 <= layer < len(network.layers):
        raise InputError(f"layer {layer}: expected a hidden layer, counted from 1")
    width = network.widths[layer]
    for i in neurons:
        if not 1 <= i <= width:
            raise InputError(f"neuron {i} of layer {layer}: expected a number from 1 to {width}")
    inner = [i - 1 for i in neurons]
    return derivative(network, data, layer - 1, inner, with_bias).is_zero
