"""Sattelberg et al.: *Locally linear attributes of ReLU neural networks*."""

from exactrelu.lemmas.s004.regions import STATEMENTS as REGIONS_STATEMENTS
from exactrelu.lemmas.s004.xor import STATEMENTS as XOR_STATEMENTS
from exactrelu.lemmas.statement import AnyStatement

STATEMENTS: tuple[AnyStatement, ...] = (
    *XOR_STATEMENTS,
    *REGIONS_STATEMENTS,
)
