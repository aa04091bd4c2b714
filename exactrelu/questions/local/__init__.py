"""Locally linear attributes of networks (theory 7)."""

from exactrelu.questions.local.between import mapped_classes, maps_between
from exactrelu.questions.local.classify import n_correct, network_classes
from exactrelu.questions.local.clusters import cluster_centres, clustered_classes
from exactrelu.questions.local.places import Local, local
from exactrelu.questions.local.points import Samples, load_points

__all__ = [
    "Local",
    "Samples",
    "cluster_centres",
    "clustered_classes",
    "load_points",
    "local",
    "mapped_classes",
    "maps_between",
    "n_correct",
    "network_classes",
]
