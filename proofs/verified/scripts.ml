(* What the kernel is given, step by step: made of the records of a proof, by the method that they name. Nothing here is trusted. *)
open Refusal

(* a tree for signs of neurons of one network *)
let decide ha hb numbers =
  let ss = Trees.named (ha @ hb) [] numbers and m = Z.of_int (Trees.count_units ha) in
  let second (k, _) = Z.geq k m in
  need (List.for_all second ss || not (List.exists second ss)) "other-network";
  Kernel.Decide (second (List.hd ss), List.map (fun (k, up) -> ((if Z.geq k m then Z.sub k m else k), up)) ss)
let root_of n ha la hb lb dom den p =
  match Kernel.eopened n Trees.common ha la hb lb dom den p [] with
  | Some opened -> (Kernel.edims n Trees.common dom, opened)
  | None -> rejected "not-inside"
(* first signs that are known, then all entries of the tree *)
let of_forms source n la lb dom den p =
  let made = ref None and begun = ref false in
  let entries ha hb =
    let dims, root = root_of n ha la hb lb dom den p in Forms.entries source dims root [ha; hb] in
  let rec next (state : Kernel.state) =
    match !made, state with
    | Some (e :: rest), _ -> made := Some rest; e
    | Some [], _ -> rejected "missing-record"
    | None, Kernel.Opened (_, _, ha, hb) ->
        let first = not !begun in
        begun := true;
        (match Lines.record source, Kernel.chart Trees.common (Kernel.eqs dom) n Z.one (Kernel.unit_rows n) with
         | ("bounds", l), Some ((dims, sc), ins) when first ->
             Trees.signs (ha @ hb) (List.length dims) (Kernel.closed sc ins (Kernel.inequalities dom)) l
         | ("decided", l), _ -> decide ha hb l
         | r, _ -> source.again <- Some r; made := Some (entries ha hb); next state)
    | None, Kernel.Parting (_, _, ha, hb, _, dims, _, _, _, _) ->
        Trees.leaves (List.length dims) (Trees.count_units (ha @ hb)) (Lines.record source)
    | None, _ -> assert false in
  next
(* all at once *)
let listed all =
  let made = ref None in
  fun _ ->
    match (match !made with Some l -> l | None -> all ()) with
    | next :: rest -> made := Some rest; next
    | [] -> rejected "missing-record"
let of_same source method_ (n, (ha, la) as a) (_, (hb, lb) as b) dom den p =
  listed (fun () -> let dims, root = root_of n ha la hb lb dom den p in Same.entries source method_ a b dom dims root)
let of_near source (n, (ha, (la : Kernel.layer))) (_, (hb, lb)) dom den p =
  let all () =
    let dims, root = root_of n ha la hb lb dom den p in
    let first = Lines.record source in
    if List.mem (fst first) ["bounds"; "decided"] then unsupported "signs before a tree of within";
    source.again <- Some first;
    Forms.entries_near source (List.length la.units) dims root [ha; hb] in
  listed all
let of_ends (n, (ha, la)) (_, (hb, lb)) bound dom den p =
  listed (fun () -> let dims, root = root_of n ha la hb lb dom den p in Forms.entries_by_ends [la; lb] bound dims root [ha; hb])
(* multipliers of rows of a system without a domain: in the kernel there is a row before them, and a box without ends *)
let of_rows source dim (state : Kernel.state) =
  match state with
  | Kernel.Rooted _ -> Kernel.Root (List.init dim (fun _ -> (None, None)))
  | _ ->
      match Lines.record source with
      | "multipliers", l -> Kernel.Boxes (Kernel.BLeaf [List.map (fun (r, m) -> (Z.succ r, m)) (Trees.counted l)])
      | _ -> rejected "wrong-record"
(* what gives the next entry for one of the claims of a statement, as a function of the state *)
let entries source statement (claim : Kernel.claim) method_ den p : Kernel.state -> Kernel.entry =
  match statement, claim, method_ with
  | _, Kernel.Regions (_, _, (_, (hidden, _)), dom), "cells" -> Trees.of_regions source hidden (Kernel.inequalities dom)
  | (Kernel.Claimed _ | Kernel.Within _ | Kernel.Largest (true, _, _, _, _) | Kernel.In_range _), Kernel.Property (true, nets, dom, cases), "bounds" ->
      let count = match statement with Kernel.Within _ | Kernel.Largest _ -> 2 | _ -> List.length nets in
      Trees.of_boxes source count dom (List.length cases)
  | Kernel.Largest (true, _, _, _, _), Kernel.Property (false, nets, _, _), ("bounds" | "cells")
  | (Kernel.Claimed _ | Kernel.Within _ | Kernel.Largest (false, _, _, _, _) | Kernel.In_range _ | Kernel.Nonempty _),
    Kernel.Property (false, nets, _, _), "point" -> Trees.of_point source (List.length (Kernel.inputs nets))
  | Kernel.Nonempty _, Kernel.Property (true, nets, _, _), "multipliers" -> of_rows source (List.length (Kernel.inputs nets))
  | _, Kernel.Equal (true, (n, (_, la)), (_, (_, lb)), dom), "cells" -> of_forms source n la lb dom den p
  | _, Kernel.Equal (true, a, b, dom), ("isomorphic" | "shallow" | "sides" | "same") -> of_same source method_ a b dom den p
  | _, Kernel.Equal (false, (n, _), _, _), "point" -> Trees.of_point source (List.length n)
  | _ -> rejected "wrong-method"
(* methods of the format that are not verified *)
let others : Kernel.statement -> string list = function
  | Kernel.Claimed (Kernel.Regions _) -> ["shards"]
  | Kernel.Claimed (Kernel.Property (true, _, _, _)) -> ["shards"; "splits"]
  | Kernel.Claimed (Kernel.Equal (true, _, _, _)) -> ["shards"]
  | Kernel.Within (true, _, _, _, _) -> ["shards"; "splits"]
  | Kernel.Largest (true, _, _, _, _) -> ["splits"]
  | Kernel.In_range (false, _, _, _) -> ["backward"]
  | Kernel.Transparent (true, _, _) -> ["shards"]
  | _ -> []
let plausible (c : Claims.t) method_ =
  if List.mem method_ (others c.statement) then unsupported (c.kind ^ " by " ^ method_);
  match c.statement, method_ with
  | Kernel.Claimed (Kernel.Regions (least, _, _, _)), _ -> need (method_ = "cells" || (method_ = "points" && least)) "wrong-method"
  | Kernel.Rank _, _ -> need (method_ = "minor") "wrong-method"
  | Kernel.Unbounded _, _ -> need (method_ = "ray") "wrong-method"
  | Kernel.Transparent (holds, _, _), _ -> need (method_ = if holds then "cells" else "point") "wrong-method"
  | (Kernel.Not_injective _ | Kernel.Layer_not_injective _), _ -> need (method_ = "points") "wrong-method"
  | Kernel.Value _, _ -> need (method_ = "evaluation") "wrong-method"
  | Kernel.Claimed (Kernel.Equal (true, a, b, dom)), "rewriting" ->
      need (Same.is_plain a && Same.is_plain b) "linear-units";
      if Kernel.eqs dom <> [] then unsupported "rewriting on a flat domain"
  | _ -> ()


(* equal by rewriting: records between the proofs *)
type rewriting = { mutable turned : bool; mutable proof : (string * (Z.t * Z.t list)) option }     (* the proof that is next, its point *)
let network_of source inputs : Kernel.network =
  let widths = match Lines.record source with "widths", l -> l | _ -> rejected "wrong-record" in
  form (widths <> [] && List.for_all (fun w -> Z.sign w > 0 && Z.fits_int w) widths) "zero-width";
  let layer (inputs, read) w =
    let w = Z.to_int w in
    match Lines.record source with
    | "layer", den :: l ->
        let rec rows k l = if k = 0 then (form (l = []) "wrong-length"; []) else
          let r, l = Trees.take (inputs + 1) l in (false, Claims.row r) :: rows (k - 1) l in
        form (Z.sign den > 0) "denominator-not-positive";
        (w, Kernel.{ den; units = rows w l } :: read)
    | "layer", [] -> malformed "wrong-length"
    | _ -> rejected "wrong-record" in
  match List.fold_left layer (inputs, []) widths with
  | _, last :: hidden -> (Claims.unary inputs, (List.rev hidden, last))
  | _ -> assert false
let width (l : Kernel.layer) = List.length l.units
let inner_method source = let m = Lines.method_of source in need (m <> "rewriting") "wrong-method"; need (m <> "shards") "shards-within"; m
let rec step source r given (a : Kernel.network) (b : Kernel.network) : Kernel.rule option =
  let n, (hidden, last) = a in
  match Lines.record source with
  | "replace", [k; l] ->
      let layers = hidden @ [last] in
      form (Z.sign k >= 0 && Z.leq k l && Z.lt l (Z.of_int (List.length layers))) "index-out-of-range";
      let k = Z.to_int k and l = Z.to_int l in
      let inputs = if k = 0 then List.length n else width (List.nth layers (k - 1)) in
      let _, (_, last) as fresh = network_of source inputs in
      need (width last = width (List.nth layers l)) "shapes-differ";
      let point = if k = 0 then given else (Z.one, List.init inputs (fun _ -> Z.one)) in
      r.proof <- Some (inner_method source, point);
      Some (Kernel.Replace (Claims.unary k, Claims.unary (l - k), fresh))
  | "other", [] -> if r.turned then step source r given a b else (r.turned <- true; Some Kernel.Turn)
  | "result", [] -> need (snd a = snd b) "result-differs"; r.proof <- Some ("same", given); None
  | "then", [] ->
      r.proof <- Some (inner_method source, given);
      if r.turned then (r.turned <- false; Some Kernel.Turn) else None
  | ("other" | "result" | "then"), _ -> malformed "wrong-length"
  | "replace", _ -> malformed "index-out-of-range"
  | _ -> rejected "wrong-record"

(* why a move is refused; a known sign may be that of a form of the other network too *)
let refused stage move =
  match stage, move with
  | _, Kernel.Take (Kernel.Line (Kernel.Signs _)) -> rejected "bounds-have-no-sign"
  | _, Kernel.Enter _ -> rejected "not-inside"
  | Kernel.Stage (Some (Kernel.Claim (Kernel.Equal (_, (_, (ha, _)), (_, (hb, _)), _)), Kernel.Checking (Kernel.Equated (ha', hb', _, _, _, _))), _), _
    when ha != ha' || hb != hb' -> unsupported "a known sign of a form of both networks"
  | _ -> rejected "not-proved"
(* what to do at a stage *)
let moves source (c : Claims.t) method_ : Kernel.stage -> Kernel.move =
  plausible c method_;
  let inside (d : Claims.system) =
    match Lines.record source with "inside", l -> Trees.point d.dim l | _ -> rejected "wrong-record" in
  let given = match List.map inside c.domains with
    | p :: _ -> fun _ -> p
    | [] -> fun dims -> (Z.one, List.map (fun _ -> Z.zero) dims) in
  let next = ref (fun _ -> assert false) in
  let enter claim method_ (den, p) =
    let entry = entries source c.statement claim method_ den p in
    next := (function Kernel.Checking state -> Kernel.Line (entry state) | _ -> assert false);
    Kernel.Enter (den, p) in
  let r = { turned = false; proof = None } in
  let begin_with = function
    | Kernel.Claim (Kernel.Equal (true, a, b, _) as claim) when method_ = "rewriting" ->
        (match (if r.proof = None then step source r (given (fst a)) a b else None), r.proof with
         | Some rule, _ -> Kernel.Apply rule
         | None, Some (inner, point) -> r.proof <- None; enter claim inner point
         | None, None -> assert false)
    | Kernel.Claim claim -> enter claim method_ (given (Kernel.dimension claim))
    | Kernel.Near (a, b, bound, dom) ->
        let den, p = given (fst a) in
        next := if method_ = "intervals" then of_ends a b bound dom den p else of_near source a b dom den p;
        Kernel.Enter (den, p)
    | Kernel.Witness (statement, n, _) ->
        let count = match statement with Kernel.Transparent _ -> 1 | _ -> 2 in
        let one _ = match Lines.record source with "point", l -> Trees.point (List.length n) l | _ -> rejected "wrong-record" in
        next := (fun _ -> Kernel.Points (List.init count one));
        let den, p = given n in
        Kernel.Enter (den, p)
    | Kernel.Count (_, (n, (hidden, _)), _) ->
        let one _ = match Lines.record source with
          | "point", l ->
              let d, p = Trees.point (List.length n) l in
              need (Z.sign d > 0) "denominator-not-positive";
              if not (Kernel.firm hidden (d, p)) then unsupported "a neuron that is 0 at the point of a region";
              Kernel.Points [(d, p)]
          | _ -> rejected "wrong-record" in
        next := one;
        let den, p = given n in
        Kernel.Enter (den, p)
    | Kernel.Active ((n, (hidden, _)), _) ->
        let one = function
          | Kernel.Walking (dims, _, _, _) ->
              Kernel.Walk (match Lines.record source with
                | "active", l -> Trees.no_more l; Kernel.ALeaf
                | ("bounds" | "decided"), _ -> unsupported "signs before a tree of transparent"
                | word, l -> Kernel.AVisit (Trees.of_tree (List.length dims) (Trees.count_units hidden) word l))
          | _ -> assert false in
        next := one;
        let den, p = given n in
        Kernel.Enter (den, p)
    | Kernel.Ranked (rows, rank) ->
        let width = match rows with row :: _ -> List.length row | [] -> unsupported "the rank of a matrix without rows" in
        next := (fun _ -> Ranks.spans source rows width (Z.to_int rank));
        Kernel.Enter (Z.one, [])
    | Kernel.Far (a, _, _) ->
        let ray _ = match Lines.record source with
          | "ray", r -> form (List.compare_lengths r (fst a) = 0) "wrong-length"; Kernel.Along r
          | _ -> rejected "wrong-record" in
        next := ray;
        let den, p = given (fst a) in
        Kernel.Enter (den, p) in
  function
  | Kernel.Stage (Some (_, work), _) -> Kernel.Take (!next work)
  | Kernel.Stage (None, goal :: _) -> begin_with goal
  | Kernel.Stage (None, []) -> assert false
