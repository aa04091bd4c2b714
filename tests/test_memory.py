"""How much memory is held, and amounts of it as people write them."""

import subprocess
import sys

import pytest

from exactrelu.errors import InputError
from exactrelu.memory import (
    default_memory,
    memory_bytes,
    memory_in_use,
    memory_of_machine,
    memory_text,
)

#: Some kernels count pages a moment later, and a large process has room of its own for a block: so
#: a small one holds it, until it is seen.
HOLDING = """
import time
from exactrelu.memory import memory_in_use
before = memory_in_use()
block = bytearray(64 * 2**20)
block[:: 2**12] = b"x" * len(range(0, len(block), 2**12))
end = time.monotonic() + 20
while memory_in_use() - before < 48 * 2**20 and time.monotonic() < end:
    time.sleep(0.01)
print(memory_in_use() - before)
"""


def test_the_memory_that_is_held() -> None:
    run = subprocess.run(
        [sys.executable, "-c", HOLDING], capture_output=True, text=True, check=True
    )
    assert 48 * 2**20 <= int(run.stdout) < 128 * 2**20
    assert memory_in_use() < default_memory() < memory_of_machine()


@pytest.mark.parametrize(
    ("text", "n_bytes"),
    [
        ("1", 1),
        ("500M", 500 * 2**20),
        ("2G", 2**31),
        ("2GiB", 2**31),
        ("0.5k", 512),
        ("1TB", 2**40),
    ],
)
def test_sizes_of_memory(text: str, n_bytes: int) -> None:
    assert memory_bytes(text) == n_bytes


@pytest.mark.parametrize("text", ["", "M", "-1", "0", "two", "nan", "inf", "1e400", "5X", 0, -7])
def test_what_is_no_size_of_memory(text: str | int) -> None:
    with pytest.raises(InputError, match="expected bytes"):
        memory_bytes(text)


def test_memory_for_people() -> None:
    texts = [memory_text(n) for n in (0, 1023, 2**20, 3 * 2**29, 2**34, 2**43, 2**60)]
    assert texts == ["0 bytes", "1,023 bytes", "1 MB", "1.5 GB", "16 GB", "8 TB", "1,048,576 TB"]
