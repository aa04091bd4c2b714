(* The lines of a file, one at a time, within limits; records of a word and hexadecimal integers; the footer (F1, F2, F6 to F12).
   Nothing here is trusted but the first line: whatever a record is read as, nothing wrong is accepted. *)
open Refusal

type limits = { bytes : int; line : int; lines : int }
let default = { bytes = 1 lsl 30; line = 48 lsl 20; lines = 100_000_000 }
type t = {
  channel : in_channel; limits : limits; digest : Sha256.t; piece : Bytes.t;
  mutable at : int; mutable filled : int;                  (* what is left of the piece *)
  mutable total : int; mutable line : int;
  mutable again : (string * Z.t list) option }              (* a record that was read too early *)

(* a gzip stream is unpacked by the program gzip, through a pipe *)
let with_file path f =
  let plain = open_in_bin path in
  let packed = try let a = input_byte plain in a = 0x1f && input_byte plain = 0x8b with End_of_file -> false in
  if packed then begin
    close_in plain;
    let pipe = Unix.open_process_args_in "gzip" [|"gzip"; "-dcq"; "--"; path|] in
    let found = try Ok (f pipe) with e -> Error e in
    match found, Unix.close_process_in pipe with
    | Ok v, Unix.WEXITED 0 -> v
    | Ok _, Unix.WEXITED 127 -> failwith "gzip is not installed"
    | Ok _, _ -> malformed "bad-gzip"
    | Error e, _ -> raise e
  end else begin
    seek_in plain 0;
    Fun.protect ~finally:(fun () -> close_in plain) (fun () -> f plain)
  end
let create limits channel =
  { channel; limits; digest = Sha256.create (); piece = Bytes.create 65536; at = 0; filled = 0; total = 0; line = 0; again = None }
let refill s =
  if s.at = s.filled then begin s.at <- 0; s.filled <- input s.channel s.piece 0 (Bytes.length s.piece) end;
  s.filled > 0
(* what an entry weighs besides its bytes; a 0 in the first line weighs less *)
let weight l =
  let w = ref (String.length l + 1) in
  String.iteri (fun i c -> match c with
    | ' ' | '[' | '{' -> w := !w + 28
    | ',' -> w := !w + if i + 3 < String.length l && String.sub l i 4 = ",\"0\"" then 12 else 28
    | _ -> ()) l;
  !w
let next s =
  let b = Buffer.create 256 in
  let rec go () =
    if not (refill s) then whole false (if Buffer.length b = 0 then "no-footer" else "unfinished-line")
    else
      let stop = match Bytes.index_from_opt s.piece s.at '\n' with Some i when i < s.filled -> i | _ -> s.filled in
      Buffer.add_subbytes b s.piece s.at (stop - s.at);
      limit (Buffer.length b < s.limits.line) "line-too-long";
      if stop = s.filled then begin s.at <- stop; go () end else s.at <- stop + 1 in
  go ();
  let l = Buffer.contents b in
  s.line <- s.line + 1;
  s.total <- s.total + String.length l + 1;
  limit (s.total <= s.limits.bytes) "too-many-bytes";
  limit (s.line <= s.limits.lines) "too-many-lines";
  if String.length l > s.limits.line / 29 then limit (weight l <= s.limits.line) "line-too-long";
  l
let hashed s = let l = next s in Sha256.add s.digest l; Sha256.add s.digest "\n"; l

let digit c = match c with
  | '0' .. '9' -> Char.code c - 48
  | 'a' .. 'f' -> Char.code c - 87
  | _ -> malformed "not-an-integer"
let number s i j =
  let minus = i < j && s.[i] = '-' in
  let i = if minus then i + 1 else i in
  form (i < j) "not-an-integer";
  let z =
    if j - i <= 15 then begin
      let v = ref 0 in
      for k = i to j - 1 do v := (!v lsl 4) lor digit (String.unsafe_get s k) done;
      Z.of_int !v
    end else begin
      for k = i to j - 1 do ignore (digit (String.unsafe_get s k)) done;
      Z.of_substring_base 16 s ~pos:i ~len:(j - i)
    end in
  if minus then Z.neg z else z
(* from the end, so that the list is built in one go *)
let numbers l from =
  let rec go j acc =
    let i = match String.rindex_from_opt l (j - 1) ' ' with Some i when i >= from -> i + 1 | _ -> from in
    let acc = number l i j :: acc in
    if i = from then acc else go (i - 1) acc in
  form (from < String.length l) "not-an-integer";
  go (String.length l) []
(* the next record: its word and its integers *)
let record s =
  match s.again with
  | Some r -> s.again <- None; r
  | None ->
  let l = hashed s in
  match String.index_opt l ' ' with
  | None -> (l, [])
  | Some i ->
      let word = String.sub l 0 i in
      need (word <> "end") "missing-record";
      (word, numbers l (i + 1))
let method_of s =
  let l = hashed s in
  match String.index_opt l ' ' with
  | Some 2 when String.sub l 0 2 = "by" ->
      let m = String.sub l 3 (String.length l - 3) in
      form (m <> "" && String.for_all (fun c -> c = '-' || ('a' <= c && c <= 'z')) m) "not-a-method"; m
  | _ -> rejected "missing-method"
let finish s =
  let lines = s.line in
  let l = next s in
  need (String.length l >= 4 && String.sub l 0 4 = "end ") "surplus-record";
  form (l = Printf.sprintf "end %x %s" lines (Sha256.hex s.digest)) "wrong-footer";
  form (not (refill s)) "after-footer"
