"""Verdicts of the checker, and the reason codes of every refusal.

A reason code belongs to exactly one verdict. ``proofs/FORMAT.md`` and the pages in
``proofs/rules`` say which requirement each code guards.
"""

from enum import Enum


class Verdict(Enum):
    """What the checker says about one file, and the exit code when this is the worst verdict."""

    def __init__(self, exit_code: int, meaning: str) -> None:
        self.exit_code = exit_code
        self.meaning = meaning

    ACCEPTED = 0, "a proof of its claim"
    REJECTED = 1, "well-formed, but not a proof of its claim"
    UNREADABLE = 2, "no file, or no permission: a usage error"
    MALFORMED = 3, "not an exactrelu-certificate/1 file"
    INCOMPLETE = 4, "the file stops before its footer"
    LIMIT = 4, "over a resource limit"


class Reason(Enum):
    """Why a file was refused: its stable code and the verdict that it leads to."""

    def __init__(self, code: str, verdict: Verdict) -> None:
        self.code = code
        self.verdict = verdict

    # The container.
    BAD_GZIP = "bad-gzip", Verdict.MALFORMED
    NOT_ASCII = "not-ascii", Verdict.MALFORMED
    ESCAPE = "escape", Verdict.MALFORMED
    NOT_JSON = "not-json", Verdict.MALFORMED
    BAD_NUMBER = "bad-number", Verdict.MALFORMED
    NOT_CANONICAL = "not-canonical", Verdict.MALFORMED
    NOT_AN_OBJECT = "not-an-object", Verdict.MALFORMED
    WRONG_FIELDS = "wrong-fields", Verdict.MALFORMED
    WRONG_FORMAT = "wrong-format", Verdict.MALFORMED
    UNKNOWN_KIND = "unknown-kind", Verdict.MALFORMED
    WRONG_COUNT = "wrong-count", Verdict.MALFORMED
    WRONG_DIGEST = "wrong-digest", Verdict.MALFORMED
    AFTER_FOOTER = "after-footer", Verdict.MALFORMED
    TRUNCATED_GZIP = "truncated-gzip", Verdict.INCOMPLETE
    UNFINISHED_LINE = "unfinished-line", Verdict.INCOMPLETE
    NO_FOOTER = "no-footer", Verdict.INCOMPLETE
    MISSING_RECORD = "missing-record", Verdict.REJECTED
    WRONG_RECORD = "wrong-record", Verdict.REJECTED
    SURPLUS_RECORD = "surplus-record", Verdict.REJECTED

    # Values inside a line.
    NOT_A_LIST = "not-a-list", Verdict.MALFORMED
    NOT_A_STRING = "not-a-string", Verdict.MALFORMED
    NOT_YES_OR_NO = "not-yes-or-no", Verdict.MALFORMED
    NOT_AN_INDEX = "not-an-index", Verdict.MALFORMED
    NOT_AN_INTEGER = "not-an-integer", Verdict.MALFORMED
    WRONG_LENGTH = "wrong-length", Verdict.MALFORMED
    DENOMINATOR_NOT_POSITIVE = "denominator-not-positive", Verdict.MALFORMED
    NOT_LOWEST_TERMS = "not-lowest-terms", Verdict.MALFORMED
    UNKNOWN_SENSE = "unknown-sense", Verdict.MALFORMED
    NO_LAYERS = "no-layers", Verdict.MALFORMED
    ZERO_WIDTH = "zero-width", Verdict.MALFORMED
    WIDTHS_DIFFER = "widths-differ", Verdict.MALFORMED
    DIMENSIONS_DIFFER = "dimensions-differ", Verdict.MALFORMED

    # What the user asked for.
    NETWORK_MISMATCH = "network-mismatch", Verdict.REJECTED
    CLAIM_MISMATCH = "claim-mismatch", Verdict.REJECTED

    # The rules.
    INDEX_OUT_OF_RANGE = "index-out-of-range", Verdict.REJECTED
    NOT_INCREASING = "not-increasing", Verdict.REJECTED
    WRONG_OUTPUT = "wrong-output", Verdict.REJECTED
    WRONG_SIGNS = "wrong-signs", Verdict.REJECTED
    WRONG_DISTANCE = "wrong-distance", Verdict.REJECTED
    MINOR_SIZE = "minor-size", Verdict.REJECTED
    MODULUS_TOO_SMALL = "modulus-too-small", Verdict.REJECTED
    NO_UNIT_PIVOT = "no-unit-pivot", Verdict.REJECTED
    KERNEL_SIZE = "kernel-size", Verdict.REJECTED
    KERNEL_BLOCK = "kernel-block", Verdict.REJECTED
    NOT_IN_KERNEL = "not-in-kernel", Verdict.REJECTED
    MULTIPLIER_ZERO = "multiplier-zero", Verdict.REJECTED
    MULTIPLIER_NOT_POSITIVE = "multiplier-not-positive", Verdict.REJECTED
    COMBINATION_NOT_ZERO = "combination-not-zero", Verdict.REJECTED
    OFFSET_NOT_NEGATIVE = "offset-not-negative", Verdict.REJECTED
    ROW_NOT_USED = "row-not-used", Verdict.REJECTED
    OFFSET_POSITIVE = "offset-positive", Verdict.REJECTED
    POINT_OUTSIDE = "point-outside", Verdict.REJECTED
    RAY_ZERO = "ray-zero", Verdict.REJECTED
    RAY_LEAVES = "ray-leaves", Verdict.REJECTED
    FUNCTIONAL_NOT_POSITIVE = "functional-not-positive", Verdict.REJECTED
    DEPENDENCY_EMPTY = "dependency-empty", Verdict.REJECTED
    DEPENDENCY_ON_ZERO = "dependency-on-zero", Verdict.REJECTED
    FACTOR_NEGATIVE = "factor-negative", Verdict.REJECTED
    PRODUCT_DIFFERS = "product-differs", Verdict.REJECTED
    RANK_GAP = "rank-gap", Verdict.REJECTED
    BOUND_NEGATIVE = "bound-negative", Verdict.REJECTED
    INTERVALS_TOO_WIDE = "intervals-too-wide", Verdict.REJECTED
    BOUND_NOT_TAKEN = "bound-not-taken", Verdict.REJECTED
    NOT_LOWER_TRIANGULAR = "not-lower-triangular", Verdict.REJECTED
    NOT_DIAGONALLY_DOMINANT = "not-diagonally-dominant", Verdict.REJECTED
    VECTOR_ZERO = "vector-zero", Verdict.REJECTED
    IMAGE_TOO_LONG = "image-too-long", Verdict.REJECTED
    DOMAIN_NOT_OPEN = "domain-not-open", Verdict.REJECTED
    NOTHING_TO_SPLIT = "nothing-to-split", Verdict.REJECTED
    NEURON_DECIDED = "neuron-decided", Verdict.REJECTED
    NEURON_UNDECIDED = "neuron-undecided", Verdict.REJECTED
    NEURON_NOT_AFFINE = "neuron-not-affine", Verdict.REJECTED
    REGION_COUNT = "region-count", Verdict.REJECTED
    FACE_COUNT = "face-count", Verdict.REJECTED
    FACE_OVERFULL = "face-overfull", Verdict.REJECTED
    NOT_A_FACET = "not-a-facet", Verdict.REJECTED
    FACET_CANCELLED = "facet-cancelled", Verdict.REJECTED
    FACET_NOT_CANCELLED = "facet-not-cancelled", Verdict.REJECTED
    RIDGE_DISHONEST = "ridge-dishonest", Verdict.REJECTED
    NO_DISHONEST_RIDGE = "no-dishonest-ridge", Verdict.REJECTED
    ZERO_OPTIMUM = "zero-optimum", Verdict.REJECTED
    NOT_AN_OPTIMUM = "not-an-optimum", Verdict.REJECTED
    MINOR_ZERO = "minor-zero", Verdict.REJECTED
    MASK_EMPTY = "mask-empty", Verdict.REJECTED
    MASK_NOT_SMALLEST = "mask-not-smallest", Verdict.REJECTED
    NOT_A_UNIT = "not-a-unit", Verdict.REJECTED
    QUOTIENT_REPEATED = "quotient-repeated", Verdict.REJECTED
    UNITS_EQUAL = "units-equal", Verdict.REJECTED
    NOT_PROPORTIONAL = "not-proportional", Verdict.REJECTED
    LAYER_NEGATIVE = "layer-negative", Verdict.REJECTED
    NOT_A_BOTTLENECK = "not-a-bottleneck", Verdict.REJECTED
    UNIT_NOT_NEGATIVE = "unit-not-negative", Verdict.REJECTED
    SHAPES_DIFFER = "shapes-differ", Verdict.REJECTED
    NOT_A_PERMUTATION = "not-a-permutation", Verdict.REJECTED
    SCALING_NOT_POSITIVE = "scaling-not-positive", Verdict.REJECTED
    WEIGHTS_DIFFER = "weights-differ", Verdict.REJECTED
    POINTS_EQUAL = "points-equal", Verdict.REJECTED
    OUTPUTS_DIFFER = "outputs-differ", Verdict.REJECTED
    OUTPUTS_AGREE = "outputs-agree", Verdict.REJECTED
    PAIR_NOT_COVERED = "pair-not-covered", Verdict.REJECTED
    INPUT_NOT_COVERED = "input-not-covered", Verdict.REJECTED
    INPUT_REPEATED = "input-repeated", Verdict.REJECTED
    INPUT_OUTSIDE = "input-outside", Verdict.REJECTED
    BLOCKS_DIFFER = "blocks-differ", Verdict.REJECTED
    FACTORS_TOO_SMALL = "factors-too-small", Verdict.REJECTED
    NOT_AN_EQUATION = "not-an-equation", Verdict.REJECTED
    NOT_SHALLOW = "not-shallow", Verdict.REJECTED
    DOMAIN_NOT_SIMPLE = "domain-not-simple", Verdict.REJECTED
    FORMS_DIFFER = "forms-differ", Verdict.REJECTED
    NEURON_NOT_DEAD = "neuron-not-dead", Verdict.REJECTED
    NEURON_NOT_LINEAR = "neuron-not-linear", Verdict.REJECTED
    SLOPE_TOO_SMALL = "slope-too-small", Verdict.REJECTED
    SLOPE_POSITIVE = "slope-positive", Verdict.REJECTED
    LAYER_EMPTY = "layer-empty", Verdict.REJECTED
    RESULT_DIFFERS = "result-differs", Verdict.REJECTED
    BEND_SHARED = "bend-shared", Verdict.REJECTED
    NEURON_CANCELS = "neuron-cancels", Verdict.REJECTED
    WRONG_ROLES = "wrong-roles", Verdict.REJECTED
    ON_THE_BOUNDARY = "on-the-boundary", Verdict.REJECTED
    WRONG_DIMENSION = "wrong-dimension", Verdict.REJECTED
    NEURON_NOT_HIDDEN = "neuron-not-hidden", Verdict.REJECTED
    POINT_ON_BOUNDARY = "point-on-boundary", Verdict.REJECTED
    NEURON_HIDDEN = "neuron-hidden", Verdict.REJECTED
    NOT_A_FLIP = "not-a-flip", Verdict.REJECTED
    NOT_SMALLER = "not-smaller", Verdict.REJECTED
    NOT_ALL_LISTED = "not-all-listed", Verdict.REJECTED
    NOT_THREE_LAYERS = "not-three-layers", Verdict.REJECTED
    NOT_A_LINE = "not-a-line", Verdict.REJECTED
    NOT_IDENTIFIABLE = "not-identifiable", Verdict.REJECTED
    FOLD_COUNT = "fold-count", Verdict.REJECTED
    PIECES_DIFFER = "pieces-differ", Verdict.REJECTED
    EDGES_DIFFER = "edges-differ", Verdict.REJECTED
    PLANE_NOT_CUT = "plane-not-cut", Verdict.REJECTED
    WIDTHS_INCREASE = "widths-increase", Verdict.REJECTED
    WIDTHS_OF_CLASS = "widths-of-class", Verdict.REJECTED
    CHAIN_BROKEN = "chain-broken", Verdict.REJECTED
    CHAIN_EXISTS = "chain-exists", Verdict.REJECTED
    POINT_NOT_OPEN = "point-not-open", Verdict.REJECTED
    NO_FACTS = "no-facts", Verdict.MALFORMED
    UNKNOWN_LEMMA = "unknown-lemma", Verdict.MALFORMED
    WRONG_FACTS = "wrong-facts", Verdict.REJECTED
    NOT_A_COUNTEREXAMPLE = "not-a-counterexample", Verdict.REJECTED

    # Limits, raisable on the command line only.
    TOO_MANY_BYTES = "too-many-bytes", Verdict.LIMIT
    TOO_MANY_LINES = "too-many-lines", Verdict.LIMIT
    LINE_TOO_LONG = "line-too-long", Verdict.LIMIT
    TOO_DEEP = "too-deep", Verdict.LIMIT
    TOO_MANY_MARKS = "too-many-marks", Verdict.LIMIT
    INTEGER_TOO_LONG = "integer-too-long", Verdict.LIMIT
    OUT_OF_FUEL = "out-of-fuel", Verdict.LIMIT
    OUT_OF_MEMORY = "out-of-memory", Verdict.LIMIT
    INTERNAL_ERROR = "internal-error", Verdict.LIMIT


class Refused(Exception):
    """The file is not accepted, for the given reason."""

    def __init__(self, reason: Reason, why: str) -> None:
        self.reason = reason
        self.why = why

    def __str__(self) -> str:
        """Return why, in words."""
        return self.why
