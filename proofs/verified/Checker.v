(* The checker: it begins with a claim and the point of the record [inside], takes one line after the other, and accepts or not.
   [sound] is the theorem to believe it by: what is accepted is true, in the words of Meaning.v.

   The lines come from a program that nobody needs to trust (elaborate.ml makes them of the records of a certificate), as do the two
   guesses: a common divisor, and the multipliers of rows for a cone. So do not read how lines are made; read [claim], [says], [first_state],
   [next_state] and [accepted]. The state is a stack of open nodes: memory is bounded by the depth of the tree. *)
Require Import List ZArith Reals Lia Bool.
From Exactrelu Require Import Meaning Rows Cones Cells Chart Regions Bounds Known Property Equality Decided Join.
Import ListNotations.

Inductive state :=
| Placed (dims : list unit) (sc : Z) (ins : list row) (signs : list (Z * bool))          (* signs that are known by now *)
| Deciding (dims : list unit) (sc : Z) (ins : list row) (signs ss : list (Z * bool)) (st : list node)   (* a tree for more signs *)
| Counted (dims : list unit) (signs : list (Z * bool)) (st : list node * Z)              (* nodes to come, leaves so far *)
| Rooted (dims : list unit) (sc : Z) (ins : list row) (hidden : list layer) (last : layer)
| Boxed (dims : list unit) (sc : Z) (ins : list row) (hidden : list layer) (last : layer) (st : list item)
| Opened (d : Z) (p : list Z) (ha hb : list layer)                                       (* known neurons are linear units *)
| Parting (d : Z) (p : list Z) (ha hb : list layer) (second : bool)                      (* a tree for signs of one network *)
    (dims : list unit) (sc : Z) (ins : list row) (ss : list (Z * bool)) (st : list node)
| Equated (ha hb : list layer) (sc : Z) (ins : list row) (ats : list atom) (st : list enode)
| Shown.                                                                                (* a point was right *)
Inductive entry :=
| Signs (s : Z) (b : box) (ss : list (Z * bool))            (* the record [bounds]: a scale, a box, neurons with their signs *)
| Decide (second : bool) (ss : list (Z * bool)) | Leaves (l : dline)   (* [decided]: neurons of one network; their tree *)
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
      option_map (fun r => let '(dims, sc, ins) := r in Placed dims sc ins [])
        (placed n common (eqs dom) (inequalities dom) hidden d p)
  | Property _ nets dom _ =>
      match side_by_side nets with
      | Some (hidden, last) =>
          option_map (fun r => let '(dims, sc, ins) := r in Rooted dims sc ins hidden last)
            (opened (inputs nets) common hidden last dom d p)
      | None => None
      end
  | Equal _ (n, (ha, la)) (_, (hb, lb)) dom =>
      option_map (fun _ => Opened d p ha hb) (eopened n common ha la hb lb dom d p [])
  end.
(* both networks, the neurons of [bounds] settled; those of the second are numbered after those of the first *)
Definition count_units (ls : list layer) : Z := fold_right (fun l k => zlen k (units l)) 0%Z ls.
Definition settle_both (n : list unit) (ha hb : list layer) (dom : system) (s : Z) (b : box) (ss : list (Z * bool)) : option (list layer * list layer) :=
  match chart common (eqs dom) n 1 (unit_rows n) with
  | Some (dims, sc, ins) =>
      let m := count_units ha in
      let sa := filter (fun s => Z.ltb (fst s) m) ss in
      let sb := map (fun s => (Z.sub (fst s) m, snd s)) (filter (fun s => negb (Z.ltb (fst s) m)) ss) in
      match bounds_of dims sc ins (inequalities dom) ha s b, bounds_of dims sc ins (inequalities dom) hb s b with
      | Some ia, Some ib =>
          if all_shown ha ia sa && all_shown hb ib sb then Some (settled ha (only sa 0 ia), settled hb (only sb 0 ib)) else None
      | _, _ => None
      end
  | None => None
  end.
Definition next_state (c : claim) (s : state) (l : entry) : option state :=
  match c, s, l with
  | Regions _ _ (_, (hidden, _)) dom, Placed dims sc ins known, Signs s b ss =>
      match bounds_of dims sc ins (inequalities dom) hidden s b with
      | Some is => if all_shown hidden is ss then Some (Placed dims sc ins (ss ++ known)) else None
      | None => None
      end
  | Regions _ _ (_, (hidden, _)) dom, Placed dims sc ins known, Decide _ ss =>
      Some (Deciding dims sc ins known ss [root (inequalities dom) hidden sc ins])
  | Regions _ _ _ _, Deciding dims sc ins known ss st, Leaves l =>
      option_map (fun st' => match st' with [] => Placed dims sc ins (ss ++ known) | _ => Deciding dims sc ins known ss st' end)
        (dstep dims solve known (zlen 0 ins) ss st l)
  | Regions _ _ (_, (hidden, _)) dom, Placed dims sc ins known, Tree l =>
      option_map (Counted dims known) (Regions.step dims solve known ([root (inequalities dom) hidden sc ins], 0%Z) l)
  | Regions _ _ _ _, Counted dims known st, Tree l => option_map (Counted dims known) (Regions.step dims solve known st l)
  | Property true _ dom _, Rooted dims sc ins hidden last, Root b =>
      option_map (fun it => Boxed dims sc ins hidden last [it]) (first_item dom dims sc ins b)
  | Property true nets dom cases, Boxed dims sc ins hidden last st, Boxes l =>
      option_map (Boxed dims sc ins hidden last) (walk (inputs nets) dims sc ins solve hidden last dom cases st l)
  | Property false nets dom cases, Rooted _ _ _ hidden last, Point d p =>
      if point_ok (inputs nets) hidden last dom cases d p then Some Shown else None
  | Equal true (n, (ha, la)) (_, (hb, lb)) dom, Opened d p _ _, Signs s b ss =>
      option_map (fun r => Opened d p (fst r) (snd r)) (settle_both n ha hb dom s b ss)
  | Equal true (n, _) _ dom, Opened d p ha hb, Decide second ss =>
      option_map (fun r => let '(dims, sc, ins) := r in
        Parting d p ha hb second dims sc ins ss [root (inequalities dom) (if second then hb else ha) sc ins])
        (chart common (eqs dom) n 1 (unit_rows n))
  | Equal true _ _ _, Parting d p ha hb second dims sc ins ss st, Leaves l =>
      option_map (fun st' => match st' with
        | [] => if second then Opened d p ha (settled hb (infos_of ss hb 0)) else Opened d p (settled ha (infos_of ss ha 0)) hb
        | _ => Parting d p ha hb second dims sc ins ss st' end)
        (dstep dims solve [] (zlen 0 ins) ss st l)
  | Equal true (n, (_, la)) (_, (_, lb)) dom, Opened d p ha hb, Atoms tab =>
      option_map (fun r => let '(sc, ins, ats, v) := r in Equated ha hb sc ins ats [v]) (eopened n common ha la hb lb dom d p tab)
  | Equal true (n, (_, la)) (_, (_, lb)) dom, Equated ha hb sc ins ats st, Forms l =>
      option_map (Equated ha hb sc ins ats) (estep (edims n common dom) sc ins ha la hb lb ats st l)
  | Equal false (n, (ha, la)) (_, (hb, lb)) dom, Opened _ _ _ _, Point d p =>
      if differ_ok n ha la hb lb dom d p then Some Shown else None
  | _, _, _ => None
  end.
Definition accepted (c : claim) (s : state) : bool :=
  match c, s with
  | Regions at_least count _ _, Counted _ _ ([], k) => if at_least then Z.leb count k else Z.eqb k count
  | Property true _ _ _, Boxed _ _ _ _ _ [] => true
  | Equal true _ _ _, Equated _ _ _ _ _ [] => true
  | Property false _ _ _, Shown | Equal false _ _ _, Shown => true
  | _, _ => false
  end.
Fixpoint steps (c : claim) (s : state) (ls : list entry) : option state :=
  match ls with [] => Some s | l :: ls' => match next_state c s l with Some s' => steps c s' ls' | None => None end end.

(* ---- the entries of one tree, without those before ---- *)
Lemma steps_regions : forall al k net dom dims known ls st s, steps (Regions al k net dom) (Counted dims known st) ls = Some s ->
  exists st' ls', s = Counted dims known st' /\ Regions.steps dims solve known st ls' = Some st'.
Proof.
  intros al k [n [h la]] dom dims known. induction ls as [|l ls IH]; intros st s H; cbn [steps] in H.
  - inversion H; exists st, []; split; reflexivity.
  - destruct l as [|? ?|?|l|?|?|?|?|]; cbn [next_state] in H; try discriminate.
    destruct (Regions.step dims solve known st l) as [st1|] eqn:E; [|discriminate].
    destruct (IH _ _ H) as (st' & ls' & -> & A). exists st', (l :: ls'). split; [reflexivity|]. cbn [Regions.steps]. rewrite E. exact A.
Qed.
(* the records before a tree of regions: signs that hold on all of the closure of the domain *)
Lemma steps_placed : forall al k n h la dom dims sc ins t0 ls, (0 < sc)%Z -> dens_ok h = true ->
  length t0 = length dims -> Forall (fun f => (0 < val f (image sc ins t0))%R) (inequalities dom) ->
  let holds_in ss := forall t, length t = length dims -> inside_closed sc ins (inequalities dom) t ->
    told (chart_layer sc ins :: h) (zlen 0 ins) ss t in
  forall known s s', holds_in known -> match s with
    | Placed dims' sc' ins' known' => dims' = dims /\ sc' = sc /\ ins' = ins /\ known' = known
    | Deciding dims' sc' ins' known' ss st => dims' = dims /\ sc' = sc /\ ins' = ins /\ known' = known /\
        exists before, dsteps dims solve known (zlen 0 ins) ss [root (inequalities dom) h sc ins] before = Some st
    | _ => False end ->
  steps (Regions al k (n, (h, la)) dom) s ls = Some s' ->
  match s' with Placed _ _ _ _ | Deciding _ _ _ _ _ _ => True | _ =>
    exists known' st' ls', holds_in known' /\ s' = Counted dims known' st' /\
      Regions.steps dims solve known' ([root (inequalities dom) h sc ins], 0%Z) ls' = Some st' end.
Proof.
  intros al k n h la dom dims sc ins t0 ls Hs Hd L0 P0 holds_in. induction ls as [|l ls IH]; intros known s s' T Q H; cbn [steps] in H.
  - inversion H; subst. destruct s'; try contradiction; exact I.
  - destruct (next_state _ s l) as [s1|] eqn:E; [|discriminate]. destruct s; try contradiction.
    + destruct Q as (-> & -> & -> & ->). destruct l as [s b ss|? ss|?|l|?|?|?|?|]; cbn [next_state] in E; try discriminate.
      * destruct (bounds_of _ _ _ _ _ _ b) as [is|] eqn:B; [|discriminate]. destruct (all_shown h is ss) eqn:A; [|discriminate].
        inversion E; subst s1. apply (IH (ss ++ known) _ _) in H; [exact H| |auto]. intros t L C i up Hin.
        apply in_app_or in Hin as [Hin|Hin]; [|exact (T t L C i up Hin)].
        exact (known_told sc ins h is ss t (bounds_fine _ _ _ _ _ _ _ _ _ t Hs Hd B L C) A i up Hin).
      * inversion E; subst s1. apply (IH known _ _ T) in H; [exact H|]. do 4 (split; [reflexivity|]). exists []. reflexivity.
      * destruct (Regions.step _ _ _ _ l) as [st1|] eqn:E1; [|discriminate]. inversion E; subst s1.
        destruct (steps_regions _ _ _ _ _ _ _ _ _ H) as (st' & ls' & -> & W). exists known, st', (l :: ls').
        split; [exact T|]. split; [reflexivity|]. cbn [Regions.steps]. rewrite E1. exact W.
    + destruct Q as (-> & -> & -> & -> & before & B). destruct l as [|? ?|l|?|?|?|?|?|]; cbn [next_state] in E; try discriminate.
      destruct (dstep _ _ _ _ _ _ l) as [st1|] eqn:E1; [|discriminate]. cbn [option_map] in E.
      assert (B1 : dsteps dims solve known (zlen 0 ins) ss [root (inequalities dom) h sc ins] (before ++ [l]) = Some st1)
        by (rewrite dsteps_app, B; cbn [dsteps]; rewrite E1; reflexivity).
      destruct st1 as [|v st1]; inversion E; subst s1.
      * apply (IH (ss ++ known) _ _) in H; [exact H| |auto]. intros t L C i up Hin. apply in_app_or in Hin as [Hin|Hin]; [|exact (T t L C i up Hin)].
        exact (decided_told _ dims solve known sc ins (inequalities dom) h ss _ t0 Hs Hd L0 P0 T B1 t L C i up Hin).
      * apply (IH known _ _ T) in H; [exact H|]. do 4 (split; [reflexivity|]). exists (before ++ [l]). exact B1.
Qed.
Lemma steps_boxes : forall nets dom cases dims sc ins h la ls st s,
  steps (Property true nets dom cases) (Boxed dims sc ins h la st) ls = Some s ->
  exists st' ls', s = Boxed dims sc ins h la st' /\ walks (inputs nets) dims sc ins solve h la dom cases st ls' = Some st'.
Proof.
  induction ls as [|l ls IH]; intros st s H; cbn [steps] in H; [inversion H; exists st, []; split; reflexivity|].
  destruct l as [|? ?|?|?|?|l|?|?|]; cbn [next_state] in H; try discriminate.
  destruct (walk _ _ _ _ _ _ _ _ _ st l) as [st1|] eqn:E; [|discriminate].
  destruct (IH _ _ H) as (st' & ls' & -> & A). exists st', (l :: ls'). split; [reflexivity|]. cbn [walks]. rewrite E. exact A.
Qed.
Lemma steps_forms : forall n ha0 la m hb0 lb dom ha hb sc ins ats ls st s,
  steps (Equal true (n, (ha0, la)) (m, (hb0, lb)) dom) (Equated ha hb sc ins ats st) ls = Some s ->
  exists st' ls', s = Equated ha hb sc ins ats st' /\ esteps (edims n common dom) sc ins ha la hb lb ats st ls' = Some st'.
Proof.
  induction ls as [|l ls IH]; intros st s H; cbn [steps] in H; [inversion H; exists st, []; split; reflexivity|].
  destruct l as [|? ?|?|?|?|?|?|l|]; cbn [next_state] in H; try discriminate.
  destruct (estep _ _ _ _ _ _ _ _ st l) as [st1|] eqn:E; [|discriminate].
  destruct (IH _ _ H) as (st' & ls' & -> & A). exists st', (l :: ls'). split; [reflexivity|]. cbn [esteps]. rewrite E. exact A.
Qed.
(* the same values on the closure of the domain *)
Definition as_good (n : list unit) (dom : system) (h h' : list layer) : Prop :=
  forall x, length x = length n -> closure dom x -> run_layers h' x = run_layers h x.
Lemma closure_parts : forall dom x, closure dom x -> solves (eqs dom) x /\ Forall (fun f => (0 <= val f x)%R) (inequalities dom).
Proof.
  intros dom x C. unfold closure in C. rewrite Forall_forall in C. split; apply Forall_forall; intros f Hf;
    apply in_flat_map in Hf as ([s g] & Hc & Hf); specialize (C _ Hc); cbn [fst snd] in *; destruct s; cbn in Hf; try contradiction;
    destruct Hf as [<-|[]]; exact C.
Qed.
Lemma settle_both_sound : forall n ha hb dom s b ss ha' hb', dens_ok ha = true -> dens_ok hb = true ->
  settle_both n ha hb dom s b ss = Some (ha', hb') -> as_good n dom ha ha' /\ as_good n dom hb hb'.
Proof.
  intros n ha hb dom s b ss ha' hb' Da Db H. unfold settle_both in H.
  destruct (chart _ _ _ _ _) as [[[dims sc] ins]|] eqn:C; [|discriminate].
  destruct (bounds_of _ _ _ _ ha _ b) as [ia|] eqn:Ba; [|discriminate]. destruct (bounds_of _ _ _ _ hb _ b) as [ib|] eqn:Bb; [|discriminate].
  destruct (_ && _); [|discriminate]. inversion H; subst ha' hb'. clear H.
  destruct (chart_sound _ _ _ _ _ _ _ _ _ _ _ (units_ok _ n) C) as (Hs & Hl & Q & Q1 & _ & _ & Q4).
  assert (G : forall h i su, dens_ok h = true -> bounds_of dims sc ins (inequalities dom) h s b = Some i ->
    as_good n dom h (settled h (only su 0 i))).
  { intros h i su D B x Lx Cx. destruct (closure_parts _ _ Cx) as [C1 C2].
    assert (X : image sc ins (Q x) = x) by (apply Q4; [exact Lx|rewrite app_nil_r; unfold solves; apply Forall_rev; exact C1]).
    assert (F : fine h i (Q x) (image sc ins (Q x))).
    { apply (bounds_fine _ _ _ _ _ _ _ _ _ _ Hs D B); [apply Q1; exact Lx|]. unfold inside_closed. rewrite X. exact C2. }
    rewrite X in F. apply (settled_sound (Q x)). apply only_fine. exact F. }
  split; [apply (G ha ia)|apply (G hb ib)]; assumption.
Qed.
Lemma steps_opened : forall n ha la m hb lb dom d p x0 ls, dens_ok ha = true -> dens_ok hb = true ->
  length x0 = length n -> inner (eqs dom) (inequalities dom) x0 ->
  forall ha' hb' s s', dens_ok ha' = true -> dens_ok hb' = true -> as_good n dom ha ha' -> as_good n dom hb hb' -> match s with
    | Opened d' p' ha1 hb1 => d' = d /\ p' = p /\ ha1 = ha' /\ hb1 = hb'
    | Parting d' p' ha1 hb1 second dims sc ins ss st => d' = d /\ p' = p /\ ha1 = ha' /\ hb1 = hb' /\
        chart common (eqs dom) n 1 (unit_rows n) = Some (dims, sc, ins) /\ exists before,
        dsteps dims solve [] (zlen 0 ins) ss [root (inequalities dom) (if second then hb' else ha') sc ins] before = Some st
    | _ => False end ->
  steps (Equal true (n, (ha, la)) (m, (hb, lb)) dom) s ls = Some s' ->
  match s' with Equated _ _ _ _ _ [] => True | _ => False end ->
  not_vacuous (Equal true (n, (ha, la)) (m, (hb, lb)) dom) /\
  forall x, length x = length n -> closure dom x -> eval ha la x = eval hb lb x.
Proof.
  intros n ha la m hb lb dom d p x0 ls Da Db L0 I0. induction ls as [|l ls IH]; intros ha' hb' s s' Da' Db' Ga Gb Q H A; cbn [steps] in H.
  - inversion H; subst. destruct s'; contradiction.
  - destruct (next_state _ s l) as [s1|] eqn:E; [|discriminate]. destruct s; try contradiction.
    + destruct Q as (-> & -> & -> & ->). destruct l as [s b ss|second ss|?|?|?|?|tab|?|]; cbn [next_state] in E; try discriminate.
      * destruct (settle_both n ha hb dom s b ss) as [[ha1 hb1]|] eqn:E1; [|discriminate]. inversion E; subst s1; cbn [fst snd] in *.
        destruct (settle_both_sound _ _ _ _ _ _ _ _ _ Da Db E1) as [G1 G2].
        assert (D : dens_ok ha1 = true /\ dens_ok hb1 = true).
        { unfold settle_both in E1. destruct (chart _ _ _ _ _) as [[[? ?] ?]|]; [|discriminate]. destruct (bounds_of _ _ _ _ ha _ b); [|discriminate].
          destruct (bounds_of _ _ _ _ hb _ b); [|discriminate]. destruct (_ && _); [|discriminate]. inversion E1; subst.
          rewrite !settled_dens. split; assumption. }
        destruct D as [D1 D2]. refine (IH ha1 hb1 _ _ D1 D2 G1 G2 _ H A). auto.
      * destruct (chart _ _ _ _ _) as [[[dims sc] ins]|] eqn:C; [|discriminate]. inversion E; subst s1.
        refine (IH ha' hb' _ _ Da' Db' Ga Gb _ H A). do 5 (split; [reflexivity|]). exists []. reflexivity.
      * destruct (eopened _ _ _ _ _ _ _ _ _ tab) as [[[[sc ins] ats] v]|] eqn:E1; [|discriminate]. inversion E; subst s1.
        destruct (steps_forms _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H) as (st' & ls' & -> & W). destruct st'; [|contradiction].
        destruct (equal_sound _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ E1 W) as [In P]. split; [exact In|]. intros x Lx Cx.
        specialize (P x Lx Cx). unfold eval in *. rewrite (Ga x Lx Cx), (Gb x Lx Cx) in P. exact P.
    + destruct Q as (-> & -> & -> & -> & C & before & B). destruct l as [|? ?|l|?|?|?|?|?|]; cbn [next_state] in E; try discriminate.
      destruct (dstep _ _ _ _ _ _ l) as [st1|] eqn:E1; [|discriminate]. cbn [option_map] in E.
      set (hx := if second then hb' else ha') in *.
      assert (B1 : dsteps dims solve [] (zlen 0 ins) ss [root (inequalities dom) hx sc ins] (before ++ [l]) = Some st1)
        by (rewrite dsteps_app, B; cbn [dsteps]; rewrite E1; reflexivity).
      destruct st1 as [|v st1]; [|inversion E; subst s1; refine (IH ha' hb' _ _ Da' Db' Ga Gb _ H A); do 4 (split; [reflexivity|]); split; [exact C|]; exists (before ++ [l]); exact B1].
      destruct (chart_sound _ _ _ _ _ _ _ _ _ _ _ (units_ok _ n) C) as (Hs & Hl & P & P1 & _ & _ & P4).
      assert (Dx : dens_ok hx = true) by (unfold hx; destruct second; assumption).
      assert (Sol : forall x, solves (eqs dom) x -> solves (rev (eqs dom) ++ []) x)
        by (intros x Hx; rewrite app_nil_r; unfold solves; apply Forall_rev; exact Hx).
      assert (G : forall x, length x = length n -> closure dom x -> run_layers (settled hx (infos_of ss hx 0)) x = run_layers hx x).
      { intros x Lx Cx. destruct (closure_parts _ _ Cx) as [C1 C2]. destruct I0 as [I1 I2].
        assert (X : image sc ins (P x) = x) by (apply P4; [exact Lx|apply Sol; exact C1]).
        assert (X0 : image sc ins (P x0) = x0) by (apply P4; [exact L0|apply Sol; exact I1]).
        assert (T : told (chart_layer sc ins :: hx) (zlen 0 ins) ss (P x)).
        { apply (decided_told _ dims solve [] sc ins (inequalities dom) hx ss (before ++ [l]) (P x0) Hs Dx); try (apply P1; assumption).
          - rewrite X0. exact I2.
          - intros t _ _ i up [].
          - exact B1.
          - unfold inside_closed. rewrite X. exact C2. }
        apply (told_fine sc ins hx ss (P x) Dx) in T. rewrite X in T. exact (settled_sound (P x) _ _ _ T). }
      assert (E2 : s1 = Opened d p (if second then ha' else settled ha' (infos_of ss ha' 0)) (if second then settled hb' (infos_of ss hb' 0) else hb'))
        by (destruct second; inversion E; reflexivity). subst s1. clear E.
      refine (IH _ _ _ _ _ _ _ _ _ H A); [| | | |repeat split]; unfold hx in G; destruct second; rewrite ?settled_dens; try assumption;
        intros x Lx Cx; rewrite G by assumption; first [apply Gb | apply Ga]; assumption.
Qed.

Lemma sound_regions : forall al k net dom d p s ls s', let c := Regions al k net dom in
  first_state c d p = Some s -> steps c s ls = Some s' -> accepted c s' = true -> says c /\ not_vacuous c.
Proof.
  intros al k [n [h la]] dom d p s ls s' c B S A. unfold c in *. cbn [first_state] in B.
  destruct (placed _ _ _ _ _ _ _) as [[[dims sc] ins]|] eqn:O; [|discriminate]. inversion B; subst s. clear B.
  assert (Sc : (0 < sc)%Z /\ dens_ok h = true).
  { unfold placed in O. destruct (_ && _) eqn:E; [|discriminate]. apply andb_true_iff in E as [E _]. split; [|exact E].
    apply (chart_sound _ _ _ _ _ _ _ _ _ _ _ (units_ok _ n) O). }
  destruct Sc as [Hs Hd].
  assert (In : exists t0, length t0 = length dims /\ Forall (fun f => (0 < val f (image sc ins t0))%R) (inequalities dom)).
  { unfold placed in O. destruct (_ && _) eqn:E; [|discriminate]. apply andb_true_iff in E as [_ E].
    destruct (inside_sound n (eqs dom) (inequalities dom) d p E) as [Lx [I1 I2]].
    destruct (chart_sound _ _ _ _ _ _ _ _ _ _ _ (units_ok _ n) O) as (_ & _ & P & P1 & _ & _ & P4). exists (P (topoint d p)).
    split; [apply P1; exact Lx|]. rewrite P4; [exact I2|exact Lx|rewrite app_nil_r; unfold solves; apply Forall_rev; exact I1]. }
  destruct In as (t0 & L0 & P0). apply (steps_placed _ _ _ _ _ _ dims sc ins t0 ls Hs Hd L0 P0 []) in S; [|intros t _ _ i up []|auto].
  destruct s'; try discriminate. destruct S as (known & st' & ls' & T & S & W). inversion S; subst. clear S.
  cbn [accepted] in A. destruct st' as [[|] found]; [|discriminate].
  destruct (regions_sound _ _ _ _ _ _ _ _ _ _ _ _ _ _ O T W) as (I & ps & N & P & K).
  split; [|exact I]. exists ps. split; [exact N|]. split; [apply Forall_forall; intros q; apply P|]. rewrite K.
  destruct al; [apply Z.leb_le; exact A|]. split; [apply Z.eqb_eq; exact A|intros q; apply P].
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
  unfold eopened in O. destruct (_ && is_inside _ _ _ _ _) eqn:E; [|discriminate].
  repeat (apply andb_true_iff in E as [E ?]).
  destruct (inside_sound n (eqs dom) (inequalities dom) d p ltac:(assumption)) as [L0 I0].
  destruct (steps_opened n ha la m hb lb dom d p (topoint d p) ls E ltac:(assumption) L0 I0 ha hb (Opened d p ha hb) s' E ltac:(assumption)
    ltac:(intros ? ? ?; reflexivity) ltac:(intros ? ? ?; reflexivity) (conj eq_refl (conj eq_refl (conj eq_refl eq_refl))) S) as [I P].
  - destruct s'; try discriminate. cbn [accepted] in A. destruct st; [exact Logic.I|discriminate].
  - split; [exact P|exact I].
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
