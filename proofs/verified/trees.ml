(* Records of trees as entries of the kernel (proofs/FORMAT.md, Trees and Trees of boxes). Nothing here is trusted. *)
open Refusal

(* ---- guesses, which the kernel tests ---- *)
let common (b, a) = Claims.gcd_of (b :: a)
(* multipliers of rows for targets, over the determinant of their normals: elimination without fractions *)
let solve basis targets =
  let dim = List.length basis in
  let normal (_, a) = let v = Array.make dim Z.zero in List.iteri (fun i x -> if i < dim then v.(i) <- x) a; v in
  let rows = Array.of_list (List.map normal basis) and ends = Array.of_list (List.map normal targets) in
  let q = Array.length ends in
  let t = Array.init dim (fun i -> Array.init (dim + q) (fun j -> if j < dim then rows.(j).(i) else ends.(j - dim).(i))) in
  let det = ref Z.one in
  try
    for k = 0 to dim - 1 do
      let at = ref k in
      while !at < dim && Z.sign t.(!at).(k) = 0 do incr at done;
      if !at = dim then raise Exit;
      let top = t.(!at) in
      t.(!at) <- t.(k); t.(k) <- top;
      let pivot = top.(k) in
      for i = 0 to dim - 1 do
        if i <> k then begin
          let r = t.(i) in
          let entry = r.(k) in
          for j = k + 1 to dim + q - 1 do
            r.(j) <- Z.divexact (Z.sub (Z.mul pivot r.(j)) (Z.mul entry top.(j))) !det
          done
        end
      done;
      det := pivot
    done;
    let s = if Z.sign !det < 0 then Z.neg else Fun.id in
    Some (s !det, List.init q (fun j -> List.init dim (fun i -> s t.(i).(dim + j))))
  with Exit -> None

(* ---- pieces of records ---- *)
let rec take k = function
  | x :: l when k > 0 -> let a, b = take (k - 1) l in (x :: a, b)
  | l -> form (k = 0) "wrong-length"; ([], l)
let rec pairs = function [] -> [] | a :: b :: l -> (a, b) :: pairs l | _ -> malformed "wrong-length"
let counted = function
  | m :: l -> form (Z.equal m (Z.of_int (List.length l / 2))) "wrong-length"; pairs l
  | [] -> malformed "wrong-length"
let rec groups n l =
  if n = 0 then (form (l = []) "wrong-length"; [])
  else match l with
    | m :: l ->
        form (Z.sign m >= 0 && Z.fits_int m) "wrong-length";
        let us, l = take (2 * Z.to_int m) l in
        pairs us :: groups (n - 1) l
    | [] -> malformed "wrong-length"
let side s = (Z.shift_right s 1, Z.is_odd s)
let point dim numbers =
  form (List.compare_length_with numbers (dim + 1) = 0) "wrong-length";
  match List.rev numbers with den :: p -> (den, List.rev p) | [] -> assert false
let no_more l = form (l = []) "wrong-length"

(* all units, which are the most that a record of signs names *)
let count_units = List.fold_left (fun k (l : Kernel.layer) -> k + List.length l.units) 0
let of_tree dim units word numbers =
  match word, numbers with
  | "split", [k] -> Kernel.Split k
  | "sides", l ->
      let r, s = take dim l in
      form (s <> [] && List.compare_length_with s units <= 0) "wrong-length"; Kernel.Sides (r, List.map side s)
  | "side", s :: w :: us -> let k, up = side s in Kernel.Side (k, up, w, counted us)
  | "empty", us -> Kernel.Empty (counted us)
  | "cut", l -> form (List.compare_length_with l (dim + 1) = 0) "wrong-length"; Kernel.Cut (Claims.row l)
  | ("split" | "side"), _ -> malformed "wrong-length"
  | _ -> rejected "wrong-record"

(* ---- boxes: the ends of the root are the sharpest that rows with just one coordinate give; the kernel tests them ---- *)
let root_ends dim conds : Kernel.box =
  let found = Array.make dim (None, None) in
  let p = Z.shift_left Z.one 40 in
  let one (_, (b, a)) =
    match List.filter (fun (_, x) -> Z.sign x <> 0) (List.mapi (fun i x -> (i, x)) a) with
    | [(i, x)] ->
        let l, h = found.(i) in
        let sharper keep e = function Some f -> Some (keep e f) | None -> Some e in
        if Z.sign x > 0 then found.(i) <- (sharper Z.max (Z.fdiv (Z.neg (Z.mul b p)) x) l, h)
        else found.(i) <- (l, sharper Z.min (Z.cdiv (Z.mul b p) (Z.neg x)) h)
    | _ -> () in
  List.iter one conds;
  Array.to_list found

(* the neurons of [bounds] and [decided], numbered through these layers, with their signs; none of them is [given] *)
let named (layers : Kernel.layer list) given numbers =
  form (numbers <> []) "wrong-length";
  let linear = Array.of_list (List.concat_map (fun (l : Kernel.layer) -> List.map fst l.units) layers) in
  let known = Hashtbl.create 16 in
  List.iter (fun (k, _) -> Hashtbl.replace known k ()) given;
  let one s =
    let k, up = side s in
    form (Z.sign k >= 0 && Z.lt k (Z.of_int (Array.length linear))) "index-out-of-range";
    form (not linear.(Z.to_int k)) "linear-unit";
    need (not (Hashtbl.mem known k)) "neuron-decided";
    Hashtbl.add known k ();
    (k, up) in
  List.map one numbers
let signs layers dim conds numbers =
  let single s (_, (_, a)) = match List.filter (fun x -> Z.sign x <> 0) a with [x] -> Z.lcm s x | _ -> s in
  Kernel.Signs (List.fold_left single Z.one conds, root_ends dim conds, named layers [] numbers)
(* a record of the tree of a [decided] *)
let leaves dim units = function
  | "shown", l -> no_more l; Kernel.Leaves Kernel.Leaf
  | word, l -> Kernel.Leaves (Kernel.Deeper (of_tree dim units word l))
(* the neurons of the current layer of a node whose sign is known, and is not yet said *)
let known signs (v : Kernel.node) =
  if signs = [] then [] else
  let one i (f, s) =
    if s <> Kernel.Undecided || Kernel.zeros (snd f) then [] else
    let k = Z.add v.base (Z.of_int i) in
    match List.assoc_opt k signs with Some up -> [(k, up)] | None -> [] in
  List.concat (List.mapi one v.now)

(* the entries of a tree of regions, of boxes and cells: a function of the state, which reads the next record *)
let of_regions source (layers : Kernel.layer list) ineqs (state : Kernel.state) =
  let units = count_units layers in
  let read dims =
    let dim = List.length dims in
    let word, l = Lines.record source in
    Kernel.Tree (if word = "cell" then let d, p = point dim l in Kernel.Cell (d, p) else Kernel.Visit (of_tree dim units word l)) in
  match state with
  | Kernel.Placed (dims, sc, ins, given) ->
      (match Lines.record source with
       | "bounds", l when given = [] -> signs layers (List.length dims) (Kernel.closed sc ins ineqs) l
       | "decided", l -> Kernel.Decide (false, named layers given l)
       | r ->
           source.again <- Some r;
           match known given (Kernel.root ineqs layers sc ins) with
           | [] -> read dims
           | ss -> Kernel.Tree (Kernel.Visit (Kernel.Known ss)))
  | Kernel.Deciding (dims, _, _, given, _, v :: _) ->
      (match known given v with
       | [] -> leaves (List.length dims) units (Lines.record source)
       | ss -> Kernel.Leaves (Kernel.Deeper (Kernel.Known ss)))
  | Kernel.Counted (_, _, ([], _)) -> rejected "region-count"
  | Kernel.Counted (dims, given, (v :: _, _)) ->
      (match known given v with
       | [] -> read dims
       | ss -> Kernel.Tree (Kernel.Visit (Kernel.Known ss)))
  | _ -> assert false
let of_boxes source networks dom count (state : Kernel.state) =
  match state with
  | Kernel.Rooted (dims, sc, ins, _, _) ->
      (match Lines.record source with
       | "joined", l -> no_more l
       | "gaps", l -> no_more l; need (networks = 2) "widths-differ"; unsupported "gaps"
       | _ -> rejected "wrong-record");
      Kernel.Root (root_ends (List.length dims) (Kernel.base_rows sc ins dom))
  | Kernel.Boxed (dims, _, _, hidden, _, items) ->
      let dim = List.length dims in
      let word, l = Lines.record source in
      Kernel.Boxes (match word, l, items with
        | "cut", [i; v], Kernel.Box _ :: _ ->
            form (Z.sign i >= 0 && Z.lt i (Z.of_int dim)) "wrong-length"; Kernel.BCut (Claims.unary (Z.to_int i), v)
        | "anchor", l, _ -> no_more l; Kernel.BAnchor
        | "leaf", l, _ -> Kernel.BLeaf (groups count l)
        | "cells", l, _ -> no_more l; Kernel.BCells
        | "never", l, _ ->
            no_more l;
            let one _ = match Lines.record source with "case", us -> counted us | _ -> rejected "wrong-record" in
            Kernel.BNever (List.init count one)
        | _, _, Kernel.Box _ :: _ -> rejected "wrong-record"
        | _ -> Kernel.BVisit (of_tree dim (count_units hidden) word l))
  | _ -> assert false
let of_point source dim (_ : Kernel.state) =
  match Lines.record source with
  | "point", l -> let d, p = point dim l in Kernel.Point (d, p)
  | _ -> rejected "wrong-record"
