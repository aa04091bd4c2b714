(* equal by isomorphic, shallow and sides: the forms of both networks are the same where no neuron is split, for shallow and sides with
   the signs that the domain shows. The kernel compares the forms; the records are tested here as well. Nothing here is trusted. *)
open Refusal
type side = (form_proof * bool) option                     (* why a row is >= 0, or <= 0 *)
and form_proof = (Q.t * Kernel.source) list

let is_plain (_, (hidden, _) : Kernel.network) =
  List.for_all (fun (l : Kernel.layer) -> not (List.exists fst l.units)) hidden
let permuted places row = List.map (fun p -> List.nth row p) places
(* B_ij = s_i * A_p(i)p(j) / s_j *)
let symmetry source (_, (ha, la) : Kernel.network) (n, (hb, lb) : Kernel.network) =
  let widths h l = List.map (fun (l : Kernel.layer) -> List.length l.units) (h @ [l]) in
  need (widths ha la = widths hb lb) "shapes-differ";
  let start = List.length n in
  let layer (places, scales) ((a : Kernel.layer), (b : Kernel.layer), hidden) =
    let size = List.length a.units in
    let rows, factors =
      if not hidden then (List.init size Fun.id, List.init size (fun _ -> Q.one))
      else match Lines.record source with
        | "symmetry", l ->
            form (List.length l = 3 * size) "wrong-length";
            let rows, rest = Trees.take size l in
            let each = List.init size Fun.id in
            form (List.sort Z.compare rows = List.map Z.of_int each) "not-a-permutation";
            let positive (u, v) = need (Z.sign u > 0 && Z.sign v > 0) "scaling-not-positive"; Q.make u v in
            (List.map Z.to_int rows, List.map positive (Trees.pairs rest))
        | _ -> rejected "wrong-record" in
    let over den x = Q.make x den in
    let ours = permuted rows a.units in
    List.iter2 (fun ((_, (ca, wa)), s) (_, (cb, wb)) ->
        let wa = List.map2 (fun w t -> Q.div (Q.mul s (over a.den w)) t) (permuted places wa) scales in
        need (Q.equal (Q.mul s (over a.den ca)) (over b.den cb) && List.for_all2 Q.equal wa (List.map (over b.den) wb)) "weights-differ")
      (List.combine ours factors) b.units;
    (rows, factors) in
  let pairs = List.map2 (fun a b -> (a, b, true)) ha hb @ [(la, lb, false)] in
  ignore (List.fold_left layer (List.init start Fun.id, List.init start (fun _ -> Q.one)) pairs)

(* x >= 0, by rows with one coordinate, and perhaps others without negative entries *)
let is_orthant dim (dom : Kernel.system) =
  let least (s, (b, a)) = s <> Kernel.Zero && List.for_all (fun x -> Z.sign x >= 0) (b :: a) in
  let axis (_, (b, a)) = Z.sign b = 0 && Z.equal (List.fold_left Z.add Z.zero a) Z.one in
  dim > 0 && List.for_all least dom && List.length (List.sort_uniq compare (List.map snd (List.filter axis dom))) = dim
let axis_of (dom : Kernel.system) i =
  let rec find r = function
    | (_, (b, a)) :: l ->
        if Z.sign b = 0 && List.for_all Fun.id (List.mapi (fun j x -> Z.equal x (if i = j then Z.one else Z.zero)) a) then r else find (r + 1) l
    | [] -> assert false in
  find 1 dom                                               (* row 0 of a node is 1 > 0 *)
let by_axes dom (b, a) =
  if List.exists (fun x -> Z.sign x < 0) (b :: a) then None
  else
    let terms = List.mapi (fun i x -> if Z.sign x = 0 then [] else [(Q.of_bigint x, Kernel.SRow (Z.of_int (axis_of dom i)))]) a in
    Some ((Q.of_bigint b, Kernel.SOne) :: List.concat terms, true)
(* records of the sides of a row on a domain with interior *)
let by_record source dim (dom : Kernel.system) ((b, a) : Forms.form) : side =
  match Lines.record source with
  | "zero", l ->
      let den, p = Trees.point dim l in
      need (Z.sign den > 0) "denominator-not-positive";
      let at (b, a) = Z.sign (Forms.fold2 (fun s x v -> Z.add s (Z.mul x v)) (Z.mul b den) a p) in
      need (at (b, a) = 0 && List.for_all (fun (_, f) -> at f > 0) dom) "not-a-zero"; None
  | "sided", f :: us ->
      need (Z.sign f <> 0) "factor-zero";
      let m = List.length dom in
      let one (r, x) =
        form (Z.sign r >= 0 && Z.leq r (Z.of_int m)) "index-out-of-range";
        need (Z.sign x > 0) "multiplier-not-positive";
        if Z.to_int r = m then (x, (Z.one, []), Kernel.SOne) else (x, snd (List.nth dom (Z.to_int r)), Kernel.SRow (Z.succ r)) in
      let used = List.map one (Trees.counted us) in
      let sum, _ = List.fold_left (fun acc (x, f, _) -> Forms.sum x f acc) Forms.nothing used in
      let rest = Z.sub (Z.mul f b) sum in
      need (Z.sign rest >= 0) "no-contradiction";
      let over x = Q.make x (Z.abs f) in
      Some ((over rest, Kernel.SOne) :: List.map (fun (x, _, s) -> (over x, s)) used, Z.sign f > 0)
  | "sided", [] -> malformed "wrong-length"
  | _ -> rejected "wrong-record"
(* the root, with the signs that are shown of its neurons *)
let with_sides (p : Forms.place) (c : Forms.cell) side_of =
  let one (signs, facts) (k, h) =
    match side_of h with
    | None -> (signs, facts)
    | Some (proof, above) ->
        let u = c.Forms.units.(k) in
        let _, g = Option.get u.Forms.key in
        let up = above = (Z.sign g > 0) in
        let d, us = Forms.over_common (Forms.scaled (Q.of_bigint (Z.abs g)) proof) in
        Forms.emit p (Kernel.ESign ((if up then u.Forms.z else Forms.negative u.Forms.z), d, us));
        let s = if up then 1 else -1 in
        ((k, s) :: signs, Forms.fact c k s :: facts) in
  let named = List.rev_map (fun (h, (_, k)) -> (k, h)) c.Forms.names in
  let signs, facts = List.fold_left one ([], []) named in
  Forms.cell p c.Forms.rows signs facts

let entries source method_ (a : Kernel.network) (b : Kernel.network) dom dims opened =
  let (_, (ha, _)), (_, (hb, _)) = (a, b) in
  let p, c = Forms.root dims opened [ha; hb] in
  let c = match method_ with
    | "isomorphic" -> need (is_plain a && is_plain b) "linear-units"; symmetry source a b; c
    | "same" -> c
    | _ ->
        let dim = List.length (fst a) in
        need (List.length ha <= 1 && List.length hb <= 1) "not-shallow";
        need (is_plain a && is_plain b) "linear-units";
        need (method_ = "shallow" || List.for_all (fun (s, _) -> s <> Kernel.Zero) dom) "domain-flat";
        if is_orthant dim dom then with_sides p c (by_axes dom)
        else if method_ = "shallow" || dom = [] then c
        else with_sides p c (by_record source dim dom) in
  Forms.same p c;
  Forms.entries_of p
