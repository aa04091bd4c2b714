"""Sattelberg et al.: *Locally linear attributes of ReLU neural networks*.

The statements S004-….
"""

from exactrelu.lemmas.local_linearity.regions import STATEMENTS as REGIONS_STATEMENTS
from exactrelu.lemmas.local_linearity.xor import STATEMENTS as XOR_STATEMENTS
from exactrelu.lemmas.statement import AnyStatement, Untestable

_EXPERIMENTS = (
    Untestable(
        "S004-clustering",
        "Sattelberg et al., Section 3.2, Table 1",
        "The local affine maps of networks trained on MNIST can be replaced by few cluster centres "
        "with little loss of accuracy.",
        "measurements on trained networks that are not published",
    ),
    Untestable(
        "S004-affine-maps",
        "Sattelberg et al., Section 3.3, Table 2",
        "The local affine maps of networks trained on MNIST are related by linear maps that keep "
        "most of the accuracy.",
        "measurements on trained networks that are not published",
    ),
    Untestable(
        "S004-growth",
        "Sattelberg et al., Sections 1 and 2.1",
        "The largest number of regions grows polynomially in the width and exponentially in the "
        "depth.",
        "an asymptotic statement, quoted from other papers",
    ),
    Untestable(
        "S004-three-nodes",
        "Sattelberg et al., Section 3.1",
        "A network that separates a disc from an annulus around it has a hidden layer with at "
        "least three nodes.",
        "about classifying infinitely many points of a disc; its argument is S004-width-two",
    ),
)

STATEMENTS: tuple[AnyStatement, ...] = (
    *XOR_STATEMENTS,
    *REGIONS_STATEMENTS,
    *_EXPERIMENTS,
)
