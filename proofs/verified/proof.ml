(* From a claim and the lines after it to the verdict of the kernel. The first function makes entries of records and is not trusted;
   the second is: it accepts what the kernel accepts, and nothing else. *)
open Refusal

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
        let first = if !begun then None else Some (Lines.record source) in
        begun := true;
        (match first, Kernel.chart Trees.common (Kernel.eqs dom) n Z.one (Kernel.unit_rows n) with
         | Some ("bounds", l), Some ((dims, sc), ins) ->
             Trees.signs (ha @ hb) (List.length dims) (Kernel.closed sc ins (Kernel.inequalities dom)) l
         | _ -> source.again <- first; made := Some (entries ha hb); next state)
    | None, _ -> assert false in
  next
(* multipliers of rows of a system without a domain: in the kernel there is a row before them, and a box without ends *)
let of_rows source dim (state : Kernel.state) =
  match state with
  | Kernel.Rooted _ -> Kernel.Root (List.init dim (fun _ -> (None, None)))
  | _ ->
      match Lines.record source with
      | "multipliers", l -> Kernel.Boxes (Kernel.BLeaf [List.map (fun (r, m) -> (Z.succ r, m)) (Trees.counted l)])
      | _ -> rejected "wrong-record"
(* what gives the next entry for one of the claims of a statement, as a function of the state *)
let entries source (statement : Kernel.statement) (claim : Kernel.claim) method_ den p : Kernel.state -> Kernel.entry =
  match statement, claim, method_ with
  | _, Kernel.Regions (_, _, (_, (hidden, _)), dom), "cells" -> Trees.of_regions source hidden (Kernel.inequalities dom)
  | (Kernel.Claimed _ | Kernel.Within _ | Kernel.Largest (true, _, _, _, _) | Kernel.In_range _), Kernel.Property (true, nets, dom, cases), "bounds" ->
      let count = match statement with Kernel.Within _ | Kernel.Largest _ -> 2 | _ -> List.length nets in
      Trees.of_boxes source count dom (List.length cases)
  | Kernel.Largest (true, _, _, _, _), Kernel.Property (false, nets, _, _), "bounds"
  | (Kernel.Claimed _ | Kernel.Within _ | Kernel.Largest (false, _, _, _, _) | Kernel.In_range _ | Kernel.Nonempty _),
    Kernel.Property (false, nets, _, _), "point" -> Trees.of_point source (List.length (Kernel.inputs nets))
  | Kernel.Nonempty _, Kernel.Property (true, nets, _, _), "multipliers" -> of_rows source (List.length (Kernel.inputs nets))
  | _, Kernel.Equal (true, (n, (_, la)), (_, (_, lb)), dom), "cells" -> of_forms source n la lb dom den p
  | _, Kernel.Equal (false, (n, _), _, _), "point" -> Trees.of_point source (List.length n)
  | _ -> rejected "wrong-method"
(* methods of the format that are not verified *)
let others : Kernel.statement -> string list = function
  | Kernel.Claimed (Kernel.Regions (true, _, _, _)) -> ["points"; "shards"]
  | Kernel.Claimed (Kernel.Regions (false, _, _, _)) -> ["shards"]
  | Kernel.Claimed (Kernel.Property (true, _, _, _)) -> ["shards"; "splits"]
  | Kernel.Claimed (Kernel.Equal (true, _, _, _)) -> ["isomorphic"; "rewriting"; "shallow"; "sides"; "shards"]
  | Kernel.Within (true, _, _, _, _) -> ["cells"; "intervals"; "shards"]
  | Kernel.Largest (true, _, _, _, _) -> ["cells"]
  | Kernel.In_range (false, _, _, _) -> ["backward"]
  | _ -> []
let plausible (c : Claims.t) method_ =
  if List.mem method_ (others c.statement) then unsupported (c.kind ^ " by " ^ method_);
  match c.statement with Kernel.Value _ -> need (method_ = "evaluation") "wrong-method" | _ -> ()

(* TRUSTED: first_stage, next_stage and complete are those of Kinds.v, the statement is that of the first line *)
let prove source (c : Claims.t) =
  let method_ = Lines.method_of source in
  plausible c method_;
  let inside (d : Claims.system) =
    match Lines.record source with "inside", l -> Trees.point d.dim l | _ -> rejected "wrong-record" in
  let given = List.map inside c.domains in
  let of_claim claim = match given with g :: _ -> g | [] -> (Z.one, List.map (fun _ -> Z.zero) (Kernel.dimension claim)) in
  let rec go (Kernel.Stage (now, rest) as stage) entry =
    if not (Kernel.complete stage) then
      let move, entry = match now, rest with
        | Some (_, state), _ -> (Kernel.Take (entry state), entry)
        | None, claim :: _ -> let den, p = of_claim claim in (Kernel.Enter (den, p), entries source c.statement claim method_ den p)
        | None, [] -> assert false in
      match Kernel.next_stage Trees.common Trees.solve stage move, move with
      | Some stage, _ -> go stage entry
      | None, Kernel.Take (Kernel.Signs _) -> unsupported "bounds by intervals"
      | None, Kernel.Enter _ -> rejected "not-inside"
      | None, _ -> rejected "not-proved" in
  (match Kernel.first_stage c.statement with Some stage -> go stage (fun _ -> assert false) | None -> rejected "not-proved");
  Lines.finish source;
  method_
