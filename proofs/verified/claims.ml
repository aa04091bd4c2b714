(* TRUSTED: from the first line of a certificate to the statement of Meaning.v, and to the sentence that says it.

   The numbers of requirements are those of proofs/FORMAT.md. What this file returns is what is proved, so whoever believes the
   program reads it. Everything is refused that the page forbids; nothing is guessed. *)
open Refusal

(* ---- F3, F4: canonical JSON ---- *)
type json = Obj of (string * json) list | Arr of json list | Str of string | Int of int | Bool of bool | Null
let deepest = 100
let parse (s : string) : json =
  let n = String.length s in
  form (String.for_all (fun c -> ' ' <= c && c <= '~') s) "not-ascii";
  form (not (String.contains s '\\')) "escape";
  let peek i = if i < n then s.[i] else '\000' in
  let word i w v = form (i + String.length w <= n && String.sub s i (String.length w) = w) "not-json"; (v, i + String.length w) in
  let text i =
    form (peek i = '"') "not-json";
    match String.index_from_opt s (i + 1) '"' with
    | Some j -> (String.sub s (i + 1) (j - i - 1), j + 1)
    | None -> malformed "not-json" in
  let rec value depth i =
    form (depth < deepest) "not-json";
    match peek i with
    | '{' -> if peek (i + 1) = '}' then (Obj [], i + 2) else fields depth (i + 1) []
    | '[' -> if peek (i + 1) = ']' then (Arr [], i + 2) else items depth (i + 1) []
    | '"' -> let t, j = text i in (Str t, j)
    | 't' -> word i "true" (Bool true) | 'f' -> word i "false" (Bool false) | 'n' -> word i "null" Null
    | '-' | '0' .. '9' ->
        let j = ref (i + 1) in
        while (match peek !j with '0' .. '9' | '.' | 'e' | 'E' | '+' | '-' -> true | _ -> false) do incr j done;
        let t = String.sub s i (!j - i) in
        form (String.length t <= 15) "bad-number";
        (match int_of_string_opt t with
         | Some k when string_of_int k = t -> (Int k, !j)
         | Some _ -> malformed "not-canonical"
         | None -> malformed "bad-number")
    | _ -> malformed "not-json"
  and fields depth i acc =
    let key, j = text i in
    (match acc with (last, _) :: _ -> form (last < key) "not-canonical" | [] -> ());
    form (peek j = ':') "not-json";
    let v, j = value (depth + 1) (j + 1) in
    match peek j with
    | ',' -> fields depth (j + 1) ((key, v) :: acc)
    | '}' -> (Obj (List.rev ((key, v) :: acc)), j + 1)
    | _ -> malformed "not-json"
  and items depth i acc =
    let v, j = value (depth + 1) i in
    match peek j with
    | ',' -> items depth (j + 1) (v :: acc)
    | ']' -> (Arr (List.rev (v :: acc)), j + 1)
    | _ -> malformed "not-json" in
  let v, j = value 0 0 in
  form (j = n) "not-json"; v
let rec canonical b = function
  | Null -> Buffer.add_string b "null"
  | Bool v -> Buffer.add_string b (string_of_bool v)
  | Int k -> Buffer.add_string b (string_of_int k)
  | Str s -> Buffer.add_char b '"'; Buffer.add_string b s; Buffer.add_char b '"'
  | Arr l -> between b '[' ']' (canonical b) l
  | Obj l -> between b '{' '}' (fun (k, v) -> canonical b (Str k); Buffer.add_char b ':'; canonical b v) l
and between : 'a. Buffer.t -> char -> char -> ('a -> unit) -> 'a list -> unit = fun b first last add l ->
  Buffer.add_char b first;
  List.iteri (fun i v -> if i > 0 then Buffer.add_char b ','; add v) l;
  Buffer.add_char b last
let sha256 s = let d = Sha256.create () in Sha256.add d s; Sha256.hex d
let text_of v = let b = Buffer.create 1024 in canonical b v; Buffer.contents b

(* ---- O1 to O7: numbers and lists ---- *)
let fields names = function Obj fs when List.map fst fs = names -> List.map snd fs | _ -> malformed "wrong-fields"
let list = function Arr l -> l | _ -> malformed "not-a-list"
let list_of k v = let l = list v in form (List.compare_length_with l k = 0) "wrong-length"; l
let index = function Int i when i >= 0 -> i | _ -> malformed "not-an-index"
let flag = function Bool b -> b | _ -> malformed "not-yes-or-no"
let is_hex c = ('0' <= c && c <= '9') || ('a' <= c && c <= 'f')
let integer = function
  | Str s ->
      let d = if s <> "" && s.[0] = '-' then String.sub s 1 (String.length s - 1) else s in
      form (s = "0" || (d <> "" && d.[0] <> '0' && String.for_all is_hex d)) "not-an-integer";
      Z.of_string_base 16 s
  | _ -> malformed "not-an-integer"
let integers k v = List.map integer (list_of k v)
let gcd_of = List.fold_left Z.gcd Z.zero
(* a row of the kernel has its constant first, one of a file has it last *)
let row numbers = match List.rev numbers with b :: a -> (b, List.rev a) | [] -> malformed "wrong-length"
let unary k = List.init k ignore
let lowest den numbers =
  form (Z.sign den > 0) "denominator-not-positive";
  form (Z.equal (Z.gcd den (gcd_of numbers)) Z.one) "not-lowest-terms"

(* ---- O9 to O12: networks ---- *)
type network = { net : Kernel.network; widths : (int * int) list; json : json }    (* units of each layer, linear ones *)
let network v =
  let layers = match fields ["layers"] v with [l] -> list l | _ -> assert false in
  let count = List.length layers in
  form (count > 0) "no-layers";
  let read k v =
    let inputs, linear, matrix, outputs =
      match v with
      | Obj fs when List.mem_assoc "linear" fs ->
          (match fields ["inputs"; "linear"; "matrix"; "outputs"] v with
           | [i; l; m; o] -> (index i, Some (List.map index (list l)), m, index o) | _ -> assert false)
      | _ -> (match fields ["inputs"; "matrix"; "outputs"] v with [i; m; o] -> (index i, None, m, index o) | _ -> assert false) in
    form (outputs >= 1) "zero-width";
    let linear = match linear with
      | None -> []
      | Some l ->
          let rec up = function a :: (b :: _ as r) -> a < b && up r | _ -> true in
          form (l <> [] && up l && List.for_all (fun u -> u < outputs) l && k + 1 < count) "bad-linear"; l in
    let den, rows = match list_of 2 matrix with [d; r] -> (integer d, list_of outputs r) | _ -> assert false in
    let rows = List.map (integers (inputs + 1)) rows in
    lowest den (List.map gcd_of rows);
    let known = Array.make outputs false in
    List.iter (fun u -> known.(u) <- true) linear;
    (inputs, outputs, List.length linear, Kernel.{ den; units = List.mapi (fun u r -> (known.(u), row r)) rows }) in
  let found = List.mapi read layers in
  let rec fit = function (_, o, _, _) :: ((i, _, _, _) :: _ as r) -> o = i && fit r | _ -> true in
  form (fit found) "widths-differ";
  let inputs = match found with (i, _, _, _) :: _ -> i | [] -> assert false in
  match List.rev_map (fun (_, _, _, l) -> l) found with
  | last :: hidden ->
      { net = (unary inputs, (List.rev hidden, last)); json = v; widths = (inputs, 0) :: List.map (fun (_, o, l, _) -> (o, l)) found }
  | [] -> assert false
let vector v = match list_of 2 v with
  | [d; nums] -> let den = integer d and nums = List.map integer (list nums) in lowest den nums; (den, nums)
  | _ -> assert false
let bound v = match integers 2 v with                                            (* O8 *)
  | [den; num] -> lowest den [num]; form (Z.sign num >= 0) "bound-negative"; (den, num)
  | _ -> assert false
let inputs n = fst (List.hd n.widths)
let outputs n = fst (List.nth n.widths (List.length n.widths - 1))

(* ---- O14, D1: systems, and domains, which are systems in normal form ---- *)
type system = { dim : int; rows : (string * Z.t list) list; text : json }
let system v =
  let dim, rows = match fields ["dim"; "rows"] v with [d; r] -> (index d, list r) | _ -> assert false in
  let read v =
    match list_of 2 v with
    | [Str ("eq" | "ge" | "gt" as sense); r] -> (sense, integers (dim + 1) r)
    | _ -> malformed "unknown-sense" in
  { dim; rows = List.map read rows; text = v }
let is_normal (rows : (string * Z.t list) list) =
  let normal (sense, r) =
    match List.find_opt (fun x -> Z.sign x <> 0) (snd (row r)) with
    | None -> false
    | Some first -> Z.equal (gcd_of r) Z.one && (sense <> "eq" || Z.sign first > 0) in
  let rec before a b = match a, b with
    | x :: a', y :: b' -> let c = Z.compare x y in if c <> 0 then c < 0 else before a' b' | _ -> false in
  let rec sorted = function
    | (s, a) :: ((t, b) :: _ as r) -> (s < t || (s = t && before a b)) && sorted r | _ -> true in
  List.for_all normal rows && sorted rows
let domain v = let d = system v in form (is_normal d.rows) "domain-not-normal"; d
let meant d : Kernel.system =
  List.map (fun (s, r) -> ((match s with "eq" -> Kernel.Zero | "ge" -> Kernel.Least | _ -> Kernel.Above), row r)) d.rows

(* ---- C4: sentences, which determine the claim up to SHA-256 of what is long ---- *)
let shown_domain = 200 and shown_bits = 192 and shown_widths = 12 and shown = 60
type book = { mutable names : ((char * string) * string) list; mutable networks : network list; mutable domains : system list }
let name book letter value about =
  let text = text_of value in
  match List.assoc_opt (letter, text) book.names with
  | Some found -> found
  | None ->
      let own = List.length (List.filter (fun ((l, _), _) -> l = letter) book.names) + 1 in
      let found = Printf.sprintf "%c%d" letter own in
      book.names <- ((letter, text), found) :: book.names;
      Printf.sprintf "%s (%s, sha256 %s)" found about (sha256 text)
let once same l x = if List.exists (same x) l then l else l @ [x]
let network_text book n =
  book.networks <- once (fun a b -> a.json = b.json) book.networks n;
  let one (n, linear) = if linear > 0 then Printf.sprintf "%d+%d" (n - linear) linear else string_of_int n in
  let widths = List.map one n.widths in
  let count = List.length widths in
  let widths =
    if count <= shown_widths then widths
    else List.filteri (fun i _ -> i < shown_widths - 1) widths @ ["..."; List.nth widths (count - 1)] in
  name book 'N' n.json (String.concat "-" widths)
let row_text (sense, numbers) =
  let b, a = row numbers in
  let term i x = if Z.sign x = 0 then [] else
    [(Z.sign x, (if Z.equal (Z.abs x) Z.one then "" else Z.to_string (Z.abs x) ^ " ") ^ "x" ^ string_of_int (i + 1))] in
  let terms = List.concat (List.mapi term a) in
  let terms = if Z.sign b <> 0 || terms = [] then terms @ [((if Z.sign b < 0 then -1 else 1), Z.to_string (Z.abs b))] else terms in
  let say i (s, t) = (if i = 0 then (if s < 0 then "-" else "") else if s < 0 then " - " else " + ") ^ t in
  String.concat "" (List.mapi say terms) ^ (match sense with "eq" -> " = 0" | "ge" -> " >= 0" | _ -> " > 0")
let set_text book letter d =
  let entries = List.fold_left (fun k (_, r) -> k + List.length (List.filter (fun x -> Z.sign x <> 0) r)) 0 d.rows in
  let short = entries <= shown_domain && List.for_all (fun (_, r) -> List.for_all (fun x -> Z.numbits x <= shown_bits) r) d.rows in
  let text = if not short then "" else if d.rows = [] then Printf.sprintf "all of R^%d" d.dim
    else Printf.sprintf "{x in R^%d : %s}" d.dim (String.concat ", " (List.map row_text d.rows)) in
  if short && String.length text <= shown_domain then text
  else name book letter d.text (Printf.sprintf "%d rows in R^%d" (List.length d.rows) d.dim)
let quotient num den =
  if Z.numbits num > shown_bits || Z.numbits den > shown_bits then
    (if Z.sign num < 0 then "-" else "") ^ Z.format "%#x" (Z.abs num) ^ "/" ^ Z.format "%#x" den
  else Q.to_string (Q.make num den)
let short text = if String.length text <= shown then text else Printf.sprintf "%s...{sha256 %s}" (String.sub text 0 20) (sha256 text)
let number_text (den, num) = short (quotient num den)
let vector_text (den, nums) = short ("(" ^ String.concat ", " (List.map (fun x -> quotient x den) nums) ^ ")")
(* a box whose sides are closed: each end is said by one row with one coordinate *)
let box_text d =
  if List.compare_length_with d.rows d.dim < 0 then None else
  let low = Array.make d.dim None and high = Array.make d.dim None in
  let take (sense, r) =
    let b, a = row r in
    match List.filter (fun (_, x) -> Z.sign x <> 0) (List.mapi (fun i x -> (i, x)) a) with
    | [(i, x)] when sense <> "gt" ->
        let e = quotient (if Z.sign x > 0 then Z.neg b else b) (Z.abs x) in
        let put side = side.(i) = None && (side.(i) <- Some e; true) in
        if sense = "eq" then put low && put high else put (if Z.sign x > 0 then low else high)
    | _ -> false in
  if d.dim = 0 || not (List.for_all take d.rows) then None else
  let side i = match low.(i), high.(i) with Some l, Some h -> Some (Printf.sprintf "[%s,%s]" l h) | _ -> None in
  let sides = List.init d.dim side in
  if List.mem None sides then None else
  let text = "the box " ^ String.concat " x " (List.map Option.get sides) in
  if String.length text <= shown_domain then Some text else None
let domain_text book d =
  book.domains <- once (fun a b -> a.text = b.text) book.domains d;
  let said = match box_text d with Some t -> t | None -> set_text book 'D' d in
  said ^ if List.exists (fun (s, _) -> s = "eq") d.rows then " (flat: said in its affine hull)" else ""

(* ---- the kinds ---- *)
type t = { statement : Kernel.statement; kind : string; holds : bool; sentence : string; networks : network list; domains : system list }
let fits d width = form (d.dim = width) "dimensions-differ"
let exact = function Str "exactly" -> true | Str "at-least" -> false | _ -> malformed "unknown-word"
let regions book v =
  match fields ["count"; "domain"; "kind"; "network"; "sense"] v with
  | [count; dom; _; net; sense] ->
      let count = index count and d = domain dom and n = network net in
      let least = not (exact sense) in
      fits d (inputs n);
      let named = network_text book n in
      (Kernel.Claimed (Kernel.Regions (least, Z.of_int count, n.net, meant d)), true,
       Printf.sprintf "%s has %s %d activation regions on the relative interior of %s" named
         (if least then "at least" else "exactly") count (domain_text book d))
  | _ -> assert false
let property book v =
  match fields ["cases"; "domain"; "holds"; "kind"; "networks"] v with
  | [cases; dom; holds; _; nets] ->
      let holds = flag holds and cases = List.map system (list cases) and d = domain dom and nets = List.map network (list nets) in
      form (nets <> [] && cases <> []) "wrong-length";
      let sum f = List.fold_left (fun k n -> k + f n) 0 nets in
      fits d (sum inputs);
      List.iter (fun c -> fits c (d.dim + sum outputs)) cases;
      let said = domain_text book d in
      let nets_text = String.concat " and " (List.map (network_text book) nets) in
      let cases_text = String.concat " or " (List.map (set_text book 'S') cases) in
      (Kernel.Claimed (Kernel.Property (holds, List.map (fun n -> n.net) nets, meant d, List.map meant cases)), holds,
       Printf.sprintf "%s point x of %s has z = (x, y), y the outputs of %s, in %s" (if holds then "no" else "some") said nets_text
         (String.map (fun c -> if c = 'x' then 'z' else c) cases_text))
  | _ -> assert false
(* two networks on the closure of a domain: named in the order of the sentence *)
let pair book a b dom =
  let a = network a and b = network b and d = domain dom in
  fits d (inputs a);
  form (inputs a = inputs b && outputs a = outputs b) "dimensions-differ";
  let first = network_text book a in
  let second = network_text book b in
  (a.net, b.net, meant d, first, second, domain_text book d)
let equal book v =
  match fields ["a"; "b"; "domain"; "holds"; "kind"] v with
  | [a; b; dom; holds; _] ->
      let holds = flag holds and a, b, d, first, second, said = pair book a b dom in
      (Kernel.Claimed (Kernel.Equal (holds, a, b, d)), holds,
       Printf.sprintf "%s and %s %s the closure of %s" first second
         (if holds then "are equal on" else "differ at some point of") said)
  | _ -> assert false
let within book v =
  match fields ["a"; "b"; "bound"; "domain"; "holds"; "kind"] v with
  | [a; b; e; dom; holds; _] ->
      let holds = flag holds and e = bound e and a, b, d, first, second, said = pair book a b dom in
      (Kernel.Within (holds, a, b, e, d), holds,
       Printf.sprintf "%s output of %s differs from that of %s by more than %s %s the closure of %s" (if holds then "no" else "some")
         first second (number_text e) (if holds then "on" else "somewhere on") said)
  | _ -> assert false
let largest_difference book v =
  match fields ["a"; "b"; "bound"; "domain"; "kind"; "sense"] v with
  | [a; b; e; dom; _; sense] ->
      let exactly = exact sense in
      form (e <> Null || exactly) "bound-infinite";
      let e = if e = Null then None else Some (bound e) and a, b, d, first, second, said = pair book a b dom in
      ((match e with Some e -> Kernel.Largest (exactly, a, b, e, d) | None -> Kernel.Unbounded (a, b, d)), true,
       Printf.sprintf "the largest difference of an output of %s and that of %s on the closure of %s, its supremum, is %s %s"
         first second said (if exactly then "exactly" else "at least") (match e with Some e -> number_text e | None -> "infinite"))
  | _ -> assert false
let nonempty book v =
  match fields ["holds"; "kind"; "system"] v with
  | [holds; _; s] ->
      let holds = flag holds and s = system s in
      (Kernel.Nonempty (holds, unary s.dim, meant s), holds,
       Printf.sprintf "%s has %s solution" (set_text book 'S' s) (if holds then "a" else "no"))
  | _ -> assert false
let value book v =
  let letter = function '+' -> Kernel.Plus | '-' -> Kernel.Minus | '0' -> Kernel.Null | '=' -> Kernel.Straight
    | _ -> malformed "unknown-word" in
  let letters = function Str s -> List.map letter (List.of_seq (String.to_seq s)) | _ -> malformed "unknown-word" in
  match fields ["kind"; "network"; "output"; "point"; "signs"] v with
  | [_; net; y; x; signs] ->
      let n = network net and y = vector y and x = vector x and said = list signs in
      form (List.length (snd x) = inputs n && List.length (snd y) = outputs n) "dimensions-differ";
      (Kernel.Value (n.net, x, y, List.map letters said), true,
       Printf.sprintf "%s maps %s to %s, with hidden signs %s" (network_text book n) (vector_text x) (vector_text y)
         (short ("[" ^ String.concat ", " (List.map text_of said) ^ "]")))
  | _ -> assert false
let in_range book v =
  match fields ["domain"; "holds"; "kind"; "network"; "output"] v with
  | [dom; holds; _; net; y] ->
      let holds = flag holds and d = domain dom and n = network net and y = vector y in
      fits d (inputs n);
      form (List.length (snd y) = outputs n) "dimensions-differ";
      let named = network_text book n in
      (Kernel.In_range (holds, n.net, y, meant d), holds,
       Printf.sprintf "%s %s the value %s on %s" named (if holds then "takes" else "does not take") (vector_text y) (domain_text book d))
  | _ -> assert false
let plain n = form (List.for_all (fun (_, linear) -> linear = 0) n.widths) "linear-units"
let negation kind holds = if flag holds then unsupported ("the kind " ^ kind ^ ", but its negation")
let transparent book v =
  match fields ["domain"; "holds"; "kind"; "network"] v with
  | [dom; holds; _; net] ->
      let holds = flag holds and d = domain dom and n = network net in
      plain n; fits d (inputs n);
      let named = network_text book n in
      (Kernel.Transparent (holds, n.net, meant d), holds,
       (if holds then Printf.sprintf "every hidden layer of %s has a preactivation >= 0 at every point of %s"
        else Printf.sprintf "some hidden layer of %s has only preactivations < 0 at some point of %s") named (domain_text book d))
  | _ -> assert false
let injective book v =
  match fields ["domain"; "first"; "holds"; "kind"; "last"; "network"] v with
  | [dom; first; holds; _; last; net] ->
      negation "injective" holds;
      let d = domain dom and n = network net and first = index first and last = index last in
      form (first < last && last < List.length n.widths) "index-out-of-range";
      fits d (inputs n);
      let named = network_text book n in
      (Kernel.Not_injective (n.net, unary first, unary last, meant d), false,
       Printf.sprintf "layer %d of %s gives the same at two points of %s and layer %d does not" last named (domain_text book d) first)
  | _ -> assert false
let layer_injective book v =
  match fields ["domain"; "holds"; "kind"; "layer"; "network"] v with
  | [dom; holds; _; layer; net] ->
      negation "layer-injective" holds;
      let d = domain dom and n = network net and k = index layer in
      plain n;
      form (1 <= k && k < List.length n.widths) "index-out-of-range";
      fits d (fst (List.nth n.widths (k - 1)));
      let named = network_text book n in
      (Kernel.Layer_not_injective (n.net, unary d.dim, unary (k - 1), meant d), false,
       Printf.sprintf "layer %d of %s, alone, is not one-to-one on %s" k named (domain_text book d))
  | _ -> assert false
let matrix v = match fields ["cols"; "matrix"; "rows"] v with
  | [cols; entries; rows] ->
      let width = index cols and height = index rows in
      (match list_of 2 entries with
       | [d; l] -> let rows = List.map (integers width) (list_of height l) in lowest (integer d) (List.map gcd_of rows); (width, rows)
       | _ -> assert false)
  | _ -> assert false
let rank book v =
  match fields ["kind"; "matrix"; "rank"] v with
  | [_; m; rank] ->
      let width, rows = matrix m and rank = index rank in
      let about = Printf.sprintf "%d x %d" (List.length rows) width in
      (Kernel.Rank (rows, Z.of_int rank), true, Printf.sprintf "%s has rank %d" (name book 'A' m about) rank)
  | _ -> assert false
let kinds =
  [("regions", regions); ("property", property); ("equal", equal); ("within", within); ("largest-difference", largest_difference);
   ("nonempty", nonempty); ("value", value); ("in-range", in_range);
   ("rank", rank); ("transparent", transparent); ("injective", injective); ("layer-injective", layer_injective)]
let read line =
  let claim = match parse line with
    | Obj fs as v ->
        form (List.assoc_opt "format" fs = Some (Str "exactrelu-certificate/2")) "wrong-format";
        (match fields ["claim"; "format"] v with [c; _] -> c | _ -> assert false)
    | _ -> malformed "wrong-fields" in
  match claim with
  | Obj fs ->
      let kind = match List.assoc_opt "kind" fs with Some (Str k) -> k | _ -> malformed "unknown-kind" in
      let reader = match List.assoc_opt kind kinds with Some r -> r | None -> unsupported kind in
      let book = { names = []; networks = []; domains = [] } in
      let statement, holds, sentence = reader book claim in
      { statement; kind; holds; sentence; networks = book.networks; domains = book.domains }
  | _ -> malformed "wrong-fields"
