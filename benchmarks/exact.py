"""Matrix products and ranks: exactrelu (FLINT) beside SymPy, Fraction and numpy floats."""

import random
from fractions import Fraction

import numpy as np
from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from benchmarks._timing import print_table, seconds, shown
from exactrelu.exact.linear import rank, rank_proof
from exactrelu.exact.matrix import Matrix


def fraction_product(A: list[list[Fraction]], B: list[list[Fraction]]) -> list[list[Fraction]]:
    columns = list(zip(*B, strict=True))
    return [[sum(map(Fraction.__mul__, row, column)) for column in columns] for row in A]


def products() -> None:
    rows = []
    rng = random.Random(0)
    cases = {
        "1000, digits": (1000, lambda: Fraction(rng.randint(-9, 9))),
        "60, digits": (60, lambda: Fraction(rng.randint(-9, 9))),
        "60, 53-bit dyadics": (60, lambda: Fraction(rng.gauss(0, 1))),
        "6, 5000 digits": (6, lambda: Fraction(rng.randrange(10**5000), rng.randrange(1, 10**9))),
    }
    for name, (n, entry) in cases.items():
        table = [[entry() for _ in range(n)] for _ in range(n)]
        A = Matrix(table)
        ours = seconds(lambda A=A: A @ A)
        slow, fits = n <= 60, n > 6
        floats = np.array(table, float) if fits else None
        D = DomainMatrix(
            [[QQ(x.numerator, x.denominator) for x in row] for row in table], (n, n), QQ
        )
        peers = [
            seconds(lambda D=D: D * D) if slow else None,
            seconds(lambda t=table: fraction_product(t, t)) if slow else None,
            seconds(lambda f=floats: f @ f) if fits else None,
        ]
        shown_peers = [f"{shown(t)} ({t / ours:.2g}×)" if t else "-" for t in peers]
        rows.append([name, shown(ours), *shown_peers])
    print_table(["n × n product", "exactrelu", "sympy", "Fraction", "numpy float"], rows)


def ranks() -> None:
    rows = []
    rng = random.Random(1)
    for n, deficiency in [(16, 0), (16, 1), (64, 0), (64, 1)]:
        table = [[Fraction(rng.gauss(0, 1)) for _ in range(n)] for _ in range(n)]
        if deficiency:
            table[-1] = [a + b for a, b in zip(table[0], table[1], strict=True)]
        A = Matrix(table)
        ours, proof = seconds(lambda A=A: rank(A)), seconds(lambda A=A: rank_proof(A))
        direct = seconds(lambda A=A: A.flint.rank())
        ratio = f"{shown(direct)} ({direct / ours:.2g}×)"
        rows.append([f"{n}, rank {n - deficiency}", shown(ours), shown(proof), ratio])
    print_table(["n × n rank, 53-bit", "rank", "with proof", "fmpq_mat.rank"], rows)


def main() -> None:
    products()
    print()
    ranks()
