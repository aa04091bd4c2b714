"""The command that prepares certificates for CI: the manifest that a job checks.

    exactrelu pin certificates/*.cert.jsonl --network full=models/full.json
    exactrelu-check --manifest certificates.toml --format github

``pin`` says of every certificate what it proves, in a sentence for whoever reviews the manifest,
and writes down what the next certificate of this name must prove at least.  The format is that of
``proofs/exactrelu_ci/manifest.py``.
"""

from __future__ import annotations

from collections.abc import Iterable

from exactrelu.cli.command import Ask, argument, command, switch
from exactrelu.cli.outcome import Outcome, done, stopped
from exactrelu.errors import InputError
from exactrelu.words import count


def _named(option: str, given: Iterable[str]) -> dict[str, str]:
    """The names of ``NAME=VALUE``, each given once.

    >>> _named("--network", ["full=a.json", "small=b=c.json"])
    {'full': 'a.json', 'small': 'b=c.json'}
    """
    found: dict[str, str] = {}
    for entry in given:
        name, equals, value = entry.partition("=")
        if not (name and equals and value):
            raise InputError(f"{option} {entry}: expected NAME=…, as in full=models/full.json")
        if name in found:
            raise InputError(f"{option} {entry}: the name {name} is given twice")
        found[name] = value
    return found


@command(
    argument("files", nargs="+", metavar="CERT", help="certificate, gzipped or not"),
    argument(
        "-o",
        "--output",
        metavar="OUT",
        default="certificates.toml",
        help="manifest to write or extend (default: certificates.toml)",
    ),
    argument(
        "--network",
        metavar="NAME=NET",
        action="append",
        default=[],
        help="a name for the network in an exact JSON file; repeat it for several",
    ),
    argument(
        "--source",
        metavar="NAME=FILE",
        action="append",
        default=[],
        help="the file that a network was converted from, such as ONNX, whose bytes are pinned",
    ),
    argument(
        "--domain",
        metavar="NAME=D",
        action="append",
        default=[],
        help="a name for a domain: box:a..b,… or a file",
    ),
    switch("--unnamed", "pin networks that have no name by their SHA-256 alone"),
    switch("--loosen", "pin anew what the manifest refuses now, and drop what has no file"),
    fields="output n_certificates pins",
    example="certificates/xor.regions.cert.jsonl --network xor=xor.json",
)
def pin(ask: Ask) -> Outcome:
    """Pin certificates for CI: write the manifest of ``exactrelu-check --manifest``.

    What the manifest says already is kept, unless ``--loosen``; nothing is written unless the
    checker accepts all of it.
    """
    from exactrelu.certificates.manifest import pin
    from exactrelu.effort import Stopped

    args = ask.args
    try:
        found = pin(
            args.files,
            args.output,
            networks=_named("--network", args.network),
            sources=_named("--source", args.source),
            domains=_named("--domain", args.domain),
            unnamed=args.unnamed,
            loosen=args.loosen,
            effort=ask.effort,
        )
    except Stopped as over:
        return stopped(f"{over}: nothing was written")
    total = count(found.n_certificates, "certificate")
    reason = f"{found.path} pins {total}, and the independent checker accepts all of them"
    return done(
        reason,
        [*(f"{file}: {sentence}" for file, sentence in found.claims), reason],
        output=found.path,
        n_certificates=found.n_certificates,
        pins=[{"file": file, "claim": sentence} for file, sentence in found.claims],
        certified=("pins.claim",),
    )
