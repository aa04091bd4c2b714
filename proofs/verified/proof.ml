(* From a claim and the lines after it to the verdict of the kernel. The first function makes entries of records and is not trusted;
   the second is: it accepts what the kernel accepts, and nothing else. *)
open Refusal

(* a tree for signs of neurons of one network *)
let decide ha hb numbers =
  let ss = Trees.named (ha @ hb) [] numbers and m = Z.of_int (Trees.count_units ha) in
  let second (k, _) = Z.geq k m in
  need (List.for_all second ss || not (List.exists second ss)) "other-network";
  Kernel.Decide (second (List.hd ss), List.map (fun (k, up) -> ((if Z.geq k m then Z.sub k m else k), up)) ss)
(* first signs that are known, then all entries of the tree *)
let of_forms source n la lb dom den p =
  let made = ref None and begun = ref false in
  let entries ha hb =
    match Kernel.eopened n Trees.common ha la hb lb dom den p [] with
    | Some opened -> Forms.entries source (Kernel.edims n Trees.common dom) opened [ha; hb]
    | None -> rejected "not-inside" in
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
(* what gives the next entry, as a function of the state *)
let entries source (c : Claims.t) method_ den p : Kernel.state -> Kernel.entry =
  match c.claim, method_ with
  | Kernel.Regions (_, _, (_, (hidden, _)), dom), "cells" -> Trees.of_regions source hidden (Kernel.inequalities dom)
  | Kernel.Property (true, nets, dom, cases), "bounds" ->
      Trees.of_boxes source (List.length nets) dom (List.length cases)
  | Kernel.Equal (true, (n, (_, la)), (_, (_, lb)), dom), "cells" -> of_forms source n la lb dom den p
  | (Kernel.Property (false, nets, _, _)), "point" -> Trees.of_point source (List.length (Kernel.inputs nets))
  | Kernel.Equal (false, (n, _), _, _), "point" -> Trees.of_point source (List.length n)
  | Kernel.Regions (true, _, _, _), "points" | Kernel.Regions _, "shards" | Kernel.Property (true, _, _, _), ("shards" | "splits")
  | Kernel.Equal (true, _, _, _), ("isomorphic" | "rewriting" | "shallow" | "sides" | "shards") ->
      unsupported (c.kind ^ " by " ^ method_)
  | _ -> rejected "wrong-method"

(* why an entry is refused; a known sign may be that of a form of the other network too *)
let refused claim state entry =
  match claim, state, entry with
  | _, _, Kernel.Signs _ -> unsupported "bounds by intervals"
  | Kernel.Equal (_, (_, (ha, _)), (_, (hb, _)), _), Kernel.Equated (ha', hb', _, _, _, _), _ when ha != ha' || hb != hb' ->
      unsupported "a known sign of a form of both networks"
  | _ -> rejected "not-proved"
(* TRUSTED: first_state, next_state and accepted are those of Checker.v, the claim is that of the first line *)
let prove source (c : Claims.t) =
  let method_ = Lines.method_of source in
  let dim = List.length (Kernel.dimension c.claim) in
  let den, p = match Lines.record source with "inside", l -> Trees.point dim l | _ -> rejected "wrong-record" in
  let next = entries source c method_ den p in
  let rec go state =
    if not (Kernel.accepted c.claim state) then
      let entry = next state in
      match Kernel.next_state Trees.common Trees.solve c.claim state entry with
      | Some state -> go state
      | None -> refused c.claim state entry in
  (match Kernel.first_state Trees.common c.claim den p with Some state -> go state | None -> rejected "not-inside");
  Lines.finish source;
  method_
