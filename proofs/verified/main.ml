(* exactrelu-verified: certificates of the kinds that are verified. The last lines of each verdict are those of exactrelu-check. *)
let about = {|usage: exactrelu-verified [--network F]... [--domain D] [--expect CLAIM] [--max-bytes N] [--max-line N] [--max-lines N] FILE...

Checks certificates of exactrelu by a program that is extracted from a proof of its soundness.
exit codes: 0 ACCEPTED; 1 REJECTED; 2 UNREADABLE, UNSUPPORTED (a kind or method that is not verified), wrong usage;
  3 MALFORMED; 4 INCOMPLETE, LIMIT; 70 no verdict. Of several files it is the first of 2, 1, 3, 4 that occurs, else 0.
The table of proofs/verified/README.md has the kinds and methods that are verified.|}
let version = "exactrelu-verified 0.1.0"

type options = { mutable pins : Pins.t; mutable limits : Lines.limits; mutable files : string list }
let parse arguments =
  let o = { pins = { networks = []; domain = None; expected = None }; limits = Lines.default; files = [] } in
  let positive t = match int_of_string_opt t with Some k when k > 0 -> k | _ -> Pins.wrong (t ^ ": a positive number is needed") in
  let rec go = function
    | "--network" :: f :: l -> o.pins <- { o.pins with networks = o.pins.networks @ [Pins.network f] }; go l
    | "--domain" :: d :: l when o.pins.domain = None -> o.pins <- { o.pins with domain = Some (Pins.domain d) }; go l
    | "--expect" :: e :: l when o.pins.expected = None -> o.pins <- { o.pins with expected = Some e }; go l
    | ("--max-bytes" | "--max-line" | "--max-lines" as limit) :: n :: l ->
        let k = positive n in
        o.limits <- (match limit with
          | "--max-bytes" -> { o.limits with bytes = k }
          | "--max-line" -> { o.limits with line = k }
          | _ -> { o.limits with lines = k });
        go l
    | "--" :: l -> o.files <- o.files @ l
    | w :: _ when String.length w > 1 && w.[0] = '-' -> Pins.wrong (w ^ ": not an option, or one without its value, or twice")
    | f :: l -> o.files <- o.files @ [f]; go l
    | [] -> () in
  go arguments;
  if o.files = [] then Pins.wrong "no FILE";
  o

let printable s = if String.for_all (fun c -> ' ' <= c && c <= '~') s then s else Printf.sprintf "%S" s
let verdict o path =
  let line = ref 0 in
  let check channel =
    let source = Lines.create o.limits channel in
    Fun.protect ~finally:(fun () -> line := source.line) (fun () ->
      let claim = Claims.read (Lines.hashed source) in
      Pins.require o.pins claim;
      (claim, Proof.prove source claim)) in
  let refused word why = (word, Printf.sprintf "%s %s: line %d: %s" word (printable path) !line why) in
  match Lines.with_file path check with
  | claim, by ->
      let unpinned = if o.pins = { networks = []; domain = None; expected = None } then "; unpinned" else "" in
      ("ACCEPTED", Printf.sprintf "ACCEPTED %s [by %s; verified; trusts NOTHING%s] (%s)" claim.sentence by unpinned (printable path))
  | exception Refusal.Refused (word, code) -> refused word code
  | exception Refusal.Unsupported what -> refused "UNSUPPORTED" what
  | exception Sys_error why -> refused "UNREADABLE" why
  | exception (Out_of_memory | Stack_overflow) -> refused "LIMIT" "out-of-memory"

let exit_code words =
  let of_word = function "ACCEPTED" -> 0 | "REJECTED" -> 1 | "UNREADABLE" | "UNSUPPORTED" -> 2 | "MALFORMED" -> 3 | _ -> 4 in
  let codes = List.map of_word words in
  match List.find_opt (fun c -> List.mem c codes) [2; 1; 3; 4] with Some c -> c | None -> 0

let () =
  match List.tl (Array.to_list Sys.argv) with
  | l when List.mem "--help" l -> print_endline about
  | l when List.mem "--version" l -> print_endline version
  | l ->
      match
        let o = parse l in
        let check path = let word, said = verdict o path in print_endline said; word in
        exit_code (List.map check o.files)
      with
      | code -> exit code
      | exception Pins.Wrong why -> prerr_endline ("exactrelu-verified: " ^ printable why); exit 2
      | exception e -> prerr_endline ("exactrelu-verified: no verdict: " ^ printable (Printexc.to_string e)); exit 70
