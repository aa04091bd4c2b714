(* The other kinds: a statement is true if some claims are, and these are checked one after the other.

   [proved] is the theorem to believe the program by. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Bounds Regions Property Equality Within Join Checker Points Pairs Rays Seen Active Ranks Rewriting.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker ---- *)
Definition nowhere (n : list unit) : network := (n, ([], Layer 1 [])).           (* a network without outputs *)
(* d*y = v, output by output, v/d in lowest terms *)
Definition taken (n : list unit) (y : vector) : system :=
  map (fun vf : Z * row => let g := Z.gcd (fst vf) (fst y) in
    (Zero, (Z.opp (Z.div (fst vf) g), pad n [] ++ map (Z.mul (Z.div (fst y) g)) (snd (snd vf))))) (combine (snd y) (unit_rows (snd y))).
Definition pair_claims {A} (a b : network) (bound : Z * Z) (cs : network -> list A) : option (list A) :=
  if Z.ltb 0 (fst bound) then option_map cs (paired a b) else None.
(* what a statement follows from; [cells] tells whether regions are shown by trees, and differences by trees with forms *)
Inductive goal := Claim (c : claim) | Near (a b : network) (bound : Z * Z) (dom : system) | Far (a b : network) (dom : system)
| Witness (s : statement) (n : list unit) (dom : system) | Count (count : Z) (net : network) (dom : system)
| Active (net : network) (dom : system) | Ranked (rows : list (list Z)) (rank : Z).
Definition parts (cells : bool) (s : statement) : option (list goal) :=
  match s with
  | Claimed (Regions true k net dom) => Some [if cells then Claim (Regions true k net dom) else Count k net dom]
  | Claimed c => Some [Claim c]
  | Nonempty hold n s => Some [Claim (Property (negb hold) [nowhere n] [] [s])]
  | Value net x y signs => if value_ok net x y signs then Some [] else None
  | In_range hold net y dom =>
      if Z.ltb 0 (fst y) && same_len (snd y) (units (snd (snd net))) then Some [Claim (Property (negb hold) [net] dom [taken (fst net) y])] else None
  | Within hold a b e dom => pair_claims a b e (fun ab =>
      [if hold && cells then Near a b e dom else Claim (pair_claim hold Above a b ab e dom)])
  | Largest exactly a b e dom => pair_claims a b e (fun ab =>
      if exactly
      then [Claim (pair_claim false Zero a b ab e dom); if cells then Near a b e dom else Claim (pair_claim true Above a b ab e dom)]
      else [Claim (pair_claim false Least a b ab e dom)])
  | Unbounded a b dom => Some [Far a b dom]
  | Rank rows rank => Some [Ranked rows rank]
  | Transparent true net dom => Some [Active net dom]
  | Transparent false net dom | Not_injective net _ _ dom => Some [Witness s (fst net) dom]
  | Layer_not_injective _ n _ dom => Some [Witness s n dom]
  end.
Inductive work :=
| Checking (s : state)
| Placing (d : Z) (p : list Z) | Forming (sc : Z) (ins : list row) (ats : list atom) (st : list enode) | Shown_all | Counting (ss : list (list bool))
| Walking (dims : list unit) (sc : Z) (ins : list row) (st : list node).
Inductive input := Line (l : entry) | Leafed (l : wline) | Along (r : list Z) | Points (ps : list (Z * list Z)) | Walk (l : aline)
| Spans (places : list Z) (sums : list (Z * list Z)) (d : Z) (duals : list (list Z)).
Inductive stage := Stage (now : option (goal * work)) (rest : list goal).
Inductive move := Enter (d : Z) (p : list Z) | Take (i : input) | Apply (r : rule).     (* a point inside of the next domain; a line; a step *)

Section Kinds.
Context (common : row -> Z) (solve : list row -> list row -> option (Z * list (list Z))).
Definition start_goal (g : goal) (d : Z) (p : list Z) : option work :=
  match g with
  | Claim c => option_map Checking (first_state common c d p)
  | Count _ (n, _) dom => if is_inside n (eqs dom) (inequalities dom) d p then Some (Counting []) else None
  | Active (n, (hidden, last)) dom => option_map (fun r => let '(dims, sc, ins) := r in Walking dims sc ins [active_root sc ins hidden dom])
      (opened n common hidden last dom d p)
  | _ => Some (Placing d p)
  end.
Definition step_goal (g : goal) (w : work) (i : input) : option work :=
  match g, w, i with
  | Claim c, Checking s, Line l => option_map Checking (next_state common solve c s l)
  | Near (n, (ha, la)) (_, (hb, lb)) _ dom, Placing d p, Line (Atoms tab) =>
      option_map (fun r => let '(sc, ins, ats, v) := r in Forming sc ins ats [v]) (eopened n common ha la hb lb dom d p tab)
  | Near (n, (ha, la)) (_, (hb, lb)) bound dom, Forming sc ins ats st, Leafed l =>
      option_map (Forming sc ins ats) (wstep (edims n common dom) sc ins ha la hb lb ats bound st l)
  | Far a b dom, Placing d p, Along r => if ray_ok a b dom d p r then Some Shown_all else None
  | Count _ net dom, Counting ss, Points [(d, p)] => option_map Counting (seen net dom d p ss)
  | Active (_, (hidden, _)) dom, Walking dims sc ins st, Walk l => option_map (Walking dims sc ins) (astep dims ins hidden solve st l)
  | Ranked rows rank, Placing _ _, Spans ps sums d ds => if rank_ok rows rank ps sums d ds then Some Shown_all else None
  | Witness s n dom, Placing d p, Points ps =>
      if is_inside n (eqs dom) (inequalities dom) d p && witness_ok s ps then Some Shown_all else None
  | _, _, _ => None
  end.
Definition end_goal (g : goal) (w : work) : bool :=
  match g, w with Claim c, Checking s => accepted c s | Near _ _ _ _, Forming _ _ _ [] => true | Far _ _ _, Shown_all | Witness _ _ _, Shown_all | Ranked _ _, Shown_all => true
  | Count k _ _, Counting ss => Z.leb k (zlen 0 ss) | Active _ _, Walking _ _ _ [] => true | _, _ => false end.
Definition rule_for (r : rule) (g : goal) : option (list goal) :=
  match g with Claim c => option_map (map Claim) (apply_rule r c) | _ => None end.

Definition first_stage (cells : bool) (s : statement) : option stage := option_map (Stage None) (parts cells s).
Definition next_stage (g : stage) (m : move) : option stage :=
  match g, m with
  | Stage None (c :: cs), Enter d p => option_map (fun w => Stage (if end_goal c w then None else Some (c, w)) cs) (start_goal c d p)
  | Stage (Some (c, w)) cs, Take i =>
      option_map (fun w' => Stage (if end_goal c w' then None else Some (c, w')) cs) (step_goal c w i)
  | Stage None (c :: cs), Apply r => option_map (fun new => Stage None (new ++ cs)) (rule_for r c)
  | _, _ => None
  end.
Definition complete (g : stage) : bool := match g with Stage None [] => true | _ => false end.
Fixpoint stages (g : stage) (ms : list move) : option stage :=
  match ms with [] => Some g | m :: ms' => match next_stage g m with Some g' => stages g' ms' | None => None end end.

(* ---- all parts are true ---- *)
Definition true_goal (g : goal) : Prop :=
  match g with
  | Claim c => says c /\ not_vacuous c
  | Near a b bound dom => 0 < IZR (fst bound) -> populated (fst a) dom /\
      forall x, length x = length (fst a) -> closure dom x -> near (number bound) (value a x) (value b x)
  | Far a b dom => means (Unbounded a b dom)
  | Witness s _ _ => means s
  | Count k net dom => populated (fst net) dom /\ exists ss, all_regions net dom ss /\ (k <= Z.of_nat (length ss))%Z
  | Active net dom => means (Transparent true net dom)
  | Ranked rows rank => has_rank rows rank
  end.
Definition reached (g : goal) (w : work) : Prop :=
  match g, w with
  | Claim c, Checking s => exists d p s0 ls, first_state common c d p = Some s0 /\ steps common solve c s0 ls = Some s
  | Near (n, (ha, la)) (_, (hb, lb)) bound dom, Forming sc ins ats st => exists d p tab v ls,
      eopened n common ha la hb lb dom d p tab = Some (sc, ins, ats, v) /\
      wsteps (edims n common dom) sc ins ha la hb lb ats bound [v] ls = Some st
  | Far _ _ _, Shown_all | Witness _ _ _, Shown_all | Ranked _ _, Shown_all => true_goal g
  | Count _ net dom, Counting ss => populated (fst net) dom /\ all_regions net dom ss
  | Active (n, (hidden, last)) dom, Walking dims sc ins st => exists d p ls, opened n common hidden last dom d p = Some (dims, sc, ins) /\
      asteps dims ins hidden solve [active_root sc ins hidden dom] ls = Some st
  | _, _ => True
  end.
Lemma steps_app : forall c ls s l s', steps common solve c s ls = Some s' ->
  steps common solve c s (ls ++ [l]) = next_state common solve c s' l.
Proof.
  induction ls as [|k ls IH]; intros s l s' H; cbn [steps app] in *.
  - inversion H; subst. destruct (next_state _ _ _ _ l); reflexivity.
  - destruct (next_state common solve c s k); [|discriminate]. apply IH. exact H.
Qed.
Lemma wsteps_app : forall dims sc ins ha la hb lb ats bound ls st l st',
  @wsteps unit dims sc ins ha la hb lb ats bound st ls = Some st' ->
  wsteps dims sc ins ha la hb lb ats bound st (ls ++ [l]) = wstep dims sc ins ha la hb lb ats bound st' l.
Proof.
  induction ls as [|k ls IH]; intros st l st' H; cbn [wsteps app] in *.
  - inversion H; subst. destruct (wstep _ _ _ _ _ _ _ _ _ _ l); reflexivity.
  - destruct (wstep dims sc ins ha la hb lb ats bound st k); [|discriminate]. apply IH. exact H.
Qed.
Lemma start_reached : forall g d p w, start_goal g d p = Some w -> reached g w.
Proof.
  intros [c|[n [ha la]] [m [hb lb]] bound dom|a b dom|s n dom|k [n net] dom|[n [h l]] dom|rows rank] d p w H; cbn [start_goal] in H.
  - destruct (first_state common c d p) as [s|] eqn:F; [|discriminate]. inversion H; subst. exists d, p, s, []. split; [exact F|reflexivity].
  - inversion H; subst. exact I.
  - inversion H; subst. exact I.
  - inversion H; subst. exact I.
  - destruct (is_inside n _ _ d p) eqn:E; [|discriminate]. inversion H; subst. split; [|split; constructor].
    exists (topoint d p). exact (inside_sound n _ _ d p E).
  - destruct (opened n common h l dom d p) as [[[dims sc] ins]|] eqn:O; [|discriminate]. inversion H; subst.
    exists d, p, []. split; [exact O|reflexivity].
  - inversion H; subst. exact I.
Qed.
Lemma step_reached : forall g w i w', step_goal g w i = Some w' -> reached g w -> reached g w'.
Proof.
  intros [c|[n [ha la]] [m [hb lb]] bound dom|a b dom|s n dom|k net dom|[n [h l]] dom|rows rank] w i w' H R; cbn [step_goal] in H;
    destruct w as [w|d p|sc ins ats st| |ss|dims sc ins st]; try discriminate; destruct i as [ll|ll|r|ps|ll|ps sums e ds]; try discriminate.
  - destruct (next_state common solve c w ll) as [s'|] eqn:N; [|discriminate]. inversion H; subst.
    destruct R as (d & p & s0 & ls & F & S). exists d, p, s0, (ls ++ [ll]). split; [exact F|]. rewrite (steps_app _ _ _ _ _ S). exact N.
  - destruct ll as [|? ?|?|?|?|?|tab|?|]; try discriminate.
    destruct (eopened _ _ _ _ _ _ _ _ _ tab) as [[[[sc ins] ats] v]|] eqn:O; [|discriminate]. inversion H; subst.
    exists d, p, tab, v, []. split; [exact O|reflexivity].
  - destruct (wstep _ _ _ _ _ _ _ _ _ st ll) as [st'|] eqn:N; [|discriminate]. inversion H; subst.
    destruct R as (d & p & tab & v & ls & O & S). exists d, p, tab, v, (ls ++ [ll]). split; [exact O|].
    rewrite (wsteps_app _ _ _ _ _ _ _ _ _ _ _ _ _ S). exact N.
  - destruct (ray_ok a b dom d p r) eqn:K; [|discriminate]. inversion H; subst. exact (ray_sound _ _ _ _ _ _ K).
  - destruct (_ && witness_ok s ps) eqn:K; [|discriminate]. inversion H; subst. apply andb_true_iff in K as [_ K].
    exact (witness_sound _ _ K).
  - destruct ps as [|[d p] [|? ?]]; try discriminate. destruct (seen net dom d p ss) as [ss'|] eqn:K; [|discriminate]. inversion H; subst.
    destruct R as [R1 R2]. split; [exact R1|exact (seen_sound _ _ _ _ _ _ K R2)].
  - destruct (astep dims ins h solve st ll) as [st'|] eqn:N; [|discriminate]. inversion H; subst.
    destruct R as (d & p & ls & O & S). exists d, p, (ls ++ [ll]). split; [exact O|]. rewrite (asteps_app _ _ _ _ _ _ _ _ S). exact N.
  - destruct (rank_ok rows rank ps sums e ds) eqn:K; [|discriminate]. inversion H; subst. exact (rank_sound _ _ _ _ _ _ K).
Qed.
Lemma end_true : forall g w, end_goal g w = true -> reached g w -> true_goal g.
Proof.
  intros [c|[n [ha la]] [m [hb lb]] bound dom|a b dom|q n dom|k net dom|[n [h l]] dom|rows rank] [s|d p|sc ins ats st| |ss|dims sc ins st] H R; cbn [end_goal] in H; try discriminate.
  - destruct R as (d & p & s0 & ls & F & S). exact (sound _ _ _ _ _ _ _ _ F S H).
  - destruct st; [|discriminate]. destruct R as (d & p & tab & v & ls & O & S). intros Hb.
    exact (near_sound _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hb O S).
  - exact R.
  - exact R.
  - apply Z.leb_le in H. rewrite zlen_length in H. destruct R as [R1 R2]. split; [exact R1|]. exists ss. split; [exact R2|lia].
  - destruct st; [|discriminate]. destruct R as (d & p & ls & O & S). exact (active_sound _ _ _ _ _ _ _ _ _ _ _ _ O S).
  - exact R.
Qed.
Definition begun (g : stage) : Prop := match g with Stage (Some (c, w)) _ => reached c w | _ => True end.
Definition goals_of (g : stage) : list goal := match g with Stage (Some (c, _)) cs => c :: cs | Stage None cs => cs end.
Lemma stages_sound : forall ms g g', stages g ms = Some g' -> complete g' = true -> begun g -> Forall true_goal (goals_of g).
Proof.
  induction ms as [|m ms IH]; intros g g' H C B; cbn [stages] in H.
  - inversion H; subst. destruct g' as [[?|] [|? ?]]; try discriminate. constructor.
  - destruct g as [[[c w]|] cs], m as [d p|i|r]; cbn [next_stage] in H; try discriminate; try (destruct cs; discriminate).
    + destruct (step_goal c w i) as [w'|] eqn:N; [|discriminate]. cbn [option_map] in H. pose proof (step_reached _ _ _ _ N B) as R.
      destruct (end_goal c w') eqn:A; specialize (IH _ _ H C); cbn [goals_of] in *.
      * constructor; [exact (end_true _ _ A R)|]. apply IH. exact I.
      * apply IH. exact R.
    + destruct cs as [|c cs]; [discriminate|]. destruct (start_goal c d p) as [w|] eqn:F; [|discriminate].
      cbn [option_map] in H. specialize (IH _ _ H C). pose proof (start_reached _ _ _ _ F) as R.
      destruct (end_goal c w) eqn:A; cbn [goals_of] in *; [constructor; [exact (end_true _ _ A R)|apply IH; exact I]|apply IH; exact R].
    + destruct cs as [|c cs]; [discriminate|]. destruct (rule_for r c) as [new|] eqn:R; [|discriminate].
      cbn [option_map] in H. specialize (IH _ _ H C I). cbn [goals_of] in *. apply Forall_app in IH as [T U].
      constructor; [|exact U]. destruct c as [c| | | | | |]; try discriminate. cbn [rule_for] in R.
      destruct (apply_rule r c) as [cl|] eqn:E; [|discriminate]. inversion R; subst. rewrite Forall_map in T. exact (rule_sound _ _ _ E T).
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
Lemma never_near : forall a b e dom, (forall x, length x = length (fst a) -> closure dom x -> near e (value a x) (value b x)) ->
  ~ exceeds a b dom e.
Proof.
  intros a b e dom N (x & L & C & D). specialize (N x L C). unfold differs in D. induction N as [|u v us vs H N IH]; cbn [combine] in D.
  - inversion D.
  - apply Exists_cons in D as [D|D]; [cbn [fst snd] in D; lra|exact (IH D)].
Qed.
Theorem proved : forall cells s g ms g', first_stage cells s = Some g -> stages g ms = Some g' -> complete g' = true -> means s.
Proof.
  intros cells s g ms g' F S C. unfold first_stage in F. destruct (parts cells s) as [cs|] eqn:P; [|discriminate]. cbn in F. inversion F; subst g.
  pose proof (stages_sound _ _ _ S C I) as T. cbn [goals_of] in T. clear F S C. destruct s; [|cbn [parts] in P..].
  - assert (Q : (exists k net dom, c = Regions true k net dom /\ cells = false /\ cs = [Count k net dom]) \/ cs = [Claim c]).
    { destruct c as [[|] k net dom| |]; cbn [parts] in P; try (inversion P; right; reflexivity).
      destruct cells; inversion P; [right; reflexivity|left; exists k, net, dom; repeat split]. }
    clear P. destruct Q as [(k & [n [h l]] & dom & -> & _ & ->)| ->]; [|exact (Forall_inv T)].
    apply Forall_inv in T as [V (ss & [N A] & K)]. split; [|exact V]. exists ss. split; [exact N|]. split; [exact A|exact K].
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
    destruct (paired a b) as [ab|] eqn:H; [|discriminate]. inversion P; subst. apply Forall_inv in T. cbn [means].
    destruct hold, cells; cbn [andb] in T.
    + split; [apply T; exact Hd|apply never_near, T; exact Hd].
    + split; [exact (pair_populated _ _ _ _ _ _ _ H (proj2 T))|exact (never_exceeds _ _ _ _ _ _ Hd H (proj1 T))].
    + split; [exact (pair_populated _ _ _ _ _ _ _ H (proj2 T))|exact (exceeds_here _ _ _ _ _ _ Hd H (proj1 T))].
    + split; [exact (pair_populated _ _ _ _ _ _ _ H (proj2 T))|exact (exceeds_here _ _ _ _ _ _ Hd H (proj1 T))].
  - unfold pair_claims in P. destruct bound as [d e]. cbn [fst] in P. destruct (Z.ltb 0 d) eqn:Hd; [|discriminate]. apply Z.ltb_lt, IZR_lt in Hd.
    destruct (paired a b) as [ab|] eqn:H; [|discriminate]. inversion P; subst. cbn [means]. destruct exactly.
    + apply Forall_cons_iff in T as [[T V] T']. apply Forall_inv in T'. split; [exact (pair_populated _ _ _ _ _ _ _ H V)|]. split.
      * exact (exceeds_below Zero _ _ _ _ _ _ Hd ltac:(discriminate) H T).
      * destruct cells; [apply never_near, T'; exact Hd|exact (never_exceeds _ _ _ _ _ _ Hd H (proj1 T'))].
    + apply Forall_inv in T as [T V]. split; [exact (pair_populated _ _ _ _ _ _ _ H V)|].
      split; [exact (exceeds_below Least _ _ _ _ _ _ Hd ltac:(discriminate) H T)|exact I].
  - inversion P; subst. exact (Forall_inv T).
  - inversion P; subst. exact (Forall_inv T).
  - destruct hold; inversion P; subst; exact (Forall_inv T).
  - inversion P; subst. exact (Forall_inv T).
  - inversion P; subst. exact (Forall_inv T).
Qed.
End Kinds.
