(* Outputs of two networks differ by at most a bound on the closure of a domain: trees with forms, whose leaves refute that they
   differ by more. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Bounds Regions Property Equality.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker ---- *)
Definition proof_of := (Z * list (Z * source))%type.      (* the multiplier of what is refuted, and those of rows and facts *)
Inductive wline := WForms (l : eline) | WLeaf (ga gb : list (list hint)) (us : list (proof_of * proof_of)).
Section Within.
Context {U V : Type} (n : list U) (dims : list V) (sc : Z) (ins : list row) (dom : system).
Context (ha : list layer) (la : layer) (hb : list layer) (lb : layer) (ats : list atom) (bound : Z * Z).
(* d(A - B) - e > 0, times p*q: f/p is A, g/q is B, e/d the bound *)
Definition beyond (p q : Z) (f g : row) : row :=
  fadd (Z.mul (fst bound) q) f (fadd (Z.opp (Z.mul (fst bound) p)) g (Z.opp (Z.mul (snd bound) (Z.mul p q)), [])).
Definition never_beyond (v : enode) (r : row) (u : proof_of) : bool :=
  match conds_of ats v (snd u) with Some cs => refutes ((fst u, (true, r)) :: cs) | None => false end.
Fixpoint all_near (v : enode) (p q : Z) (u w : list (bool * row)) (us : list (proof_of * proof_of)) : bool :=
  match u, w, us with
  | [], [], [] => true
  | (_, f) :: u', (_, g) :: w', (above, below) :: us' =>
      never_beyond v (beyond p q f g) above && never_beyond v (beyond q p g f) below && all_near v p q u' w' us'
  | _, _, _ => false
  end.
Definition near_ok (v : enode) (ga gb : list (list hint)) (us : list (proof_of * proof_of)) : bool :=
  match thru ats v ha ins sc ga, thru ats v hb ins sc gb with
  | Some (u, p), Some (w, q) => all_near v (Z.mul p (den la)) (Z.mul q (den lb)) (pre_rows la u p) (pre_rows lb w q) us
  | _, _ => false
  end.
Definition wstep (st : list enode) (l : wline) : option (list enode) :=
  match st, l with
  | _, WForms l => if is_leaf l then None else estep dims sc ins ha la hb lb ats st l
  | v :: st', WLeaf ga gb us => if near_ok v ga gb us then Some st' else None
  | [], _ => None
  end.
Fixpoint wsteps (st : list enode) (ls : list wline) : option (list enode) :=
  match ls with [] => Some st | l :: ls' => match wstep st l with Some st' => wsteps st' ls' | None => None end end.

(* ---- soundness ---- *)
Context (tab : list row) (Hsc : (0 < sc)%Z) (Hins : forallb (fun f => fits (snd f) dims) ins = true).
Context (Hats : forall t, length t = length dims -> Forall (right (ext tab t)) ats).
Context (Hda : dens_ok ha = true) (Hdb : dens_ok hb = true) (Hla : (0 < den la)%Z) (Hlb : (0 < den lb)%Z) (Hd : 0 < IZR (fst bound)).
Definition near_at (t : point) : Prop :=
  near (IZR (snd bound) / IZR (fst bound)) (eval ha la (image sc ins t)) (eval hb lb (image sc ins t)).
Lemma never_beyond_sound : forall v p q f g u t a b, length t = length dims -> on v (ext tab t) -> 0 < IZR p -> 0 < IZR q ->
  val f (ext tab t) = IZR p * a -> val g (ext tab t) = IZR q * b -> never_beyond v (beyond p q f g) u = true ->
  a - b <= IZR (snd bound) / IZR (fst bound).
Proof.
  intros v p q f g [m us] t a b L O Hp Hq Hf Hg H. unfold never_beyond in H; cbn [fst snd] in H.
  destruct (conds_of ats v us) as [cs|] eqn:C; [|discriminate]. destruct (Rle_or_lt (a - b) (IZR (snd bound) / IZR (fst bound))) as [G|G];
    [exact G|exfalso]. apply (refutes_sound _ (ext tab t) H). cbn [map snd]. constructor; [|exact (conds_sound _ _ _ _ _ C O (Hats t L))].
  unfold holds, beyond; cbn [fst snd]. rewrite !val_fadd, Hf, Hg, opp_IZR, !mult_IZR.
  assert (E : forall X, val (Z.opp (Z.mul (snd bound) (Z.mul p q)), []) X = - (IZR (snd bound) * (IZR p * IZR q)))
    by (intros X; unfold val; cbn [fst snd]; rewrite dot_nil_l, opp_IZR, !mult_IZR; ring).
  rewrite E. apply (Rmult_lt_compat_l (IZR (fst bound))) in G; [|exact Hd].
  replace (IZR (fst bound) * (IZR (snd bound) / IZR (fst bound))) with (IZR (snd bound)) in G by (field; lra).
  assert (P : 0 < IZR p * IZR q) by (apply Rmult_lt_0_compat; assumption).
  apply (Rmult_lt_compat_r (IZR p * IZR q)) in G; [|exact P]. lra.
Qed.
Lemma near_ok_sound : forall v ga gb us t, near_ok v ga gb us = true -> length t = length dims -> on v (ext tab t) -> near_at t.
Proof.
  intros v ga gb us t H L O. unfold near_ok in H.
  pose proof (start_ins dims sc ins tab Hsc Hins t L) as S. pose proof (Hats t L) as R.
  destruct (thru ats v ha ins sc ga) as [[u p]|] eqn:Ta; [|discriminate]. destruct (thru ats v hb ins sc gb) as [[w q]|] eqn:Tb; [|discriminate].
  destruct (thru_sound ats v _ O R _ _ _ _ _ _ _ Hda Hsc S Ta) as [Pp Fa]. destruct (thru_sound ats v _ O R _ _ _ _ _ _ _ Hdb Hsc S Tb) as [Pq Fb].
  apply (pre_rows_sound la _ _ _ _ Hla) in Fa. apply (pre_rows_sound lb _ _ _ _ Hlb) in Fb.
  unfold near_at, eval, affine. set (ya := run_layers ha _) in *. set (yb := run_layers hb _) in *.
  assert (Ha : 0 < IZR (p * den la)) by (apply IZR_lt, Z.mul_pos_pos; assumption).
  assert (Hb : 0 < IZR (q * den lb)) by (apply IZR_lt, Z.mul_pos_pos; assumption).
  set (P' := (p * den la)%Z) in *. set (Q' := (q * den lb)%Z) in *. clearbody P' Q'. clear Ta Tb.
  revert us Fb H. generalize (pre_rows lb w q) (units lb). induction Fa as [|[b f] x fs vs [_ Hf] Fa IH]; intros gs ws us Fb H.
  - destruct gs as [|[? ?] ?]; [|discriminate]. inversion Fb; subst. constructor.
  - destruct Fb as [|[b' g] x' gs ws [_ Hg] Fb]; [discriminate|]. destruct us as [|[above below] us]; [discriminate|]. cbn [all_near] in H.
    apply andb_true_iff in H as [H H3]. apply andb_true_iff in H as [H1 H2]. cbn [map]. constructor; [|exact (IH _ _ _ Fb H3)].
    cbn [snd] in *.
    pose proof (never_beyond_sound _ _ _ _ _ _ _ _ _ L O Ha Hb Hf Hg H1). pose proof (never_beyond_sound _ _ _ _ _ _ _ _ _ L O Hb Ha Hg Hf H2).
    unfold Rabs. destruct Rcase_abs; lra.
Qed.
Lemma wsteps_sound : forall ls st, wsteps st ls = Some [] -> Forall (done dims tab near_at) st.
Proof.
  induction ls as [|l ls IH]; intros st H; cbn in H; [inversion H; constructor|].
  destruct (wstep st l) as [st'|] eqn:E; [|discriminate]. specialize (IH _ H). destruct l as [l|ga gb us].
  - assert (E' : is_leaf l = false /\ estep dims sc ins ha la hb lb ats st l = Some st').
    { destruct st; cbn [wstep] in E; (destruct (is_leaf l); [discriminate|split; [reflexivity|exact E]]). }
    destruct E' as [Nl E']. eapply (estep_sound dims sc ins ha la hb lb ats tab Hsc Hins Hats Hda Hdb Hla Hlb); [|exact E'|exact IH].
    intros Y. rewrite Nl in Y. discriminate.
  - destruct st as [|v st]; cbn [wstep] in E; [discriminate|]. destruct (near_ok v ga gb us) eqn:O; [|discriminate]. inversion E; subst.
    constructor; [|exact IH]. exists []. split; [constructor|]. intros t L On _. eapply near_ok_sound; eassumption.
Qed.
End Within.

(* ---- on all of the closure ---- *)
Lemma near_all_le : forall K e u v, 0 <= K -> (forall r, 0 < r -> near (e + K * r) u v) -> near e u v.
Proof.
  intros K e u; induction u as [|a u IH]; intros v HK H; pose proof (H 1 ltac:(lra)) as H0; inversion H0 as [|? b ? v' _ _]; subst; constructor.
  - destruct (Rle_or_lt (Rabs (a - b)) e) as [G|G]; [exact G|exfalso]. set (r := (Rabs (a - b) - e) / (K + 1) / 2).
    assert (Hr : 0 < r) by (apply Rdiv_lt_0_compat; [apply Rdiv_lt_0_compat|]; lra). pose proof (H r Hr) as Hn. inversion Hn as [|? ? ? ? C _]; subst.
    assert (E : r * 2 * (K + 1) = Rabs (a - b) - e) by (unfold r; field; lra). nra.
  - apply IH; [exact HK|]. intros r Hr. specialize (H r Hr). inversion H; assumption.
Qed.
Theorem near_sound : forall U (n : list U) common ha la hb lb dom bound d p tab sc ins ats v lines, 0 < IZR (fst bound) ->
  eopened n common ha la hb lb dom d p tab = Some (sc, ins, ats, v) ->
  wsteps (edims n common dom) sc ins ha la hb lb ats bound [v] lines = Some [] ->
  (exists x, length x = length n /\ inner (eqs dom) (inequalities dom) x) /\
  forall x, length x = length n -> closure dom x -> near (IZR (snd bound) / IZR (fst bound)) (eval ha la x) (eval hb lb x).
Proof.
  intros U n common ha la hb lb dom bound d p tab sc ins ats v lines Hb O S.
  destruct (eopened_facts _ _ _ _ _ _ _ _ _ _ _ _ _ _ O) as ((Hs & F & Hat) & (Da & Db & La & Lb) & I). split; [exact I|].
  pose proof (wsteps_sound _ _ _ _ _ _ _ _ bound tab Hs F Hat Da Db La Lb Hb _ _ S) as D. apply Forall_inv in D. intros x Hx Cx.
  destruct (eval_near ha la) as (Ka & HKa & Na). destruct (eval_near hb lb) as (Kb & HKb & Nb).
  set (e := IZR (snd bound) / IZR (fst bound)). apply near_all_le with (K := Ka + Kb); [lra|]. intros r Hr.
  destruct (dense _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ O D x Hx Cx r Hr) as (t & Near & Nz). unfold near_at in Near.
  replace (e + (Ka + Kb) * r) with (Ka * r + (e + Kb * r)) by ring. apply near_trans with (eval ha la (image sc ins t)).
  - apply Na; [lra|exact Nz].
  - apply near_trans with (eval hb lb (image sc ins t)); [exact Near|]. apply near_sym, Nb; [lra|exact Nz].
Qed.
