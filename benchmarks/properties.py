"""ACAS Xu: search in floats, proof in integers, check; Marabou beside it where it is installed.

``python -m benchmarks properties [--all] [--timeout S] [PROPERTY:NETWORK …]``

The networks and properties are public ones (where they are beside the project).  *float* is the
search alone, as a verifier without proofs would stop there; *decide* is the whole way to the
answer, with exact points and the proof; *check* is the checker, in this process.  Seconds are those
of one core.  At the end come the sums, and what the issue asks: the whole search beside the plain
one, and checking beside proving.  Marabou has the same time, and one worker.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stdout
from gzip import decompress
from io import BufferedReader, BytesIO, StringIO
from pathlib import Path
from time import process_time
from typing import Any

from exactrelu_checker.check import Question, check_stream

from benchmarks._timing import print_table, shown
from exactrelu.cli.command import positive_number
from exactrelu.effort import Effort, Stopped
from exactrelu.network.formats.load import load
from exactrelu.questions.properties.chain import side_by_side_chain
from exactrelu.questions.properties.decide import decide
from exactrelu.questions.properties.domain_rows import DomainRows
from exactrelu.questions.properties.points import Points
from exactrelu.questions.properties.posed import property_of
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.replay import CheckerBoxes
from exactrelu.questions.properties.search import BoxSearch
from exactrelu.questions.properties.versions import parse_query, real_query

ACASXU = Path(__file__).parents[2] / "shared" / "data" / "acasxu"
#: Of each property some that are decided in a second or so.
FEW = (
    *("1:1_1", "1:2_5", "1:3_5", "2:2_1", "2:4_1", "2:1_1", "3:1_2", "3:2_1", "3:5_2"),
    *("4:1_1", "4:3_2", "4:5_2"),
)
#: The other properties are about these networks; where the file is there.
OTHERS = ("5:1_1", "6:1_1", "7:1_9", "8:2_9", "9:3_3", "10:4_5")


def main(options: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks properties")
    parser.add_argument("--all", action="store_true", help="all that are there")
    parser.add_argument("--timeout", metavar="S", type=positive_number, default=60.0)
    parser.add_argument("names", nargs="*", metavar="PROPERTY:NETWORK", help="such as 1:2_5")
    args = parser.parse_args(options)
    if wrong := [name for name in args.names if name.count(":") != 1]:
        parser.error(f"found {wrong[0]!r}, expected PROPERTY:NETWORK such as 1:2_5")
    if not ACASXU.is_dir():
        print("the networks of ACAS Xu are not beside the project")
        return
    names = args.names or list(FEW)
    if args.all:
        nets = sorted(path.name.split(".")[0] for path in (ACASXU / "nets").glob("?_?.onnx.gz"))
        names = [f"{prop}:{net}" for prop in range(1, 5) for net in nets] + list(OTHERS)
    print_queries(names, args.timeout)


def print_queries(names: Sequence[str], timeout: float) -> None:
    rows, sums = [], [0.0] * 4
    for name in names:
        prop, net = name.split(":")
        if not (ACASXU / "nets" / f"{net}.onnx.gz").exists():
            continue
        asked = property_named(prop, net)
        found, whole = timed(lambda asked=asked: decide(asked, timeout=timeout))
        plain, search = (searched(asked, timeout, points) for points in (Believed, Points))
        certificate = found.certificate
        data = b"" if certificate is None else certificate.to_bytes()
        verdict, check = timed(lambda data=data: checked(data)) if data else ("", 0.0)
        if certificate is not None and found.answer:
            for k, value in enumerate((plain, search, whole, check)):
                sums[k] += value
        rows.append(
            (
                prop,
                net,
                {True: "unsat", False: "sat", None: "?"}[found.answer],
                f"{found.n_leaves:,}",
                shown(plain),
                shown(search),
                shown(whole),
                shown(check) if data else "",
                verdict,
                f"{len(data):,}",
                marabou(asked, net, timeout),
            )
        )
        print(*rows[-1], file=sys.stderr)
    header = ("property", "network", "answer", "leaves", "float", "search", "decide", "check")
    print_table((*header, "", "bytes", "Marabou"), rows)
    plain, search, whole, check = sums
    if plain:
        print(f"unsat, sums: {shown(plain)} float, {shown(whole)} decide, {shown(check)} check")
        print(
            f"search beside plain floats: {search / plain:.2f}; check/decide: {check / whole:.2f}"
        )


def property_named(prop: str, net: str) -> Property:
    text = real_query((ACASXU / f"prop_{prop}.vnnlib").read_text())
    network = load(ACASXU / "nets" / f"{net}.onnx.gz")
    return property_of(parse_query(text), network).property


def timed(action: Any) -> tuple[Any, float]:
    start = process_time()
    return action(), process_time() - start


class Believed(Points):
    """What floats take for a point that satisfies a case is believed: nothing is exact."""

    def look(self, t: Sequence[float], is_likely: Any = lambda _: True) -> bool:
        if is_likely(list(t)):
            self.found = ()
        return self.found is not None


def searched(asked: Property, timeout: float, points: type[Points]) -> float:
    """Seconds of the search in floats alone."""
    start = process_time()
    effort = Effort(seconds=timeout)
    try:
        chain = side_by_side_chain(asked)
        low, high = CheckerBoxes(asked, chain).ends()
        rows = DomainRows.of(asked.domain)
        search = BoxSearch(chain, chain, low, high, points(asked, effort), effort, rows)
        search.start()
        search.attack()
        search.run()
    except Stopped:
        return timeout
    return process_time() - start


def checked(data: bytes) -> str:
    """The verdict within the limits that the checker has if nobody says more."""
    stream: Any = BufferedReader(BytesIO(data))
    return check_stream("", stream, Question()).verdict


def marabou(asked: Property, net: str, timeout: float) -> str:
    """What Marabou says, and its seconds, where it is installed and the query has one case."""
    try:
        from maraboupy import Marabou
    except ImportError:
        return "not installed"
    if len(asked.cases) != 1:
        return ""
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        path = Path(folder) / "net.onnx"
        path.write_bytes(decompress((ACASXU / "nets" / f"{net}.onnx.gz").read_bytes()))
        network = Marabou.read_onnx(str(path))
        inputs = network.inputVars[0].flatten().tolist()
        outputs = network.outputVars[0].flatten().tolist()
        variables = [*inputs, *outputs]
        for row in (*asked.domain.system.rows, *asked.cases[0].rows):
            pairs = zip(variables, map(float, row.normal), strict=False)
            terms = [(v, a) for v, a in pairs if a]
            if len(terms) == 1 and terms[0][0] in inputs:
                (v, a) = terms[0]
                bound = network.setLowerBound if a > 0 else network.setUpperBound
                bound(v, -float(row.offset) / a)
            else:
                network.addInequality(
                    [v for v, _ in terms], [-a for _, a in terms], float(row.offset)
                )
        start = process_time()
        marked = Marabou.createOptions(timeoutInSeconds=int(timeout), verbosity=0, numWorkers=1)
        answer = network.solve(options=marked, verbose=False)[0]
    return f"{answer} {shown(process_time() - start)}"
