"""The file: one claim line, records of a word and hexadecimal integers, a footer.

    {"claim":{…},"format":"exactrelu-certificate/2"}      canonical JSON: it is hashed
    by METHOD                                            the first record
    word -?hex -?hex …                                   every other record
    end LINES SHA256                                     over all bytes before it

A file is read once, line by line; only the current line is in memory. The footer has one
spelling, so that a file that was cut, joined or edited is never taken for a whole one. A
refusal has a code: the string in ``need`` (REJECTED), ``form`` (MALFORMED), ``whole``
(INCOMPLETE) or ``limit`` (LIMIT).

Fuel replaces a clock: one unit is about one product of short integers, and a product of
integers of s and t bits costs s·t / 2^17 more. It is spent before the work is done.
Whatever is paid for, a step, a record or a claim, has a part that does not depend on its
size.
"""

import hashlib
import io
import json
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple

from . import FORMAT

_PIECE = 16_384  # bytes of a record that are read at once
_BETWEEN = b" ,[{"  # what stands before an entry
_NUMBERS = b"0123456789abcdef- "
_WORD = b"abcdefghijklmnopqrstuvwxyz-"


Numbers = list[int]  # of a record
Json = dict[str, Any]


class Limits(NamedTuple):
    """Upper bounds for one file; each is an option of the program."""

    bytes: int = 1_073_741_824  # 1 GiB after decompression
    line: int = 50_331_648  # 48 MiB, entries weighed: in memory five times that, at most
    lines: int = 100_000_000
    fuel: int = 1_000_000_000
    memory: int = 1_099_511_627_776  # 1 TiB of the process, kept by ``options``


class Refused(Exception):
    """The file is not accepted: verdict, reason code, and the reason in words."""

    def __init__(self, verdict: str, code: str, why: str) -> None:
        self.verdict, self.code, self.why = verdict, code, why


def _unless(verdict: str) -> Callable[[object, str, str], None]:
    def refuse(test: object, code: str, why: str) -> None:
        if not test:
            raise Refused(verdict, code, why)

    return refuse


need = _unless("REJECTED")  # refuses what is well-formed, but not a proof of its claim
form = _unless("MALFORMED")  # refuses what is not a file of this format
whole = _unless("INCOMPLETE")  # refuses a file that stops before its footer
limit = _unless("LIMIT")  # refuses what exceeds a limit


class Proof:
    """The lines of one file in order, and the fuel that is left for it."""

    def __init__(self, stream: io.BufferedReader, limits: Limits) -> None:
        is_gzip = stream.peek(2)[:2] == b"\x1f\x8b"
        self._stream = io.BufferedReader(_Member(stream)) if is_gzip else stream
        self._limits, self.fuel, self._digest = limits, limits.fuel, hashlib.sha256()
        self._bytes = self._weight = self.line = (
            0  # the number of the line that was read last
        )
        self.file, self.owed = (
            stream,
            list[str](),
        )  # claims that other files prove, by sha256

    def spend(self, count: int, s: int = 0, t: int = 0) -> None:
        """Pay for so many products of integers of s and t bits."""
        self.fuel -= 48 + count * (1 + (s * t >> 17))
        limit(self.fuel >= 0, "out-of-fuel", "the work exceeds --max-fuel")

    def allocate(self, count: int) -> None:
        """Pay for keeping so many things, a number that a file names and need not hold
        itself.

        All fuel pays for far less than 100 MB.
        """
        self.spend(128 * count)

    def claim(self) -> Json:
        """Read the first line and return the claim in it."""
        text = self._next()[:-1].decode("latin-1")
        # Greatest common divisors: at most 16·(all digits)·(digits of the longest) bit
        # products.
        longest = max(map(len, text.split('"')))
        self.spend(((len(text) + 1) * (512 + longest) >> 8) + 512 * text.count("{"))
        form(
            text.isascii() and text.isprintable(),
            "not-ascii",
            "a byte outside printable ASCII",
        )
        form("\\" not in text, "escape", "a backslash; no string of the format needs one")
        try:
            value = json.loads(
                text, parse_int=_index, parse_float=_index, parse_constant=_index
            )
        except (json.JSONDecodeError, RecursionError):
            form(False, "not-json", "the first line is not JSON")
        form(
            canonical(value) == text, "not-canonical", "not the canonical text of its value"
        )
        form(isinstance(value, dict), "wrong-fields", "the first line is no JSON object")
        form(value.get("format") == FORMAT, "wrong-format", f"not {FORMAT}: write it again")
        form(value.keys() == {"claim", "format"}, "wrong-fields", "only claim and format")
        form(
            isinstance(value["claim"], dict), "wrong-fields", "the claim is no JSON object"
        )
        self.stated = dict(value["claim"])
        return self.stated

    def method(self) -> str:
        """Read the record that names the method of a claim."""
        word, _, rest = self._next()[:-1].partition(b" ")
        need(word == b"by", "missing-method", "a record 'by METHOD' is needed here")
        form(
            rest and not rest.translate(None, _WORD),
            "not-a-method",
            "not a name of a method",
        )
        need(
            rest != b"shards" or self.line == 2,
            "shards-within",
            "shards of a proof within it",
        )
        return rest.decode("ascii")

    def record(self, *words: str) -> tuple[str, Numbers]:
        """Read the next record, which must have one of the words; return it with its
        integers.

        It is read piece by piece: memory has its integers, and no text of all of them.
        """
        piece = self._next(_PIECE)
        first, space, rest = piece.partition(b" ")
        word = first.decode("latin-1").rstrip("\n")
        need(word != "end", "missing-record", "the proof is not finished")
        need(word in words, "wrong-record", "another record is needed here")
        numbers: Numbers = []
        while space and not rest.endswith(b"\n"):
            done, found, rest = rest.rpartition(b" ")
            numbers += self._integers(done) if found else ()
            rest += self._next(_PIECE + len(rest), more=True)
        numbers += self._integers(rest[:-1]) if space else ()
        return word, numbers

    def _integers(self, text: bytes) -> Numbers:
        """Return integers that are separated by spaces."""
        form(
            not text.translate(None, _NUMBERS), "not-an-integer", "integers are hexadecimal"
        )
        try:
            return [int(number, 16) for number in text.split(b" ")]
        except ValueError:
            form(False, "not-an-integer", "integers are hexadecimal, a space before each")
        return []

    def numbers(self, word: str, length: int) -> Numbers:
        """Read the next record, which has this word and so many integers."""
        return sized(self.record(word)[1], length)

    def end(self) -> None:
        """Read the footer, and nothing after it."""
        footer = f"end {self.line:x} {self._digest.hexdigest()}\n".encode()
        line = self._next()
        need(line.startswith(b"end "), "surplus-record", "a record that nothing asks for")
        form(line == footer, "wrong-footer", "the footer is that of other lines")
        form(not self._stream.read(1), "after-footer", "the file goes on after its footer")

    def _next(self, most: int = 1_000_000_000_000, more: bool = False) -> bytes:
        """Read a line with its newline, or so many bytes of it, or more of it; weigh and
        pay.
        """
        piece = self._stream.readline(min(most, self._limits.line + 1))
        self._digest.update(piece)
        self._bytes += len(piece)
        self.line += not more
        whole(piece or more, "no-footer", "the file stops before its footer")
        limit(self._bytes <= self._limits.bytes, "too-many-bytes", "more than --max-bytes")
        limit(self.line <= self._limits.lines, "too-many-lines", "more than --max-lines")
        # An entry weighs 28 besides its bytes; a 0, of which memory has only one, weighs
        # 12.
        self._weight = (
            more * self._weight
            + len(piece)
            + 28 * sum(map(piece.count, _BETWEEN))
            - 16 * piece.count(b',"0"')
        )
        limit(
            self._weight <= self._limits.line, "line-too-long", "a line exceeds --max-line"
        )
        whole(
            len(piece) == most or piece.endswith(b"\n"),
            "unfinished-line",
            "it stops within a line",
        )
        self.spend(96 + len(piece))
        return piece


class _Member(io.RawIOBase):
    """The content of a file that is exactly one gzip member (RFC 1952)."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._zip = file, zlib.decompressobj(wbits=31)

    def readable(self) -> bool:
        """Tell the buffer that this can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Give the next bytes of the content."""
        data = b""
        while not data and not self._zip.eof:
            chunk = self._zip.unconsumed_tail or self._file.read(65_536)
            whole(chunk, "truncated-gzip", "the gzip stream stops early")
            try:
                data = self._zip.decompress(chunk, len(buffer))
            except zlib.error as error:
                form(False, "bad-gzip", f"the gzip stream is damaged: {error}")
        if not data:
            more = self._zip.unused_data or self._file.read(1)
            form(not more, "gzip-members", "more bytes after the first gzip member")
        buffer[: len(data)] = data
        return len(data)


def sized(numbers: Numbers, length: int) -> Numbers:
    """Return the integers of a record, which must be so many."""
    form(len(numbers) == length, "wrong-length", f"{length} integers are needed")
    return numbers


def canonical(value: object) -> str:
    """Return the canonical JSON text of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _index(text: str) -> int:
    form(
        len(text) <= 15 and text.lstrip("-").isdigit(),
        "bad-number",
        "too long or no integer",
    )
    return int(text)
