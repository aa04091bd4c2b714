"""Claims by shards: the whole, its pieces and the ledger; forgeries of each of them."""

from __future__ import annotations

import hashlib
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from bundles import sealed
from claim_truth import is_true
from exactrelu_checker.main import main
from flint import fmpq
from mutating import rearranged
from property_truth import is_true as is_true_property
from random_property import claim as random_claim
from shard_writer import sharded
from test_brute_force import random_domain, random_network
from test_brute_force_property import head, proof, text_of
from truth import differ

from exactrelu.certificates.certificate import claim as certificate_of
from exactrelu.certificates.certificate import point_record
from exactrelu.exact.text import decode_system
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.regions import regions
from tests.seeds import SEED, seeds

KINDS = ("regions", "complex", "transparent", "equal", "within", "property")


def _holds(claim: Any) -> bool:
    """Whether a claim is true, by brute force."""
    if claim["kind"] == "property":
        return is_true_property(text_of(claim))
    if claim["kind"] == "within":
        bound = Fraction(int(claim["bound"][1], 16), int(claim["bound"][0], 16))
        return not differ(claim["a"], claim["b"], claim["domain"], bound)
    return is_true(claim) is True


class Made:
    """A claim by shards in a folder: the file of the whole, those of its pieces."""

    def __init__(self, rng: random.Random, kind: str, folder: Path) -> None:
        self.folder, self.kind = folder, kind
        self.ledger = folder / "ledger"
        while not self._claim(rng):
            pass
        depth = rng.choice([0, 1, 2, 2, 3])
        inside = self.inside(self.claim["domain"])
        self.lines, pieces = sharded(rng, self.claim, depth)
        self.whole = self.write("whole", [head(self.claim), "by shards", inside, *self.lines])
        self.pieces = [self.piece(rng, k, piece) for k, piece in enumerate(pieces)]

    def _claim(self, rng: random.Random) -> bool:
        """Draw a claim; whether it is true."""
        if self.kind == "property":
            self.claim, _ = random_claim(rng)
            return _holds(self.claim)
        n = rng.choice([1, 2, 2, 3])
        hidden = rng.choice([[1], [2], [3], [2, 1], [2, 2]] if n < 3 else [[1], [2], [2, 1]])
        self.network = random_network(rng, [n, *hidden, 1])
        place = random_domain(rng, n)
        about: dict[str, Any] = {"network": self.network, "domain": place}
        if self.kind in ("equal", "within"):
            self.other = self._near(rng)
            about = {"a": self.network, "b": self.other, "domain": place}
        if self.kind == "within":
            about["bound"] = fmpq(rng.choice([1, 1, 2]), rng.choice([1, 2]))
        if self.kind == "regions":
            about |= {"count": 0, "sense": rng.choice(["exactly", "at-least"])}
        if self.kind == "complex":
            about |= {"counts": [0] * (n + 1)}
        holds = None if self.kind in ("regions", "complex") else True
        data = certificate_of(self.kind, "none", [], holds=holds, **about).to_bytes()
        self.claim = json.loads(data.splitlines()[0])["claim"]
        return holds is None or _holds(self.claim)

    def _near(self, rng: random.Random) -> Network:
        """The network with its neurons in another order, perhaps with another bias."""
        layers = list(self.network.layers)
        weights = [[list(row) for row in layer.weights.flint_rows()] for layer in layers]
        biases = [list(layer.flint_bias) for layer in layers]
        weights[0], biases[0] = weights[0][::-1], biases[0][::-1]
        weights[1] = [row[::-1] for row in weights[1]]
        if self.kind == "within":
            biases[-1] = [b + fmpq(rng.choice([0, 1]), 2) for b in biases[-1]]
        return Network.from_arrays(weights, biases)

    @staticmethod
    def place(domain: Any) -> Domain:
        return Domain.of(decode_system(domain), domain["dim"])

    def inside(self, domain: Any) -> str:
        return point_record("inside", self.place(domain).flint_point)

    def write(self, name: str, lines: list[str]) -> Path:
        path = self.folder / f"{name}.cert"
        path.write_bytes(sealed(lines))
        return path

    def piece(self, rng: random.Random, k: int, claim: Any) -> Path:
        """The file of a piece, by the library or the writer of boxes; its claim is this one."""
        path, place = self.folder / f"{k}.cert", self.place(claim["domain"])
        if self.kind == "property":
            lines = proof(rng, claim, self.inside(claim["domain"]))
            assert lines is not None
            return self.write(str(k), lines)
        if self.kind == "regions":
            found: Any = regions(self.network, place)
        elif self.kind == "complex":
            found = polyhedral_complex(self.network, place)
        elif self.kind == "transparent":
            found = is_transparent(self.network, place)
        else:
            bound = [int(x, 16) for x in claim.get("bound", ["1", "0"])]
            within = fmpq(bound[1], bound[0]) if self.kind == "within" else None
            found = equivalent(self.network, self.other, place, within=within)
        data = found.certificate.to_bytes()
        own = json.loads(data.splitlines()[0])["claim"]
        if claim.get("sense") == "at-least":
            own["sense"] = "at-least"
            data = sealed([head(own), *data.decode().splitlines()[1:-1]])
        assert text_of(own) == text_of(claim)
        path.write_bytes(data)
        return path

    def check(self, *paths: Path) -> int:
        return main(["--ledger", str(self.ledger), *map(str, paths)])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", seeds(6, 60))
def test_pieces_and_then_the_whole(
    kind: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Flat domains, points, zero rows, ties and long numbers too; accepted and true."""
    made = Made(random.Random(f"{SEED} {kind} {seed}"), kind, tmp_path)
    n = len(made.pieces)
    if n:
        assert made.check(made.whole) == 4
        said = capsys.readouterr().out
        assert f": shard-missing: {len(set(digests(made)))} not" in said or n > 1, said
    assert made.check(*made.pieces, made.whole) == 0, capsys.readouterr().out
    last = capsys.readouterr().out.splitlines()[-1]
    trusted = f"the ledger (shards: {n})" if n else "NOTHING"
    assert f"[by shards; trusts {trusted}; unpinned]" in last
    assert _holds(made.claim)


def digests(made: Made) -> list[str]:
    """The sha256 of the claims of the pieces."""
    lines = [path.read_bytes().splitlines()[0] for path in made.pieces]
    claims = [text_of(json.loads(line)["claim"]) for line in lines]
    return [hashlib.sha256(text.encode()).hexdigest() for text in claims]


@pytest.mark.parametrize("kind", ["regions", "complex"])
@pytest.mark.parametrize("seed", seeds(2, 20))
def test_shards_of_shards(
    kind: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A piece may be by shards itself; its own pieces come first."""
    rng = random.Random(f"{SEED} again {kind} {seed}")
    made = Made(rng, kind, tmp_path)
    for path in made.pieces:
        claim = json.loads(path.read_bytes().splitlines()[0])["claim"]
        lines, pieces = sharded(rng, dict(claim), 1)
        inner = [made.piece(rng, 100 + k, piece) for k, piece in enumerate(pieces)]
        assert not inner or made.check(*inner) == 0
        made.write(path.stem, [head(claim), "by shards", made.inside(claim["domain"]), *lines])
    assert made.check(*made.pieces, made.whole) == 0, capsys.readouterr().out


def changed(rng: random.Random, lines: list[str]) -> list[str]:
    """The lines with a record left out, said again or moved, or with another number."""
    if len(lines) > 3 and rng.random() < 0.4:
        return rearranged(rng, lines, 3)
    at = rng.choice([0, *range(3, len(lines)), *range(3, len(lines))])
    if at:
        word, *numbers = lines[at].split()
        if not numbers:
            return rearranged(rng, lines, 3)
        k = rng.randrange(len(numbers))
        numbers[k] = f"{int(numbers[k], 16) + rng.choice([-1, 1]):x}"
        return [*lines[:at], " ".join([word, *numbers]), *lines[at + 1 :]]
    claim = json.loads(lines[0])["claim"]
    if "counts" in claim:
        k = rng.randrange(len(claim["counts"]))
        claim["counts"][k] = max(0, claim["counts"][k] + rng.choice([-1, 1]))
    elif "count" in claim:
        claim["count"] = max(0, claim["count"] + rng.choice([-1, 1]))
    elif claim["domain"]["rows"]:
        claim["domain"]["rows"].pop(rng.randrange(len(claim["domain"]["rows"])))
    return [head(claim), *lines[1:]]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", seeds(3, 40))
def test_mutants_of_the_whole_that_are_accepted_are_true(
    kind: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With all pieces in the ledger."""
    rng = random.Random(f"{SEED} mutants {kind} {seed}")
    made = Made(rng, kind, tmp_path)
    assert not made.pieces or made.check(*made.pieces) == 0
    lines = made.whole.read_text().splitlines()[:-1]
    for _ in range(40):
        mutant = lines
        for _ in range(rng.choice([1, 1, 2, 3])):
            mutant = changed(rng, mutant)
        code = made.check(made.write("mutant", mutant))
        assert "internal-error" not in capsys.readouterr().out
        if code == 0:
            assert _holds(json.loads(mutant[0])["claim"]), mutant
