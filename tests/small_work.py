"""Examples are small: what several processes may do, they do from the beginning."""

from exactrelu.work import crew

#: What the program does alone, in seconds of work.
ALONE = crew.ALONE


def is_shared() -> None:
    """Other processes take their part of all work."""
    crew.ALONE = 0.0
