(* Signs of neurons that are known on all of a domain before its tree begins: by a tree of their own (KS4, KS5). *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cones Cells Chart Regions Bounds Known Equality.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker: an open tree, on whose leaves the neurons that are named have their signs, or are 0 throughout ---- *)
Inductive dline := Deeper (r : record) | Leaf.
Definition shows_sign (e : row * sign) (up : bool) : bool :=
  match snd e with
  | On => up
  | Off => negb up || (zeros (snd (fst e)) && Z.eqb (fst (fst e)) 0)
  | _ => false
  end.
Section Tree.
Context {U : Type} (dims : list U) (solve : list row -> list row -> option (Z * list (list Z))).
Context (known_signs : list (Z * bool)) (offset : Z).
Definition shows_all (v : node) (ss : list (Z * bool)) : bool :=
  let es := concat (rev (past v)) ++ now v in
  forallb (fun s => match nthz es (Z.add (fst s) offset) with Some e => shows_sign e (snd s) | None => false end) ss.
Definition dstep (ss : list (Z * bool)) (st : list node) (l : dline) : option (list node) :=
  match st, l with
  | v :: vs, Deeper r => option_map (fun ps => ps ++ vs) (visit true dims solve known_signs v r)
  | v :: vs, Leaf => if shows_all v ss then Some vs else None
  | [], _ => None
  end.
Fixpoint dsteps (ss : list (Z * bool)) (st : list node) (ls : list dline) : option (list node) :=
  match ls with [] => Some st | l :: ls' => match dstep ss st l with Some st' => dsteps ss st' ls' | None => None end end.

(* ---- soundness: off some hyperplanes the signs hold ---- *)
Context (net : list layer).
Definition done (ss : list (Z * bool)) (v : node) : Prop := exists H, Forall (fun f => nonconstant dims f = true) H /\
  forall t, length t = length dims -> sat (path v) t -> avoids H t -> told net offset ss t.
Lemma kept_nth : forall es zs x j e, kept true es zs x -> nthz es j = Some e ->
  (0 <= j)%Z /\ (Z.to_nat j < length zs)%nat /\ exists c, 0 < c /\ val (fst e) x = c * nth (Z.to_nat j) zs 0 /\ known true (snd e) (nth (Z.to_nat j) zs 0).
Proof.
  induction es as [|g es IH]; intros zs x j e K N; cbn in N; [discriminate|]. inversion K as [|? z ? zs' Hz K']; subst.
  destruct (Z.eqb_spec j 0) as [->|Ne]; [inversion N; subst; cbn; split; [lia|]; split; [lia|exact Hz]|].
  destruct (Z_lt_le_dec j 0) as [G|G]; [rewrite nthz_neg in N by lia; discriminate|].
  destruct (IH _ _ _ _ K' N) as (A & B & C). replace (Z.to_nat j) with (S (Z.to_nat (Z.pred j))) by lia.
  split; [exact G|]. split; [cbn; lia|exact C].
Qed.
Lemma shown_told : forall v ss x, valid true dims known_signs net offset v -> shows_all v ss = true -> length x = length dims ->
  sat (path v) x -> told net offset ss x.
Proof.
  intros v ss x [_ [bs V]] H L S k up Hin. destruct (V x L S) as [(_ & _ & _ & zs & H1 & _ & _ & before & H4 & _ & H6) _].
  unfold shows_all in H. rewrite forallb_forall in H. specialize (H _ Hin). cbn [fst snd] in H.
  destruct (nthz _ (k + offset)) as [[f s]|] eqn:N; [|discriminate].
  assert (K : kept true (concat (rev (past v)) ++ now v) (before ++ zs) x).
  { apply Forall2_app; [exact H6|]. destruct (V x L S) as [(Hf & _) _]. apply IZR_lt in Hf.
    eapply Forall2_impl; [|exact H1]. cbn beta. intros e z [E Kz]. exists (IZR (factor v)). auto. }
  destruct (kept_nth _ _ _ _ _ K N) as (_ & Lt & c & Hc & E & Kz). rewrite H4, app_assoc, app_nth1 by exact Lt.
  set (z := nth _ _ 0) in *. cbn [fst snd] in *. unfold shows_sign in H; cbn [fst snd] in H. destruct s; cbn in Kz; try discriminate.
  - destruct up; [|exact Kz]. cbn in H. apply andb_true_iff in H as [Z1 Z2]. apply Z.eqb_eq in Z2.
    rewrite (val_const _ _ Z1), Z2 in E. nra.
  - subst up. lra.
Qed.
Lemma dstep_sound : forall ss st l st', dstep ss st l = Some st' -> Forall (valid true dims known_signs net offset) st ->
  Forall (valid true dims known_signs net offset) st' /\ (Forall (done ss) st' -> Forall (done ss) st).
Proof.
  intros ss [|v st] l st' H V; [discriminate|]. inversion V as [|? ? Vv Vs]; subst. destruct l as [r|]; cbn [dstep] in H.
  - destruct (visit _ _ _ _ v r) as [ps|] eqn:E; [|discriminate]. inversion H; subst. clear H.
    destruct (visit_sound _ _ _ _ net offset _ _ _ Vv E) as [Vp C]. split; [apply Forall_app; split; assumption|].
    intros D. apply Forall_app in D as [Dp D]. constructor; [|exact D]. destruct C as [w E1|E1|f s p q N S B Ep Eq O].
    + inversion Dp as [|? ? (H & N & A) _]; subst. exists H. rewrite E1 in A. split; assumption.
    + exists []. split; [constructor|]. intros t L S _. exfalso. exact (E1 t S).
    + rewrite (S eq_refl) in *. inversion Dp as [|? ? (H1 & N1 & A1) Dq]; subst. inversion Dq as [|? ? (H2 & N2 & A2) _]; subst.
      exists (f :: H1 ++ H2). split; [constructor; [exact N|apply Forall_app; split; assumption]|].
      intros t L St A. inversion A as [|? ? A0 A']; subst. apply Forall_app in A' as [B1 B2].
      destruct (Rtotal_order (val f t) 0) as [X|[X|X]]; [|contradiction|].
      * apply A1; [exact L| |exact B1]. rewrite Ep. constructor; [unfold holds; cbn; rewrite val_fneg; lra|exact St].
      * apply A2; [exact L| |exact B2]. rewrite Eq. constructor; [unfold holds; cbn; lra|exact St].
  - destruct (shows_all v ss) eqn:S; [|discriminate]. inversion H; subst. split; [exact Vs|]. intros D. constructor; [|exact D].
    exists []. split; [constructor|]. intros t L St _. exact (shown_told v ss t Vv S L St).
Qed.
Lemma dsteps_sound : forall ss ls st, dsteps ss st ls = Some [] -> Forall (valid true dims known_signs net offset) st -> Forall (done ss) st.
Proof.
  intros ss. induction ls as [|l ls IH]; intros st H V; cbn [dsteps] in H; [inversion H; constructor|].
  destruct (dstep ss st l) as [st'|] eqn:E; [|discriminate]. destruct (dstep_sound _ _ _ _ E V) as [V' D]. apply D, IH; assumption.
Qed.
Lemma dsteps_app : forall ss ls ls' st, dsteps ss st (ls ++ ls') =
  match dsteps ss st ls with Some st' => dsteps ss st' ls' | None => None end.
Proof. induction ls as [|l ls IH]; intros ls' st; cbn [app dsteps]; [reflexivity|]. destruct (dstep ss st l); [apply IH|reflexivity]. Qed.

(* ---- and they hold everywhere on the closure ---- *)
Lemma pre_near : forall ls, exists K, 0 <= K /\ forall r x y, 0 <= r -> near r x y -> near (K * r) (preactivations ls x) (preactivations ls y).
Proof.
  induction ls as [|l ls (K & HK & IH)]; [exists 0; split; [lra|]; intros; constructor|].
  destruct (units_near l (fun _ => true)) as (K1 & HK1 & N1). destruct (units_near l (fun b => b)) as (K2 & HK2 & N2).
  assert (0 <= K * K2) by (apply Rmult_le_pos; assumption). exists (K1 + K * K2). split; [lra|]. intros r x y Hr H0. cbn [preactivations].
  assert (0 <= K1 * r) by (apply Rmult_le_pos; assumption). assert (0 <= K * K2 * r) by (apply Rmult_le_pos; assumption).
  apply Forall2_app; [eapply near_mono; [|apply (N1 r x y Hr H0)]; lra|].
  eapply near_mono; [|apply (IH (K2 * r)); [apply Rmult_le_pos; assumption|apply (N2 r x y Hr H0)]]. lra.
Qed.
Lemma near_nth : forall r u v i, 0 <= r -> near r u v -> Rabs (nth i u 0 - nth i v 0) <= r.
Proof.
  intros r u v i Hr H. revert i; induction H as [|a b u v Hab _ IH]; intros [|i]; cbn; auto; rewrite Rminus_eq_0, Rabs_R0; exact Hr.
Qed.
Lemma dense : forall H (ks : list cond) t0 t r, Forall (fun f => nonconstant dims f = true) H -> length t0 = length dims ->
  length t = length dims -> Forall (fun k : cond => 0 < val (snd k) t0) ks -> Forall (fun k : cond => 0 <= val (snd k) t) ks -> 0 < r ->
  exists t', length t' = length dims /\ near r t t' /\ Forall (fun k : cond => 0 < val (snd k) t') ks /\ avoids H t'.
Proof.
  intros H ks t0 t r N L0 L P0 P Hr. assert (Lt : length t = length t0) by congruence. destruct (mix_near t t0 Lt) as (M & HM & Mn).
  set (s := Rmin 1 (r / 2 / (M + 1))). assert (Hq : 0 < r / 2 / (M + 1)) by (apply Rdiv_lt_0_compat; lra).
  assert (Hs0 : 0 < s) by (apply Rmin_glb_lt; lra). assert (Hs1 : s <= 1) by apply Rmin_l.
  assert (Hs2 : s * M <= r / 2).
  { apply Rle_trans with (r / 2 / (M + 1) * M); [apply Rmult_le_compat_r; [exact HM|apply Rmin_r]|].
    apply Rmult_le_reg_r with (M + 1); [lra|]. field_simplify; [|lra]. nra. }
  set (y := mix s t t0). assert (Ly : length y = length dims) by (unfold y; rewrite length_mix by exact Lt; exact L).
  assert (Py : Forall (fun k : cond => 0 < val (snd k) y) ks).
  { rewrite Forall_forall in *. intros k Hk. unfold y. rewrite val_mix by exact Lt. specialize (P k Hk). specialize (P0 k Hk). cbv beta in *.
    assert (0 <= (1 - s) * val (snd k) t) by (apply Rmult_le_pos; lra). assert (0 < s * val (snd k) t0) by (apply Rmult_lt_0_compat; assumption). lra. }
  destruct (open_box ks y Py) as (r1 & Hr1 & B). assert (Hrho : 0 < Rmin r1 (r / 2)) by (apply Rmin_glb_lt; lra).
  destruct (avoid dims H y _ N Hrho Ly) as (t' & Nt & Av). exists t'. split; [rewrite (near_len _ _ _ Nt); exact Ly|]. split; [|split; [|exact Av]].
  - replace r with (r / 2 + r / 2) by field. apply near_trans with y; [eapply near_mono; [exact Hs2|apply Mn; lra]|].
    eapply near_mono; [apply Rmin_r|exact Nt].
  - apply B. eapply near_mono; [apply Rmin_l|exact Nt].
Qed.
Lemma closure_told : forall ss v ks t0 t, done ss v -> path v = rev ks -> length t0 = length dims -> length t = length dims ->
  Forall (fun k : cond => 0 < val (snd k) t0) ks -> Forall (fun k : cond => 0 <= val (snd k) t) ks -> told net offset ss t.
Proof.
  intros ss v ks t0 t (H & N & D) Ep L0 L P0 P k up Hin. destruct (pre_near net) as (K & HK & Near). set (i := Z.to_nat (k + offset)).
  set (z := fun x => nth i (preactivations net x) 0).
  enough (forall e, 0 < e -> if up then - e <= z t else z t <= e) as G.
  { change (if up then 0 <= z t else z t <= 0). destruct up; [destruct (Rle_or_lt 0 (z t)) as [|X]; [assumption|specialize (G (- z t / 2))]|
      destruct (Rle_or_lt (z t) 0) as [|X]; [assumption|specialize (G (z t / 2))]]; lra. }
  intros e He. set (r := e / (K + 1)). assert (Hr : 0 < r) by (apply Rdiv_lt_0_compat; lra).
  destruct (dense H ks t0 t r N L0 L P0 P Hr) as (t' & L' & Nt & P' & Av).
  assert (T : told net offset ss t') by (apply D; [exact L'|rewrite Ep; apply Forall_rev_iff, positive_sat; exact P'|exact Av]).
  specialize (T k up Hin). cbv zeta in T. fold i in T. change (if up then 0 <= z t' else z t' <= 0) in T.
  assert (C : Rabs (z t - z t') <= K * r) by (apply near_nth; [apply Rmult_le_pos; lra|apply Near; [lra|exact Nt]]).
  assert (K * r <= e) by (unfold r; apply Rmult_le_reg_r with (K + 1); [lra|]; field_simplify; [|lra]; nra).
  destruct up; revert C; unfold Rabs; destruct Rcase_abs; lra.
Qed.
End Tree.

Theorem decided_told : forall U (dims : list U) solve known sc ins fs hidden ss ls t0, (0 < sc)%Z -> dens_ok hidden = true ->
  length t0 = length dims -> Forall (fun f => 0 < val f (image sc ins t0)) fs ->
  let told_at := told (chart_layer sc ins :: hidden) (zlen 0 ins) in
  (forall t, length t = length dims -> inside_closed sc ins fs t -> told_at known t) ->
  dsteps dims solve known (zlen 0 ins) ss [root fs hidden sc ins] ls = Some [] ->
  forall t, length t = length dims -> inside_closed sc ins fs t -> told_at ss t.
Proof.
  intros U dims solve known sc ins fs hidden ss ls t0 Hs Hd L0 P0 told_at T H t L C. unfold told_at in *.
  set (net := chart_layer sc ins :: hidden) in *. unfold root in H. set (v := start _ _ _ _) in *.
  destruct (start_valid true dims known net (zlen 0 ins) sc ins hidden (conditions fs sc ins) Hs Hd eq_refl eq_refl) as [V Vp].
  { intros _. constructor; [reflexivity|]. rewrite Forall_map. apply Forall_forall. reflexivity. }
  { intros x Lx Sx. apply T; [exact Lx|]. apply conditions_sat in Sx; [|exact Hs]. eapply Forall_impl; [|exact Sx]. intros f Hf. apply Rlt_le. exact Hf. }
  fold v in V, Vp. apply (dsteps_sound dims solve known (zlen 0 ins) net) in H; [|constructor; [exact V|constructor]].
  assert (W : forall x f, val (pull sc ins f) x = IZR sc * val f (image sc ins x)) by (intros; apply val_pull; exact Hs). apply IZR_lt in Hs.
  apply (closure_told dims (zlen 0 ins) net ss v (conditions fs sc ins) t0 t (Forall_inv H) Vp L0 L); unfold conditions;
    (constructor; [unfold val; cbn; lra|]); rewrite Forall_map; cbn [snd].
  - eapply Forall_impl; [|exact P0]. intros f Hf. cbv beta. rewrite W. apply Rmult_lt_0_compat; assumption.
  - eapply Forall_impl; [|exact C]. intros f Hf. cbv beta. rewrite W. apply Rmult_le_pos; [lra|exact Hf].
Qed.

(* ---- neurons whose sign is known, as ends of bounds, with which they become linear units ---- *)
Fixpoint infos_here {A} (ss : list (Z * bool)) (us : list A) (k : Z) : list info :=
  match us with
  | [] => []
  | _ :: us' => (match lookup k ss with
                 | Some true => Info (Some 0%Z) None None None
                 | Some false => Info None (Some 0%Z) None None
                 | None => noinfo end) :: infos_here ss us' (Z.succ k)
  end.
Fixpoint infos_of (ss : list (Z * bool)) (ls : list layer) (k : Z) : infos :=
  match ls with [] => [] | l :: ls' => infos_here ss (units l) k :: infos_of ss ls' (zlen k (units l)) end.
Lemma infos_fine : forall ss ls k t y, dens_ok ls = true ->
  (forall j up, lookup j ss = Some up -> (k <= j)%Z -> has_sign up (nth (Z.to_nat (j - k)) (preactivations ls y) 0)) ->
  fine ls (infos_of ss ls k) t y.
Proof.
  intros ss. induction ls as [|l ls IH]; intros k t y D T; [exact I|]. cbn [infos_of fine hd tl]. cbn in D. apply andb_true_iff in D as [D1 D2].
  split; [apply IZR_lt, Z.ltb_lt; exact D1|]. cbn [preactivations] in T. split.
  - clear IH. revert T. generalize (preactivations ls (pass l y)). revert k. induction (units l) as [|u us IH]; intros k tail T; [exact I|].
    cbn [infos_here known_units]. split.
    + specialize (T k). rewrite Z.sub_diag in T. cbn [map app nth Z.to_nat] in T.
      destruct (lookup k ss) as [[|]|]; [| |apply noinfo_known]; specialize (T _ eq_refl (Z.le_refl k)); cbn [has_sign] in T;
        pose proof P_pos; unfold known1; cbn; repeat split; try exact I; nra.
    + apply (IH (Z.succ k) tail). intros j up Hj Hk. specialize (T j up Hj ltac:(lia)). cbn [map app] in T.
      replace (Z.to_nat (j - k)) with (S (Z.to_nat (j - Z.succ k))) in T by lia. exact T.
  - apply IH; [exact D2|]. intros j up Hj Hk. rewrite zlen_length in *. specialize (T j up Hj ltac:(lia)).
    rewrite app_nth2 in T by (rewrite map_length; lia). rewrite map_length in T.
    replace (Z.to_nat (j - k) - length (units l))%nat with (Z.to_nat (j - (k + Z.of_nat (length (units l))))) in T by lia. exact T.
Qed.
Theorem told_fine : forall sc ins hidden ss t, dens_ok hidden = true -> told (chart_layer sc ins :: hidden) (zlen 0 ins) ss t ->
  fine hidden (infos_of ss hidden 0) t (image sc ins t).
Proof.
  intros sc ins hidden ss t D T. apply infos_fine; [exact D|]. intros j up Hj G. specialize (T j up (lookup_in _ _ _ Hj)). cbv zeta in T.
  cbn [preactivations chart_layer units] in T. rewrite zlen_length in T. rewrite app_nth2 in T by (rewrite !map_length; lia). rewrite !map_length in T.
  replace (Z.to_nat (j + (0 + Z.of_nat (length ins))) - length ins)%nat with (Z.to_nat (j - 0)) in T by lia.
  assert (E : pass (chart_layer sc ins) t = image sc ins t) by (unfold pass, image, chart_layer; cbn [units]; rewrite map_map; reflexivity).
  rewrite E in T. exact T.
Qed.
