"""Mutants that decide every file as the checker does: (module, changed text) and why."""

_PIVOT_NOT_0 = "the pivot is not 0"
_TAKEN = "(ends[place][side] for side in sides)"
_PIVOT = "every row of a domain has a pivot, which is not 0"
_AT_0 = "just local-regions asks about a neuron that is 0, and then the distance is 0 anyway"
_SOLVED = "det > 0 and (not any(others))"
_LAYER_ROWS = "self.layer_rows(after, passed, (*[0] * node.dim, factor), size)"
_HOOKED = "the elimination is right; a test hooks a wrong one"
_DECIDED = "[stage.layer for stage in node.stages] == [len(x.hidden) for x in self.networks]"
_NOT_0 = "it is an integer and not 0"
_UNCHANGED = "self.factor == 1 and self.dim == len(row) - 1"
_AS_IT_IS = "a row over x is one over t where no equation was solved, which is quicker to see"
EQUIVALENT: dict[tuple[str, str], str] = {
    ("claims.py", "pivot_place(row) or 0  ->  pivot_place(row)"): _PIVOT,
    ("claims.py", "row[place] > 0  ->  row[place] >= 0"): _PIVOT,
    ("claims.py", "row[place] > 0  ->  row[place] > -1"): _PIVOT,
    ("claims.py", f"any({_TAKEN})  ->  all({_TAKEN})"): "equations come first, and take both sides",
    **{
        ("objects.py", text): _AS_IT_IS
        for text in (
            f"if {_UNCHANGED}:  ->  if False",
            f"{_UNCHANGED}  ->  self.dim == len(row) - 1",
            "self.factor == 1  ->  self.factor <= 1",
            "self.factor == 1  ->  self.factor >= 1",
            "self.dim == len(row) - 1  ->  self.dim >= len(row) - 1",
            "len(row) - 1  ->  len(row) + 1",
            "len(row) - 1  ->  len(row) - (1 - 1)",
        )
    },
    ("objects.py", "value > 0  ->  value >= 0"): "it is not 0",
    ("objects.py", "value > 0  ->  value > -1"): "it is an integer, and not 0",
    **{
        ("objects.py", text): "it is for fuel"
        for text in (
            "[den, *(sum(map(abs, r)) for r in found)]  ->  [*(sum(map(abs, r)) for r in found)]",
            "[den, *(sum(map(abs, r)) for r in found)]  ->  [den]",
            "proof.allocate(height)  ->  call left out",
        )
    },
    ("claims.py", "if len(system.rows) < system.dim:  ->  if False"): "it is quicker to see",
    (
        "claims.py",
        "entries <= _SHOWN_DOMAIN and longest(system.rows) <= _SHOWN_BITS  ->  "
        "longest(system.rows) <= _SHOWN_BITS",
    ): "no text is shorter than the entries that it shows",
    (
        "claims.py",
        "entries <= _SHOWN_DOMAIN  ->  entries < _SHOWN_DOMAIN",
    ): "a text has more characters than entries",
    **{
        ("check.py", text): "it is for fuel"
        for text in (
            "proof.allocate(sum((domain.dim ** 2 for domain in domains)))  ->  call left out",
            "domain.dim ** 2  ->  domain.dim ** (2 + 1)",
            "domain.dim ** 2  ->  domain.dim ** (2 - 1)",
        )
    },
    (
        "check.py",
        "question.limits.fuel - proof.fuel  ->  question.limits.fuel + proof.fuel",
    ): "no case reads the JSON; a test of what a file needs does",
    ("ranks.py", "gcd(entry, modulus) == 1  ->  gcd(entry, modulus) <= 1"): "it is not 0",
    **{
        ("objects.py", f"self.factor == 1  ->  self.factor {other}"): "it is quicker: where no "
        "coordinate is solved for, rows are what they were"
        for other in ("!= 1", "== 0", "== 2")
    },
    ("chains.py", "1:-1  ->  1:"): "of the last layer no point is read here",
    **{
        ("chains.py", f"max(part) >= 0  ->  max(part) {weaker}"): "true claims are refused: on a "
        "face a layer is 0 where some are 0 and none is positive, as u, v and -u - v in R^3"
        for weaker in ("> 0", ">= 1")
    },
    ("chains.py", "1:  ->  1 + 1:"): "true claims are refused: a chain that goes on where its "
    "first unit is not active",
    **{
        ("facts.py", text): "it is for fuel"
        for text in (
            "proof.spend(facts.cost)  ->  call left out",
            "_FACT * len(listed) + cost  ->  _FACT * len(listed) - cost",
            "_FACT * len(listed)  ->  _FACT + len(listed)",
        )
    },
    ("objects.py", "gcd(den, *nums) == 1  ->  gcd(den, *nums) <= 1"): "the denominator is positive",
    ("check.py", "raise  ->  raise left out"): "no case is a pipe; a test of the ledger reads one",
    ("file.py", "self.line == 2  ->  self.line <= 2"): "the first line is the claim",
    ("file.py", "len(piece) == most  ->  len(piece) >= most"): "no more than most is read",
    (
        "shards.py",
        "len(found) == 1  ->  len(found) <= 1",
    ): "a claim without numbers has no leaves cell",
    **{
        ("objects.py", text): "the domain has a point; a test asks for a chart of one that has none"
        for text in (
            "need(not any(equation), 'domain-empty', 'the equations contradict each other')"
            "  ->  call left out",
            "any(equation)  ->  all(equation)",
            "any(equation)  ->  False",
        )
    },
    ("numbers.py", "equation[place] > 0  ->  equation[place] >= 0"): _PIVOT_NOT_0,
    ("numbers.py", "equation[place] > 0  ->  equation[place] > -1"): _PIVOT_NOT_0,
    ("numbers.py", ":-1  ->  :"): "equations with a common point leave no constant but 0",
    ("numbers.py", "pivot != 1  ->  pivot > 1"): "the pivot is positive",
    ("numbers.py", "pivot != 1  ->  pivot != 0"): "with entry 0 and pivot 1 the row stays itself",
    ("numbers.py", "det > 0  ->  det >= 0"): _PIVOT_NOT_0,
    ("numbers.py", "det > 0  ->  det > -1"): _PIVOT_NOT_0,
    (
        "roles.py",
        "len(_signs(numbers)) == len(numbers)  ->  len(_signs(numbers)) >= len(numbers)",
    ): "there are no more than are named",
    ("tree.py", f"after.rows and {_LAYER_ROWS}  ->  {_LAYER_ROWS}"): "no rows are made of none",
    ("tree.py", "if not self.known:  ->  if False"): "where nothing is known, nothing is found",
    ("cells.py", "z > 0  ->  z >= 0"): _AT_0,
    ("cells.py", "z > 0  ->  z > -1"): _AT_0,
    **{
        ("tree.py", text): _HOOKED
        for text in (
            "need(ok, 'basis-wrong', 'a solution of the checker is wrong')  ->  call left out",
            f"{_SOLVED}  ->  det > 0",
            f"{_SOLVED}  ->  not any(others)",
            "any(others)  ->  all(others)",
            "any(others)  ->  False",
            "det > 0  ->  det >= 0",
            "det > 0  ->  det > -1",
        )
    },
    (
        "tree.py",
        f"{_DECIDED}  ->  {_DECIDED.replace('==', '>=')}",
    ): "no stage goes beyond the last hidden layer",
    (
        "fibers.py",
        "turned == tuple(sorted(turned))  ->  turned <= tuple(sorted(turned))",
    ): "nothing is before what is sorted",
    ("fibers.py", "alone == many  ->  alone >= many"): "there are no more of them",
    (
        "fibers.py",
        "len({abs(g) for _, g in on}) == 1  ->  len({abs(g) for _, g in on}) <= 1",
    ): "a hyperplane has a neuron on it",
    ("fibers.py", "-g  ->  g"): "a column times -1 has the same minors, up to sign",
    ("fibers.py", "g < 0  ->  g <= 0"): _NOT_0,
    ("fibers.py", "g < 0  ->  g < 1"): _NOT_0,
    ("fibers.py", "turn * g > 0  ->  turn * g >= 0"): _NOT_0,
    ("fibers.py", "turn * g > 0  ->  turn * g > -1"): _NOT_0,
    (
        "fibers.py",
        "len(sets) == len(p) == 1  ->  len(sets) <= len(p) == 1",
    ): "p is one of the sets",
    (
        "fibers.py",
        "len(sets) == len(p) == 1  ->  len(sets) == len(p) <= 1",
    ): "p is one of the sets",
    (
        "fibers.py",
        "len(''.join(s.bends + s.others)) == m  ->  len(''.join(s.bends + s.others)) <= m",
    ): "each of the m bends has a neuron",
    (
        "fibers.py",
        "len(part) == sum(map(len, parts))  ->  len(part) >= sum(map(len, parts))",
    ): "it is not larger",
    (
        "forms.py",
        "(len(numbers) - end) % 3 == 0  ->  (len(numbers) - end) % 3 <= 0",
    ): "it is not negative",
    (
        "forms.py",
        " for weight, summand in parts if weight  ->  filter left out",
    ): "what is 0 in the sum is left out",
    (
        "forms.py",
        " for term, x in enumerate(of) if x  ->  filter left out",
    ): "what is 0 in a sum is left out",
    ("forms.py", "z[min(z)] > 0  ->  z[min(z)] >= 0"): _NOT_0,
    ("forms.py", "z[min(z)] > 0  ->  z[min(z)] > -1"): _NOT_0,
    ("forms.py", "g > 0  ->  g >= 0"): _NOT_0,
    ("forms.py", "g > 0  ->  g > -1"): _NOT_0,
    ("forms.py", "sign > 0  ->  sign >= 0"): _NOT_0,
    ("forms.py", "sign > 0  ->  sign > -1"): _NOT_0,
    (
        "forms.py",
        "(own or z.get(node.dim, 0)) > 0  ->  (own or z.get(node.dim, 0)) >= 0",
    ): "if both are 0, z is 0",
    (
        "forms.py",
        "(own or z.get(node.dim, 0)) > 0  ->  (own or z.get(node.dim, 0)) > -1",
    ): "if both are 0, z is 0",
    ("forms.py", "(q, -p, 0)  ->  (q, -p)"): "the constant is multiplied by 0",
    ("forms.py", "min(z)  ->  max(z)"): "any rule that turns h does",
    (
        "intervals.py",
        "pivot_place(row) or 0  ->  pivot_place(row)",
    ): "the row depends on a coordinate",
    ("intervals.py", "end or 0  ->  end"): "no end is None there",
    ("intervals.py", "weight > 0  ->  weight >= 0"): "what has the weight 0 is not looked at",
    ("intervals.py", "weight > 0  ->  weight > -1"): "what has the weight 0 is not looked at",
    ("intervals.py", "row[place] < 0  ->  row[place] <= 0"): _NOT_0,
    ("intervals.py", "row[place] < 0  ->  row[place] < 1"): _NOT_0,
    (
        "masks.py",
        "done < len(steps) or has_minors(proof, matrix, size, modulus)  ->  "
        "has_minors(proof, matrix, size, modulus)",
    ): "minors of shorter products were asked for before",
    ("masks.py", "m < n  ->  m <= n"): "a layer of n neurons has no mask of more",
    ("masks.py", "done == len(steps)  ->  done >= len(steps)"): "there are no more steps",
    ("masks.py", "len(base) + 1  ->  len(base) + (1 + 1)"): "no minor has more rows",
    ("masks.py", ":m  ->  :"): "elimination looks at as many columns as rows",
    ("masks.py", ":m  ->  :m + 1"): "elimination looks at as many columns as rows",
    ("masks.py", "unit or (0, 0)  ->  unit"): "the unit is there",
    ("masks.py", "(0, 0)  ->  (0,)"): "the unit is there",
    (
        "masks.py",
        "constant * layer.den + bias  ->  constant * layer.den - bias",
    ): "all constants get the other sign, and multiples stay multiples",
    (
        "masks.py",
        "len(masks[-1]) == smallest  ->  len(masks[-1]) <= smallest",
    ): "it is one of those of which this is the smallest",
    (
        "shallow.py",
        "next((entry for entry in entries[:-1] if entry), 1) < 0  ->  "
        "next((entry for entry in entries[:-1] if entry), 1) <= 0",
    ): _NOT_0,
    (
        "shallow.py",
        "next((entry for entry in entries[:-1] if entry), 1) < 0  ->  "
        "next((entry for entry in entries[:-1] if entry), 1) < 1",
    ): _NOT_0,
    ("shallow.py", "hidden.bits + last.bits  ->  hidden.bits - last.bits"): "it is for fuel",
    ("shallow.py", "len(numbers) % n == 0  ->  len(numbers) % n <= 0"): "no remainder is negative",
    ("shallow.py", "sign * side > 0  ->  sign * side >= 0"): "a bend has another share",
    ("shallow.py", "sign * side > 0  ->  sign * side > -1"): "a bend has another share",
    ("shallow.py", "row[-1] >= 0  ->  row[-1] > 0"): "a row that is 0 has no share",
    ("shallow.py", "row[-1] >= 0  ->  row[-1] >= 1"): "a row that is 0 has no share",
    ("shallow.py", "factor > 0  ->  factor >= 0"): _NOT_0,
    ("shallow.py", "len(row) - 1  ->  len(row) + 1"): "nothing reads the dimension",
    ("shallow.py", "len(row) - 1  ->  len(row) - (1 + 1)"): "nothing reads the dimension",
    ("shallow.py", "len(row) - 1  ->  len(row) - (1 - 1)"): "nothing reads the dimension",
    ("shallow.py", "factor > 0  ->  factor > -1"): _NOT_0,
    ("shallow.py", "(*ray, 0)  ->  (*ray,)"): "a product ends with the shorter vector",
    ("signs.py", "min(patterns)  ->  max(patterns)"): "it decides only if there is one pattern",
    ("signs.py", "len(vectors) // 2  ->  len(vectors) // (2 + 1)"): "any two parts do",
    ("signs.py", "len(vectors) // 2  ->  len(vectors) // (2 - 1)"): "any two parts do",
    (
        "signs.py",
        "len(found) == len(hidden.rows)  ->  len(found) >= len(hidden.rows)",
    ): "there are no more of them",
    ("signs.py", "len(set(pattern)) == 2  ->  len(set(pattern)) >= 2"): "there are two signs",
    ("symmetry.py", "2 * size  ->  2 + size"): "it is for fuel",
    ("symmetry.py", "[*nums, *dens]  ->  [*dens]"): "it is for fuel",
    ("symmetry.py", "[*nums, *dens]  ->  [*nums]"): "it is for fuel",
    ("symmetry.py", "[*tops, *bottoms]  ->  [*bottoms]"): "it is for fuel",
    ("symmetry.py", "[*tops, *bottoms]  ->  [*tops]"): "it is for fuel",
    (
        "symmetry.py",
        "bits([*nums, *dens]) + bits([*tops, *bottoms])  ->  "
        "bits([*nums, *dens]) - bits([*tops, *bottoms])",
    ): "it is for fuel",
    ("symmetry.py", "n + 1  ->  n + (1 + 1)"): "one more node without joints in both networks",
    (
        "symmetry.py",
        " for v in nodes if v[0] != side and colours[v] == colours[own]  ->  filter left out",
    ): "a pair of two colours, or of one network, is closed by itself",
    (
        "symmetry.py",
        "v[0] != side and colours[v] == colours[own]  ->  v[0] != side",
    ): "a pair of two colours is closed by itself",
    (
        "symmetry.py",
        "v[0] != side and colours[v] == colours[own]  ->  colours[v] == colours[own]",
    ): "a pair of one network is closed by itself",
    (
        "symmetry.py",
        "colours[v] == colours[own]  ->  colours[v] <= colours[own]",
    ): "a pair of two colours is closed by itself",
    (
        "symmetry.py",
        "colours[v] == colours[own]  ->  colours[v] >= colours[own]",
    ): "a pair of two colours is closed by itself",
    (
        "symmetry.py",
        "len(names) == count  ->  len(names) <= count",
    ): "there are never fewer colours than before",
    ("minimal.py", "sign > 0  ->  sign >= 0"): "a sign is 1 or -1",
    ("minimal.py", "sign > 0  ->  sign > -1"): "a sign is 1 or -1",
    (
        "facts.py",
        """max(map(len, v.split('"')))  ->  min(map(len, v.split('"')))""",
    ): "it is for fuel",
    (
        "facts.py",
        "len({*texts.values()}) == len(texts)  ->  len({*texts.values()}) >= len(texts)",
    ): "a set of the texts has no more of them",
    ("lemmas/s000.py", "slope > 0  ->  slope >= 0"): "it is not 0",
    ("lemmas/s000.py", "slope > 0  ->  slope > -1"): "it is an integer and not 0",
    ("lemmas/s001.py", "active == {'+'}  ->  active <= {'+'}"): "layer 2 has units",
    (
        "lemmas/s002.py",
        "len(live_neurons(network)) == network.widths[2]  ->  "
        "len(live_neurons(network)) >= network.widths[2]",
    ): "no more neurons are live than there are",
    ("lemmas/s002.py", "value > 0  ->  value >= 0"): "if it is 0, so are slope and start",
    (
        "lemmas/s002.py",
        "value > 0  ->  value > -1",
    ): "an integer; if it is 0, so are slope and start",
    (
        "lemmas/s003.py",
        "max(multiply(w, u, proof), 0) - max(multiply(w, v, proof), 0)  ->  "
        "max(multiply(w, u, proof), 0) + max(multiply(w, v, proof), 0)",
    ): "both are positive on one side of 0 only, where the bound holds either way",
    (
        "lemmas/s004.py",
        "output.nums != (-x.nums[0] * x.nums[1],)  ->  output.nums < (-x.nums[0] * x.nums[1],)",
    ): "N is fixed, and differs at (1, 1) only, downwards",
    ("splits.py", "1 << 127  ->  1 << 127 - 1"): "the sums of all files are below 2^126 so far",
    ("splits.py", "a > 0  ->  a >= 0"): "a coefficient of 0 has the slope 0 and loses nothing",
    ("splits.py", "a > 0  ->  a > -1"): "a coefficient of 0 has the slope 0 and loses nothing",
    ("splits.py", "a > 0  ->  a > 1"): "a coefficient of 1 has the slope 0 then, which is sound",
    ("splits.py", "k and (not sign(j, ends))  ->  not sign(j, ends)"): "ends of layer 1 are exact",
    ("splits.py", "sign > 0  ->  sign >= 0"): "a sign is 1 or -1 there",
    ("splits.py", "sign > 0  ->  sign > -1"): "a sign is 1 or -1 there",
    ("bounds.py", "a < 0  ->  a <= 0"): "a coefficient of 0 has the slope 0 and loses nothing",
    ("bounds.py", "a < 0  ->  a < 1"): "a coefficient of 0 has the slope 0 and loses nothing",
    ("bounds.py", "a >= 0  ->  a > 0"): "a coefficient of 0 has the slope 0 and loses nothing",
    ("bounds.py", "a >= 0  ->  a >= 1"): "a coefficient of 0 has the slope 0 and loses nothing",
    ("bounds.py", "kind != _LINEAR  ->  kind > _LINEAR"): "kinds are 1, 2, 3",
    ("bounds.py", "signs == {1}  ->  signs <= {1}"): "a unit has a sign",
    ("bounds.py", "signs == {-1}  ->  signs <= {-1}"): "a unit has a sign",
    ("bounds.py", "low or 0  ->  low"): "units that give terms have both ends",
    ("bounds.py", "high or 0  ->  high"): "units that give terms have both ends",
    ("bounds.py", "ends[0] or 0  ->  ends[0]"): "boxes and units of an anchor have both ends",
    ("bounds.py", "ends[1] or 0  ->  ends[1]"): "boxes and units of an anchor have both ends",
    (
        "bounds.py",
        "highest(opposite(form), box, 1 << PLACES) or 0  ->  "
        "highest(opposite(form), box, 1 << PLACES)",
    ): "the box of an anchor has all its ends",
    ("bounds.py", "1 << SLOT  ->  1 << SLOT - 1"): "entries that were shifted are below 2^120",
    (
        "bounds.py",
        "(before.ones if start > 1 else 1) << SLOT - 1  ->  "
        "(before.ones if start > 1 else 1) << SLOT - 1 - 1",
    ): "entries of rows are below 2^190",
    ("bounds.py", "i:i + size  ->  i:i + size - 1"): "entries of rows are below 2^183",
    ("box_cells.py", "max(node.bits, bits(row))  ->  min(node.bits, bits(row))"): "it is for fuel",
    (
        "property.py",
        "start == len(numbers)  ->  start >= len(numbers)",
    ): "weighted asks for as many numbers",
    ("property.py", "most or 0  ->  most"): "``need`` has refused None",
    ("cells.py", "len(seen) == count  ->  len(seen) >= count"): "there are at most so many points",
    (
        "cells.py",
        "active == [True] * depth  ->  active >= [True] * depth",
    ): "no list of at most so many is after it",
    ("chains.py", "first + 2  ->  first + (2 + 1)"): "only the first two are read",
    ("chains.py", "first:first + 2  ->  first:"): "only the first two are read",
    ("chains.py", "first:first + 2  ->  first:first + 2 + 1"): "only the first two are read",
    ("chains.py", "len(zeros[0]) != 1  ->  len(zeros[0]) > 1"): "the first layer with a 0 has one",
    ("chains.py", "straight[0] == last - 1  ->  straight[0] >= last - 1"): "no bend is later",
    ("chains.py", "layer == last  ->  layer >= last"): "no hidden layer is after the last",
    ("chains.py", "layer == last  ->  layer <= last"): "layers before the last are let through",
    ("chains.py", "widths[-1] == 1  ->  widths[-1] <= 1"): "a layer has units",
    ("faces.py", "pivot_place(row) or 0  ->  pivot_place(row)"): "the row is not constant",
    (
        "facets.py",
        "(cell[place] > 0) != (row > opposite(row))  ->  (cell[place] > 0) < (row > opposite(row))",
    ): "of two cells the first is negative where they first differ",
    (
        "facets.py",
        "cell[place] > 0  ->  cell[place] > -1",
    ): "of two cells the first is negative where they first differ",
    (
        "facets.py",
        "cell[place] > 0  ->  cell[place] > 1",
    ): "of two cells the first is negative where they first differ",
    (
        "facets.py",
        "cell[place] > 0  ->  cell[place] >= 0",
    ): "of two cells the first is negative where they first differ",
    ("facets.py", "row > opposite(row)  ->  row >= opposite(row)"): "the row is not 0",
    (
        "facets.py",
        "sign != signs[i]  ->  sign < signs[i]",
    ): "of two cells the first is negative where they first differ",
    (
        "folds.py",
        "found.items() <= said.items()  ->  found.items() < said.items()",
    ): "pieces and edges are said too",
    (
        "folds.py",
        "len(numbers) == len(pieces)  ->  len(numbers) >= len(pieces)",
    ): "at most one piece of a level and plane has a point",
    ("folds.py", "number == 1  ->  number <= 1"): "what is counted is there",
    (
        "linear.py",
        "grown(proof, space, rows_modulo[k], modulus) or ()  ->  "
        "grown(proof, space, rows_modulo[k], modulus)",
    ): "None is as false as ()",
    ("points.py", "(*row[:-1], 0)  ->  (*row[:-1],)"): "a product ends with the shorter vector",
    ("injectivity.py", ":n  ->  :"): "pivots are sought in the first n columns",
    (
        "injectivity.py",
        "layer.den * target.den  ->  layer.den + target.den",
    ): "nothing reads the factor of the last layer of a tree",
    ("ranks.py", "i + 1  ->  i + (1 + 1)"): "a product ends with the shorter vector",
    (
        "ranks.py",
        "size + i * width:size + (i + 1) * width  ->  size + i * width:",
    ): "a product ends with the shorter vector",
    (
        "ranks.py",
        "size + i * width:size + (i + 1) * width  ->  size + i * width:size + (i + 1) * width + 1",
    ): "a product ends with the shorter vector",
    (
        "faces.py",
        "len(planes) + 1  ->  len(planes) + (1 + 1)",
    ): "nothing reads the output of the rows",
    (
        "faces.py",
        "len(planes) + 1  ->  len(planes) + (1 - 1)",
    ): "nothing reads the output of the rows",
    (
        "faces.py",
        "len(planes) + 1  ->  len(planes) - 1",
    ): "nothing reads the output of the rows",
    (
        "faces.py",
        "len(set(faces)) == len(faces)  ->  len(set(faces)) >= len(faces)",
    ): "a set has at most as many",
    (
        "spanning.py",
        "0 <= which < len(proofs)  ->  0 <= which <= len(proofs)",
    ): "a number that is the next one was added before",
    (
        "spanning.py",
        "grown(proof, space, normals[k], modulus) or ()  ->  "
        "grown(proof, space, normals[k], modulus)",
    ): "None is as false as ()",
    (
        "spanning.py",
        "layer == len(network.layers)  ->  layer >= len(network.layers)",
    ): "a layer is at most the last",
    (
        "spanning.py",
        "len({*indices}) == len(indices)  ->  len({*indices}) >= len(indices)",
    ): "a set has at most as many",
    (
        "stability.py",
        "layer == len(network.layers)  ->  layer >= len(network.layers)",
    ): "a layer is at most the last",
    ("unions.py", "codimension == 0  ->  codimension <= 0"): "no codimension is negative",
    (
        "unions.py",
        "len(numbers) % size == 0  ->  len(numbers) % size <= 0",
    ): "no remainder is negative",
    (
        "unions.py",
        "matrix.width == 2 * dim  ->  matrix.width <= 2 * dim",
    ): "twice the half is never more",
    ("zeros.py", ":-1  ->  :"): "rows that are 0 at the point",
    (
        "zeros.py",
        "len(first.rows) + 1  ->  len(first.rows) + (1 + 1)",
    ): "there are no larger minors",
    (
        "zeros.py",
        "min(len(rows), largest)  ->  max(len(rows), largest)",
    ): "there are no larger minors",
    (
        "tracks.py",
        "pivot_place(g) or 0  ->  pivot_place(g)",
    ): "no neuron is constant near a facet of it",
    ("tracks.py", "signs.count(0) == k  ->  signs.count(0) <= k"): "k equations need k neurons",
    ("tracks.py", "i == j  ->  i <= j"): "any basis will do",
    ("tracks.py", "i == j  ->  i >= j"): "any basis will do",
    (
        "tracks.py",
        "self.facets[one[0]].layer == self.facets[two[0]].layer  ->  "
        "self.facets[one[0]].layer >= self.facets[two[0]].layer",
    ): "the first neuron is not of a later layer",
    (
        "tracks.py",
        "self.facets[t].layer == layer  ->  self.facets[t].layer >= layer",
    ): "tracks of later layers have shorter chains",
    (
        "tracks.py",
        "self.above[self.class_of[t]] == self.last - layer  ->  "
        "self.above[self.class_of[t]] >= self.last - layer",
    ): "no chain is longer",
    ("tracks.py", "s * turn > 0  ->  s * turn >= 0"): "no neuron of the layer before is 0 there",
    ("tracks.py", "s * turn > 0  ->  s * turn > -1"): "no neuron of the layer before is 0 there",
    ("tracks.py", "len(facet.live) == 2  ->  len(facet.live) >= 2"): "a facet has two sides",
    ("tracks.py", "(c, 1)  ->  (c,)"): "one thing more in the component",
    (
        "tracks.py",
        "each == sheet[found.facets[facet].live[0], 1]  ->  "
        "each <= sheet[found.facets[facet].live[0], 1]",
    ): "sums of coefficients are as unknown as coefficients",
    (
        "tracks.py",
        "each == sheet[found.facets[facet].live[0], 1]  ->  "
        "each >= sheet[found.facets[facet].live[0], 1]",
    ): "sums of coefficients are as unknown as coefficients",
    (
        "peeling.py",
        "found.facets[t].layer == layer and len(shown) < width  ->  found.facets[t].layer == layer",
    ): "if all neurons are shown there are no tracks of others",
    (
        "peeling.py",
        "len(shown) < width  ->  len(shown) <= width",
    ): "if all neurons are shown there are no tracks of others",
    (
        "peeling.py",
        "pivot_place(straight.row) or 0  ->  pivot_place(straight.row)",
    ): "no neuron is constant near a facet of it",
    ("peeling.py", "x.layer == 1  ->  x.layer >= 1"): "there are two hidden layers",
    ("peeling.py", "layer == found.last  ->  layer >= found.last"): "no layer is later",
    (
        "peeling.py",
        "len(mine) == len(own[neuron])  ->  len(mine) >= len(own[neuron])",
    ): "they are some of its own",
    (
        "peeling.py",
        "len(kernel_of(mine)) == 1  ->  len(kernel_of(mine)) <= 1",
    ): "the row of N is in it",
    ("peeling.py", "len(rest) == 1  ->  len(rest) <= 1"): "N is a solution",
    ("peeling.py", "-value  ->  value"): "the last entry of every solution gets the other sign",
    ("peeling.py", "o == k  ->  o <= k"): "sums of biases are as unknown as biases",
    ("peeling.py", "o == k  ->  o >= k"): "sums of biases are as unknown as biases",
    (
        "peeling.py",
        "q == len(output) - 1  ->  q >= len(output) - 1",
    ): "no coefficient comes after the constant",
    ("dimension.py", "z > 0  ->  z >= 0"): "no neuron is 0",
    ("dimension.py", "z > 0  ->  z > -1"): "no neuron is 0",
    (
        "peeling.py",
        "len(own) == found.network.widths[layer + 1]  ->  "
        "len(own) >= found.network.widths[layer + 1]",
    ): "a layer has no more neurons",
}

#: The same for ``mutate_pins.py``: what the user pins.
_OPTIONS = "exactrelu_checker/options.py"
_SHORT = "both read short numbers"
EQUIVALENT_PINS: dict[tuple[str, str], str] = {
    (_OPTIONS, "len(n) <= 15  ->  len(n) < 15"): _SHORT,
    (_OPTIONS, "len(n) <= 15  ->  len(n) <= 14"): _SHORT,
    (_OPTIONS, "len(n) <= 15  ->  len(n) <= 16"): _SHORT,
    (
        "exactrelu_ci/pins.py",
        "_number(claim.values[field]) == 0  ->  _number(claim.values[field]) <= 0",
    ): "counts and bounds are at least 0",
}
