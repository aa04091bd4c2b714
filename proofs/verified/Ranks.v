(* The rank of a matrix: rows that vectors tell apart, and of which the other rows are combinations. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Chart Property Join.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker ---- *)
Fixpoint zmixed (cs : list Z) (rows : list (list Z)) : list Z :=
  match cs, rows with c :: cs', a :: rows' => axpy c a (zmixed cs' rows') | _, _ => [] end.
(* places of rows; k times each row as a combination of them; vectors on which they are d times the unit vectors *)
Definition rank_ok (rows : list (list Z)) (rank : Z) (places : list Z) (sums : list (Z * list Z)) (d : Z) (duals : list (list Z)) : bool :=
  match all_some (nthz rows) places with
  | Some sub =>
      Z.eqb (zlen 0 sub) rank && negb (Z.eqb d 0) &&
      forall2b (fun (f : row) x => forall2b Z.eqb (map (fun a => zdot a x) sub) (pad sub (map (Z.mul d) (snd f)))) (unit_rows sub) duals &&
      forall2b (fun a s => negb (Z.eqb (fst s) 0) && same_len (snd s) sub && zeros (axpy (Z.opp (fst s)) a (zmixed (snd s) sub))) rows sums
  | None => false
  end.

(* ---- soundness ---- *)
Lemma dot_zmixed : forall cs rows x, dot (zmixed cs rows) x = mixed (map IZR cs) rows x.
Proof. induction cs as [|c cs IH]; intros [|a rows] x; cbn [zmixed mixed map]; try reflexivity. rewrite dot_axpy, IH. ring. Qed.
Lemma mixed_over : forall k cs rows x, mixed (map (fun c => IZR c / k) cs) rows x = mixed (map IZR cs) rows x / k.
Proof.
  induction cs as [|c cs IH]; intros [|a rows] x; cbn [mixed map]; try (unfold Rdiv; ring). rewrite IH. unfold Rdiv. ring.
Qed.
Lemma dot_whole : forall a x, dot a (topoint 1 x) = IZR (zdot a x).
Proof.
  intros a x. pose proof (val_topoint (0%Z, a) 1 x ltac:(lra)) as H. unfold val, zval in H; cbn [fst snd] in H.
  rewrite Z.mul_0_l, Z.add_0_l in H. unfold Rdiv in H. rewrite Rinv_1 in H. lra.
Qed.
Lemma mixed_whole : forall cs rows x, length cs = length rows -> mixed cs rows (topoint 1 x) = dot (map (fun a => zdot a x) rows) cs.
Proof.
  induction cs as [|c cs IH]; intros [|a rows] x L; try discriminate; cbn [mixed map dot]; [reflexivity|].
  rewrite IH by (cbn in L; lia). rewrite dot_whole. ring.
Qed.
Lemma forall2b_eq : forall u v, forall2b Z.eqb u v = true -> u = v.
Proof.
  induction u as [|a u IH]; intros [|b v] H; cbn [forall2b] in H; try discriminate; [reflexivity|].
  apply andb_true_iff in H as [H1 H2]. apply Z.eqb_eq in H1. rewrite H1, (IH _ H2). reflexivity.
Qed.
Lemma forall2b_left : forall A B (f : A -> B -> bool) u v, forall2b f u v = true -> forall a, In a u -> exists b, f a b = true.
Proof.
  induction u as [|a u IH]; intros [|b v] H c Hc; cbn [forall2b] in H; try discriminate; [contradiction|].
  apply andb_true_iff in H as [H1 H2]. destruct Hc as [->|Hc]; [exists b; exact H1|exact (IH _ H2 _ Hc)].
Qed.
Lemma unit_constant : forall U (n : list U) f, In f (unit_rows n) -> fst f = 0%Z.
Proof.
  induction n as [|u n IH]; intros f H; cbn [unit_rows] in H; [contradiction|]. destruct H as [<-|H]; [reflexivity|].
  apply in_map_iff in H as (g & <- & H). exact (IH _ H).
Qed.
Theorem rank_sound : forall rows rank places sums d duals, rank_ok rows rank places sums d duals = true -> has_rank rows rank.
Proof.
  intros rows rank places sums d duals H. unfold rank_ok in H. destruct (all_some (nthz rows) places) as [sub|] eqn:S; [|discriminate].
  apply andb_true_iff in H as [H Sp]. apply andb_true_iff in H as [H Du]. apply andb_true_iff in H as [Le Nd].
  apply Z.eqb_eq in Le. apply negb_true_iff, Z.eqb_neq in Nd. exists sub. split; [|split; [|split]].
  - rewrite <- Le. clear. assert (G : forall A (u : list A) k, zlen k u = (k + Z.of_nat (length u))%Z)
      by (induction u as [|a u IH]; intros k; cbn [zlen length]; [lia|rewrite IH; lia]). rewrite G. lia.
  - intros a Ha. destruct (all_some_in _ _ _ _ _ S _ Ha) as (i & _ & E). exact (nthz_in _ _ _ _ E).
  - intros cs L Z0. assert (V : forall f, In f (unit_rows sub) -> val f cs / 1 = 0).
    { intros f Hf. destruct (forall2b_left _ _ _ _ _ Du f Hf) as (x & E). apply forall2b_eq in E. specialize (Z0 (topoint 1 x)).
      rewrite (mixed_whole _ _ _ L), E in Z0. pose proof (dot_pad _ sub (map (Z.mul d) (snd f)) cs [] [] L) as P.
      rewrite !app_nil_r in P. cbn [dot] in P. rewrite P, dot_multiplied in Z0. unfold val. rewrite (unit_constant _ _ _ Hf).
      assert (N : IZR d <> 0) by (intros N; apply eq_IZR_R0 in N; contradiction).
      assert (Q : IZR d * dot (snd f) cs = 0) by lra. apply Rmult_integral in Q as [Q|Q]; [contradiction|]. rewrite Q. lra. }
    rewrite <- (image_units _ sub cs L). unfold image. rewrite Forall_map. apply Forall_forall. exact V.
  - intros a Ha. destruct (forall2b_left _ _ _ _ _ Sp a Ha) as ([k ws] & E). cbn [fst snd] in E. apply andb_true_iff in E as [E Zs].
    apply andb_true_iff in E as [Nk L]. apply negb_true_iff, Z.eqb_neq in Nk. apply same_len_ok in L.
    assert (N : IZR k <> 0) by (intros N; apply eq_IZR_R0 in N; contradiction).
    exists (map (fun c => IZR c / IZR k) ws). split; [rewrite map_length; exact L|]. intros x. rewrite mixed_over, <- dot_zmixed.
    pose proof (dot_zeros _ x Zs) as Q. rewrite dot_axpy, opp_IZR in Q. apply (Rmult_eq_reg_l (IZR k)); [|exact N].
    replace (IZR k * (dot (zmixed ws sub) x / IZR k)) with (dot (zmixed ws sub) x) by (field; exact N). lra.
Qed.
