"""Forged programs: one condition of the Coq program is left out, and some proof no longer holds.

    python3 proofs/verified/forge.py

A proof that still holds without a condition would say nothing about that condition. Each forgery is
compiled in a folder of its own, file by file; the exit code is 0 if every one fails in the file
where it is expected to, and not by its syntax.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
FILES = [
    "Meaning",
    "Rows",
    "Cones",
    "Cells",
    "Chart",
    "Regions",
    "Bounds",
    "Intervals",
    "Known",
    "Property",
    "Equality",
    "Decided",
    "Within",
    "Join",
    "Checker",
    "Points",
    "Pairs",
    "Rays",
    "Seen",
    "Active",
    "Ranks",
    "Rewriting",
    "Kinds",
]


class Forgery(NamedTuple):
    """A condition that is left out, and the file in which a proof must fail."""

    about: str
    file: str
    old: str
    new: str


FORGERIES = [
    Forgery("a multiplier may be negative", "Rows",
            "if Z.ltb m 0 then None",
            "if Z.ltb m m then None"),
    Forgery("a region needs no point", "Regions",
            "if finished v && witness n (path v) d p then Some",
            "if finished v then Some"),
    Forgery("a volume may be 0", "Cones",
            "Z.ltb 0 (fst e) && fits (snd g) cone &&",
            "fits (snd g) cone &&"),
    Forgery("a unit without a sign is added", "Cells",
            "match o, o' with Undecided, On => Some f",
            "match o, o' with Undecided, _ => Some f"),
    Forgery("a cut may be constant", "Cells",
            "if nonconstant n f then\n            let part g up",
            "if true then\n            let part g up"),
    Forgery("a bound of a bent unit loses nothing", "Bounds",
            "Some (c, Z.min 0 (Z.min (Z.opp (Z.mul c l)) (Z.mul (Z.sub a c) h)))",
            "Some (c, 0%Z)"),
    Forgery("an end may be rounded", "Intervals",
            "if Z.eqb (Z.mul q v) (Z.opp c) then",
            "if true then"),
    Forgery("a leaf shows no signs", "Decided",
            "if shows_all v ss then Some vs",
            "if true then Some vs"),
    Forgery("a count of regions may be too large", "Checker",
            "else Z.eqb k count",
            "else Z.leb k count"),
    Forgery("a known sign may be the other one", "Cells",
            "Bool.eqb up (snd s) && (negb open || nonconstant n f)",
            "(negb open || nonconstant n f)"),
    Forgery("an output may have another sign", "Points",
            "Z.ltb 0 (fst v) && forall2b",
            "forall2b"),
    Forgery("two points need not differ", "Points",
            " && crossed (fst x) (snd x) (fst y) (snd y)",
            ""),
    Forgery("a neuron may be 0 at a point of a region", "Seen",
            " && firm hidden (d, p)",
            ""),
    Forgery("a layer may have no neuron that is active", "Active",
            " && existsb active_unit es",
            ""),
    Forgery("rows need not be combinations of those that are named", "Ranks",
            " && zeros (axpy (Z.opp (fst s)) a (zmixed (snd s) sub))",
            ""),
    Forgery("an output may fall below that of the other network", "Pairs",
            "[[(s, gap_row n m d e (snd f))]; [(s, gap_row n m (Z.opp d) e (snd f))]]",
            "[[(s, gap_row n m d e (snd f))]]"),
    Forgery("a largest difference may be exceeded", "Kinds",
            "; if cells then Near a b e dom else Claim (pair_claim true Above a b ab e dom)]",
            "]"),
    Forgery("layers behind a linear unit may take in what is positive", "Rewriting",
            "if forallb plain u then",
            "if true then"),
    Forgery("an output may be below the other by more than the bound", "Within",
            " && never_beyond v (beyond q p g f) below",
            ""),
    Forgery("a ray may leave the domain", "Rays",
            " && forallb (fun g => Z.leb 0 (zval (linear_row g) 1 r)) (inequalities dom)",
            ""),
]  # fmt: skip


def failing_file(forgery: Forgery) -> str | None:
    """Return the first file that does not compile, without the names of the folder."""
    with tempfile.TemporaryDirectory() as folder:
        for name in FILES:
            shutil.copy(HERE / f"{name}.v", folder)
        path = Path(folder, f"{forgery.file}.v")
        text = path.read_text(encoding="utf-8")
        if text.count(forgery.old) != 1:
            raise SystemExit(
                f"{forgery.file}.v: {forgery.old!r} is there {text.count(forgery.old)} times"
            )
        path.write_text(text.replace(forgery.old, forgery.new), encoding="utf-8")
        for name in FILES:
            run = subprocess.run(
                ["coqc", "-q", "-R", ".", "Exactrelu", f"{name}.v"], cwd=folder, capture_output=True
            )
            if run.returncode and b"Syntax error" in run.stderr:
                raise SystemExit(run.stderr.decode())
            if run.returncode:
                return name
    return None


def main() -> int:
    """Compile every forgery."""
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0]).parse_args()
    code = 0
    for forgery in FORGERIES:
        found = failing_file(forgery)
        code |= found != forgery.file
        print(
            f"{forgery.file}.v, {forgery.about}: "
            + (f"the proof in {found}.v fails" if found else "ACCEPTED"),
            flush=True,
        )
    return code


if __name__ == "__main__":
    sys.exit(main())
