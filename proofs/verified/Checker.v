(* The checker: it begins with a claim and the point of the record [inside], takes one line after the other, and accepts or not.
   [sound] is the theorem to believe it by: what is accepted is true, in the words of Meaning.v.

   The lines come from a program that nobody needs to trust (elaborate.ml makes them of the records of a certificate), as do the two
   guesses: a common divisor, and the multipliers of rows for a cone. So do not read how lines are made; read [claim], [says], [first_state],
   [next_state] and [accepted]. The state is a stack of open nodes: memory is bounded by the depth of the tree. *)
Require Import List ZArith Reals Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Regions Bounds Property Equality Join.
Import ListNotations.

Inductive state :=
| Counted (dims : list unit) (st : list node * Z)                                       (* nodes to come, leaves so far *)
| Rooted (dims : list unit) (sc : Z) (ins : list row) (hidden : list layer) (last : layer)
| Boxed (dims : list unit) (sc : Z) (ins : list row) (hidden : list layer) (last : layer) (st : list item)
| Opened (d : Z) (p : list Z)
| Equated (sc : Z) (ins : list row) (ats : list atom) (st : list enode)
| Shown.                                                                                (* a point was right *)
Inductive entry :=
| Tree (l : Regions.line)                                   (* a tree of regions *)
| Root (b : box) | Boxes (l : bline)                        (* the box of the root; a tree of boxes and cells *)
| Atoms (tab : list row) | Forms (l : eline)                (* what atoms there will be; a tree with forms *)
| Point (d : Z) (p : list Z).                               (* the negations: a point p/d *)

Section Checker.
Context (common : row -> Z) (solve : list row -> list row -> option (Z * list (list Z))).

Fixpoint longest (nets : list network) : list unit :=
  match nets with
  | [] => []
  | (_, (h, _)) :: r => let d := map (fun _ => tt) h in let e := longest r in if fits (map (fun _ => 0%Z) d) e then e else d
  end.
Definition side_by_side (nets : list network) : option (list layer * layer) := joined (longest nets) nets.

Definition first_state (c : claim) (d : Z) (p : list Z) : option state :=
  match c with
  | Regions _ _ (n, (hidden, _)) dom =>
      option_map (fun r => Counted (fst r) ([snd r], 0%Z)) (root n common (eqs dom) (inequalities dom) hidden d p)
  | Property _ nets dom _ =>
      match side_by_side nets with
      | Some (hidden, last) =>
          option_map (fun r => let '(dims, sc, ins) := r in Rooted dims sc ins hidden last)
            (opened (inputs nets) common hidden last dom d p)
      | None => None
      end
  | Equal _ (n, (ha, la)) (_, (hb, lb)) dom =>
      option_map (fun _ => Opened d p) (eopened n common ha la hb lb dom d p [])
  end.
Definition next_state (c : claim) (s : state) (l : entry) : option state :=
  match c, s, l with
  | Regions _ _ _ _, Counted dims st, Tree l => option_map (Counted dims) (Regions.step dims solve st l)
  | Property true _ dom _, Rooted dims sc ins hidden last, Root b =>
      option_map (fun it => Boxed dims sc ins hidden last [it]) (first_item dom dims sc ins b)
  | Property true nets dom cases, Boxed dims sc ins hidden last st, Boxes l =>
      option_map (Boxed dims sc ins hidden last) (walk (inputs nets) dims sc ins solve hidden last dom cases st l)
  | Property false nets dom cases, Rooted _ _ _ hidden last, Point d p =>
      if point_ok (inputs nets) hidden last dom cases d p then Some Shown else None
  | Equal true (n, (ha, la)) (_, (hb, lb)) dom, Opened d p, Atoms tab =>
      option_map (fun r => let '(sc, ins, ats, v) := r in Equated sc ins ats [v]) (eopened n common ha la hb lb dom d p tab)
  | Equal true (n, (ha, la)) (_, (hb, lb)) dom, Equated sc ins ats st, Forms l =>
      option_map (Equated sc ins ats) (estep (edims n common dom) sc ins ha la hb lb ats st l)
  | Equal false (n, (ha, la)) (_, (hb, lb)) dom, Opened _ _, Point d p =>
      if differ_ok n ha la hb lb dom d p then Some Shown else None
  | _, _, _ => None
  end.
Definition accepted (c : claim) (s : state) : bool :=
  match c, s with
  | Regions at_least count _ _, Counted _ ([], k) => if at_least then Z.leb count k else Z.eqb k count
  | Property true _ _ _, Boxed _ _ _ _ _ [] => true
  | Equal true _ _ _, Equated _ _ _ [] => true
  | Property false _ _ _, Shown | Equal false _ _ _, Shown => true
  | _, _ => false
  end.
Fixpoint steps (c : claim) (s : state) (ls : list entry) : option state :=
  match ls with [] => Some s | l :: ls' => match next_state c s l with Some s' => steps c s' ls' | None => None end end.

(* ---- the entries of one tree, without those before ---- *)
Lemma steps_regions : forall al k net dom dims ls st s, steps (Regions al k net dom) (Counted dims st) ls = Some s ->
  exists st' ls', s = Counted dims st' /\ Regions.steps dims solve st ls' = Some st'.
Proof.
  induction ls as [|l ls IH]; intros st s H; cbn [steps] in H; [inversion H; exists st, []; split; reflexivity|].
  destruct l; cbn [next_state] in H; try discriminate. destruct (Regions.step dims solve st l) as [st1|] eqn:E; [|discriminate].
  destruct (IH _ _ H) as (st' & ls' & -> & A). exists st', (l :: ls'). split; [reflexivity|]. cbn [Regions.steps]. rewrite E. exact A.
Qed.
Lemma steps_boxes : forall nets dom cases dims sc ins h la ls st s,
  steps (Property true nets dom cases) (Boxed dims sc ins h la st) ls = Some s ->
  exists st' ls', s = Boxed dims sc ins h la st' /\ walks (inputs nets) dims sc ins solve h la dom cases st ls' = Some st'.
Proof.
  induction ls as [|l ls IH]; intros st s H; cbn [steps] in H; [inversion H; exists st, []; split; reflexivity|].
  destruct l as [|?|l|?|?|]; cbn [next_state] in H; try discriminate.
  destruct (walk _ _ _ _ _ _ _ _ _ st l) as [st1|] eqn:E; [|discriminate].
  destruct (IH _ _ H) as (st' & ls' & -> & A). exists st', (l :: ls'). split; [reflexivity|]. cbn [walks]. rewrite E. exact A.
Qed.
Lemma steps_forms : forall n ha la m hb lb dom sc ins ats ls st s,
  steps (Equal true (n, (ha, la)) (m, (hb, lb)) dom) (Equated sc ins ats st) ls = Some s ->
  exists st' ls', s = Equated sc ins ats st' /\ esteps (edims n common dom) sc ins ha la hb lb ats st ls' = Some st'.
Proof.
  induction ls as [|l ls IH]; intros st s H; cbn [steps] in H; [inversion H; exists st, []; split; reflexivity|].
  destruct l as [|?|?|?|l|]; cbn [next_state] in H; try discriminate.
  destruct (estep _ _ _ _ _ _ _ _ st l) as [st1|] eqn:E; [|discriminate].
  destruct (IH _ _ H) as (st' & ls' & -> & A). exists st', (l :: ls'). split; [reflexivity|]. cbn [esteps]. rewrite E. exact A.
Qed.

Lemma sound_regions : forall al k net dom d p s ls s', let c := Regions al k net dom in
  first_state c d p = Some s -> steps c s ls = Some s' -> accepted c s' = true -> says c /\ not_vacuous c.
Proof.
  intros al k [n [h la]] dom d p s ls s' c B S A. unfold c in *. cbn [first_state] in B.
  destruct (root _ _ _ _ _ _ _) as [[dims v]|] eqn:O; [|discriminate]. inversion B; subst s. clear B.
  destruct (steps_regions _ _ _ _ _ _ _ _ S) as (st' & ls' & -> & W). cbn [accepted] in A.
  destruct st' as [[|] found]; [|discriminate]. destruct (regions_sound _ _ _ _ _ _ _ _ _ _ _ _ O W) as (I & ps & N & P & K).
  split; [|exact I]. exists ps. split; [exact N|]. split; [exact P|]. rewrite K.
  destruct al; [apply Z.leb_le|apply Z.eqb_eq]; exact A.
Qed.
Lemma sound_property : forall nets dom cases d p s ls s', let c := Property true nets dom cases in
  first_state c d p = Some s -> steps c s ls = Some s' -> accepted c s' = true -> says c /\ not_vacuous c.
Proof.
  intros nets dom cases d p s ls s' c B S A. unfold c in *. cbn [first_state] in B. unfold side_by_side in B.
  destruct (joined _ nets) as [[h la]|] eqn:J; [|discriminate].
  destruct (opened _ _ _ _ _ _ _) as [[[dims sc] ins]|] eqn:O; [|discriminate]. inversion B; subst s. clear B.
  destruct ls as [|l ls]; cbn [steps] in S; [inversion S; subst; discriminate|]. destruct l; cbn [next_state] in S; try discriminate.
  destruct (first_item _ _ _ _ _) as [it|] eqn:F; [|discriminate]. cbn [option_map] in S.
  destruct (steps_boxes _ _ _ _ _ _ _ _ _ _ _ S) as (st' & ls' & -> & W). cbn [accepted] in A. destruct st'; [|discriminate].
  destruct (properties_sound _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ J O F W) as [I P]. split; [exact P|exact I].
Qed.
Lemma sound_equal : forall a b dom d p s ls s', let c := Equal true a b dom in
  first_state c d p = Some s -> steps c s ls = Some s' -> accepted c s' = true -> says c /\ not_vacuous c.
Proof.
  intros [n [ha la]] [m [hb lb]] dom d p s ls s' c B S A. unfold c in *. cbn [first_state] in B.
  destruct (eopened _ _ _ _ _ _ _ _ _ []) eqn:O; [|discriminate]. inversion B; subst s. clear B.
  destruct ls as [|l ls]; cbn [steps] in S; [inversion S; subst; discriminate|]. destruct l; cbn [next_state] in S; try discriminate.
  destruct (eopened _ _ _ _ _ _ _ _ _ tab) as [[[[sc ins] ats] v]|] eqn:E; [|discriminate]. cbn [option_map] in S.
  destruct (steps_forms _ _ _ _ _ _ _ _ _ _ _ _ _ S) as (st' & ls' & -> & W). cbn [accepted] in A. destruct st'; [|discriminate].
  destruct (equal_sound _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ E W) as [I P]. split; [exact P|exact I].
Qed.
Lemma one_point : forall c s ls s', accepted c s' = true -> steps c s ls = Some s' ->
  match c with Property false _ _ _ | Equal false _ _ _ => True | _ => False end ->
  match s with Shown => False | _ => True end -> exists d p, next_state c s (Point d p) = Some Shown.
Proof.
  intros c s [|l ls] s' A S C N.
  - inversion S; subst. destruct c as [|[]|[]]; try contradiction; destruct s'; try discriminate; contradiction.
  - cbn [steps] in S. destruct (next_state c s l) as [s1|] eqn:E; [|discriminate].
    destruct c as [|[] nets dom cases|[] [n [ha la]] [m [hb lb]] dom]; try contradiction; destruct s, l; try discriminate.
    + exists d, p. rewrite E. cbn [next_state] in E. destruct (point_ok _ _ _ _ _ _ _); [inversion E; reflexivity|discriminate].
    + exists d0, p0. cbn [next_state] in *. destruct (differ_ok _ _ _ _ _ _ _ _); [reflexivity|discriminate].
Qed.
Lemma sound_point : forall nets dom cases d p s ls s', let c := Property false nets dom cases in
  first_state c d p = Some s -> steps c s ls = Some s' -> accepted c s' = true -> says c /\ not_vacuous c.
Proof.
  intros nets dom cases d p s ls s' c B S A. unfold c in *. cbn [first_state] in B. unfold side_by_side in B.
  destruct (joined _ nets) as [[h la]|] eqn:J; [|discriminate].
  destruct (opened _ _ _ _ _ _ _) as [[[dims sc] ins]|] eqn:O; [|discriminate]. inversion B; subst s. clear B.
  destruct (one_point _ _ _ _ A S I I) as (e & q & E). cbn [next_state] in E.
  destruct (point_ok _ _ _ _ _ e q) eqn:K; [|discriminate]. split; [exact (points_sound _ _ _ _ _ _ _ _ J K)|].
  unfold opened in O. destruct (_ && is_inside _ _ _ _ _) eqn:In; [|discriminate]. apply andb_true_iff in In as [_ In].
  exists (topoint d p). apply inside_sound. exact In.
Qed.
Lemma sound_differ : forall a b dom d p s ls s', let c := Equal false a b dom in
  first_state c d p = Some s -> steps c s ls = Some s' -> accepted c s' = true -> says c /\ not_vacuous c.
Proof.
  intros [n [ha la]] [m [hb lb]] dom d p s ls s' c B S A. unfold c in *. cbn [first_state] in B.
  destruct (eopened _ _ _ _ _ _ _ _ _ []) eqn:O; [|discriminate]. inversion B; subst s. clear B.
  destruct (one_point _ _ _ _ A S I I) as (e & q & E). cbn [next_state] in E.
  destruct (differ_ok _ _ _ _ _ _ e q) eqn:K; [|discriminate]. split; [exact (differ_sound _ _ _ _ _ _ _ _ _ K)|].
  unfold eopened in O. destruct (_ && is_inside _ _ _ _ _) eqn:In; [|discriminate]. apply andb_true_iff in In as [_ In].
  exists (topoint d p). apply inside_sound. exact In.
Qed.

(* Whatever the entries are and whatever the guesses: what is accepted is true, and it is not vacuous. *)
Theorem sound : forall c d p s ls s', first_state c d p = Some s -> steps c s ls = Some s' -> accepted c s' = true ->
  says c /\ not_vacuous c.
Proof.
  intros [al k net dom|[] nets dom cases|[] a b dom] d p s ls s' B S A.
  - exact (sound_regions _ _ _ _ _ _ _ _ _ B S A).
  - exact (sound_property _ _ _ _ _ _ _ _ B S A).
  - exact (sound_point _ _ _ _ _ _ _ _ B S A).
  - exact (sound_equal _ _ _ _ _ _ _ _ B S A).
  - exact (sound_differ _ _ _ _ _ _ _ _ B S A).
Qed.
End Checker.
