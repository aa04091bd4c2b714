(* Records of trees with forms (proofs/FORMAT.md, G1 to G4) as entries of the kernel. Nothing here is trusted.

   A form is a row over the coordinates, then the atoms s(h) by their numbers. The kernel takes the table of all atoms before the
   tree, so the entries are made first. A sign of a neuron is a fact, a row that is >= 0; facts are counted from the newest. *)
open Refusal
type form = Z.t * Z.t list
let rec trimmed = function
  | [] -> []
  | x :: l -> (match trimmed l with [] when Z.sign x = 0 -> [] | l -> x :: l)
let sum k (f : form) (g : form) : form = let b, a = Kernel.fadd k f g in (b, trimmed a)
let nothing : form = (Z.zero, [])
let times k f = sum k f nothing
(* as far as both go: a neuron that is off has the row 0, of no entries *)
let rec fold2 f acc u v = match u, v with a :: u, b :: v -> fold2 f (f acc a b) u v | _ -> acc
let negative f = times Z.minus_one f
let is_plus z = Z.sign z > 0

(* a unit on a cell: its form z = g·h, what it passes on, why *)
type at = { z : form; y : form; hint : Kernel.hint; key : (form * Z.t) option; linear : bool }
type cell = {
  rows : form list;                                        (* of the node, numbered from 0 *)
  signs : (int * int) list;                                (* of neurons *)
  facts : (form * int * Z.t) list;                         (* the newest first: d·m·h >= 0, m > 0 *)
  units : at array;
  names : (form * (int * int)) list;                       (* h with its sign, 0 if it has none, and the neuron that names it *)
  hints : Kernel.hint list list list }
type place = {
  dim : int; sc : Z.t; ins : form list; networks : Kernel.layer list list;
  table : (form, int) Hashtbl.t; mutable atoms : form list;
  mutable entries : Kernel.wline list }

let emit p l = p.entries <- Kernel.WForms l :: p.entries
let atom p h = match Hashtbl.find_opt p.table h with
  | Some j -> j
  | None ->
      let j = Hashtbl.length p.table in
      Hashtbl.add p.table h j; p.atoms <- h :: p.atoms; j
let value_of p j : form = (Z.zero, List.init (p.dim + j + 1) (fun i -> if i = p.dim + j then Z.one else Z.zero))
(* the sign of the first term: coordinates, the constant, atoms *)
let leading p (b, a) =
  let rec go i = function
    | x :: l when i < p.dim -> if Z.sign x <> 0 then Z.sign x else go (i + 1) l
    | l -> if Z.sign b <> 0 then Z.sign b else (match List.find_opt (fun x -> Z.sign x <> 0) l with Some x -> Z.sign x | None -> 0) in
  go 0 a

(* the cell with these rows, signs and facts: all units, layer by layer *)
let cell p rows signs facts =
  let found = ref [] and names = ref [] and k = ref 0 in
  let known h d =
    let rec find i = function
      | (h', d', m) :: _ when h' = h && d' = d -> (Z.of_int i, m)
      | _ :: l -> find (i + 1) l
      | [] -> unsupported "a sign of a form that has changed" in
    find 0 facts in
  let neuron me z =
    let up = leading p z in
    let g = Z.mul (Z.of_int up) (Claims.gcd_of (fst z :: snd z)) in
    let h = (Z.divexact (fst z) g, List.map (fun x -> Z.divexact x g) (snd z)) in
    let own = Option.value (List.assoc_opt me signs) ~default:0 in
    let met = match List.assoc_opt h !names with
      | Some (s, _) -> s
      | None -> names := (h, (own * up, me)) :: !names; own * up in
    let sign = if own <> 0 then own else met * up in
    let key = Some (h, g) in
    if sign = 0 then
      let j = atom p h in
      let s = value_of p j in
      { z; y = (if is_plus g then times g s else sum (Z.neg g) s z); hint = Kernel.HAtom (Z.of_int j, g); key; linear = false }
    else
      let i, w = known h (sign * up) in
      if sign > 0 then { z; y = z; hint = Kernel.HOn (i, Z.abs g, w); key; linear = false }
      else { z; y = nothing; hint = Kernel.HOff (i, Z.abs g, w); key; linear = false } in
  let through hidden =
    let passed = ref p.ins and factor = ref p.sc in
    let layer (l : Kernel.layer) =
      let unit_at (linear, (b, w)) =
        let z = fold2 (fun acc k f -> if Z.sign k = 0 then acc else sum k f acc) (Z.mul !factor b, []) w !passed in
        let me = !k in
        incr k;
        let u =
          if linear then { z; y = z; hint = Kernel.HLinear; key = None; linear }
          else if snd z = [] then { z; y = (if is_plus (fst z) then z else nothing); hint = Kernel.HConst; key = None; linear }
          else neuron me z in
        found := u :: !found; u in
      let here = List.map unit_at l.units in
      passed := List.map (fun u -> u.y) here;
      factor := Z.mul !factor l.den;
      List.map (fun u -> u.hint) here in
    List.map layer hidden in
  let hints = List.map through p.networks in
  { rows; signs; facts; units = Array.of_list (List.rev !found); names = !names; hints }
let index c k =
  form (Z.sign k >= 0 && Z.lt k (Z.of_int (Array.length c.units))) "index-out-of-range"; Z.to_int k
let named c k =
  let k = index c k in
  need (List.exists (fun (_, v) -> v = (0, k)) c.names) "neuron-decided"; k
let fact c k s = let h, g = Option.get c.units.(k).key in (h, s * Z.sign g, Z.abs g)
let decide ?rows p c k s = cell p (Option.value rows ~default:c.rows) ((k, s) :: c.signs) (fact c k s :: c.facts)

(* rows and facts of a record as conditions of the kernel, with multipliers over a common denominator *)
let over_common all =
  let all = List.filter (fun (q, _) -> Q.sign q <> 0) all in
  let d = List.fold_left (fun d (q, _) -> Z.lcm d (Q.den q)) Z.one all in
  (d, List.map (fun (q, s) -> (Q.num (Q.mul q (Q.of_bigint d)), s)) all)
let sources c numbers =
  let m, rest = match numbers with
    | m :: l when Z.sign m >= 0 && Z.fits_int m -> (Z.to_int m, l)
    | _ -> malformed "wrong-length" in
  let rs, fs = Trees.take (2 * m) rest in
  let row (r, x) = need (is_plus x) "multiplier-not-positive"; (Q.of_bigint x, Kernel.SRow r) in
  let rec facts = function
    | [] -> []
    | k :: u :: v :: l ->
        let e = c.units.(index c k) in
        need (Z.sign u >= 0 && Z.sign v >= 0) "multiplier-not-positive";
        need (not e.linear) "linear-unit";
        let here = match e.key, e.hint with
          | None, _ -> let b = fst e.z in [(Q.of_bigint (if is_plus b then Z.mul u b else Z.mul v (Z.neg b)), Kernel.SOne)]
          | Some (_, g), Kernel.HAtom (j, _) ->
              let low, high = if is_plus g then u, v else v, u in
              let g = Z.abs g in
              [(Q.of_bigint (Z.mul low g), Kernel.SAtom (j, true)); (Q.of_bigint (Z.mul high g), Kernel.SAtom (j, false))]
          | Some _, Kernel.HOn (i, c, w) -> [(Q.make (Z.mul u c) w, Kernel.SFact i)]
          | Some _, Kernel.HOff (i, c, w) -> [(Q.make (Z.mul v c) w, Kernel.SFact i)]
          | Some _, (Kernel.HLinear | Kernel.HConst) -> [] in
        here @ facts l
    | _ -> malformed "wrong-length" in
  let rs = List.map row (Trees.pairs rs) in
  over_common (rs @ facts fs)

(* what intervals show, as sums of conditions: an end has a proof that value - low, or high - value, is >= 0. Facts are counted
   from the first here, as new ones come. *)
let scaled q = List.map (fun (x, s) -> (Q.mul q x, s))
let ones q = [(q, Kernel.SOne)]
let single rows = List.mapi (fun r (b, a) ->
  (r, b, List.filter (fun (_, x) -> Z.sign x <> 0) (List.mapi (fun i x -> (i, x)) a))) rows
let ends_of_coordinate rows i =
  List.fold_left (fun (lo, hi) -> function
    | r, b, [(j, x)] when j = i ->
        let e = Q.make (Z.neg b) x and proof = [(Q.inv (Q.of_bigint (Z.abs x)), Kernel.SRow (Z.of_int r))] in
        if is_plus x then ((match lo with Some (f, _) when Q.geq f e -> lo | _ -> Some (e, proof)), hi)
        else (lo, (match hi with Some (f, _) when Q.leq f e -> hi | _ -> Some (e, proof)))
    | _ -> (lo, hi)) (None, None) (single rows)
let combine (b, w) ends =
  let one up =
    let add acc k (lo, hi) =
      if Z.sign k = 0 then acc else
      match acc, (if is_plus k = up then hi else lo) with
      | Some (v, proof), Some (e, q) -> Some (Q.add v (Q.mul (Q.of_bigint k) e), scaled (Q.of_bigint (Z.abs k)) q @ proof)
      | _ -> None in
    fold2 add (Some (Q.of_bigint b, [])) w ends in
  (one false, one true)
type one_end = (Q.t * (Q.t * Kernel.source) list) option
type ends = {
  found : (one_end * one_end) array;                       (* of all units *)
  passed : (one_end * one_end) list list; factors : Z.t list;   (* what the last hidden layers pass on, times their factors *)
  facts_before : (form * int * Z.t) list;
  finish : (Q.t * Kernel.source) list -> Z.t * (Z.t * Kernel.source) list; one_more : unit -> unit }
let ends_of p c =
  let old = List.length c.facts in
  let count = ref old and added = ref [] in
  let from_first = function Kernel.SFact i -> Kernel.SFact (Z.of_int (old - 1 - Z.to_int i)) | s -> s in
  let finish proof =
    let back = function Kernel.SFact i -> Kernel.SFact (Z.of_int (!count - 1 - Z.to_int i)) | s -> s in
    let d, us = over_common proof in
    (d, List.map (fun (q, s) -> (q, back s)) us) in
  let no_key = (nothing, 0, Z.one) in
  (* a new fact: an atom is at most the end of its row, or that less the row *)
  let below top j g (high, proof) =
    let a = Q.of_bigint (Z.abs g) in
    let t = Q.div top a in
    let m = Q.den t in
    let d, us = finish (scaled (Q.mul (Q.inv a) (Q.of_bigint m)) (ones (Q.sub top high) @ proof)) in
    emit p (Kernel.EBelow (not (is_plus g), j, m, Q.num (Q.mul t (Q.of_bigint m)), d, us));
    added := no_key :: !added;
    incr count;
    [(Q.div a (Q.of_bigint m), Kernel.SFact (Z.of_int (!count - 1)))] in
  let passed u (lo, hi) =
    let at_zero, over_z, under = match u.hint, u.key with
      | Kernel.HAtom (j, g), Some _ ->
          let a = Q.of_bigint (Z.abs g) and up = is_plus g in
          ([(a, Kernel.SAtom (j, up))], [(a, Kernel.SAtom (j, not up))], fun top end_ -> below top j g end_)
      | Kernel.HOn (i, c', w'), _ ->
          ([(Q.make c' w', from_first (Kernel.SFact i))], [], fun top (high, proof) -> ones (Q.sub top high) @ proof)
      | Kernel.HOff (i, c', w'), _ -> ([], [(Q.make c' w', from_first (Kernel.SFact i))], fun top _ -> ones top)
      | _ ->
          let v = Q.of_bigint (fst u.y) in
          (ones v, ones (Q.sub v (Q.of_bigint (fst u.z))), fun top _ -> ones (Q.sub top v)) in
    ((match lo with Some (e, q) when Q.sign e > 0 -> Some (e, over_z @ q) | _ -> Some (Q.zero, at_zero)),
     (match hi with Some (e, q) -> let top = Q.max Q.zero e in Some (top, under top (e, q)) | None -> None)) in
  let sides = List.init p.dim (ends_of_coordinate c.rows) in
  let first k l = List.filteri (fun i _ -> i < k) l in
  let found = Array.make (Array.length c.units) (None, None) and k = ref 0 in
  let through hidden =
    let ends = ref (List.map (fun (b, a) -> combine (b, a) (first (List.length a) sides)) p.ins) and factor = ref p.sc in
    let layer (l : Kernel.layer) =
      let unit_at (linear, (b, w)) =
        let z = combine (Z.mul !factor b, w) !ends in
        found.(!k) <- z;
        let u = c.units.(!k) in
        incr k;
        if linear then z else passed u z in
      ends := List.map unit_at l.units;
      factor := Z.mul !factor l.den in
    List.iter layer hidden;
    (!ends, !factor) in
  let passed, factors = List.split (List.map through p.networks) in
  { found; passed; factors; facts_before = !added @ c.facts; finish; one_more = (fun () -> incr count) }
let intervals p c chosen =
  let { found; finish; facts_before; one_more; _ } = ends_of p c in
  let show (signs, facts) s =
    let k, up = Trees.side s in
    let k = named c k in
    let z = c.units.(k).z in
    let f, e, proof = match up, found.(k) with
      | true, (Some (e, q), _) when Q.sign e >= 0 -> (z, e, q)
      | false, (_, Some (e, q)) when Q.sign e <= 0 -> (negative z, Q.neg e, q)
      | _ -> rejected "interval-has-no-sign" in
    let d, us = finish (ones e @ proof) in
    emit p (Kernel.ESign (f, d, us));
    one_more ();
    let s = if up then 1 else -1 in
    ((k, s) :: signs, fact c k s :: facts) in
  let signs, facts = List.fold_left show ([], facts_before) chosen in
  cell p c.rows (signs @ c.signs) facts

let same p c = match c.hints with [x; y] -> emit p (Kernel.ESame (x, y)) | _ -> assert false
let rec walk leaf p source = function
  | [] -> ()
  | c :: rest ->
      (match Lines.record source with
       | "split", [k] ->
           let k = named c k in
           let z = c.units.(k).z in
           let flat = List.compare_length_with (snd z) p.dim <= 0 in
           emit p (if flat then Kernel.EHalf z else Kernel.EFold z);
           let part s z = if flat then decide p c k s ~rows:(c.rows @ [z]) else decide p c k s in
           let low = part (-1) (negative z) in
           walk leaf p source (low :: part 1 z :: rest)
       | "side", s :: w :: l ->
           let k, up = Trees.side s in
           let k = named c k in
           need (is_plus w) "multiplier-not-positive";
           let d, us = sources c l in
           let z = c.units.(k).z in
           emit p (Kernel.ESign ((if up then z else negative z), Z.mul d w, us));
           walk leaf p source (decide p c k (if up then 1 else -1) :: rest)
       | "empty", l -> emit p (Kernel.EEmpty (snd (sources c l))); walk leaf p source rest
       | word, l when word = fst leaf -> Trees.no_more l; snd leaf p c; walk leaf p source rest
       | "intervals", l -> walk leaf p source (intervals p c l :: rest)
       | ("split" | "side"), _ -> malformed "wrong-length"
       | _ -> rejected "wrong-record")

let atoms p = Kernel.Atoms (List.rev p.atoms)
let entries_of p = atoms p :: List.rev_map (function Kernel.WForms l -> Kernel.Forms l | Kernel.WLeaf _ -> assert false) p.entries
(* the root of a proof that two networks are equal, and then all its entries *)
let root dims (((sc, ins), _), (root : Kernel.enode)) hidden =
  let p = { dim = List.length dims; sc; ins = List.map (fun (b, a) -> (b, trimmed a)) ins; networks = hidden;
            table = Hashtbl.create 64; atoms = []; entries = [] } in
  (p, cell p (List.rev_map (fun (_, (b, a)) -> (b, trimmed a)) root.Kernel.rows) [] [])
let entries source dims opened hidden = let p, c = root dims opened hidden in walk ("same", same) p source [c]; entries_of p
(* at a leaf of within, for every output: it is not above the other by more than the bound, and not below *)
let near source outputs p c =
  let one () = match Lines.record source with
    | "beyond", w :: l -> need (is_plus w) "multiplier-not-positive"; let d, us = sources c l in (Z.mul d w, us)
    | "beyond", [] -> malformed "wrong-length"
    | _ -> rejected "missing-record" in
  let both = List.init outputs (fun _ -> let above = one () in (above, one ())) in
  match c.hints with [x; y] -> p.entries <- Kernel.WLeaf (x, y, both) :: p.entries | _ -> assert false
let entries_near source outputs dims opened hidden =
  let p, c = root dims opened hidden in
  walk ("within", near source outputs) p source [c];
  Kernel.Line (atoms p) :: List.rev_map (fun l -> Kernel.Leafed l) p.entries
(* the ends of the outputs are at most the bound apart: no records *)
let entries_by_ends (lasts : Kernel.layer list) (d, e) dims opened hidden =
  let p, c = root dims opened hidden in
  let { passed; factors; finish; _ } = ends_of p c in
  let outputs (l : Kernel.layer) ends factor =
    (List.map (fun (_, (b, w)) -> combine (Z.mul factor b, w) ends) l.units, Q.of_bigint (Z.mul factor l.den)) in
  match lasts, passed, factors, c.hints with
  | [la; lb], [ua; ub], [ka; kb], [x; y] ->
      let fs, p' = outputs la ua ka and gs, q' = outputs lb ub kb in
      let d, e = Q.of_bigint d, Q.of_bigint e in
      (* d(q·high - p·low) - e·p·q is not > 0 *)
      let never p' q' high low = match high, low with
        | Some (h, above), Some (l, below) ->
            let u = Q.mul d q' and v = Q.mul d p' in
            need (Q.leq (Q.sub (Q.mul u h) (Q.mul v l)) (Q.mul e (Q.mul p' q'))) "intervals-too-wide";
            finish (scaled u above @ scaled v below)
        | _ -> rejected "intervals-too-wide" in
      let one (fl, fh) (gl, gh) = (never p' q' fh gl, never q' p' gh fl) in
      let leaf = Kernel.WLeaf (x, y, List.map2 one fs gs) in
      Kernel.Line (atoms p) :: List.rev_map (fun l -> Kernel.Leafed l) (leaf :: p.entries)
  | _ -> assert false
