"""Networks that the theorem of the kind ``determined`` is not about.

Statement. The widths of the network N are not those of the class of the theorem: it has no hidden
layer, or several outputs, or a layer that is wider than the one before.

Evidence. None: the checker looks at the widths.
"""

from ..budget import Budget
from ..canonical import Fields
from ..chains import is_class
from ..describe import widths_text
from ..network import read_network
from ..statement import Claim, Rule, subject
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    widths = network.widths()
    if is_class(widths):
        raise Refused(Reason.WIDTHS_OF_CLASS, "one output, and no layer wider than the one before")
    return Claim(
        f"the network N of widths {widths_text(widths)} is not in the class of the theorem of "
        "Phuong and Lampert, which wants a hidden layer, one output, and no layer wider than the "
        "one before",
        (subject("N", network.as_json()),),
        lambda *_: None,
        (network,),
    )


RULE = Rule(frozenset({"network"}), _read)
