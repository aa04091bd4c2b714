(* Integer rows over R: values, sums that refute, boxes, rational points. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning.
Import ListNotations.
Open Scope R_scope.

Definition cond := (bool * row)%type.                      (* strict or not *)
Definition holds (x : point) (k : cond) : Prop := if fst k then 0 < val (snd k) x else 0 <= val (snd k) x.
Notation sat ks x := (Forall (holds x) ks).

(* ---- sums of rows ---- *)
Fixpoint axpy (k : Z) (a acc : list Z) : list Z :=
  match a, acc with
  | [], _ => acc
  | q :: a', [] => Z.mul k q :: axpy k a' []
  | q :: a', r :: acc' => Z.add (Z.mul k q) r :: axpy k a' acc'
  end.
Definition fadd (k : Z) (f acc : row) : row := (Z.add (Z.mul k (fst f)) (fst acc), axpy k (snd f) (snd acc)).
Definition fneg (f : row) : row := (Z.opp (fst f), map Z.opp (snd f)).
Definition zeros (a : list Z) : bool := forallb (fun q => Z.eqb q 0) a.
Definition zero : row := (0%Z, []).

Lemma dot_nil : forall a, dot a [] = 0.
Proof. destruct a; reflexivity. Qed.
Lemma dot_nil_l : forall x, dot [] x = 0.
Proof. reflexivity. Qed.
Lemma dot_axpy : forall k a acc x, dot (axpy k a acc) x = IZR k * dot a x + dot acc x.
Proof.
  induction a as [|q a IH]; intros acc x.
  - cbn [axpy dot]. ring.
  - destruct acc as [|r acc], x as [|v x]; cbn [axpy dot]; try ring;
      rewrite IH, ?plus_IZR, ?mult_IZR; cbn [dot]; ring.
Qed.
Lemma val_fadd : forall k f acc x, val (fadd k f acc) x = IZR k * val f x + val acc x.
Proof. intros. unfold val, fadd; cbn [fst snd]. rewrite dot_axpy, plus_IZR, mult_IZR. ring. Qed.
Lemma dot_opp : forall a x, dot (map Z.opp a) x = - dot a x.
Proof. induction a as [|q a IH]; intros [|v x]; cbn; try ring. rewrite IH, opp_IZR; ring. Qed.
Lemma val_fneg : forall f x, val (fneg f) x = - val f x.
Proof. intros [b a] x. unfold val, fneg; cbn [fst snd]. rewrite opp_IZR, dot_opp. ring. Qed.
Lemma dot_zeros : forall a x, zeros a = true -> dot a x = 0.
Proof.
  induction a as [|q a IH]; intros [|v x] H; cbn in *; try reflexivity.
  apply andb_true_iff in H as [H1 H2]. apply Z.eqb_eq in H1. subst q.
  rewrite (IH _ H2). ring.
Qed.
Lemma val_const : forall f x, zeros (snd f) = true -> val f x = IZR (fst f).
Proof. intros. unfold val. rewrite dot_zeros by assumption. ring. Qed.
Lemma val_zero : forall x, val zero x = 0.
Proof. intros; reflexivity || (unfold val, zero; cbn; ring). Qed.

(* ---- the one inequality: multipliers >= 0 on conditions ---- *)
Fixpoint comb (us : list (Z * cond)) (acc : row) (strict : bool) : option (row * bool) :=
  match us with
  | [] => Some (acc, strict)
  | (m, (s, f)) :: us' =>
      if Z.ltb m 0 then None
      else if Z.eqb m 0 then comb us' acc strict
      else comb us' (fadd m f acc) (s || strict)
  end.
Lemma comb_sound : forall x us acc st g st', comb us acc st = Some (g, st') -> sat (map snd us) x ->
  val acc x <= val g x /\ (st' = true -> st = true \/ val acc x < val g x).
Proof.
  induction us as [|[m [s f]] us IH]; intros acc st g st' H Hs; cbn [comb] in H.
  - inversion H; subst. split; [apply Rle_refl|auto].
  - inversion Hs as [|? ? Hf Hu]; subst. destruct (Z.ltb m 0) eqn:Hm; [discriminate|]. apply Z.ltb_ge in Hm.
    destruct (Z.eqb m 0) eqn:Hz; [exact (IH _ _ _ _ H Hu)|].
    apply Z.eqb_neq in Hz. assert (Hp : 0 < IZR m) by (apply IZR_lt; lia).
    destruct (IH _ _ _ _ H Hu) as [A B]. rewrite val_fadd in A, B. unfold holds in Hf; cbn in Hf.
    assert (C : 0 <= val f x) by (destruct s; lra).
    assert (D : 0 <= IZR m * val f x) by (apply Rmult_le_pos; lra).
    split; [lra|]. intros E. destruct (B E) as [F|F]; [|right; lra].
    destruct s; cbn in F; [|auto]. right. assert (0 < IZR m * val f x) by (apply Rmult_lt_0_compat; assumption). lra.
Qed.
Definition refutes (us : list (Z * cond)) : bool :=
  match comb us zero false with
  | Some (g, st) => zeros (snd g) && (if st then Z.leb (fst g) 0 else Z.ltb (fst g) 0)
  | None => false end.
Theorem refutes_sound : forall us x, refutes us = true -> ~ sat (map snd us) x.
Proof.
  unfold refutes; intros us x H Hs. destruct (comb us zero false) as [[g st]|] eqn:E; [|discriminate].
  apply andb_true_iff in H as [Hz H]. destruct (comb_sound _ _ _ _ _ _ E Hs) as [A B].
  rewrite val_zero, (val_const _ _ Hz) in A. rewrite val_zero, (val_const _ _ Hz) in B. destruct st.
  - apply Z.leb_le, IZR_le in H. destruct (B eq_refl) as [|]; [discriminate|lra].
  - apply Z.ltb_lt, IZR_lt in H. lra.
Qed.
(* w.f >= 0 (up), or w.f <= 0, where the conditions hold; [strict]: even > 0, or < 0 *)
Definition signed (strict : bool) (us : list (Z * cond)) (up : bool) (w : Z) (f : row) : bool :=
  Z.ltb 0 w &&
  match comb us (fadd (if up then Z.opp w else w) f zero) false with
  | Some (g, st) => zeros (snd g) && Z.leb (fst g) 0 && (negb strict || st || Z.ltb (fst g) 0)
  | None => false end.
Theorem signed_sound : forall strict us up w f x, signed strict us up w f = true -> sat (map snd us) x ->
  (if up then 0 <= val f x else val f x <= 0) /\
  (strict = true -> if up then 0 < val f x else val f x < 0).
Proof.
  unfold signed; intros strict us up w f x H Hs. apply andb_true_iff in H as [Hw H].
  apply Z.ltb_lt, IZR_lt in Hw. destruct (comb us _ false) as [[g st]|] eqn:E; [|discriminate].
  apply andb_true_iff in H as [H Hst]. apply andb_true_iff in H as [Hz Hc]. apply Z.leb_le, IZR_le in Hc.
  destruct (comb_sound _ _ _ _ _ _ E Hs) as [A B].
  rewrite val_fadd, val_zero, (val_const _ _ Hz) in A. rewrite val_fadd, val_zero, (val_const _ _ Hz) in B.
  assert (S : strict = true -> IZR (if up then - w else w) * val f x < 0).
  { intros ->. cbn in Hst. apply orb_true_iff in Hst as [Hst|Hst].
    - destruct (B Hst) as [|C]; [discriminate|lra].
    - apply Z.ltb_lt, IZR_lt in Hst. lra. }
  destruct up; rewrite ?opp_IZR in *; split; try intros T; try specialize (S T); nra.
Qed.

(* ---- boxes ---- *)
Fixpoint norm1 (a : list Z) : R := match a with [] => 0 | q :: a' => Rabs (IZR q) + norm1 a' end.
Lemma norm1_pos : forall a, 0 <= norm1 a.
Proof. induction a; cbn; [lra|]. pose proof (Rabs_pos (IZR a)). lra. Qed.
Lemma near_refl : forall r x, 0 <= r -> near r x x.
Proof.
  intros r x Hr. induction x; constructor; [rewrite Rminus_eq_0, Rabs_R0; assumption|assumption].
Qed.
Lemma near_len : forall r c x, near r c x -> length x = length c.
Proof. induction 1; cbn; congruence. Qed.
Lemma near_mono : forall r r' c x, r <= r' -> near r c x -> near r' c x.
Proof. induction 2; constructor; [lra|assumption]. Qed.
Lemma near_trans : forall r r' c x y, near r c x -> near r' x y -> near (r + r') c y.
Proof.
  intros r r' c x y H; revert y; induction H as [|u v c x Huv H IH]; intros y Hy;
    inversion Hy as [|? w ? y' Hvw Hy']; subst; constructor; [|apply IH; assumption].
  replace (u - w) with ((u - v) + (v - w)) by ring.
  pose proof (Rabs_triang (u - v) (v - w)). lra.
Qed.
Lemma dot_near : forall a r c x, near r c x -> 0 <= r -> Rabs (dot a c - dot a x) <= norm1 a * r.
Proof.
  induction a as [|q a IH]; intros r c x H Hr.
  - cbn. rewrite Rminus_eq_0, Rabs_R0. lra.
  - inversion H as [|u v c' x' Huv H']; subst; cbn [dot norm1].
    + rewrite Rminus_eq_0, Rabs_R0. pose proof (norm1_pos a). pose proof (Rabs_pos (IZR q)). nra.
    + replace (IZR q * u + dot a c' - (IZR q * v + dot a x'))
        with (IZR q * (u - v) + (dot a c' - dot a x')) by ring.
      pose proof (Rabs_triang (IZR q * (u - v)) (dot a c' - dot a x')).
      rewrite Rabs_mult in H0. pose proof (IH _ _ _ H' Hr).
      assert (Rabs (IZR q) * Rabs (u - v) <= Rabs (IZR q) * r)
        by (apply Rmult_le_compat_l; [apply Rabs_pos|assumption]). lra.
Qed.
Lemma val_near : forall f r c x, near r c x -> 0 <= r -> Rabs (val f c - val f x) <= norm1 (snd f) * r.
Proof.
  intros f r c x H Hr. unfold val.
  replace (IZR (fst f) + dot (snd f) c - (IZR (fst f) + dot (snd f) x))
    with (dot (snd f) c - dot (snd f) x) by ring. apply dot_near; assumption.
Qed.
(* a row that is positive at c is positive on a box around c *)
Lemma val_open : forall f c, 0 < val f c -> exists r, 0 < r /\ forall x, near r c x -> 0 < val f x.
Proof.
  intros f c H. pose proof (norm1_pos (snd f)) as Hn.
  exists (val f c / (norm1 (snd f) + 1)).
  assert (Hp : 0 < val f c / (norm1 (snd f) + 1)) by (apply Rdiv_lt_0_compat; lra).
  split; [exact Hp|]. intros x Hx. pose proof (val_near f _ _ _ Hx (Rlt_le _ _ Hp)) as A.
  assert (B : norm1 (snd f) * (val f c / (norm1 (snd f) + 1)) < val f c).
  { apply Rmult_lt_reg_r with (norm1 (snd f) + 1); [lra|]. field_simplify; lra. }
  pose proof (Rle_abs (val f c - val f x)). lra.
Qed.
Lemma open_box : forall ks c, Forall (fun k : cond => 0 < val (snd k) c) ks ->
  exists r, 0 < r /\ forall x, near r c x -> Forall (fun k : cond => 0 < val (snd k) x) ks.
Proof.
  induction 1 as [|k ks Hk Hks (r & Hr & IH)].
  - exists 1; split; [lra|]; intros; constructor.
  - destruct (val_open (snd k) c Hk) as (r' & Hr' & A). exists (Rmin r r').
    split; [apply Rmin_glb_lt; assumption|]. intros x Hx. constructor.
    + apply A. eapply near_mono; [apply Rmin_r|exact Hx].
    + apply IH. eapply near_mono; [apply Rmin_l|exact Hx].
Qed.
Lemma positive_sat : forall ks x, Forall (fun k : cond => 0 < val (snd k) x) ks -> sat ks x.
Proof. induction 1 as [|[s f] ks Hk Hks IH]; constructor; auto. unfold holds; cbn in *. destruct s; lra. Qed.
Fixpoint fits {A} (a : list Z) (n : list A) : bool :=
  match a, n with [], _ => true | _ :: a', _ :: n' => fits a' n' | _, [] => false end.
Lemma fits_len : forall A B (a : list Z) (u : list A) (v : list B), length u = length v -> fits a u = fits a v.
Proof. induction a; intros [|? u] [|? v] E; cbn in *; try discriminate; auto. Qed.
Lemma bump : forall a c r, 0 < r -> fits a c = true -> zeros a = false ->
  exists c', near r c c' /\ dot a c' <> dot a c.
Proof.
  induction a as [|q a IH]; intros c r Hr Hf Hz; [discriminate|].
  destruct c as [|v c]; [discriminate|]. cbn in Hf, Hz.
  destruct (Z.eqb q 0) eqn:Hq; cbn in Hz.
  - destruct (IH c r Hr Hf Hz) as (c' & Hn & Hd). apply Z.eqb_eq in Hq; subst q.
    exists (v :: c'). split.
    + constructor; [rewrite Rminus_eq_0, Rabs_R0; lra|exact Hn].
    + cbn. lra.
  - apply Z.eqb_neq in Hq. exists ((v + r) :: c). split.
    + constructor; [|apply near_refl; lra].
      replace (v - (v + r)) with (- r) by ring. rewrite Rabs_Ropp, Rabs_pos_eq; lra.
    + cbn. intros E. assert (IZR q * r = 0) by lra.
      apply Rmult_integral in H as [H|H]; [|lra]. apply eq_IZR in H. contradiction.
Qed.
(* near a point, a row that is not constant is less *)
Lemma dip : forall f c r, 0 < r -> fits (snd f) c = true -> zeros (snd f) = false -> exists c', near r c c' /\ val f c' < val f c.
Proof.
  intros f c r Hr Hf Hz. destruct (bump (snd f) c r Hr Hf Hz) as (c1 & N & D).
  destruct (Rtotal_order (val f c1) (val f c)) as [L|[L|L]]; [exists c1; split; assumption|unfold val in L; lra|].
  enough (exists c2, near r c c2 /\ dot (snd f) c2 - dot (snd f) c = dot (snd f) c - dot (snd f) c1) as (c2 & N2 & E)
    by (exists c2; split; [exact N2|]; unfold val in *; lra).
  clear - N. revert c1 N. generalize (snd f). induction c as [|u c IH]; intros a c1 N; inversion N as [|? v ? c1' Huv N']; subst.
  - exists []. split; [constructor|]. rewrite !dot_nil. ring.
  - destruct a as [|q a]; [exists (u :: c); split; [apply near_refl; pose proof (Rabs_pos (u - v)); lra|cbn; ring]|].
    destruct (IH a c1' N') as (c2 & N2 & E). exists (u + (u - v) :: c2). split.
    + constructor; [|exact N2]. replace (u - (u + (u - v))) with (- (u - v)) by ring. rewrite Rabs_Ropp. exact Huv.
    + cbn [dot]. lra.
Qed.
(* every box contains a box on one side of a row that is not constant *)
Lemma shrink : forall f c r, 0 < r -> fits (snd f) c = true -> zeros (snd f) = false ->
  exists c' r', 0 < r' /\ (forall x, near r' c' x -> near r c x) /\
    ((forall x, near r' c' x -> 0 < val f x) \/ (forall x, near r' c' x -> val f x < 0)).
Proof.
  intros f c r Hr Hf Hz.
  assert (E : exists c1, near (r / 2) c c1 /\ val f c1 <> 0).
  { destruct (Req_dec (val f c) 0) as [E|E].
    - destruct (bump (snd f) c (r / 2)) as (c1 & H1 & H2); [lra|assumption|assumption|].
      exists c1; split; [assumption|]. unfold val in *. lra.
    - exists c; split; [apply near_refl; lra|assumption]. }
  destruct E as (c1 & H1 & H2).
  assert (S : exists g, (g = f \/ g = fneg f) /\ 0 < val g c1).
  { destruct (Rtotal_order (val f c1) 0) as [H|[H|H]]; [|contradiction|].
    - exists (fneg f); split; [auto|]. rewrite val_fneg. lra.
    - exists f; split; [auto|lra]. }
  destruct S as (g & Hg & Hp). destruct (val_open g c1 Hp) as (r' & Hr' & A).
  exists c1, (Rmin (r / 2) r'). split; [apply Rmin_glb_lt; lra|]. split.
  - intros x Hx. replace r with (r / 2 + r / 2) by field. apply near_trans with c1; [exact H1|].
    eapply near_mono; [apply Rmin_l|exact Hx].
  - assert (B : forall x, near (Rmin (r / 2) r') c1 x -> 0 < val g x)
      by (intros x Hx; apply A; eapply near_mono; [apply Rmin_r|exact Hx]).
    destruct Hg as [->| ->]; [left; exact B|right; intros x Hx].
    specialize (B x Hx). rewrite val_fneg in B. lra.
Qed.

(* ---- the rational point p / d ---- *)
Fixpoint zdot (a p : list Z) : Z :=
  match a, p with q :: a', v :: p' => Z.add (Z.mul q v) (zdot a' p') | _, _ => 0%Z end.
Definition zval (f : row) (d : Z) (p : list Z) : Z := Z.add (Z.mul (fst f) d) (zdot (snd f) p).
Definition topoint (d : Z) (p : list Z) : point := map (fun v => IZR v / IZR d) p.
Lemma val_topoint : forall f d p, IZR d <> 0 -> val f (topoint d p) = IZR (zval f d p) / IZR d.
Proof.
  intros [b a] d p Hd. unfold val, zval; cbn [fst snd]. rewrite plus_IZR, mult_IZR.
  enough (dot a (topoint d p) = IZR (zdot a p) / IZR d) as -> by (field; assumption).
  revert p; induction a as [|q a IH]; intros [|v p]; cbn; try (field; assumption).
  fold (topoint d p). rewrite IH, plus_IZR, mult_IZR. field; assumption.
Qed.
Fixpoint same_len {A B} (p : list A) (n : list B) : bool :=
  match p, n with [], [] => true | _ :: p', _ :: n' => same_len p' n' | _, _ => false end.
Lemma same_len_ok : forall A B (p : list A) (n : list B), same_len p n = true -> length p = length n.
Proof. induction p as [|v p IH]; intros [|w n] H; cbn in *; try discriminate; auto. Qed.
Definition positive (d : Z) (p : list Z) (k : cond) : bool := Z.ltb 0 (zval (snd k) d p).
Definition witness {A} (n : list A) (ks : list cond) (d : Z) (p : list Z) : bool :=
  Z.ltb 0 d && same_len p n && forallb (positive d p) ks.
Theorem witness_sound : forall A (n : list A) ks d p, witness n ks d p = true ->
  length (topoint d p) = length n /\ Forall (fun k : cond => 0 < val (snd k) (topoint d p)) ks.
Proof.
  unfold witness; intros A n ks d p H. apply andb_true_iff in H as [H Hk].
  apply andb_true_iff in H as [Hd Hl]. apply Z.ltb_lt, IZR_lt in Hd.
  split; [unfold topoint; rewrite map_length; apply same_len_ok; assumption|].
  apply Forall_forall. intros k Hin. rewrite forallb_forall in Hk. specialize (Hk k Hin).
  apply Z.ltb_lt, IZR_lt in Hk. rewrite val_topoint by lra. apply Rdiv_lt_0_compat; assumption.
Qed.

(* ---- lists with integers as places ---- *)
Lemma Forall2_length : forall A B (P : A -> B -> Prop) u v, Forall2 P u v -> length u = length v.
Proof. induction 1; cbn; congruence. Qed.
Lemma Forall2_impl : forall A B (P Q : A -> B -> Prop) u v, (forall a b, P a b -> Q a b) -> Forall2 P u v -> Forall2 Q u v.
Proof. induction 2; constructor; auto. Qed.
Fixpoint nthz {A} (l : list A) (i : Z) : option A :=
  match l with [] => None | x :: l' => if Z.eqb i 0 then Some x else nthz l' (Z.pred i) end.
Lemma nthz_in : forall A (l : list A) i x, nthz l i = Some x -> In x l.
Proof.
  induction l as [|y l IH]; intros i x H; cbn in H; [discriminate|].
  destruct (Z.eqb i 0); [inversion H; left; reflexivity|right; eauto].
Qed.
Lemma nthz_neg : forall A (l : list A) i, (i < 0)%Z -> nthz l i = None.
Proof.
  induction l as [|y l IH]; intros i H; cbn; [reflexivity|].
  destruct (Z.eqb_spec i 0); [lia|apply IH; lia].
Qed.
Fixpoint zlen {A} (k : Z) (u : list A) : Z := match u with [] => k | _ :: u' => zlen (Z.succ k) u' end.
Fixpoint all_some {A B} (g : A -> option B) (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | a :: l' => match g a, all_some g l' with Some b, Some m => Some (b :: m) | _, _ => None end
  end.
Lemma all_some_in : forall A B (g : A -> option B) l m, all_some g l = Some m ->
  forall b, In b m -> exists a, In a l /\ g a = Some b.
Proof.
  induction l as [|a l IH]; intros m H b Hb; cbn in H.
  - inversion H; subst. contradiction.
  - destruct (g a) eqn:G; [|discriminate]. destruct (all_some g l); [|discriminate]. inversion H; subst.
    destruct Hb as [->|Hb]; [exists a; split; [left; reflexivity|exact G]|].
    destruct (IH _ eq_refl _ Hb) as (a' & ? & ?). exists a'; split; [right; assumption|assumption].
Qed.
