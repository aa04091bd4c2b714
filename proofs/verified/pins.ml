(* TRUSTED: what the user says that a claim must be about (P1 to P3 of proofs/FORMAT.md): networks, a domain, a claim. *)
open Refusal
exception Wrong of string                                  (* in what the user gave: exit code 2 *)
let wrong why = raise (Wrong why)

(* ---- JSON as people write it: spaces, escapes, numbers, which stay texts ---- *)
type json = Obj of (string * json) list | Arr of json list | Str of string | Num of string | Other
let parse s =
  let n = String.length s in
  let rec skip i = if i < n && String.contains " \t\r\n" s.[i] then skip (i + 1) else i in
  let peek i = if i < n then s.[i] else wrong "not JSON" in
  let text i =
    if peek i <> '"' then wrong "not JSON";
    let rec go j = match peek j with '"' -> j | '\\' -> go (j + 2) | _ -> go (j + 1) in
    let j = go (i + 1) in
    (String.sub s (i + 1) (j - i - 1), j + 1) in
  let rec value depth i =
    if depth > Claims.deepest then wrong "lists within lists within lists";
    let i = skip i in
    match peek i with
    | '{' -> let j = skip (i + 1) in if peek j = '}' then (Obj [], j + 1) else fields depth j []
    | '[' -> let j = skip (i + 1) in if peek j = ']' then (Arr [], j + 1) else items depth j []
    | '"' -> let t, j = text i in (Str t, j)
    | '-' | '0' .. '9' ->
        let j = ref i in
        while !j < n && String.contains "+-.eE0123456789" s.[!j] do incr j done;
        (Num (String.sub s i (!j - i)), !j)
    | _ ->
        let word w = i + String.length w <= n && String.sub s i (String.length w) = w in
        (match List.find_opt word ["true"; "false"; "null"] with
         | Some "true" -> (Num "true", i + 4)
         | Some w -> (Other, i + String.length w)
         | None -> wrong "not JSON")
  and fields depth i acc =
    let key, j = text (skip i) in
    if List.mem_assoc key acc then wrong ("twice: " ^ key);
    let j = skip j in
    if peek j <> ':' then wrong "not JSON";
    let v, j = value (depth + 1) (j + 1) in
    let j = skip j in
    match peek j with
    | ',' -> fields depth (j + 1) ((key, v) :: acc)
    | '}' -> (Obj ((key, v) :: acc), j + 1)
    | _ -> wrong "not JSON"
  and items depth i acc =
    let v, j = value (depth + 1) i in
    let j = skip j in
    match peek j with
    | ',' -> items depth (j + 1) (v :: acc)
    | ']' -> (Arr (List.rev (v :: acc)), j + 1)
    | _ -> wrong "not JSON" in
  let v, j = value 0 0 in
  if skip j <> n then wrong "not JSON";
  v
let load path =
  match open_in_bin path with
  | exception Sys_error why -> wrong why
  | channel ->
      let most = Lines.default.line in
      let size = in_channel_length channel in
      if size > most then wrong (path ^ ": too long");
      let s = really_input_string channel size in
      close_in channel;
      (try parse s with Wrong why -> wrong (path ^ ": " ^ why))
let known names = function
  | Obj fs -> List.iter (fun (k, _) -> if not (List.mem k names) then wrong ("a field that is not known: " ^ k)) fs; fs
  | _ -> wrong "an object is needed"
let get fs name = match List.assoc_opt name fs with Some v -> v | None -> wrong ("no field " ^ name)
let entries = function Arr l -> l | _ -> wrong "a list is needed"

(* ---- exact numbers: an integer, a fraction -3/4, a decimal 0.125 or 1e-3 ---- *)
let digits s = s <> "" && String.for_all (fun c -> '0' <= c && c <= '9') s
let rational text =
  let bad () = wrong (Printf.sprintf "%S: an integer, or a string such as -3/4 or 0.125" text) in
  let s = String.trim text in
  let minus, s = match s with
    | "" -> bad ()
    | _ when s.[0] = '-' || s.[0] = '+' -> (s.[0] = '-', String.sub s 1 (String.length s - 1))
    | _ -> (false, s) in
  let cut c s = match String.index_opt s c with
    | Some i -> (String.sub s 0 i, Some (String.sub s (i + 1) (String.length s - i - 1)))
    | None -> (s, None) in
  let whole_part s = if digits s then Z.of_string s else bad () in
  let q = match cut '/' s with
    | num, Some den ->
        let d = whole_part den in
        if Z.sign d = 0 then bad () else Q.make (whole_part num) d
    | _ ->
        let mantissa, exponent = cut 'e' (String.lowercase_ascii s) in
        let e = match exponent with
          | None -> 0
          | Some t ->
              let d = if t <> "" && (t.[0] = '-' || t.[0] = '+') then String.sub t 1 (String.length t - 1) else t in
              if digits d && String.length d <= 4 then int_of_string (if t.[0] = '+' then d else t) else bad () in
        let whole, part = cut '.' mantissa in
        let part = Option.value part ~default:"" in
        if not (digits (whole ^ part)) then bad ();
        let e = e - String.length part and m = Z.of_string (whole ^ part) in
        if e >= 0 then Q.of_bigint (Z.mul m (Z.pow (Z.of_int 10) e)) else Q.make m (Z.pow (Z.of_int 10) (-e)) in
  if minus then Q.neg q else q
let number = function
  | Str s -> rational s
  | Num t when digits t || (t <> "" && t.[0] = '-' && digits (String.sub t 1 (String.length t - 1))) -> rational t
  | Num t | Obj ((t, _) :: _) -> wrong (t ^ ": an integer, or a string such as -3/4 or 0.125")
  | _ -> wrong "a number is needed"
let common_den = List.fold_left (fun d q -> Z.lcm d (Q.den q)) Z.one
let over d q = Z.mul (Q.num q) (Z.divexact d (Q.den q))

(* ---- P1: a network, exactrelu-network/1 or the canonical text of one, as the JSON of a claim ---- *)
let hex z = Claims.Str (if Z.sign z < 0 then "-" ^ Z.format "%x" (Z.neg z) else Z.format "%x" z)
let rec claimed = function
  | Obj fs -> Claims.Obj (List.sort compare (List.map (fun (k, v) -> (k, claimed v)) fs))
  | Arr l -> Claims.Arr (List.map claimed l)
  | Str s -> Claims.Str s
  | Num t -> (match int_of_string_opt t with Some k -> Claims.Int k | None -> wrong (t ^ ": not an integer"))
  | Other -> Claims.Null
let network path =
  let layer_of v =
    let fs = known ["weights"; "bias"; "neurons"; "linear"] v in
    let rows = List.map (fun r -> List.map number (entries r)) (entries (get fs "weights")) in
    let bias = List.map number (entries (get fs "bias")) in
    if List.compare_lengths rows bias <> 0 || rows = [] then wrong "weights and bias do not fit";
    let rows = List.map2 (fun r b -> r @ [b]) rows bias in
    let den = common_den (List.concat rows) in
    let linear = match List.assoc_opt "linear" fs with
      | None | Some (Arr []) -> []
      | Some l -> [("linear", Claims.Arr (List.map (fun v -> Claims.Int (Z.to_int (Q.num (number v)) - 1)) (entries l)))] in
    Claims.Obj ([("inputs", Claims.Int (List.length (List.hd rows) - 1))] @ linear @
      [("matrix", Claims.Arr [hex den; Claims.Arr (List.map (fun r -> Claims.Arr (List.map (fun q -> hex (over den q)) r)) rows)]);
       ("outputs", Claims.Int (List.length rows))]) in
  let value = match load path with
    | Obj fs as v when List.mem_assoc "format" fs ->
        if get fs "format" <> Str "exactrelu-network/1" then wrong (path ^ ": not an exactrelu-network/1 file");
        ignore (known ["format"; "layers"; "name"; "inputs"; "outputs"] v);
        Claims.Obj [("layers", Claims.Arr (List.map layer_of (entries (get fs "layers"))))]
    | v -> claimed v in
  try Claims.network value with Refused (_, code) -> wrong (path ^ ": " ^ code)

(* ---- P2: R, orthant, box:lo..hi,… or box:lo,hi;…, or a file exactrelu-polyhedron/1; the rows of R^n in normal form ---- *)
let primitive r = let g = Claims.gcd_of r in if Z.sign g = 0 then r else List.map (fun x -> Z.divexact x g) r
let opposite = List.map Z.neg
let plane r = let r = primitive r in if List.compare Z.compare (opposite r) r > 0 then opposite r else r
let ordered (s, a) (t, b) = match compare s t with 0 -> List.compare Z.compare a b | c -> c
(* two opposite rows are an equation; what holds everywhere is left out, what holds nowhere is no row of a domain *)
let normal rows =
  let integers (sense, r) = let d = common_den r in (sense, List.map (over d) r) in
  let constant (_, r) = List.for_all (fun x -> Z.sign x = 0) (snd (Claims.row r)) in
  let true_everywhere (sense, r) =
    let s = Z.sign (fst (Claims.row r)) in
    match sense with "eq" -> s = 0 | "ge" -> s >= 0 | _ -> s > 0 in
  let rows = List.filter (fun r -> not (constant r && true_everywhere r)) (List.map integers rows) in
  if List.exists constant rows then wrong "a row that holds nowhere";
  let norm (sense, r) = (sense, if sense = "eq" then plane r else primitive r) in
  let rows = List.sort_uniq ordered (List.map norm rows) in
  let flat (sense, r) = if sense = "ge" && List.mem ("ge", opposite r) rows then ("eq", plane r) else (sense, r) in
  List.sort_uniq ordered (List.map flat rows)
let box n sides =
  let unit i sign = List.init n (fun j -> if j = i then Q.of_int sign else Q.zero) in
  let one i (lo, hi) =
    let side sign = function None -> [] | Some e -> [("ge", unit i sign @ [if sign > 0 then Q.neg e else e])] in
    side 1 lo @ side (-1) hi in
  normal (List.concat (List.mapi one sides))
let split_on sep s =
  let n = String.length sep in
  let rec go from i =
    if i + n > String.length s then [String.sub s from (String.length s - from)]
    else if String.sub s i n = sep then String.sub s from (i - from) :: go (i + n) (i + n)
    else go from (i + 1) in
  go 0 0
let domain text : int -> (string * Z.t list) list =
  let all n side = List.init n (fun _ -> side) in
  if text = "R" then fun _ -> []
  else if text = "orthant" then fun n -> box n (all n (Some Q.zero, None))
  else if String.length text >= 4 && String.lowercase_ascii (String.sub text 0 4) = "box:" then begin
    let body = String.sub text 4 (String.length text - 4) in
    let dots = List.length (split_on ".." body) > 1 in
    let within, between = if dots then ("..", ",") else (",", ";") in
    let bad () = wrong "a box is box:lo..hi,lo..hi or box:lo,hi;lo,hi" in
    if List.length (split_on "..." body) > 1 then bad ();
    let side t = match split_on within t with
      | [lo; hi] -> let lo = rational lo and hi = rational hi in if Q.gt lo hi then bad () else (Some lo, Some hi)
      | _ -> bad () in
    match List.map side (split_on between body) with
    | [s] -> fun n -> box n (all n s)
    | sides -> fun n -> if List.length sides = n then box n sides else wrong "the box has another dimension"
  end else begin
    let fs = known ["format"; "inequalities"; "equations"] (load text) in
    if List.assoc_opt "format" fs <> Some (Str "exactrelu-polyhedron/1") then wrong (text ^ ": not an exactrelu-polyhedron/1 file");
    let rows name sense more =
      let read v =
        let row = known ("normal" :: "offset" :: more) v in
        let sense = match List.assoc_opt "strict" row with Some (Num "true") -> "gt" | None | Some Other -> sense | _ -> wrong "strict" in
        (sense, List.map number (entries (get row "normal")) @ [number (get row "offset")]) in
      match List.assoc_opt name fs with None -> [] | Some l -> List.map read (entries l) in
    let rows = rows "inequalities" "ge" ["strict"] @ rows "equations" "eq" [] in
    fun n -> if List.for_all (fun (_, r) -> List.length r = n + 1) rows then normal rows else wrong "the domain has another dimension"
  end

(* ---- what is asked of every claim ---- *)
type t = { networks : Claims.network list; domain : (int -> (string * Z.t list) list) option; expected : string option }
let require pins (c : Claims.t) =
  let same (a : Claims.network) (b : Claims.network) = a.json = b.json in
  need (pins.networks = [] || (List.compare_lengths pins.networks c.networks = 0 && List.for_all2 same pins.networks c.networks))
    "network-mismatch";
  (match pins.domain with
   | None -> ()
   | Some meant ->
       let same (d : Claims.system) =
         match meant d.dim with rows -> d.rows = rows | exception Wrong _ -> false in
       need (c.domains <> [] && List.for_all same c.domains) "domain-mismatch");
  match pins.expected with
  | None -> ()
  | Some e -> need (e = (if c.holds then c.kind else "not " ^ c.kind) || e = c.sentence) "claim-mismatch"
