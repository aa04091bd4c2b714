(* The other kinds: a statement is true if some claims are, and these are checked one after the other.

   [proved] is the theorem to believe the program by. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Bounds Regions Property Equality Join Checker Points Pairs Rewriting.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker ---- *)
Definition nowhere (n : list unit) : network := (n, ([], Layer 1 [])).           (* a network without outputs *)
(* d*y = v, output by output, v/d in lowest terms *)
Definition taken (n : list unit) (y : vector) : system :=
  map (fun vf : Z * row => let g := Z.gcd (fst vf) (fst y) in
    (Zero, (Z.opp (Z.div (fst vf) g), pad n [] ++ map (Z.mul (Z.div (fst y) g)) (snd (snd vf))))) (combine (snd y) (unit_rows (snd y))).
Definition pair_claims (a b : network) (bound : Z * Z) (cs : network -> list claim) : option (list claim) :=
  if Z.ltb 0 (fst bound) then option_map cs (paired a b) else None.
(* the claims that the statement follows from *)
Definition parts (s : statement) : option (list claim) :=
  match s with
  | Claimed c => Some [c]
  | Nonempty hold n s => Some [Property (negb hold) [nowhere n] [] [s]]
  | Value net x y signs => if value_ok net x y signs then Some [] else None
  | In_range hold net y dom =>
      if Z.ltb 0 (fst y) && same_len (snd y) (units (snd (snd net))) then Some [Property (negb hold) [net] dom [taken (fst net) y]] else None
  | Within hold a b e dom => pair_claims a b e (fun ab => [pair_claim hold Above a b ab e dom])
  | Largest exactly a b e dom => pair_claims a b e (fun ab =>
      if exactly then [pair_claim false Zero a b ab e dom; pair_claim true Above a b ab e dom] else [pair_claim false Least a b ab e dom])
  end.
Inductive stage := Stage (now : option (claim * state)) (rest : list claim).
Inductive move := Enter (d : Z) (p : list Z) | Take (l : entry) | Apply (r : rule).     (* a point inside of the next claim; an entry; a step *)

Section Kinds.
Context (common : row -> Z) (solve : list row -> list row -> option (Z * list (list Z))).
Definition first_stage (s : statement) : option stage := option_map (Stage None) (parts s).
Definition next_stage (g : stage) (m : move) : option stage :=
  match g, m with
  | Stage None (c :: cs), Enter d p => option_map (fun s => Stage (Some (c, s)) cs) (first_state common c d p)
  | Stage (Some (c, s)) cs, Take l =>
      option_map (fun s' => Stage (if accepted c s' then None else Some (c, s')) cs) (next_state common solve c s l)
  | Stage None (c :: cs), Apply r => option_map (fun new => Stage None (new ++ cs)) (apply_rule r c)
  | _, _ => None
  end.
Definition complete (g : stage) : bool := match g with Stage None [] => true | _ => false end.
Fixpoint stages (g : stage) (ms : list move) : option stage :=
  match ms with [] => Some g | m :: ms' => match next_stage g m with Some g' => stages g' ms' | None => None end end.

(* ---- all claims are true ---- *)
Definition true_claim (c : claim) : Prop := says c /\ not_vacuous c.
Definition begun (g : stage) : Prop :=
  match g with
  | Stage (Some (c, s)) _ => exists d p s0 ls, first_state common c d p = Some s0 /\ steps common solve c s0 ls = Some s
  | _ => True
  end.
Definition claims_of (g : stage) : list claim := match g with Stage (Some (c, _)) cs => c :: cs | Stage None cs => cs end.
Lemma steps_app : forall c ls s l s', steps common solve c s ls = Some s' ->
  steps common solve c s (ls ++ [l]) = next_state common solve c s' l.
Proof.
  induction ls as [|k ls IH]; intros s l s' H; cbn [steps app] in *.
  - inversion H; subst. destruct (next_state _ _ _ _ l); reflexivity.
  - destruct (next_state common solve c s k); [|discriminate]. apply IH. exact H.
Qed.
Lemma stages_sound : forall ms g g', stages g ms = Some g' -> complete g' = true -> begun g -> Forall true_claim (claims_of g).
Proof.
  induction ms as [|m ms IH]; intros g g' H C B; cbn [stages] in H.
  - inversion H; subst. destruct g' as [[?|] [|? ?]]; try discriminate. constructor.
  - destruct g as [[[c s]|] cs], m as [d p|l|r]; cbn [next_stage] in H; try discriminate; try (destruct cs; discriminate).
    + destruct (next_state common solve c s l) as [s'|] eqn:N; [|discriminate]. cbn [option_map] in H.
      destruct B as (d & p & s0 & ls & F & S). pose proof (steps_app c ls s0 l s S) as S'. rewrite N in S'.
      destruct (accepted c s') eqn:A; specialize (IH _ _ H C); cbn [claims_of] in *.
      * constructor; [exact (sound _ _ _ _ _ _ _ _ F S' A)|]. apply IH. exact I.
      * apply IH. exists d, p, s0, (ls ++ [l]). split; assumption.
    + destruct cs as [|c cs]; [discriminate|]. destruct (first_state common c d p) as [s|] eqn:F; [|discriminate].
      cbn [option_map] in H. specialize (IH _ _ H C). cbn [claims_of] in *. apply IH. exists d, p, s, []. split; [exact F|reflexivity].
    + destruct cs as [|c cs]; [discriminate|]. destruct (apply_rule r c) as [new|] eqn:R; [|discriminate].
      cbn [option_map] in H. specialize (IH _ _ H C I). cbn [claims_of] in *. apply Forall_app in IH as [T U].
      constructor; [exact (rule_sound _ _ _ R T)|exact U].
Qed.

(* ---- and so the statement is ---- *)
Lemma nowhere_evals : forall n x, evals [nowhere n] x = [].
Proof. intros. reflexivity. Qed.
Lemma Forall_iff_in : forall A (P Q : A -> Prop) l, (forall a, P a <-> Q a) -> Forall P l <-> Forall Q l.
Proof. intros A P Q l E. split; apply Forall_impl; intros a; apply E. Qed.
Lemma listed : forall U (P : Z -> R -> Prop) (m : list U) w o, length w = length m -> length o = length m ->
  Forall (fun vf => P (fst vf) (dot (snd (snd vf)) o)) (combine w (unit_rows m)) <-> Forall2 P w o.
Proof.
  intros U P. induction m as [|z m IH]; intros [|v w] [|y o] Lw Lo; try discriminate; cbn [unit_rows combine].
  - split; constructor.
  - assert (C : forall u, combine w (map (fun f : row => (fst f, 0%Z :: snd f)) u) =
      map (fun vf : Z * row => (fst vf, (fst (snd vf), 0%Z :: snd (snd vf)))) (combine w u)).
    { clear. induction w as [|v w IH]; intros [|f u]; try reflexivity. cbn [map combine fst snd]. rewrite IH. reflexivity. }
    rewrite Forall_cons_iff, C, Forall_map. cbn [fst snd dot]. rewrite Rmult_1_l, Rplus_0_r.
    assert (E : Forall (fun vf : Z * row => P (fst vf) (0 * y + dot (snd (snd vf)) o)) (combine w (unit_rows m)) <-> Forall2 P w o).
    { rewrite <- IH by (cbn in *; congruence). split; apply Forall_impl; intros vf; rewrite Rmult_0_l, Rplus_0_l; auto. }
    rewrite E. split; intros H; [destruct H; constructor; assumption|inversion H; split; assumption].
Qed.
Lemma taken_sound : forall n y x o, 0 < IZR (fst y) -> length x = length n -> length (snd y) = length o ->
  solution (taken n y) (x ++ o) <-> o = vec y.
Proof.
  intros n [d w] x o Hd Lx Lo. unfold taken, vec, solution; cbn [fst snd] in *. rewrite Forall_map. unfold meets; cbn [fst snd].
  apply lt_IZR in Hd.
  assert (E : forall vf : Z * row, let g := Z.gcd (fst vf) d in
    val (Z.opp (Z.div (fst vf) g), pad n [] ++ map (Z.mul (Z.div d g)) (snd (snd vf))) (x ++ o) = 0 <->
    dot (snd (snd vf)) o = IZR (fst vf) / IZR d).
  { intros [v f] g. cbn [fst snd] in *. unfold val; cbn [fst snd]. rewrite dot_pad, dot_nil_l, dot_multiplied, opp_IZR by exact Lx.
    assert (G : (g <> 0)%Z) by (intros G; apply Z.gcd_eq_0_r in G; lia).
    destruct (Z.gcd_divide_l v d) as [a Ha]. destruct (Z.gcd_divide_r v d) as [b Hb]. fold g in Ha, Hb.
    assert (Va : (v / g = a)%Z) by (rewrite Ha at 1; apply Z.div_mul; exact G).
    assert (Vb : (d / g = b)%Z) by (rewrite Hb at 1; apply Z.div_mul; exact G).
    rewrite Va, Vb. assert (Nb : IZR b <> 0) by (intros B; apply eq_IZR_R0 in B; nia).
    assert (Ng : IZR g <> 0) by (intros B; apply eq_IZR_R0 in B; contradiction).
    replace (IZR v / IZR d) with (IZR a / IZR b) by (rewrite Ha, Hb, !mult_IZR; field; auto). split; intros H.
    - apply (Rmult_eq_reg_l (IZR b)); [|exact Nb]. replace (IZR b * (IZR a / IZR b)) with (IZR a) by (field; exact Nb). lra.
    - rewrite H. field. exact Nb. }
  rewrite (Forall_iff_in _ _ _ _ E).
  rewrite (listed _ (fun v z => z = IZR v / IZR d) w w o eq_refl (eq_sym Lo)). clear. split.
  - intros H. induction H as [|v z w o H _ IH]; [reflexivity|]. cbn. rewrite H, <- IH. reflexivity.
  - intros ->. induction w; constructor; [reflexivity|assumption].
Qed.
Theorem proved : forall s g ms g', first_stage s = Some g -> stages g ms = Some g' -> complete g' = true -> means s.
Proof.
  intros s g ms g' F S C. unfold first_stage in F. destruct (parts s) as [cs|] eqn:P; [|discriminate]. cbn in F. inversion F; subst g.
  pose proof (stages_sound _ _ _ S C I) as T. cbn [claims_of] in T. clear F S C. destruct s; cbn [parts] in P.
  - inversion P; subst. exact (Forall_inv T).
  - inversion P; subst. apply Forall_inv in T as [T _]. cbn [says] in T. cbn [inputs flat_map nowhere fst] in T. rewrite app_nil_r in T.
    assert (Q : forall x, some_case [nowhere n] [s] x <-> solution s x).
    { intros x. unfold some_case. rewrite nowhere_evals, app_nil_r, Exists_cons, Exists_nil. tauto. }
    destruct hold; cbn [negb says means] in *.
    + destruct T as (x & L & _ & A). exists x. split; [exact L|]. apply Q. exact A.
    + intros x L A. apply (T x L); [constructor|]. apply Q. exact A.
  - destruct (value_ok net x y signs) eqn:V; [|discriminate]. apply value_sound. exact V.
  - destruct (_ && _) eqn:E; [|discriminate]. inversion P; subst. apply andb_true_iff in E as [Hd E]. apply Z.ltb_lt, IZR_lt in Hd.
    apply same_len_ok in E. apply Forall_inv in T as [T N]. destruct net as [n [h l]]. cbn [fst snd] in *.
    cbn [dimension domain not_vacuous says inputs flat_map fst] in *. unfold inputs in T; cbn [flat_map fst] in T.
    unfold not_vacuous, dimension, inputs in N; cbn [flat_map fst domain] in N. rewrite app_nil_r in T, N.
    assert (Q : forall x, length x = length n -> (some_case [(n, (h, l))] [taken n y] x <-> value (n, (h, l)) x = vec y)).
    { intros x L. unfold some_case. rewrite Exists_cons, Exists_nil. cbn [evals]. rewrite app_nil_r, firstn_all2 by lia.
      unfold value; cbn [fst snd]. rewrite (taken_sound n y x (eval h l x) Hd L); [tauto|]. unfold eval, affine. rewrite map_length. exact E. }
    destruct hold; cbn [negb says means] in *.
    + destruct T as (x & L & S & A). exists x. split; [exact L|]. split; [exact S|]. apply Q; assumption.
    + split; [exact N|]. intros x L S A. apply (T x L S). apply Q; assumption.
  - unfold pair_claims in P. destruct bound as [d e]. cbn [fst] in P. destruct (Z.ltb 0 d) eqn:Hd; [|discriminate]. apply Z.ltb_lt, IZR_lt in Hd.
    destruct (paired a b) as [ab|] eqn:H; [|discriminate]. inversion P; subst. apply Forall_inv in T as [T N]. cbn [means]. destruct hold.
    + split; [exact (pair_populated _ _ _ _ _ _ _ H N)|]. exact (never_exceeds _ _ _ _ _ _ Hd H T).
    + exact (exceeds_here _ _ _ _ _ _ Hd H T).
  - unfold pair_claims in P. destruct bound as [d e]. cbn [fst] in P. destruct (Z.ltb 0 d) eqn:Hd; [|discriminate]. apply Z.ltb_lt, IZR_lt in Hd.
    destruct (paired a b) as [ab|] eqn:H; [|discriminate]. inversion P; subst. cbn [means]. destruct exactly.
    + apply Forall_cons_iff in T as [[T _] T']. apply Forall_inv in T' as [T' _]. split.
      * exact (exceeds_below Zero _ _ _ _ _ _ Hd ltac:(discriminate) H T).
      * exact (never_exceeds _ _ _ _ _ _ Hd H T').
    + apply Forall_inv in T as [T _]. split; [exact (exceeds_below Least _ _ _ _ _ _ Hd ltac:(discriminate) H T)|exact I].
Qed.
End Kinds.
