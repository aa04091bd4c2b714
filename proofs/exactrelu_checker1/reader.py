"""The container: claim, proof records and footer, read once from front to back.

The file is read line by line; only the current line is in memory. The footer holds the number
of lines before it and the SHA-256 of their bytes, so that a file that was cut, joined or edited
is never taken for a whole one.
"""

import gzip
import hashlib
import zlib
from collections.abc import Mapping
from io import BufferedReader

from .budget import Limits
from .canonical import Fields, as_fields, parse_line, require_fields
from .verdicts import Reason, Refused

FORMAT = "exactrelu-certificate/1"
_GZIP_MAGIC = b"\x1f\x8b"


class Certificate:
    """The lines of one certificate file, in order."""

    def __init__(self, file: BufferedReader, limits: Limits) -> None:
        gzipped = file.peek(2)[:2] == _GZIP_MAGIC
        self._stream = gzip.GzipFile(fileobj=file) if gzipped else file
        self._limits = limits
        self._bytes = 0
        self._lines = 0
        self._digest = hashlib.sha256()
        self._last_line = b""
        self._record = "claim"

    def where(self) -> str:
        """Name the line that was read last."""
        return f"line {self._lines}, {self._record}"

    def claim(self) -> Fields:
        """Read the first line and return the claim in it."""
        fields = self._object()
        require_fields(fields, frozenset({"claim", "format"}), "the first line")
        if fields["format"] != FORMAT:
            raise Refused(Reason.WRONG_FORMAT, f"the format is not {FORMAT}")
        return as_fields(fields["claim"], "the claim")

    def record(self, name: str, names: frozenset[str]) -> Fields:
        """Read the next proof record, which must be of the named type with the named fields."""
        return self.one_of({name: names})[1]

    def one_of(self, types: Mapping[str, frozenset[str]]) -> tuple[str, Fields]:
        """Read the next proof record, which must be of one of the types, with its fields."""
        wanted = " or ".join(types)
        self._record = f"record {wanted}"
        fields = self._object()
        if "end" in fields:
            raise Refused(Reason.MISSING_RECORD, f"the file ends where a {wanted} record is needed")
        name = fields.get("record")
        if not isinstance(name, str) or name not in types:
            raise Refused(Reason.WRONG_RECORD, f"a {wanted} record is needed here")
        require_fields(fields, types[name] | {"record"}, f"a {name} record")
        return name, fields

    def end(self) -> None:
        """Read the footer, and nothing after it."""
        self._record = "footer"
        fields = self._object()
        if "end" not in fields:
            raise Refused(Reason.SURPLUS_RECORD, "a record that no rule asks for")
        require_fields(fields, frozenset({"end"}), "the last line")
        end = as_fields(fields["end"], "the footer")
        require_fields(end, frozenset({"records", "sha256"}), "the footer")
        before = self._lines - 1
        if type(end["records"]) is not int or end["records"] != before:
            raise Refused(Reason.WRONG_COUNT, f"the number of lines before the footer is {before}")
        if end["sha256"] != self._digest.hexdigest():
            raise Refused(Reason.WRONG_DIGEST, "the SHA-256 of the lines before the footer differs")
        if self._read(1):
            raise Refused(Reason.AFTER_FOOTER, "the file goes on after its footer")

    def _object(self) -> Fields:
        """Read one line; the digest then covers every line before it."""
        self._digest.update(self._last_line)
        self._last_line = self._line()
        return parse_line(self._last_line[:-1], self._limits)

    def _line(self) -> bytes:
        line = self._read(self._limits.line + 1)
        self._bytes += len(line)
        self._lines += 1
        if not line:
            raise Refused(Reason.NO_FOOTER, "the file stops before its footer")
        if self._bytes > self._limits.bytes:
            raise Refused(Reason.TOO_MANY_BYTES, "the file exceeds --max-bytes")
        if self._lines > self._limits.lines:
            raise Refused(Reason.TOO_MANY_LINES, "the file exceeds --max-lines")
        if len(line) > self._limits.line:
            raise Refused(Reason.LINE_TOO_LONG, "the line exceeds --max-line")
        if not line.endswith(b"\n"):
            raise Refused(Reason.UNFINISHED_LINE, "the file stops within a line")
        return line

    def _read(self, size: int) -> bytes:
        """Read to the next newline, at most ``size`` bytes."""
        try:
            return self._stream.readline(size)
        except EOFError:
            raise Refused(Reason.TRUNCATED_GZIP, "the gzip stream stops early") from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise Refused(Reason.BAD_GZIP, f"the gzip stream is damaged: {error}") from None
