"""Cases of the container: lines, canonical JSON, numbers, claim line, footer, gzip."""

from forge import Case, canonical, certificate, claim_line, point, sealed, stored_gzip, system

CLAIM = {"kind": "polyhedron-nonempty", "system": system(1, ("ge", [1, 0]))}
FIRST = claim_line(CLAIM)
SECOND = canonical(point(10))  # {"point":["1",["a"]],"record":"point"}
GOOD = sealed(FIRST, SECOND)
LINES = GOOD.splitlines(keepends=True)
NO_RECORDS = sealed(claim_line({"kind": "polyhedron-nonempty", "system": system(1)}))

# A file with one line before its footer: ``True == 1`` would make ``true`` a right count.
VALUE = certificate(
    {
        "kind": "value",
        "network": {"layers": [{"inputs": 1, "matrix": ["1", [["1", "0"]]], "outputs": 1}]},
        "output": ["1", ["0"]],
        "point": ["1", ["0"]],
        "signs": [],
    }
)


def second(text: str) -> bytes:
    """Return the good file with another second line, under a true footer."""
    return sealed(FIRST, text)


def entry(text: str) -> bytes:
    """Return the good file with another text in place of the entry "a" of its point."""
    return second(SECOND.replace('"a"', text))


def first(old: str, new: str) -> bytes:
    """Return the good file with a text of its first line replaced, under a true footer."""
    return sealed(FIRST.replace(old, new), SECOND)


def footer(old: bytes, new: bytes) -> bytes:
    """Return the good file with a text of its footer replaced."""
    return b"".join(LINES[:2]) + LINES[2].replace(old, new)


CASES = (
    Case("accept/plain", GOOD),
    Case("accept/gzip", stored_gzip(GOOD), suffix=".cert.jsonl.gz"),
    Case("accept/gzip-without-the-name", stored_gzip(GOOD)),
    Case("accept/gzip-in-two-members", stored_gzip(LINES[0]) + stored_gzip(b"".join(LINES[1:]))),
    # Gzip.
    Case("malformed/bad-gzip--damaged-checksum", stored_gzip(GOOD)[:-8] + bytes(8)),
    Case("malformed/bad-gzip--no-such-block", stored_gzip(GOOD)[:10] + b"\x07" + bytes(20)),
    Case("malformed/bad-gzip--text-after-the-stream", stored_gzip(GOOD) + LINES[1]),
    Case("incomplete/truncated-gzip--half", stored_gzip(GOOD)[: len(GOOD) // 2]),
    # Truncation.
    Case("incomplete/no-footer--empty-file", b""),
    Case("incomplete/no-footer--claim-only", LINES[0]),
    Case("incomplete/no-footer--footer-missing", b"".join(LINES[:2])),
    Case("incomplete/unfinished-line--cut-in-the-footer", GOOD[:-9]),
    Case("incomplete/unfinished-line--last-newline-missing", GOOD[:-1]),
    # Bytes.
    Case("malformed/not-ascii--fullwidth-digit", sealed(FIRST, SECOND.replace("a", "\u00b2"))),
    Case("malformed/not-ascii--carriage-return", GOOD.replace(b"\n", b"\r\n")),
    Case("malformed/not-ascii--tab", second(SECOND.replace(":", ":\t"))),
    Case("malformed/not-ascii--nul", second(SECOND + "\0")),
    Case("malformed/not-ascii--nul-first", b"\0" + GOOD),
    Case("malformed/not-ascii--delete", entry('"\x7f"')),
    Case("malformed/not-ascii--byte-order-mark", b"\xef\xbb\xbf" + GOOD),
    Case("malformed/escape--escaped-letter", entry('"\\u0061"')),
    Case("malformed/escape--escaped-quote-hides-brackets", entry('"\\"[["')),
    # JSON.
    Case("malformed/not-json--empty-line", sealed(FIRST, "", SECOND)),
    Case("malformed/not-json--unclosed", second(SECOND[:-1])),
    Case("malformed/not-json--two-values", second(SECOND + SECOND)),
    Case("malformed/not-json--more-closed-than-opened", second(SECOND + "]]]")),
    Case("malformed/not-an-object--list", second("[]")),
    Case(
        "malformed/not-an-object--claim-is-a-string",
        sealed(canonical({"claim": "trust me", "format": "exactrelu-certificate/1"})),
    ),
    Case("malformed/not-canonical--space", second(SECOND.replace(":", ": "))),
    Case("malformed/not-canonical--space-before", second(" " + SECOND)),
    Case(
        "malformed/not-canonical--keys-unsorted", second('{"record":"point","point":["1",["a"]]}')
    ),
    Case(
        "malformed/not-canonical--duplicate-key",
        second('{"point":["1",["-a"]],"point":["1",["a"]],"record":"point"}'),
    ),
    Case("malformed/not-canonical--minus-zero-index", first('"dim":1', '"dim":-0')),
    # Numbers.
    Case("malformed/bad-number--float", first('"dim":1', '"dim":1.0')),
    Case("malformed/bad-number--exponent", first('"dim":1', '"dim":1e400')),
    Case("malformed/bad-number--not-a-number", first('"dim":1', '"dim":NaN')),
    Case("malformed/bad-number--infinity", first('"dim":1', '"dim":-Infinity')),
    Case("malformed/bad-number--sixteen-digits", first('"dim":1', '"dim":1000000000000000')),
    Case("malformed/wrong-length--fifteen-digits", first('"dim":1', '"dim":100000000000000')),
    Case("malformed/not-an-index--true-for-one", first('"dim":1', '"dim":true')),
    Case("malformed/not-an-index--null", first('"dim":1', '"dim":null')),
    Case("malformed/not-an-index--negative", first('"dim":1', '"dim":-1')),
    Case("malformed/not-an-integer--empty", entry('""')),
    Case("malformed/not-an-integer--minus-zero", entry('"-0"')),
    Case("malformed/not-an-integer--leading-zero", entry('"0a"')),
    Case("malformed/not-an-integer--plus", entry('"+a"')),
    Case("malformed/not-an-integer--capital", entry('"A"')),
    Case("malformed/not-an-integer--prefix", entry('"0xa"')),
    Case("malformed/not-an-integer--underscore", entry('"1_0"')),
    Case("malformed/not-an-integer--space", entry('" a"')),
    Case("malformed/not-an-integer--two-signs", entry('"--a"')),
    Case("malformed/not-an-integer--fraction", entry('"1/2"')),
    Case("malformed/not-an-integer--json-integer", entry("10")),
    Case("malformed/not-an-integer--true", entry("true")),
    Case("malformed/not-a-list--point-is-a-string", second('{"point":"1","record":"point"}')),
    # The claim line.
    Case("malformed/wrong-fields--no-format", sealed(canonical({"claim": CLAIM}), SECOND)),
    Case(
        "malformed/wrong-fields--no-claim", sealed('{"format":"exactrelu-certificate/1"}', SECOND)
    ),
    Case(
        "malformed/wrong-fields--comment",
        sealed(
            canonical({"claim": CLAIM, "comment": "", "format": "exactrelu-certificate/1"}), SECOND
        ),
    ),
    Case("malformed/wrong-fields--footer-only", sealed()),
    Case("malformed/wrong-format--version-two", first("certificate/1", "certificate/2")),
    Case(
        "malformed/wrong-format--version-one-point-zero", first("certificate/1", "certificate/1.0")
    ),
    Case("malformed/wrong-format--version-zero", first("certificate/1", "certificate/0")),
    Case("malformed/unknown-kind--no-such-kind", first("polyhedron-nonempty", "trust")),
    Case("malformed/unknown-kind--list", first('"polyhedron-nonempty"', "[]")),
    Case("malformed/unknown-kind--missing", sealed(claim_line({"system": system(1)}), SECOND)),
    # Records and the footer.
    Case("reject/missing-record--claim-and-footer", NO_RECORDS),
    Case("reject/wrong-record--no-type", second('{"point":["1",["a"]]}')),
    Case("reject/wrong-record--hole", second('{"record":"hole"}')),
    Case("reject/surplus-record--point-twice", sealed(FIRST, SECOND, SECOND)),
    Case("reject/surplus-record--empty-object", sealed(FIRST, SECOND, "{}")),
    Case(
        "malformed/wrong-fields--record-with-comment",
        second('{"comment":"","point":["1",["a"]],"record":"point"}'),
    ),
    Case(
        "malformed/wrong-fields--footer-in-a-record",
        b"".join(LINES[:2])
        + canonical({"end": {"records": 2, "sha256": "0" * 64}, "record": "point"}).encode()
        + b"\n",
    ),
    Case(
        "malformed/wrong-fields--footer-without-digest",
        b"".join(LINES[:2]) + b'{"end":{"records":2}}\n',
    ),
    Case("malformed/not-an-object--footer-is-a-count", b"".join(LINES[:2]) + b'{"end":2}\n'),
    Case("malformed/wrong-count--one-less", footer(b'"records":2', b'"records":1')),
    Case("malformed/wrong-count--one-more", footer(b'"records":2', b'"records":3')),
    Case("malformed/wrong-count--a-trillion", footer(b'"records":2', b'"records":1000000000000')),
    Case("malformed/wrong-digest--zeros", footer(LINES[2][30:94], b"0" * 64)),
    Case("malformed/wrong-digest--record-changed", GOOD.replace(b'"a"', b'"b"')),
    Case("malformed/wrong-digest--claim-changed", GOOD.replace(b'["1","0"]', b'["2","0"]')),
    Case(
        "malformed/wrong-digest--list", b"".join(LINES[:2]) + b'{"end":{"records":2,"sha256":[]}}\n'
    ),
    Case("malformed/after-footer--record", GOOD + LINES[1]),
    Case("malformed/after-footer--second-certificate", GOOD + GOOD),
    Case("malformed/after-footer--empty-line", GOOD + b"\n"),
    Case("malformed/wrong-count--true-for-one", VALUE.replace(b'"records":1', b'"records":true')),
)
