"""The same tests every day, other seeds in ``make sweep``; failures say how to bring them back.

No test fails because the machine is slow. Hypothesis tries the same examples every day, and with
``HYPOTHESIS_PROFILE=sweep`` two thousand new ones a test.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import HealthCheck, settings

from exactrelu import effort as effort_module
from tests import seeds, small_work

PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("every-day", PATIENT, derandomize=True)
settings.register_profile("sweep", PATIENT, max_examples=2000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "every-day"))

# A shell starts what runs in the background with SIGINT ignored; tests interrupt questions by it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def steady_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A millisecond for each look at the clock: on any machine work stops at the same place."""
    looks = count()
    monkeypatch.setattr(effort_module, "clock", lambda: next(looks) / 1000)


#: What decides which random examples a run sees.
VARIABLES = ("SEED", "MUTANTS", "EXACTRELU_CHECKER", "HYPOTHESIS_PROFILE")


def pytest_configure(config: pytest.Config) -> None:
    """Make no parameters that the marks of the run leave out; share what work there is."""
    small_work.is_shared()
    seeds.WITH_SWEEP = config.option.markexpr != "not sweep"


def pytest_collection_finish() -> None:
    """Tests and modules live as long as the run: nobody looks again whether they are garbage."""
    gc.freeze()


def pytest_report_header() -> str:
    """Name the seed of the run."""
    return f"SEED={seeds.SEED}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Add the command that runs a failed test again, the mark ``sweep`` or not."""
    report = yield
    if report.failed:
        given = [f"{name}={os.environ[name]}" for name in VARIABLES if name in os.environ]
        command = f"python -m pytest -m '' '{item.nodeid}'"
        report.sections.append(("run it again", " ".join([*given, command])))
    return report
