"""Many points at once: values, classes, clusters of dual points, maps between networks."""

from exactrelu.api import (
    cluster_centres,
    clustered_classes,
    evaluate_batch,
    mapped_classes,
    maps_between,
    n_correct,
    network_classes,
    trace_batch,
)

__all__ = [  # noqa: RUF022 - as in the table of names
    "evaluate_batch",
    "trace_batch",
    "cluster_centres",
    "clustered_classes",
    "network_classes",
    "maps_between",
    "mapped_classes",
    "n_correct",
]
