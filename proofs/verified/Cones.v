(* Cones in the plane and in space: what a row is there, by products with their edges. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows.
Import ListNotations.
Open Scope R_scope.

(* twice the area, six times the volume, and edges: where two of three rows are 0; for other cones nothing *)
Definition cross (a1 a2 a3 b1 b2 b3 : Z) : list Z :=
  [a2 * b3 - a3 * b2; a3 * b1 - a1 * b3; a1 * b2 - a2 * b1]%Z.
Definition edges (cone : list cond) : option (Z * list (list Z)) :=
  match cone with
  | [(_, (_, [a1; a2])); (_, (_, [b1; b2]))] => Some (a1 * b2 - a2 * b1, [[b2; Z.opp b1]; [Z.opp a2; a1]])%Z
  | [(_, (_, [a1; a2; a3])); (_, (_, [b1; b2; b3])); (_, (_, [c1; c2; c3]))] =>
      let '(u, v, w) := (cross b1 b2 b3 c1 c2 c3, cross c1 c2 c3 a1 a2 a3, cross a1 a2 a3 b1 b2 b3) in
      Some (zdot [a1; a2; a3] u, [u; v; w])
  | _ => None
  end.
(* all edges the other way round where the volume is negative *)
Definition outward (e : Z * list (list Z)) : Z * list (list Z) :=
  if Z.ltb (fst e) 0 then (Z.opp (fst e), map (map Z.opp) (snd e)) else e.
(* c less the constants of rows times multipliers, which must not be negative *)
Fixpoint left_over (a : list Z) (es : list (list Z)) (cone : list cond) (c : Z) (st : bool) : option (Z * bool) :=
  match es, cone with
  | e :: es', (s, g) :: cone' =>
      let m := zdot a e in
      if Z.ltb m 0 then None else left_over a es' cone' (Z.sub c (Z.mul m (fst g))) (st || (s && Z.ltb 0 m))
  | _, _ => Some (c, st)
  end.
(* f >= 0 (up), or f <= 0, where the conditions of a cone hold; [strict]: even > 0, or < 0 *)
Definition signed_by (strict : bool) (cone : list cond) (e : Z * list (list Z)) (up : bool) (f : row) : bool :=
  let g := if up then f else fneg f in
  Z.ltb 0 (fst e) && fits (snd g) cone &&
  match left_over (snd g) (snd e) cone (Z.mul (fst e) (fst g)) false with
  | Some (c, st) => Z.leb 0 c && (negb strict || st || Z.ltb 0 c)
  | None => false end.

(* ---- soundness ---- *)
Fixpoint spread (a : list Z) (es : list (list Z)) (cone : list cond) (x : point) : R :=
  match es, cone with e :: es', k :: cone' => IZR (zdot a e) * dot (snd (snd k)) x + spread a es' cone' x | _, _ => 0 end.
Lemma edges_sound : forall cone e a x, edges cone = Some e -> fits a cone = true -> length x = length cone ->
  IZR (fst e) * dot a x = spread a (snd e) cone x.
Proof.
  intros cone e a x H F L. unfold edges in H.
  repeat match type of H with context [match ?l with _ => _ end] => is_var l; destruct l; try discriminate end;
    inversion H; subst; clear H; destruct x as [|? [|? [|? [|? ?]]]]; try discriminate;
    destruct a as [|? [|? [|? [|? ?]]]]; try discriminate; cbn [fst snd spread zdot dot cross map];
    rewrite ?plus_IZR, ?mult_IZR, ?minus_IZR, ?opp_IZR, ?plus_IZR, ?mult_IZR, ?minus_IZR, ?opp_IZR; ring.
Qed.
Lemma spread_opp : forall a es cone x, spread a (map (map Z.opp) es) cone x = - spread a es cone x.
Proof.
  assert (Z : forall a e, (zdot a (map Z.opp e) = - zdot a e)%Z).
  { induction a as [|q a IH]; intros [|v e]; cbn; try reflexivity. rewrite IH. ring. }
  intros a. induction es as [|e es IH]; intros [|k cone] x; cbn [map spread]; try ring. rewrite IH, Z, opp_IZR. ring.
Qed.
Lemma outward_sound : forall cone e a x, IZR (fst e) * dot a x = spread a (snd e) cone x ->
  IZR (fst (outward e)) * dot a x = spread a (snd (outward e)) cone x.
Proof.
  intros cone [d es] a x H. unfold outward; cbn [fst snd] in *. destruct (Z.ltb d 0); [|exact H]. cbn [fst snd].
  rewrite spread_opp, opp_IZR. lra.
Qed.
Lemma left_over_sound : forall a x es cone c st c' st', left_over a es cone c st = Some (c', st') -> sat cone x ->
  IZR c' <= IZR c + spread a es cone x /\ (st' = true -> st = true \/ IZR c' < IZR c + spread a es cone x).
Proof.
  induction es as [|e es IH]; intros cone c st c' st' H S; cbn [left_over] in H;
    [inversion H; subst; cbn [spread]; split; [lra|auto]|].
  destruct cone as [|[s g] cone]; [inversion H; subst; cbn [spread]; split; [lra|auto]|].
  inversion S as [|? ? Hg S']; subst. destruct (Z.ltb (zdot a e) 0) eqn:N; [discriminate|]. apply Z.ltb_ge, IZR_le in N.
  destruct (IH _ _ _ _ _ H S') as [A B]. rewrite minus_IZR, mult_IZR in A, B. cbn [spread fst snd] in *.
  set (m := IZR (zdot a e)) in *. unfold holds in Hg; cbn [fst snd] in Hg. unfold val in Hg.
  assert (G : 0 <= m * (IZR (fst g) + dot (snd g) x)) by (apply Rmult_le_pos; destruct s; lra).
  split; [lra|]. intros T. destruct (B T) as [C|C]; [|right; lra].
  apply orb_true_iff in C as [C|C]; [left; exact C|right]. apply andb_true_iff in C as [-> M]. apply Z.ltb_lt, IZR_lt in M. fold m in M.
  assert (0 < m * (IZR (fst g) + dot (snd g) x)) by (apply Rmult_lt_0_compat; assumption). lra.
Qed.
Theorem signed_by_sound : forall strict cone e up f x, edges cone = Some e -> signed_by strict cone (outward e) up f = true ->
  length x = length cone -> sat cone x ->
  (if up then 0 <= val f x else val f x <= 0) /\ (strict = true -> if up then 0 < val f x else val f x < 0).
Proof.
  intros strict cone e up f x E H L S. unfold signed_by in H. set (g := if up then f else fneg f) in *.
  apply andb_true_iff in H as [H Hl]. apply andb_true_iff in H as [D F]. apply Z.ltb_lt, IZR_lt in D.
  destruct (left_over _ _ _ _ _) as [[c st]|] eqn:O; [|discriminate]. apply andb_true_iff in Hl as [C T]. apply Z.leb_le, IZR_le in C.
  destruct (left_over_sound _ _ _ _ _ _ _ _ O S) as [A B]. rewrite mult_IZR in A, B.
  rewrite <- (outward_sound cone e (snd g) x) in A, B by (apply edges_sound; assumption).
  assert (V : IZR (fst (outward e)) * IZR (fst g) + IZR (fst (outward e)) * dot (snd g) x = IZR (fst (outward e)) * val g x)
    by (unfold val; ring).
  rewrite V in A, B. assert (P : 0 <= val g x) by nra.
  assert (Q : strict = true -> 0 < val g x).
  { intros ->. cbn in T. apply orb_true_iff in T as [T|T]; [destruct (B T) as [|]; [discriminate|nra]|].
    apply Z.ltb_lt, IZR_lt in T. nra. }
  unfold g in *. destruct up; [split; assumption|]. rewrite val_fneg in P, Q. split; [lra|]. intros T'. specialize (Q T'). lra.
Qed.
