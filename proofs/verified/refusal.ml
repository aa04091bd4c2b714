(* Why a file is not accepted: a verdict of proofs/FORMAT.md and a code; or a kind or method that is not verified. *)
exception Refused of string * string
exception Unsupported of string
let unless verdict test code = if not test then raise (Refused (verdict, code))
let need = unless "REJECTED" and form = unless "MALFORMED" and whole = unless "INCOMPLETE" and limit = unless "LIMIT"
let malformed code = raise (Refused ("MALFORMED", code))
let rejected code = raise (Refused ("REJECTED", code))
let unsupported what = raise (Unsupported what)
