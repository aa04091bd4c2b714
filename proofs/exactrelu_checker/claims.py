"""The claim kinds: each name with its rule. A new kind is one module in ``rules`` and one line."""

from collections.abc import Mapping
from types import MappingProxyType

from .budget import Budget
from .canonical import Fields, require_fields
from .rules import (
    cancellation_free,
    complex,
    cone_not_pointed,
    cone_pointed,
    different,
    equal_by_cells,
    equal_by_rewriting,
    equal_shallow,
    equal_within,
    fiber_components,
    fiber_dimension,
    fiber_half_lines,
    fiber_layerwise,
    fiber_member,
    functional_dimension,
    functional_dimension_at_least,
    general,
    generic,
    generic_bottleneck,
    honest,
    identifiable,
    isomorphic,
    largest_difference,
    layer_injective,
    layer_not_injective,
    masked_rank,
    masked_rank_deficient,
    no_zero_optimum,
    non_proportional,
    nonnegative_column_rank,
    not_cancellation_free,
    not_equal_within,
    not_honest,
    not_identifiable,
    not_isomorphic,
    not_supertransversal,
    not_transparent,
    polyhedron_bounded,
    polyhedron_empty,
    polyhedron_nonempty,
    polyhedron_unbounded,
    proportional,
    rank,
    regions,
    sigma_min_at_least,
    sigma_min_at_most,
    stability_at_least,
    stability_at_most,
    supertransversal,
    transparent,
    unbounded_difference,
    value,
    zero_optimum,
)
from .statement import Claim, Rule
from .verdicts import Reason, Refused

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "cancellation-free": cancellation_free.RULE,
        "complex": complex.RULE,
        "cone-not-pointed": cone_not_pointed.RULE,
        "cone-pointed": cone_pointed.RULE,
        "different": different.RULE,
        "equal-by-cells": equal_by_cells.RULE,
        "equal-by-rewriting": equal_by_rewriting.RULE,
        "equal-shallow": equal_shallow.RULE,
        "equal-within": equal_within.RULE,
        "fiber-components": fiber_components.RULE,
        "fiber-dimension": fiber_dimension.RULE,
        "fiber-half-lines": fiber_half_lines.RULE,
        "fiber-layerwise": fiber_layerwise.RULE,
        "fiber-member": fiber_member.RULE,
        "functional-dimension": functional_dimension.RULE,
        "functional-dimension-at-least": functional_dimension_at_least.RULE,
        "general": general.RULE,
        "generic": generic.RULE,
        "generic-bottleneck": generic_bottleneck.RULE,
        "honest": honest.RULE,
        "identifiable": identifiable.RULE,
        "isomorphic": isomorphic.RULE,
        "largest-difference": largest_difference.RULE,
        "layer-injective": layer_injective.RULE,
        "layer-not-injective": layer_not_injective.RULE,
        "masked-rank": masked_rank.RULE,
        "masked-rank-deficient": masked_rank_deficient.RULE,
        "no-zero-optimum": no_zero_optimum.RULE,
        "non-proportional": non_proportional.RULE,
        "nonnegative-column-rank": nonnegative_column_rank.RULE,
        "not-cancellation-free": not_cancellation_free.RULE,
        "not-equal-within": not_equal_within.RULE,
        "not-honest": not_honest.RULE,
        "not-identifiable": not_identifiable.RULE,
        "not-isomorphic": not_isomorphic.RULE,
        "not-supertransversal": not_supertransversal.RULE,
        "not-transparent": not_transparent.RULE,
        "polyhedron-bounded": polyhedron_bounded.RULE,
        "polyhedron-empty": polyhedron_empty.RULE,
        "polyhedron-nonempty": polyhedron_nonempty.RULE,
        "polyhedron-unbounded": polyhedron_unbounded.RULE,
        "proportional": proportional.RULE,
        "rank": rank.RULE,
        "regions": regions.RULE,
        "sigma-min-at-least": sigma_min_at_least.RULE,
        "sigma-min-at-most": sigma_min_at_most.RULE,
        "stability-at-least": stability_at_least.RULE,
        "stability-at-most": stability_at_most.RULE,
        "supertransversal": supertransversal.RULE,
        "transparent": transparent.RULE,
        "unbounded-difference": unbounded_difference.RULE,
        "value": value.RULE,
        "zero-optimum": zero_optimum.RULE,
    }
)


def read_claim(fields: Fields, budget: Budget) -> tuple[str, Claim]:
    """Return the kind of a claim and what its rule makes of it."""
    kind = fields.get("kind")
    if not isinstance(kind, str) or kind not in RULES:
        raise Refused(Reason.UNKNOWN_KIND, "the kind of the claim is not known")
    rule = RULES[kind]
    require_fields(fields, rule.fields | {"kind"}, f"a claim of kind {kind}")
    return kind, rule.read(fields, budget)
