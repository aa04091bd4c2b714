"""exactrelu: exact answers about ReLU networks, each with a certificate.

>>> import exactrelu as er
>>> xor = er.Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]], name="xor")
>>> xor([1, "-1"])
(1,)

The public names are those of :mod:`exactrelu.api`, imported when first used, so
that the command line starts without them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactrelu.api import *  # noqa: F403

__version__ = "0.1.0"


if not TYPE_CHECKING:
    # Hidden from type checkers, for which any name would do otherwise.
    def __getattr__(name: str) -> Any:
        # `from exactrelu import api` would come back here to look for the submodule.
        api = import_module("exactrelu.api")
        if name in api.__all__:
            return getattr(api, name)
        raise AttributeError(f"module 'exactrelu' has no attribute '{name}'{api.hint(name)}")


def __dir__() -> list[str]:
    return sorted({*globals(), *import_module("exactrelu.api").__all__})
