"""A counterexample as a case: a folder with its networks, its instance and what it refutes."""

from __future__ import annotations

import json
from pathlib import Path

from exactrelu.files import atomic_write
from exactrelu.lemmas.examine import Counterexample
from exactrelu.lemmas.instance_json import instance_object
from exactrelu.network.formats.exact_json import save_json


def save_case(found: Counterexample, folder: Path) -> list[Path]:
    """Write ``expected.json`` and a file for each network; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    networks = found.instance.networks()
    for name, network in networks.items():
        save_json(network.renamed(f"{found.statement.id} {name}"), folder / f"{name}.json")
    others = {
        name: value
        for name, value in instance_object(found.instance).items()
        if name not in networks
    }
    expected = {
        "id": folder.name,
        "source": found.statement.source,
        "kind": "counterexample",
        "claim": found.statement.text,
        "explanation": explanation(found),
        "networks": {name: f"{name}.json" for name in networks},
        "instance": others,
        "facts": [{"check": "refutes", "args": {"lemma": found.statement.id}, "expected": True}],
    }
    text = json.dumps(expected, indent=1, ensure_ascii=False) + "\n"
    atomic_write(folder / "expected.json", text.encode())
    return [folder / "expected.json", *(folder / f"{name}.json" for name in networks)]


def explanation(found: Counterexample) -> str:
    """What holds and what does not, in a line."""
    holds = "; ".join(fact.text for fact in found.hypotheses) or "there are no hypotheses"
    return f"Hold: {holds}. Fails: {found.conclusion.text}."
