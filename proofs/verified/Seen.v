(* At least so many regions: points of the relative interior at which no neuron is 0, with different patterns. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Bounds Regions Property Equality.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker ---- *)
Fixpoint zpattern (ls : list layer) (dp : Z * list Z) : list bool :=
  match ls with
  | [] => []
  | l :: ls' => map (fun u : bool * row => negb (fst u) && Z.ltb 0 (zval (snd u) (fst dp) (snd dp))) (units l) ++ zpattern ls' (zlayer false l dp)
  end.
Fixpoint firm (ls : list layer) (dp : Z * list Z) : bool :=
  match ls with
  | [] => true
  | l :: ls' => forallb (fun u : bool * row => fst u || negb (Z.eqb (zval (snd u) (fst dp) (snd dp)) 0)) (units l) && firm ls' (zlayer false l dp)
  end.
Definition seen (net : network) (dom : system) (d : Z) (p : list Z) (ss : list (list bool)) : option (list (list bool)) :=
  let '(n, (hidden, _)) := net in
  let s := zpattern hidden (d, p) in
  if dens_ok hidden && is_inside n (eqs dom) (inequalities dom) d p && firm hidden (d, p) && negb (existsb (forall2b Bool.eqb s) ss)
  then Some (s :: ss) else None.

(* ---- soundness ---- *)
Fixpoint standing (ls : list layer) (y : point) : Prop :=
  match ls with [] => True | l :: ls' => Forall (fun u => fst u = true \/ pre l u y <> 0) (units l) /\ standing ls' (pass l y) end.
Lemma standing_stays : forall ls y, standing ls y -> exists r, 0 < r /\ forall x, near r y x -> pattern ls x = pattern ls y.
Proof.
  induction ls as [|l ls IH]; intros y S; [exists 1; split; [lra|]; reflexivity|]. destruct S as [S1 S2]. cbn [pattern].
  destruct (IH _ S2) as (r1 & Hr1 & P1). destruct (units_near l (fun b => b)) as (K & HK & N). destruct (units_near l (fun _ => true)) as (M & HM & N').
  assert (F : forall us, Forall (fun u => fst u = true \/ pre l u y <> 0) us -> exists r, 0 < r /\ forall x,
    near r (map (fun u => pre l u y) us) (map (fun u => pre l u x) us) ->
    map (fun u : bool * row => fires (fst u) (pre l u x)) us = map (fun u => fires (fst u) (pre l u y)) us).
  { clear. induction us as [|u us IH]; intros H; [exists 1; split; [lra|]; reflexivity|].
    destruct (IH (Forall_inv_tail H)) as (r & Hr & P). apply Forall_inv in H. destruct (fst u) eqn:U.
    - exists r. split; [exact Hr|]. intros x Hx. cbn [map] in *. rewrite U. inversion Hx; subst. cbn [fires]. f_equal. apply P. assumption.
    - destruct H as [H|H]; [discriminate|]. pose proof (Rabs_pos_lt _ H) as A. exists (Rmin r (Rabs (pre l u y) / 2)).
      split; [apply Rmin_glb_lt; lra|]. intros x Hx. cbn [map] in *. rewrite U. inversion Hx as [|? ? ? ? C Hx']; subst.
      f_equal; [|apply P; eapply near_mono; [apply Rmin_l|exact Hx']]. cbn [fires].
      assert (C' : Rabs (pre l u y - pre l u x) <= Rabs (pre l u y) / 2) by (eapply Rle_trans; [exact C|apply Rmin_r]).
      destruct (Rlt_dec 0 (pre l u x)), (Rlt_dec 0 (pre l u y)); try reflexivity; exfalso;
        unfold Rabs in C', A; repeat destruct Rcase_abs in C'; repeat destruct Rcase_abs in A; lra. }
  destruct (F _ S1) as (r2 & Hr2 & P2). set (r := Rmin (r1 / (K + 1)) (r2 / (M + 1))).
  assert (Q1 : 0 < r1 / (K + 1)) by (apply Rdiv_lt_0_compat; lra). assert (Q2 : 0 < r2 / (M + 1)) by (apply Rdiv_lt_0_compat; lra).
  assert (Hr : 0 < r) by (apply Rmin_glb_lt; assumption).
  assert (B : forall k q, 0 <= k -> 0 < q -> r <= q / (k + 1) -> k * r <= q).
  { intros k q Hk Hq H. apply Rmult_le_compat_l with (r := k + 1) in H; [|lra]. replace ((k + 1) * (q / (k + 1))) with q in H by (field; lra). nra. }
  exists r. split; [exact Hr|]. intros x Hx. f_equal.
  - apply P2. eapply near_mono; [|exact (N' r y x (Rlt_le _ _ Hr) Hx)]. apply B; [exact HM|exact Hr2|apply Rmin_r].
  - apply P1. eapply near_mono; [|exact (N r y x (Rlt_le _ _ Hr) Hx)]. apply B; [exact HK|exact Hr1|apply Rmin_l].
Qed.
Lemma signs_at : forall ls d p, 0 < IZR d -> dens_ok ls = true ->
  zpattern ls (d, p) = pattern ls (topoint d p) /\ (firm ls (d, p) = true -> standing ls (topoint d p)).
Proof.
  induction ls as [|l ls IH]; intros d p Hd H; [split; [reflexivity|exact (fun _ => I)]|]. cbn [zpattern firm standing pattern fst snd].
  cbn in H. apply andb_true_iff in H as [Hl Hls]. apply Z.ltb_lt, IZR_lt in Hl.
  pose proof (zlayer_sound false l d p Hd Hl) as E. change (if false then affine l else pass l) with (pass l) in E.
  destruct (zlayer false l (d, p)) as [e q] eqn:Zl. cbn [fst snd] in E.
  assert (He : 0 < IZR e) by (unfold zlayer in Zl; inversion Zl; rewrite mult_IZR; apply Rmult_lt_0_compat; assumption).
  destruct (IH e q He Hls) as [P F]. rewrite E in P, F.
  assert (V : forall u, pre l u (topoint d p) = IZR (zval (snd u) d p) * (/ IZR d * / IZR (den l)))
    by (intros u; unfold pre; rewrite val_topoint by lra; unfold Rdiv; ring).
  assert (Pos : 0 < / IZR d * / IZR (den l)) by (apply Rmult_lt_0_compat; apply Rinv_0_lt_compat; assumption). split.
  - f_equal; [|exact P]. apply map_ext. intros u. unfold fires. destruct (fst u); [reflexivity|]. cbn [negb andb]. rewrite V.
    destruct (Z.ltb_spec 0 (zval (snd u) d p)) as [G|G], (Rlt_dec 0 (IZR (zval (snd u) d p) * (/ IZR d * / IZR (den l)))) as [L|L]; try reflexivity; exfalso.
    + apply L, Rmult_lt_0_compat; [apply IZR_lt; exact G|exact Pos].
    + apply IZR_le in G. nra.
  - intros G. apply andb_true_iff in G as [G1 G2]. split; [|exact (F G2)]. rewrite forallb_forall in G1. apply Forall_forall. intros u Hu.
    specialize (G1 u Hu). destruct (fst u); [left; reflexivity|right]. cbn [orb] in G1. apply negb_true_iff, Z.eqb_neq in G1. rewrite V.
    apply Rmult_integral_contrapositive_currified; [|lra]. intros Z0. apply eq_IZR_R0 in Z0. contradiction.
Qed.
Definition all_regions (net : network) (dom : system) (ss : list (list bool)) : Prop :=
  NoDup ss /\ Forall (region (length (fst net)) (eqs dom) (inequalities dom) (fst (snd net))) ss.
Lemma same_bools : forall u, forall2b Bool.eqb u u = true.
Proof. induction u as [|b u IH]; [reflexivity|]. cbn [forall2b]. rewrite Bool.eqb_reflx. exact IH. Qed.
Theorem seen_sound : forall net dom d p ss ss', seen net dom d p ss = Some ss' -> all_regions net dom ss -> all_regions net dom ss'.
Proof.
  intros [n [h l]] dom d p ss ss' H [N A]. unfold seen in H. destruct (_ && negb _) eqn:E; [|discriminate]. inversion H; subst ss'. clear H.
  apply andb_true_iff in E as [E New]. apply andb_true_iff in E as [E Fi]. apply andb_true_iff in E as [Hh In_].
  apply negb_true_iff in New. destruct (inside_sound n _ _ d p In_) as [L [I1 I2]].
  assert (Hd : 0 < IZR d) by (unfold is_inside in In_; apply andb_true_iff in In_ as [In_ _]; apply andb_true_iff in In_ as [In_ _];
    apply andb_true_iff in In_ as [In_ _]; apply Z.ltb_lt, IZR_lt in In_; exact In_).
  destruct (signs_at h d p Hd Hh) as [P F]. split.
  - constructor; [|exact N]. intros Hin. assert (existsb (forall2b Bool.eqb (zpattern h (d, p))) ss = true) as Y
      by (apply existsb_exists; eexists; split; [exact Hin|apply same_bools]). rewrite New in Y. discriminate.
  - constructor; [|exact A]. cbn [fst snd]. rewrite P. destruct (standing_stays h _ (F Fi)) as (r1 & Hr1 & S).
    destruct (open_box (map (pair true) (inequalities dom)) (topoint d p)) as (r2 & Hr2 & B); [rewrite Forall_map; exact I2|].
    exists (topoint d p), (Rmin r1 r2). split; [apply Rmin_glb_lt; assumption|]. split; [exact L|]. split; [exact I1|]. intros x Hx _. split.
    + specialize (B x (near_mono _ _ _ _ (Rmin_r _ _) Hx)). rewrite Forall_map in B. exact B.
    + apply S. exact (near_mono _ _ _ _ (Rmin_l _ _) Hx).
Qed.
