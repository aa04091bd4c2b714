(* TRUSTED: from a claim and the lines after it to the verdict of the kernel. first_stage, next_stage and complete are those of Kinds.v,
   the statement is that of the first line; whatever the moves are that are made of the records, what the kernel accepts is accepted, and
   nothing else. *)
open Refusal

let prove source (c : Claims.t) =
  let method_ = Lines.method_of source in
  let moves = Scripts.moves source c method_ in
  let rec go stage =
    if not (Kernel.complete stage) then
      let move = moves stage in
      match Kernel.next_stage Trees.common Trees.solve stage move with
      | Some stage -> go stage
      | None -> Scripts.refused stage move in
  (match Kernel.first_stage (List.mem method_ ["cells"; "intervals"]) c.statement with Some stage -> go stage | None -> rejected "not-proved");
  Lines.finish source;
  method_
