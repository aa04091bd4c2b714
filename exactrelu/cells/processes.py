"""Work that is shared by several processes, and ends when the effort does.

The results come in the order of the tasks, whichever process was faster.  The parent waits for a
moment at a time and looks at its effort in between; where that is over, and wherever the parent
itself ends, however that may be, the others are ended too.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import TimeoutError as NothingYet
from multiprocessing import get_context
from typing import TypeVar

from exactrelu.effort import Effort
from exactrelu.worker import attach

#: How long other processes are waited for, in seconds, between two looks at the effort.
PATIENCE = 0.05

Task = TypeVar("Task")
Result = TypeVar("Result")


def in_processes(
    work: Callable[[Task], Result], tasks: Sequence[Task], effort: Effort
) -> Iterator[Result]:
    """The result of each task, in order, by as many processes as the effort has jobs."""
    if not tasks:
        return
    # A forked process would inherit locks of whatever threads this one has.
    pool = get_context("spawn").Pool(effort.jobs, attach)
    found = pool.imap(work, tasks)
    try:
        for _ in tasks:
            while True:
                effort.spend()
                try:
                    result = found.next(PATIENCE)
                    break
                except NothingYet:
                    continue
            yield result
    finally:
        pool.terminate()
        pool.join()
        # Its semaphores go with it: a process that ends at once would leave them behind.
        del pool, found
        gc.collect()
