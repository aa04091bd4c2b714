(* Every hidden layer has a preactivation >= 0 at every point of the domain: closed trees, on whose leaves a neuron of each layer is >= 0. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cones Cells Chart Bounds Regions Property.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker ---- *)
Inductive aline := AVisit (r : record) | ALeaf.
Definition active_unit (e : row * sign) : bool :=
  match snd e with On => true | Off => zeros (snd (fst e)) && Z.eqb (fst (fst e)) 0 | _ => false end.
Fixpoint layers_active (hidden : list layer) (ess : list (list (row * sign))) : bool :=
  match hidden, ess with
  | [], [] => true
  | l :: hidden', es :: ess' => same_len es (units l) && existsb active_unit es && layers_active hidden' ess'
  | _, _ => false
  end.
Section Active.
Context {U : Type} (n : list U) (dims : list U) (sc : Z) (ins : list row) (hidden : list layer) (dom : system).
Context (solve : list row -> list row -> option (Z * list (list Z))).
Definition active_leaf (v : node) : bool :=
  match rest v, rev (past v) ++ [now v] with
  | [], chart :: ess => same_len chart ins && layers_active hidden ess
  | _, _ => false
  end.
Definition active_root : node := start sc ins hidden (base_rows sc ins dom).
Definition astep (st : list node) (l : aline) : option (list node) :=
  match st, l with
  | v :: st', AVisit r => option_map (fun ps => ps ++ st') (visit false dims solve [] v r)
  | v :: st', ALeaf => if active_leaf v then Some st' else None
  | [], _ => None
  end.
Fixpoint asteps (st : list node) (ls : list aline) : option (list node) :=
  match ls with [] => Some st | l :: ls' => match astep st l with Some st' => asteps st' ls' | None => None end end.
Lemma asteps_app : forall ls st l st', asteps st ls = Some st' -> asteps st (ls ++ [l]) = astep st' l.
Proof.
  induction ls as [|k ls IH]; intros st l st' H; cbn [asteps app] in *; [inversion H; subst; destruct (astep st' l); reflexivity|].
  destruct (astep st k); [|discriminate]. apply IH. exact H.
Qed.

(* ---- soundness ---- *)
Let net : list layer := chart_layer sc ins :: hidden.
Definition loud (v : node) : Prop := forall t, length t = length dims -> sat (path v) t -> ~ silent hidden (image sc ins t).
Lemma Forall2_cut : forall A B (R : A -> B -> Prop) a c b d, length a = length c -> Forall2 R (a ++ b) (c ++ d) -> Forall2 R a c /\ Forall2 R b d.
Proof.
  induction a as [|x a IH]; intros [|y c] b d L H; try discriminate; [split; [constructor|exact H]|]. inversion H; subst.
  destruct (IH c b d ltac:(cbn in L; lia) ltac:(assumption)). split; [constructor; assumption|assumption].
Qed.
Lemma not_silent : forall h ess y x, layers_active h ess = true -> kept false (concat ess) (preactivations h y) x -> ~ silent h y.
Proof.
  induction h as [|l h IH]; intros [|es ess] y x A K; cbn [layers_active] in A; try discriminate; [exact (fun F => F)|].
  apply andb_true_iff in A as [A A3]. apply andb_true_iff in A as [A1 A2]. apply same_len_ok in A1. cbn [concat preactivations] in K.
  apply Forall2_cut in K as [K1 K2]; [|rewrite map_length; exact A1]. intros [S|S]; [|exact (IH _ _ _ A3 K2 S)].
  apply existsb_exists in A2 as (e & He & A2). rewrite Forall_forall in S.
  assert (Q : exists u, In u (units l) /\ exists c, 0 < c /\ val (fst e) x = c * pre l u y /\ known false (snd e) (pre l u y)).
  { clear - K1 He. revert K1. generalize (units l). induction es as [|g es IH]; intros us K; [contradiction|].
    destruct us as [|u us]; inversion K; subst. destruct He as [->|He]; [exists u; split; [left; reflexivity|assumption]|].
    destruct (IH He us) as (w & Hw & Q); [assumption|]. exists w. split; [right; exact Hw|exact Q]. }
  destruct Q as (u & Hu & c & Hc & E & Kn). specialize (S u Hu). unfold active_unit in A2. destruct (snd e); try discriminate; cbn in Kn; [|lra].
  apply andb_true_iff in A2 as [Z1 Z2]. apply Z.eqb_eq in Z2. rewrite (val_const _ _ Z1), Z2 in E. nra.
Qed.
Lemma active_leaf_loud : forall v, valid false dims [] net (zlen 0 ins) v -> active_leaf v = true -> loud v.
Proof.
  intros v [_ [bs V]] A t L S. destruct (V t L S) as [(Hf & _ & _ & zs & H1 & _ & _ & before & H4 & _ & H6) _]. apply IZR_lt in Hf.
  unfold active_leaf in A. destruct (rest v); [|discriminate]. cbn [preactivations] in H4. rewrite app_nil_r in H4.
  assert (K : kept false (concat (rev (past v) ++ [now v])) (preactivations net t) t).
  { rewrite H4, concat_app. cbn [concat]. rewrite app_nil_r. apply Forall2_app; [exact H6|].
    eapply Forall2_impl; [|exact H1]. cbn beta. intros e z [E Kz]. exists (IZR (factor v)). auto. }
  destruct (rev (past v) ++ [now v]) as [|chart ess]; [discriminate|]. apply andb_true_iff in A as [A1 A2]. apply same_len_ok in A1.
  unfold net in K. cbn [concat preactivations] in K. apply Forall2_cut in K as [_ K]; [|unfold chart_layer; cbn [units]; rewrite !map_length; exact A1].
  rewrite pass_chart in K. exact (not_silent _ _ _ _ A2 K).
Qed.
Lemma asteps_loud : forall ls st, asteps st ls = Some [] -> Forall (valid false dims [] net (zlen 0 ins)) st -> Forall loud st.
Proof.
  induction ls as [|l ls IH]; intros [|v st] H V; cbn [asteps astep] in H; try (constructor; fail); try discriminate.
  inversion V as [|? ? Vv Vs]; subst. destruct l as [r|].
  - destruct (visit _ _ _ _ v r) as [ps|] eqn:E; [|discriminate]. cbn [option_map] in H.
    destruct (visit_sound _ _ _ _ net (zlen 0 ins) _ _ _ Vv E) as [Vp C]. specialize (IH _ H ltac:(apply Forall_app; split; assumption)).
    apply Forall_app in IH as [Lp Ls]. constructor; [|exact Ls]. intros t L S. destruct C as [w E1|E1|f s p q N B C Ep Eq O].
    + apply Forall_inv in Lp. apply (Lp t L). rewrite E1. exact S.
    + destruct (E1 t S).
    + specialize (O eq_refl). subst s. destruct (Rle_or_lt 0 (val f t)) as [X|X].
      * apply Forall_inv_tail, Forall_inv in Lp. apply (Lp t L). rewrite Eq. constructor; [exact X|exact S].
      * apply Forall_inv in Lp. apply (Lp t L). rewrite Ep. constructor; [|exact S]. unfold holds; cbn. rewrite val_fneg. lra.
  - destruct (active_leaf v) eqn:A; [|discriminate]. constructor; [exact (active_leaf_loud v Vv A)|exact (IH _ H Vs)].
Qed.
End Active.

Theorem active_sound : forall (n : list unit) common solve hidden last dom d p dims sc ins ls,
  opened n common hidden last dom d p = Some (dims, sc, ins) ->
  asteps dims ins hidden solve [active_root sc ins hidden dom] ls = Some [] ->
  populated n dom /\ forall x, length x = length n -> solution dom x -> ~ silent hidden x.
Proof.
  intros n common solve hidden last dom d p dims sc ins ls O A. unfold opened in O. destruct (_ && is_inside _ _ _ _ _) eqn:E; [|discriminate].
  apply andb_true_iff in E as [E Ins]. apply andb_true_iff in E as [Hd _].
  split; [exists (topoint d p); apply (inside_sound n _ _ d p); exact Ins|].
  destruct (chart_sound _ _ _ _ _ _ _ _ _ _ _ (units_ok _ n) O) as (Hs & Hi & Q & Q1 & _ & _ & Q4).
  destruct (start_valid false dims [] (chart_layer sc ins :: hidden) (zlen 0 ins) sc ins hidden (base_rows sc ins dom) Hs Hd eq_refl eq_refl) as [V Vp];
    [discriminate|intros x _ _ k up []|].
  pose proof (asteps_loud dims sc ins hidden solve ls _ A (Forall_cons _ V (Forall_nil _))) as Lo. apply Forall_inv in Lo.
  intros x Hx S. pose proof (solution_solves dom x S) as Sx.
  pose proof (Q4 x Hx Sx) as X. rewrite <- X. apply Lo; [apply Q1; exact Hx|]. unfold active_root. rewrite Vp. apply Forall_rev.
  apply base_sat; [exact Hs|rewrite X; exact S].
Qed.
