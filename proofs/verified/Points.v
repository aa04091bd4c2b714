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
