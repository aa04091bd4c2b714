(* The rank of a matrix: a minor and a kernel (R1 to R5 of proofs/FORMAT.md) are tested, and become combinations of rows, and vectors that
   tell rows apart, which the kernel tests. Nothing here is trusted. *)
open Refusal

let increasing numbers most =
  let rec up last = function x :: l -> Z.gt x last && up x l | [] -> true in
  form (up Z.minus_one numbers) "not-increasing";
  form (List.for_all (fun x -> Z.lt x (Z.of_int most)) numbers) "index-out-of-range";
  List.map Z.to_int numbers
(* elimination modulo q, each pivot a unit *)
let rec is_invertible q rows =
  match rows with
  | [] -> true
  | _ ->
      match List.find_opt (fun row -> Z.equal (Z.gcd (List.hd row) q) Z.one) rows with
      | None -> false
      | Some top ->
          let inverse = Z.invert (List.hd top) q in
          let top = List.map (fun x -> Z.erem (Z.mul x inverse) q) top in
          let cleared row = List.tl (List.map2 (fun x y -> Z.erem (Z.sub x (Z.mul (List.hd row) y)) q) row top) in
          let rec without = function r :: l -> if Z.equal (Z.gcd (List.hd r) q) Z.one then l else r :: without l | [] -> [] in
          is_invertible q (List.map cleared (without rows))
let minor source rows width size =
  match Lines.record source with
  | "minor", q :: l ->
      form (List.compare_length_with l (2 * size) = 0) "wrong-length";
      let over, across = Trees.take size l in
      let over = increasing over (List.length rows) and across = increasing across width in
      let square = List.map (fun i -> List.map (List.nth (List.nth rows i)) across) over in
      need (Z.geq q (Z.of_int 2)) "modulus-too-small";
      need (is_invertible q (List.map (List.map (fun x -> Z.erem x q)) square)) "no-unit-pivot";
      (over, across, square)
  | "minor", [] -> malformed "wrong-length"
  | _ -> rejected "wrong-record"
let product u v = List.fold_left2 (fun s x y -> Z.add s (Z.mul x y)) Z.zero u v
let kernel source rows width rank =
  let size = max (width - rank) 0 in
  match Lines.record source with
  | "kernel", l ->
      form (List.compare_length_with l (size * (1 + width)) = 0) "wrong-length";
      let free, rest = Trees.take size l in
      let free = increasing free width in
      let rec vectors l = function
        | [] -> ()
        | column :: more ->
            let v, l = Trees.take width l in
            let at = List.nth v in
            need (Z.sign (at column) > 0 && List.for_all (fun o -> o = column || Z.sign (at o) = 0) free) "kernel-block";
            need (List.for_all (fun row -> Z.sign (product row v) = 0) rows) "not-in-kernel";
            vectors l more in
      vectors rest free
  | _ -> rejected "wrong-record"
(* the rows of the minor: d times each unit vector on them, and all rows as combinations of them *)
let spans source rows width rank =
  let over, across, square = minor source rows width rank in
  kernel source rows width rank;
  let as_row a = (Z.zero, a) in
  let solved basis targets = match Trees.solve (List.map as_row basis) (List.map as_row targets) with
    | Some found -> found
    | None -> rejected "no-unit-pivot" in
  let sub = List.map (List.nth rows) over in
  let k, sums = solved square (List.map (fun row -> List.map (List.nth row) across) rows) in
  let columns = List.mapi (fun j _ -> List.map (fun row -> List.nth row j) square) across in
  let units = List.mapi (fun i _ -> List.mapi (fun j _ -> if i = j then Z.one else Z.zero) sub) sub in
  let d, duals = solved columns units in
  let spread v =
    let placed = List.combine across v in
    List.init width (fun j -> Option.value (List.assoc_opt j placed) ~default:Z.zero) in
  Kernel.Spans (List.map Z.of_int over, List.map (fun s -> (k, s)) sums, d, List.map spread duals)
