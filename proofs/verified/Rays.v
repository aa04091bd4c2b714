(* Outputs of two networks grow apart along a ray of the domain: far out a network is s times the one without its biases. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Bounds Regions Property Equality Points.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker ---- *)
Definition linear_row (f : row) : row := (0%Z, snd f).
Definition linear_layer (l : layer) : layer := Layer (den l) (map (fun u : bool * row => (fst u, linear_row (snd u))) (units l)).
Definition ray_ok (a b : network) (dom : system) (d : Z) (p r : list Z) : bool :=
  let '(n, (ha, la)) := a in
  let '(_, (hb, lb)) := b in
  let '(e, y) := zeval (map linear_layer ha) (linear_layer la) (1%Z, r) in
  let '(f, z) := zeval (map linear_layer hb) (linear_layer lb) (1%Z, r) in
  is_inside n (eqs dom) (inequalities dom) d p && same_len r n &&
  forallb (fun g => Z.eqb (zval (linear_row g) 1 r) 0) (eqs dom) && forallb (fun g => Z.leb 0 (zval (linear_row g) 1 r)) (inequalities dom) &&
  dens_ok ha && dens_ok hb && Z.ltb 0 (den la) && Z.ltb 0 (den lb) && crossed e y f z.

(* ---- soundness ---- *)
Definition times (s : R) (y : point) : point := map (Rmult s) y.
Lemma dot_times : forall a s y, dot a (times s y) = s * dot a y.
Proof. induction a as [|q a IH]; intros s [|v y]; cbn [dot times map]; try ring. fold (times s y). rewrite IH. ring. Qed.
Lemma passes_times : forall b s z, 0 <= s -> passes b (s * z) = s * passes b z.
Proof.
  intros [] s z Hs; [reflexivity|]. cbn [passes]. unfold relu. rewrite <- RmaxRmult by exact Hs. rewrite Rmult_0_r. reflexivity.
Qed.
Lemma bias_near : forall l (g : bool -> bool), exists C, 0 <= C /\ forall s y, 0 <= s ->
  near C (map (fun u => passes (g (fst u)) (pre l u (times s y))) (units l))
    (times s (map (fun u => passes (g (fst u)) (pre (linear_layer l) u y)) (units (linear_layer l)))).
Proof.
  intros l g. unfold linear_layer; cbn [units]. unfold pre; cbn [den]. induction (units l) as [|u us (C & HC & IH)].
  - exists 0. split; [lra|]. intros; constructor.
  - pose proof (Rabs_pos (IZR (fst (snd u)) / IZR (den l))) as Hb. exists (Rabs (IZR (fst (snd u)) / IZR (den l)) + C). split; [lra|].
    intros s y Hs. cbn [map times]. constructor; [|eapply near_mono; [|apply (IH s y Hs)]; lra].
    rewrite <- passes_times by exact Hs. cbn [fst snd].
    eapply Rle_trans; [apply passes_near|]. unfold val, linear_row; cbn [fst snd]. rewrite dot_times.
    replace ((IZR (fst (snd u)) + s * dot (snd (snd u)) y) / IZR (den l) - s * ((0 + dot (snd (snd u)) y) / IZR (den l)))
      with (IZR (fst (snd u)) / IZR (den l)) by (unfold Rdiv; ring). lra.
Qed.
Lemma layer_far : forall l (g : bool -> bool), exists K C, 0 <= K /\ 0 <= C /\ forall s r x y, 0 <= s -> 0 <= r -> near r x (times s y) ->
  near (K * r + C) (map (fun u => passes (g (fst u)) (pre l u x)) (units l))
    (times s (map (fun u => passes (g (fst u)) (pre (linear_layer l) u y)) (units (linear_layer l)))).
Proof.
  intros l g. destruct (units_near l g) as (K & HK & N). destruct (bias_near l g) as (C & HC & B). exists K, C.
  split; [exact HK|]. split; [exact HC|]. intros s r x y Hs Hr H. eapply near_trans; [exact (N r _ _ Hr H)|exact (B s y Hs)].
Qed.
Lemma run_far : forall ls, exists K C, 0 <= K /\ 0 <= C /\ forall s r x y, 0 <= s -> 0 <= r -> near r x (times s y) ->
  near (K * r + C) (run_layers ls x) (times s (run_layers (map linear_layer ls) y)).
Proof.
  induction ls as [|l ls (K & C & HK & HC & IH)].
  - exists 1, 0. split; [lra|]. split; [lra|]. intros s r x y _ _ H. replace (1 * r + 0) with r by ring. exact H.
  - destruct (layer_far l (fun b => b)) as (K1 & C1 & HK1 & HC1 & N). exists (K * K1), (K * C1 + C).
    assert (0 <= K * K1) by (apply Rmult_le_pos; assumption). assert (0 <= K * C1) by (apply Rmult_le_pos; assumption).
    split; [assumption|]. split; [lra|]. intros s r x y Hs Hr H1. cbn [run_layers map].
    assert (0 <= K1 * r) by (apply Rmult_le_pos; assumption).
    eapply near_mono; [|apply (IH s (K1 * r + C1)); [exact Hs|lra|exact (N s r x y Hs Hr H1)]]. lra.
Qed.
Lemma eval_far : forall h l p r, exists C, 0 <= C /\ forall s x, 0 <= s -> near p x (times s r) -> 0 <= p ->
  near C (eval h l x) (times s (eval (map linear_layer h) (linear_layer l) r)).
Proof.
  intros h l p r. destruct (run_far h) as (K & C & HK & HC & R). destruct (layer_far l (fun _ => true)) as (K1 & C1 & HK1 & HC1 & N).
  destruct (Rle_or_lt 0 p) as [Hp|Hp]; [|exists 0; split; [lra|]; intros; lra].
  assert (0 <= K * p) by (apply Rmult_le_pos; assumption). assert (0 <= K1 * (K * p + C)) by (apply Rmult_le_pos; lra).
  exists (K1 * (K * p + C) + C1). split; [lra|]. intros s x Hs H1 _. unfold eval, affine. apply (N s _ _ _ Hs); [lra|].
  exact (R s p x r Hs Hp H1).
Qed.
Definition along (q : point) (s : R) (r : point) : point := map (fun uv => fst uv + s * snd uv) (combine q r).
Lemma along_length : forall q s r, length q = length r -> length (along q s r) = length q.
Proof. intros. unfold along. rewrite map_length, combine_length. lia. Qed.
Lemma dot_along : forall a q s r, length q = length r -> dot a (along q s r) = dot a q + s * dot a r.
Proof.
  induction a as [|k a IH]; intros [|u q] s [|v r] L; try discriminate; cbn [along combine map dot fst snd]; try ring.
  fold (along q s r). rewrite IH by (cbn in L; lia). ring.
Qed.
Lemma along_near : forall q r, length q = length r -> exists p, 0 <= p /\ forall s, near p (along q s r) (times s r).
Proof.
  induction q as [|u q IH]; intros [|v r] L; try discriminate; [exists 0; split; [lra|]; intros; constructor|].
  destruct (IH r ltac:(cbn in L; lia)) as (p & Hp & N). pose proof (Rabs_pos u). exists (Rabs u + p). split; [lra|]. intros s.
  cbn [along combine map times fst snd]. constructor; [|eapply near_mono; [|apply N]; lra].
  replace (u + s * v - s * v) with u by ring. lra.
Qed.
Lemma crossed_apart : forall e f y z, 0 < IZR e -> 0 < IZR f -> crossed e y f z = true -> exists D, 0 < D /\ forall a b A B s, 0 <= s ->
  near A a (times s (topoint e y)) -> near B b (times s (topoint f z)) ->
  Exists (fun uv => s * D - A - B <= Rabs (fst uv - snd uv)) (combine a b).
Proof.
  intros e f y z He Hf. revert z. induction y as [|u y IH]; intros [|v z] H; cbn [crossed] in H; try discriminate.
  destruct (Req_dec (IZR u / IZR e) (IZR v / IZR f)) as [E|E].
  - assert (H' : crossed e y f z = true).
    { apply orb_true_iff in H as [H|H]; [exfalso|exact H]. apply negb_true_iff, Z.eqb_neq in H. apply H. apply eq_IZR. rewrite !mult_IZR.
      assert (IZR u = IZR u / IZR e * IZR e) as -> by (field; lra). rewrite E. field. lra. }
    destruct (IH z H') as (D & HD & G). exists D. split; [exact HD|]. intros a b A B s Hs Na Nb. cbn [topoint times map] in Na, Nb.
    inversion Na as [|? ? ? ? _ Na']; inversion Nb as [|? ? ? ? _ Nb']; subst. cbn [combine].
    apply Exists_cons_tl. exact (G _ _ _ _ _ Hs Na' Nb').
  - set (u' := IZR u / IZR e) in *. set (v' := IZR v / IZR f) in *. exists (Rabs (u' - v')). split; [apply Rabs_pos_lt; lra|].
    intros a b A B s Hs Na Nb. cbn [topoint times map] in Na, Nb. fold u' in Na. fold v' in Nb.
    inversion Na as [|a0 ? a' ? Ca _]; inversion Nb as [|b0 ? b' ? Cb _]; subst. cbn [combine]. apply Exists_cons_hd. cbn [fst snd].
    assert (M : s * Rabs (u' - v') = Rabs (s * u' - s * v')) by (rewrite <- Rmult_minus_distr_l, Rabs_mult, (Rabs_pos_eq s) by exact Hs; reflexivity).
    rewrite M. unfold Rabs in *; repeat destruct Rcase_abs; lra.
Qed.
Theorem ray_sound : forall a b dom d p r, ray_ok a b dom d p r = true ->
  populated (fst a) dom /\ forall e, exceeds a b dom e.
Proof.
  intros [n [ha la]] [m [hb lb]] dom d p r H. unfold ray_ok in H.
  pose proof (zeval_sound (map linear_layer ha) (linear_layer la) 1 r) as A.
  pose proof (zeval_sound (map linear_layer hb) (linear_layer lb) 1 r) as B.
  destruct (zeval (map linear_layer ha) _ _) as [e y]. destruct (zeval (map linear_layer hb) _ _) as [f z].
  repeat (apply andb_true_iff in H as [H ?]). apply Z.ltb_lt in H1, H2. apply same_len_ok in H7.
  assert (Dl : forall ls, dens_ok ls = true -> dens_ok (map linear_layer ls) = true).
  { intros ls. unfold dens_ok. rewrite !forallb_forall. intros F l Hl. apply in_map_iff in Hl as (l0 & <- & Hl). exact (F _ Hl). }
  destruct (A ltac:(lra) (Dl _ H4) H2) as [He Ey]. destruct (B ltac:(lra) (Dl _ H3) H1) as [Hf Ez].
  assert (Hi : is_inside n (eqs dom) (inequalities dom) d p = true) by (unfold is_inside; rewrite H, H10, H9, H8; reflexivity).
  destruct (inside_sound n _ _ d p Hi) as [Lp [Ip1 Ip2]]. split; [exists (topoint d p); split; [exact Lp|split; assumption]|]. intros e0.
  set (q := topoint d p) in *. set (w := topoint 1 r) in *. assert (Lw : length w = length q) by (unfold w, topoint; rewrite map_length; congruence).
  destruct (along_near q w (eq_sym Lw)) as (r0 & Hr0 & Na).
  destruct (eval_far ha la r0 w) as (Ka & HKa & Fa). destruct (eval_far hb lb r0 w) as (Kb & HKb & Fb).
  set (s1 := eval (map linear_layer ha) (linear_layer la) w) in *. set (s2 := eval (map linear_layer hb) (linear_layer lb) w) in *.
  assert (Dif : exists D, 0 < D /\ forall a b A B s, 0 <= s -> near A a (times s s1) -> near B b (times s s2) ->
    Exists (fun uv => s * D - A - B <= Rabs (fst uv - snd uv)) (combine a b)).
  { rewrite <- Ey, <- Ez. apply crossed_apart; assumption. }
  destruct Dif as (D & HD & Dif). set (s := (Rabs e0 + Ka + Kb + 1) / D). pose proof (Rle_abs e0) as He0. pose proof (Rabs_pos e0) as Pe0.
  assert (Hs : 0 <= s) by (apply Rlt_le, Rdiv_lt_0_compat; lra).
  assert (Es : s * D = Rabs e0 + Ka + Kb + 1) by (unfold s; field; lra).
  exists (along q s w). cbn [fst]. split; [rewrite along_length by (symmetry; exact Lw); exact Lp|]. split.
  - assert (V : forall g, val g (along q s w) = val g q + s * val (linear_row g) w).
    { intros g. unfold val, linear_row; cbn [fst snd]. rewrite dot_along by (symmetry; exact Lw). ring. }
    assert (W : forall g, val (linear_row g) w = IZR (zval (linear_row g) 1 r)).
    { intros g. unfold w. rewrite val_topoint by lra. field. }
    rewrite forallb_forall in H5, H6. unfold solves in Ip1. rewrite Forall_forall in Ip1, Ip2.
    apply Forall_forall. intros [c g] Hc. cbn [fst snd]. rewrite V, W.
    assert (Le : c <> Zero -> 0 <= val g q + s * IZR (zval (linear_row g) 1 r)).
    { intros Nc. assert (Gi : In g (inequalities dom)) by (apply in_flat_map; exists (c, g); split; [exact Hc|]; destruct c; [contradiction|left; reflexivity|left; reflexivity]).
      specialize (Ip2 _ Gi). specialize (H5 _ Gi). apply Z.leb_le, IZR_le in H5.
      assert (0 <= s * IZR (zval (linear_row g) 1 r)) by (apply Rmult_le_pos; assumption). cbv beta in Ip2. lra. }
    destruct c; try (apply Le; discriminate).
    assert (Gi : In g (eqs dom)) by (apply in_flat_map; exists (Zero, g); split; [exact Hc|left; reflexivity]).
    specialize (H6 _ Gi). apply Z.eqb_eq in H6. rewrite H6, (Ip1 _ Gi). ring.
  - unfold differs, value; cbn [fst snd].
    pose proof (Dif _ _ Ka Kb s Hs (Fa s _ Hs (Na s) Hr0) (Fb s _ Hs (Na s) Hr0)) as X. revert X. apply Exists_impl. intros uv X. lra.
Qed.
