(* The value of a network at a rational point, with the signs of its hidden preactivations. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Bounds Property Equality.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker: integers over a denominator ---- *)
Definition zletter (linear : bool) (z : Z) (c : letter) : bool :=
  match c with
  | Straight => linear | Plus => negb linear && Z.ltb 0 z | Minus => negb linear && Z.ltb z 0 | Null => negb linear && Z.eqb z 0
  end.
Fixpoint zletters (ls : list layer) (dp : Z * list Z) (cs : list (list letter)) : bool :=
  match ls, cs with
  | [], [] => true
  | l :: ls', c :: cs' =>
      forall2b (fun u => zletter (fst u) (zval (snd u) (fst dp) (snd dp))) (units l) c && zletters ls' (zlayer false l dp) cs'
  | _, _ => false
  end.
(* y/e and the vector are the same *)
Definition same_vector (ey v : vector) : bool :=
  Z.ltb 0 (fst v) && forall2b (fun a b => Z.eqb (Z.mul a (fst v)) (Z.mul b (fst ey))) (snd ey) (snd v).
Definition value_ok (net : network) (x y : vector) (signs : list (list letter)) : bool :=
  let '(n, (hidden, last)) := net in
  Z.ltb 0 (fst x) && same_len (snd x) n && dens_ok hidden && Z.ltb 0 (den last) &&
  same_vector (zeval hidden last x) y && zletters hidden x signs.
(* points of a domain that show a statement *)
Definition belongs (n : list unit) (dom : system) (dp : Z * list Z) : bool :=
  Z.ltb 0 (fst dp) && same_len (snd dp) n && forallb (zmeets (fst dp) (snd dp)) dom.
Fixpoint zpassed_on (k : list unit) (hidden : list layer) (last : layer) (dp : Z * list Z) : Z * list Z :=
  match k, hidden with
  | [], _ => dp | _, [] => zlayer true last dp | _ :: k', l :: hidden' => zpassed_on k' hidden' last (zlayer false l dp)
  end.
Fixpoint zalone (k : list unit) (hidden : list layer) (last : layer) (dp : Z * list Z) : Z * list Z :=
  match k, hidden with
  | _ :: k', _ :: hidden' => zalone k' hidden' last dp | _, l :: _ => zlayer false l dp | _, [] => zlayer true last dp
  end.
Fixpoint zsilent (hidden : list layer) (dp : Z * list Z) : bool :=
  match hidden with
  | [] => false
  | l :: hidden' => forallb (fun u => Z.ltb (zval (snd u) (fst dp) (snd dp)) 0) (units l) || zsilent hidden' (zlayer false l dp)
  end.
Definition witness_ok (s : statement) (ps : list (Z * list Z)) : bool :=
  match s, ps with
  | Not_transparent (n, (h, _)) dom, [x] => dens_ok h && belongs n dom x && zsilent h x
  | Not_injective (n, (h, l)) first last dom, [x; y] =>
      let a := zpassed_on first h l x in let b := zpassed_on first h l y in
      dens_ok h && Z.ltb 0 (den l) && belongs n dom x && belongs n dom y &&
      same_vector (zpassed_on last h l x) (zpassed_on last h l y) && crossed (fst a) (snd a) (fst b) (snd b)
  | Layer_not_injective (_, (h, l)) n k dom, [x; y] =>
      dens_ok h && Z.ltb 0 (den l) && belongs n dom x && belongs n dom y &&
      same_vector (zalone k h l x) (zalone k h l y) && crossed (fst x) (snd x) (fst y) (snd y)
  | _, _ => false
  end.

(* ---- soundness ---- *)
Lemma forall2b_Forall2 : forall A B (f : A -> B -> bool) u v, forall2b f u v = true -> Forall2 (fun a b => f a b = true) u v.
Proof.
  induction u as [|a u IH]; intros [|b v] H; cbn [forall2b] in H; try discriminate; constructor;
    apply andb_true_iff in H as [H1 H2]; [exact H1|exact (IH _ H2)].
Qed.
Lemma zletter_sound : forall linear z k c, 0 < IZR k -> zletter linear z c = true -> lettered linear (IZR z / IZR k) c.
Proof.
  intros linear z k c Hk H. apply Rinv_0_lt_compat in Hk. destruct c, linear; cbn in H; try discriminate; cbn; try reflexivity;
    (split; [reflexivity|]); unfold Rdiv.
  - apply Z.ltb_lt, IZR_lt in H. apply Rmult_lt_0_compat; assumption.
  - apply Z.ltb_lt, IZR_lt in H. apply Ropp_lt_cancel. rewrite Ropp_0, Ropp_mult_distr_l. apply Rmult_lt_0_compat; lra.
  - apply Z.eqb_eq in H. subst z. ring.
Qed.
Lemma zletters_sound : forall ls d p cs, 0 < IZR d -> dens_ok ls = true -> zletters ls (d, p) cs = true -> letters ls (topoint d p) cs.
Proof.
  induction ls as [|l ls IH]; intros d p [|c cs] Hd Hl H; cbn [zletters letters] in *; try discriminate; [exact I|].
  cbn in Hl. apply andb_true_iff in Hl as [Hl Hls]. apply Z.ltb_lt, IZR_lt in Hl. apply andb_true_iff in H as [H1 H2]. split.
  - apply forall2b_Forall2 in H1. cbn [fst snd] in H1. induction H1 as [|u e us es Hu _ IHu]; constructor; [|exact IHu].
    unfold pre. rewrite val_topoint by lra. replace (_ / _ / _) with (IZR (zval (snd u) d p) / IZR (d * den l)) by (rewrite mult_IZR; field; lra).
    apply zletter_sound; [|exact Hu]. rewrite mult_IZR. apply Rmult_lt_0_compat; assumption.
  - pose proof (zlayer_sound false l d p Hd Hl) as E. change (if false then affine l else pass l) with (pass l) in E.
    rewrite <- E. unfold zlayer in *; cbn [fst snd] in *. apply IH; [rewrite mult_IZR; apply Rmult_lt_0_compat; assumption|exact Hls|exact H2].
Qed.
Lemma same_vector_sound : forall e y v, 0 < IZR e -> same_vector (e, y) v = true -> topoint e y = vec v.
Proof.
  intros e y [d w] He H. unfold same_vector in H. cbn [fst snd] in H. apply andb_true_iff in H as [Hd H]. apply Z.ltb_lt, IZR_lt in Hd.
  apply forall2b_Forall2 in H. unfold topoint, vec; cbn [fst snd]. induction H as [|a b y w Hab _ IH]; [reflexivity|]. cbn [map].
  f_equal; [|exact IH]. apply Z.eqb_eq in Hab. assert (E : IZR a * IZR d = IZR b * IZR e) by (rewrite <- !mult_IZR; f_equal; exact Hab).
  apply (Rmult_eq_reg_r (IZR d * IZR e)); [|apply Rmult_integral_contrapositive_currified; lra].
  replace (IZR a / IZR e * (IZR d * IZR e)) with (IZR a * IZR d) by (field; lra). rewrite E. field. lra.
Qed.
Theorem value_sound : forall net x y signs, value_ok net x y signs = true ->
  length (vec x) = length (fst net) /\ value net (vec x) = vec y /\ letters (fst (snd net)) (vec x) signs.
Proof.
  intros [n [hidden last]] [d p] y signs H. unfold value_ok in H. repeat (apply andb_true_iff in H as [H ?]). cbn [fst snd] in *.
  apply Z.ltb_lt, IZR_lt in H. apply Z.ltb_lt in H2. apply same_len_ok in H4.
  pose proof (zeval_sound hidden last d p H H3 H2) as E. destruct (zeval hidden last (d, p)) as [e z]. destruct E as [He E].
  split; [unfold vec; rewrite map_length; exact H4|]. split; [|apply zletters_sound; assumption].
  unfold value; cbn [fst snd]. change (vec (d, p)) with (topoint d p). rewrite <- E. apply same_vector_sound; assumption.
Qed.
Lemma belongs_sound : forall n dom x, belongs n dom x = true -> 0 < IZR (fst x) /\ length (vec x) = length n /\ solution dom (vec x).
Proof.
  intros n dom [d p] H. unfold belongs in H; cbn [fst snd] in H. repeat (apply andb_true_iff in H as [H ?]). apply Z.ltb_lt, IZR_lt in H.
  apply same_len_ok in H1. split; [exact H|]. split; [unfold vec; rewrite map_length; exact H1|].
  apply Forall_forall. intros c Hc. rewrite forallb_forall in H0. change (vec (d, p)) with (topoint d p). apply zmeets_sound; auto.
Qed.
Definition is_at (v : Z * list Z) (x : list R) : Prop := 0 < IZR (fst v) /\ vec v = x.
Lemma layer_at : forall b l v x, 0 < IZR (den l) -> is_at v x -> is_at (zlayer b l v) ((if b then affine l else pass l) x).
Proof.
  intros b l [d p] x Hl [Hd <-]. pose proof (zlayer_sound b l d p Hd Hl) as E. split; [|exact E].
  unfold zlayer; cbn [fst]. rewrite mult_IZR. apply Rmult_lt_0_compat; assumption.
Qed.
Lemma passed_on_at : forall k h l v x, dens_ok h = true -> 0 < IZR (den l) -> is_at v x -> is_at (zpassed_on k h l v) (passed_on k h l x).
Proof.
  induction k as [|z k IH]; intros [|a h] l v x Hh Hl A; cbn [zpassed_on passed_on]; try exact A; [exact (layer_at true l v x Hl A)|].
  cbn in Hh. apply andb_true_iff in Hh as [Ha Hh]. apply Z.ltb_lt, IZR_lt in Ha. apply IH; [exact Hh|exact Hl|].
  exact (layer_at false a v x Ha A).
Qed.
Lemma alone_at : forall k h l v x, dens_ok h = true -> 0 < IZR (den l) -> is_at v x -> is_at (zalone k h l v) (alone k h l x).
Proof.
  assert (P : forall a h, dens_ok (a :: h) = true -> 0 < IZR (den a) /\ dens_ok h = true).
  { intros a h Hh. cbn in Hh. apply andb_true_iff in Hh as [Ha Hh]. apply Z.ltb_lt, IZR_lt in Ha. split; assumption. }
  induction k as [|z k IH]; intros [|a h] l v x Hh Hl A.
  - exact (layer_at true l v x Hl A).
  - exact (layer_at false a v x (proj1 (P _ _ Hh)) A).
  - exact (layer_at true l v x Hl A).
  - exact (IH h l v x (proj2 (P _ _ Hh)) Hl A).
Qed.
Lemma silent_at : forall h v x, dens_ok h = true -> is_at v x -> zsilent h v = true -> silent h x.
Proof.
  induction h as [|a h IH]; intros v x Hh A H; cbn [zsilent silent] in *; [discriminate|].
  cbn in Hh. apply andb_true_iff in Hh as [Ha Hh]. apply Z.ltb_lt, IZR_lt in Ha. apply orb_true_iff in H as [H|H].
  - left. rewrite forallb_forall in H. apply Forall_forall. intros u Hu. specialize (H u Hu). apply Z.ltb_lt, IZR_lt in H.
    destruct A as [Hd <-]. unfold pre. change (vec v) with (topoint (fst v) (snd v)). rewrite val_topoint by lra.
    apply Rinv_0_lt_compat in Ha, Hd. unfold Rdiv.
    assert (0 < - IZR (zval (snd u) (fst v) (snd v)) * / IZR (fst v) * / IZR (den a)) by (repeat apply Rmult_lt_0_compat; lra). lra.
  - right. apply (IH (zlayer false a v)); [exact Hh|exact (layer_at false a v x Ha A)|exact H].
Qed.
Theorem witness_sound : forall s ps, witness_ok s ps = true -> means s.
Proof.
  intros s ps H. destruct s; cbn [witness_ok] in H; try discriminate.
  - destruct net as [n [h l]]. destruct ps as [|x [|? ?]]; try discriminate. apply andb_true_iff in H as [H H0]. apply andb_true_iff in H as [H H1].
    destruct (belongs_sound _ _ _ H1) as (Hd & L & S). exists (vec x). split; [exact L|]. split; [exact S|].
    apply (silent_at h x); [exact H|split; [exact Hd|reflexivity]|exact H0].
  - destruct net as [n [h l]]. destruct ps as [|x [|y [|? ?]]]; try discriminate. do 5 (apply andb_true_iff in H as [H ?]).
    apply Z.ltb_lt, IZR_lt in H4. destruct (belongs_sound _ _ _ H3) as (Dx & Lx & Sx). destruct (belongs_sound _ _ _ H2) as (Dy & Ly & Sy).
    exists (vec x), (vec y). cbn [means]. repeat (split; [assumption|]).
    pose proof (fun k => passed_on_at k h l x (vec x) H H4 (conj Dx eq_refl)) as X.
    pose proof (fun k => passed_on_at k h l y (vec y) H H4 (conj Dy eq_refl)) as Y.
    destruct (X first) as [P1 <-]. destruct (Y first) as [P2 <-]. destruct (X last) as [P3 <-]. destruct (Y last) as [P4 <-]. split.
    + destruct (zpassed_on last h l x) as [e w]. exact (same_vector_sound e w _ P3 H1).
    + apply crossed_sound; assumption.
  - destruct net as [m [h l]]. destruct ps as [|x [|y [|? ?]]]; try discriminate. do 5 (apply andb_true_iff in H as [H ?]).
    apply Z.ltb_lt, IZR_lt in H4. destruct (belongs_sound _ _ _ H3) as (Dx & Lx & Sx). destruct (belongs_sound _ _ _ H2) as (Dy & Ly & Sy).
    exists (vec x), (vec y). cbn [means]. repeat (split; [assumption|]).
    destruct (alone_at k h l x (vec x) H H4 (conj Dx eq_refl)) as [P1 <-]. destruct (alone_at k h l y (vec y) H H4 (conj Dy eq_refl)) as [P2 <-]. split.
    + destruct (zalone k h l x) as [e w]. exact (same_vector_sound e w _ P1 H1).
    + apply crossed_sound; assumption.
Qed.
