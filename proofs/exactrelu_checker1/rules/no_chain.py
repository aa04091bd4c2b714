"""Units at which no chain of bends starts.

Statement. In the domain D, an open polyhedron or the interior of a union of boxes, no chain of
bends starts at the unit ``neuron`` of the layer ``layer`` (both from 0) of the network N, so that
it is not in the class of the theorem of the kind ``determined``. A chain from the unit 0 of the
last layer is a point that is open for it.

Evidence. A face tree. The checker builds the chains from their ends.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..chains import Bend, Hyperplane, bend, is_open, zeros
from ..describe import widths_text
from ..network import Network, read_network
from ..reader import Certificate
from ..region import Region, own_signs, read_region
from ..statement import Claim, Rule, subject
from ..values import read_index
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    region = read_region(claim["domain"], network, budget)
    layer, unit = read_index(claim["layer"]), read_index(claim["neuron"])
    widths = network.widths()
    if layer >= len(widths) - 1 or unit >= (*widths[1:-1], 1)[layer]:
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"there is no unit {unit} in layer {layer}")
    return Claim(
        f"in {region.text} no chain of bends starts at the unit ({layer + 1},{unit + 1}) "
        f"of the network N of widths {widths_text(widths)}",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(_check, network, region, layer, unit),
        (network,),
    )


def _check(
    network: Network,
    region: Region,
    layer: int,
    unit: int,
    certificate: Certificate,
    budget: Budget,
) -> None:
    hidden = len(network.layers) - 1
    ends: set[Hyperplane] = set()
    bends: list[Bend] = []
    _, faces = region.faces(network, certificate, budget)
    for face in faces:
        signs = own_signs(network, face.signs)
        if not is_open(layer, signs, network.widths()):
            continue
        found = bend(layer, signs)
        if found is not None:
            bends.append(found)
        if layer < hidden - 1:
            continue
        if layer > hidden - 1 or (layer, unit) in zeros(signs):
            raise Refused(Reason.CHAIN_EXISTS, "there is such a point")
    for found in sorted(bends, key=lambda found: -found.straight[0]):
        if found.straight[0] < hidden - 2 and ends.isdisjoint(found.ending):
            continue
        ends.add(found.straight)
    if (layer, unit, ()) in ends:
        raise Refused(Reason.CHAIN_EXISTS, f"a chain starts at unit {unit} of layer {layer}")


RULE = Rule(frozenset({"domain", "layer", "network", "neuron"}), _read)
