"""Questions in pieces, put together again and checked: what the tests of their kinds share."""

from __future__ import annotations

import json
from pathlib import Path

from exactrelu.questions.shards.sharded import Sharded
from tests.checking import printed


def checked(found: Sharded, folder: Path) -> dict[str, str]:
    """What the checker says of the manifest, once it has accepted every piece."""
    names = [str(path) for path in found.files]
    results = json.loads(printed("--json", "--ledger", str(folder / "ledger"), *names))["results"]
    assert [r for r in results[:-1] if r["verdict"] != "ACCEPTED"] == []
    return results[-1]


def assert_accepted(found: Sharded, folder: Path) -> str:
    """The sentence of the manifest, which is not accepted without its pieces."""
    assert found.answer
    assert found.manifest == found.files[-1]
    alone = json.loads(printed("--json", str(found.manifest)))["results"][-1]
    if found.n_pieces:
        assert (alone["verdict"], alone["code"]) == ("INCOMPLETE", "shard-missing")
    result = checked(found, folder)
    assert result["verdict"] == "ACCEPTED", result
    return result["claim"]


def content(folder: Path) -> dict[str, bytes]:
    """The certificates in a folder."""
    return {path.name: path.read_bytes() for path in folder.glob("*.cert.jsonl.gz")}
