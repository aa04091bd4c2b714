(* What the claims say. Whoever believes the checker reads this file, and nothing else of Coq.

   A claim is what the first line of a certificate says (proofs/FORMAT.md), as a value; [says] is its meaning, a statement about
   real numbers. Checker.v proves: if the checker accepts, [says claim] holds. Integers stand for what O3 calls numbers; a count
   of coordinates is a list of as many [tt]. *)
Require Import List ZArith Reals.
Import ListNotations.
Open Scope R_scope.

(* ---- rows: (b, a) stands for a.x + b; in a file the constant b comes last ---- *)
Definition point := list R.
Definition row := (Z * list Z)%type.
Fixpoint dot (a : list Z) (x : point) : R :=
  match a, x with q :: a', v :: x' => IZR q * v + dot a' x' | _, _ => 0 end.
Definition val (f : row) (x : point) : R := IZR (fst f) + dot (snd f) x.

(* ---- systems and domains (O14, D1): = 0 is eq, >= 0 is ge, > 0 is gt ---- *)
Inductive sense := Zero | Least | Above.
Definition meets (x : point) (c : sense * row) : Prop :=
  match fst c with Zero => val (snd c) x = 0 | Least => 0 <= val (snd c) x | Above => 0 < val (snd c) x end.
Definition system := list (sense * row).
(* a point of the set exactly as it is written *)
Definition solution (s : system) (x : point) : Prop := Forall (meets x) s.
(* a point of its closure, as D2 shows a point at which all rows but equations are > 0 *)
Definition closure (s : system) (x : point) : Prop :=
  Forall (fun c => match fst c with Zero => val (snd c) x = 0 | _ => 0 <= val (snd c) x end) s.
(* D2: the equations, and the other rows, which are > 0 in the relative interior *)
Definition eqs (s : system) : list row := flat_map (fun c => match fst c with Zero => [snd c] | _ => [] end) s.
Definition inequalities (s : system) : list row := flat_map (fun c => match fst c with Zero => [] | _ => [snd c] end) s.
Definition solves (es : list row) (x : point) : Prop := Forall (fun e => val e x = 0) es.
Definition inner (es fs : list row) (x : point) : Prop := solves es x /\ Forall (fun f => 0 < val f x) fs.

(* ---- networks (O9 to O12): a layer is x |-> row/den for each unit; (true, row) is a linear unit ---- *)
Record layer := Layer { den : Z; units : list (bool * row) }.
Definition pre (l : layer) (u : bool * row) (y : list R) : R := val (snd u) y / IZR (den l).
Definition relu (z : R) : R := Rmax 0 z.
Definition passes (linear : bool) (z : R) : R := if linear then z else relu z.
Definition pass (l : layer) (y : list R) : list R := map (fun u => passes (fst u) (pre l u y)) (units l).
Fixpoint run_layers (ls : list layer) (x : list R) : list R :=
  match ls with [] => x | l :: ls' => run_layers ls' (pass l x) end.
(* ReLU follows every layer but the last *)
Definition affine (l : layer) (y : list R) : list R := map (fun u => pre l u y) (units l).
Definition eval (hidden : list layer) (last : layer) (x : point) : list R := affine last (run_layers hidden x).
(* its inputs, its hidden layers, the last layer *)
Definition network := (list unit * (list layer * layer))%type.
Definition value (net : network) (x : point) : list R := eval (fst (snd net)) (snd (snd net)) x.
(* networks side by side: each takes its part of x *)
Fixpoint evals (nets : list network) (x : point) : list R :=
  match nets with
  | [] => []
  | (n, (h, l)) :: r => eval h l (firstn (length n) x) ++ evals r (skipn (length n) x)
  end.
Definition inputs (nets : list network) : list unit := flat_map fst nets.

(* ---- activation regions: the signs of all units, layer by layer; true is a neuron that is > 0 ---- *)
Definition fires (linear : bool) (z : R) : bool := if linear then false else if Rlt_dec 0 z then true else false.
Fixpoint pattern (ls : list layer) (x : list R) : list bool :=
  match ls with
  | [] => []
  | l :: ls' => map (fun u => fires (fst u) (pre l u x)) (units l) ++ pattern ls' (pass l x)
  end.
Definition near (r : R) (c x : point) : Prop := Forall2 (fun u v => Rabs (u - v) <= r) c x.
(* s is the pattern at all points near some point of the relative interior, in the affine hull *)
Definition region (n : nat) (es fs : list row) (ls : list layer) (s : list bool) : Prop :=
  exists c r, 0 < r /\ length c = n /\ solves es c /\
    forall x, near r c x -> solves es x -> Forall (fun f => 0 < val f x) fs /\ pattern ls x = s.

(* ---- claims: the kinds regions, property and equal of proofs/FORMAT.md ---- *)
Inductive claim :=
| Regions (at_least : bool) (count : Z) (net : network) (dom : system)
| Property (hold : bool) (nets : list network) (dom : system) (cases : list system)
| Equal (hold : bool) (a b : network) (dom : system).
(* a case is a system over (x, y), y the values of all networks *)
Definition some_case (nets : list network) (cases : list system) (x : point) : Prop :=
  Exists (fun c => solution c (x ++ evals nets x)) cases.
Definition says (c : claim) : Prop :=
  match c with
  | Regions at_least count (n, (hidden, _)) dom =>
      let is_region := region (length n) (eqs dom) (inequalities dom) hidden in
      exists ps, NoDup ps /\ Forall is_region ps /\
        if at_least then (count <= Z.of_nat (length ps))%Z else Z.of_nat (length ps) = count /\ forall s, is_region s -> In s ps
  | Property true nets dom cases =>
      forall x, length x = length (inputs nets) -> solution dom x -> ~ some_case nets cases x
  | Property false nets dom cases =>
      exists x, length x = length (inputs nets) /\ solution dom x /\ some_case nets cases x
  | Equal true a b dom => forall x, length x = length (fst a) -> closure dom x -> value a x = value b x
  | Equal false a b dom => exists x, length x = length (fst a) /\ closure dom x /\ value a x <> value b x
  end.
(* no claim is vacuous: D has a point at which all its equations are 0 and its other rows are > 0 *)
Definition dimension (c : claim) : list unit :=
  match c with Regions _ _ net _ => fst net | Property _ nets _ _ => inputs nets | Equal _ a _ _ => fst a end.
Definition domain (c : claim) : system :=
  match c with Regions _ _ _ dom => dom | Property _ _ dom _ => dom | Equal _ _ _ dom => dom end.
Definition not_vacuous (c : claim) : Prop :=
  exists x, length x = length (dimension c) /\ inner (eqs (domain c)) (inequalities (domain c)) x.

(* ---- statements: the kinds whose proof is that of claims, or an evaluation ---- *)
(* D2 again: the domain is not empty, and so the statement not vacuous *)
Definition populated (n : list unit) (dom : system) : Prop :=
  exists x, length x = length n /\ inner (eqs dom) (inequalities dom) x.
Definition vector := (Z * list Z)%type.                                  (* O5: the denominator, and the numerators *)
Definition vec (v : vector) : list R := map (fun q => IZR q / IZR (fst v)) (snd v).
Definition number (q : Z * Z) : R := IZR (snd q) / IZR (fst q).
(* the letters of [value] for hidden preactivations: + - 0 and, for a linear unit, = *)
Inductive letter := Plus | Minus | Null | Straight.
Definition lettered (linear : bool) (z : R) (c : letter) : Prop :=
  match c with
  | Straight => linear = true | Plus => linear = false /\ 0 < z | Minus => linear = false /\ z < 0 | Null => linear = false /\ z = 0
  end.
Fixpoint letters (ls : list layer) (x : list R) (cs : list (list letter)) : Prop :=
  match ls, cs with
  | [], [] => True
  | l :: ls', c :: cs' => Forall2 (fun u => lettered (fst u) (pre l u x)) (units l) c /\ letters ls' (pass l x) cs'
  | _, _ => False
  end.
(* at some point of the closure of the domain an output of a differs from that of b by more than e *)
Definition differs (P : R -> Prop) (a b : network) (x : point) : Prop :=
  Exists (fun uv => P (Rabs (fst uv - snd uv))) (combine (value a x) (value b x)).
Definition exceeds (a b : network) (dom : system) (e : R) : Prop :=
  exists x, length x = length (fst a) /\ closure dom x /\ differs (Rlt e) a b x.
(* what layer k passes on, counted from 1; layer 0 is the input; what the layer after k others makes of its own input *)
Fixpoint passed_on (k : list unit) (hidden : list layer) (last : layer) (x : point) : list R :=
  match k, hidden with [], _ => x | _, [] => affine last x | _ :: k', l :: hidden' => passed_on k' hidden' last (pass l x) end.
Fixpoint alone (k : list unit) (hidden : list layer) (last : layer) (x : point) : list R :=
  match k, hidden with _ :: k', _ :: hidden' => alone k' hidden' last x | _, l :: _ => pass l x | _, [] => affine last x end.
(* some hidden layer has all preactivations < 0 *)
Fixpoint silent (hidden : list layer) (x : point) : Prop :=
  match hidden with [] => False | l :: hidden' => Forall (fun u => pre l u x < 0) (units l) \/ silent hidden' (pass l x) end.
(* rows of a matrix, over a denominator that does not change the rank: some are independent, and all are combinations of these *)
Fixpoint mixed (cs : list R) (rows : list (list Z)) (x : point) : R :=
  match cs, rows with c :: cs', a :: rows' => c * dot a x + mixed cs' rows' x | _, _ => 0 end.
Definition has_rank (rows : list (list Z)) (rank : Z) : Prop :=
  exists sub, Z.of_nat (length sub) = rank /\ incl sub rows /\
    (forall cs, length cs = length sub -> (forall x, mixed cs sub x = 0) -> Forall (fun c => c = 0) cs) /\
    forall a, In a rows -> exists cs, length cs = length sub /\ forall x, dot a x = mixed cs sub x.
Inductive statement :=
| Claimed (c : claim)
| Nonempty (hold : bool) (n : list unit) (s : system)
| Value (net : network) (x y : vector) (signs : list (list letter))
| In_range (hold : bool) (net : network) (y : vector) (dom : system)
| Within (hold : bool) (a b : network) (bound : Z * Z) (dom : system)
| Largest (exactly : bool) (a b : network) (bound : Z * Z) (dom : system)        (* the largest difference, a supremum *)
| Unbounded (a b : network) (dom : system)                                       (* it is infinite *)
| Rank (rows : list (list Z)) (rank : Z)
| Transparent (hold : bool) (net : network) (dom : system)
| Not_injective (net : network) (first last : list unit) (dom : system)
| Layer_not_injective (net : network) (n k : list unit) (dom : system).          (* the layer after k others, of inputs n *)
Definition means (s : statement) : Prop :=
  match s with
  | Claimed c => says c /\ not_vacuous c
  | Nonempty true n s => exists x, length x = length n /\ solution s x
  | Nonempty false n s => forall x, length x = length n -> ~ solution s x
  | Value net x y signs => length (vec x) = length (fst net) /\ value net (vec x) = vec y /\ letters (fst (snd net)) (vec x) signs
  | In_range true net y dom => exists x, length x = length (fst net) /\ solution dom x /\ value net x = vec y
  | In_range false net y dom => populated (fst net) dom /\ forall x, length x = length (fst net) -> solution dom x -> value net x <> vec y
  | Within hold a b e dom => populated (fst a) dom /\ if hold then ~ exceeds a b dom (number e) else exceeds a b dom (number e)
  | Largest exactly a b e dom => populated (fst a) dom /\
      (forall e', e' < number e -> exceeds a b dom e') /\ if exactly then ~ exceeds a b dom (number e) else True
  | Unbounded a b dom => populated (fst a) dom /\ forall e, exceeds a b dom e
  | Rank rows rank => has_rank rows rank
  | Transparent true (n, (hidden, _)) dom => populated n dom /\ forall x, length x = length n -> solution dom x -> ~ silent hidden x
  | Transparent false (n, (hidden, _)) dom => exists x, length x = length n /\ solution dom x /\ silent hidden x
  | Not_injective (n, (h, l)) first last dom => exists x y, length x = length n /\ length y = length n /\
      solution dom x /\ solution dom y /\ passed_on last h l x = passed_on last h l y /\ passed_on first h l x <> passed_on first h l y
  | Layer_not_injective (_, (h, l)) n k dom => exists x y, length x = length n /\ length y = length n /\
      solution dom x /\ solution dom y /\ alone k h l x = alone k h l y /\ x <> y
  end.
