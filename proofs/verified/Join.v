(* Networks side by side: one network, whose value is theirs one after the other. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Bounds Regions Property Equality.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker ---- *)
Definition widened (n : list unit) (k : Z) (f : row) : row := (Z.mul k (fst f), pad n [] ++ map (Z.mul k) (snd f)).
Definition multiplied (k : Z) (f : row) : row := (Z.mul k (fst f), map (Z.mul k) (snd f)).
Definition join_layer (n : list unit) (a b : layer) : option layer :=
  let d := Z.lcm (den a) (den b) in
  let p := Z.div d (den a) in
  let q := Z.div d (den b) in
  if Z.ltb 0 (den a) && Z.ltb 0 (den b) && Z.ltb 0 p && Z.ltb 0 q && Z.eqb (Z.mul p (den a)) d && Z.eqb (Z.mul q (den b)) d &&
     forallb (fun u => fits (snd (snd u)) n) (units a)
  then Some (Layer d (map (fun u : bool * row => (fst u, multiplied p (snd u))) (units a) ++
    map (fun u : bool * row => (fst u, widened n q (snd u))) (units b)))
  else None.
Definition width (l : layer) : list unit := map (fun _ => tt) (units l).
Fixpoint join_nets (n : list unit) (h1 : list layer) (l1 : layer) (h2 : list layer) (l2 : layer) : option (list layer * layer) :=
  match h1, h2 with
  | [], [] => option_map (pair []) (join_layer n l1 l2)
  | a :: h1', b :: h2' => match join_layer n a b, join_nets (width a) h1' l1 h2' l2 with
      | Some j, Some (r, l) => Some (j :: r, l) | _, _ => None end
  | _, _ => None
  end.
Definition all_linear (l : layer) : layer := Layer (den l) (map (fun u : bool * row => (true, snd u)) (units l)).
Definition identity (l : layer) : layer := Layer 1 (map (pair false) (unit_rows (units l))).
Fixpoint idle (depth : list unit) (last : layer) : list layer * layer :=
  match depth with [] => ([], last) | _ :: f => let '(r, l) := idle f (identity last) in (all_linear last :: r, l) end.
Fixpoint extend (depth : list unit) (hs : list layer) (last : layer) : list layer * layer :=
  match hs with [] => idle depth last | h :: hs' => let '(r, l) := extend (tl depth) hs' last in (h :: r, l) end.
Fixpoint joined (depth : list unit) (nets : list network) : option (list layer * layer) :=
  match nets with
  | [] => None
  | (n, (h, l)) :: r =>
      let '(h1, l1) := extend depth h l in
      match r with
      | [] => Some (h1, l1)
      | _ => match joined depth r with Some (h2, l2) => join_nets n h1 l1 h2 l2 | None => None end
      end
  end.

(* ---- soundness ---- *)
Lemma dot_multiplied : forall k a x, dot (map (Z.mul k) a) x = IZR k * dot a x.
Proof. induction a as [|q a IH]; intros [|v x]; cbn; try ring. rewrite IH, mult_IZR. ring. Qed.
Lemma join_layer_sound : forall n a b j x y, join_layer n a b = Some j -> length x = length n ->
  pass j (x ++ y) = pass a x ++ pass b y /\ affine j (x ++ y) = affine a x ++ affine b y.
Proof.
  intros n a b j x y H L. unfold join_layer in H. set (d := Z.lcm _ _) in *. set (p := (d / den a)%Z) in *. set (q := (d / den b)%Z) in *.
  match type of H with (if ?b then _ else _) = _ => destruct b eqn:E end; [|discriminate]. inversion H; subst j. clear H.
  repeat (apply andb_true_iff in E as [E ?]). apply Z.ltb_lt, IZR_lt in E, H4, H3, H2. apply Z.eqb_eq in H1, H0.
  rewrite forallb_forall in H. clearbody d p q.
  assert (A : forall u, In u (units a) -> val (multiplied p (snd u)) (x ++ y) / IZR d = val (snd u) x / IZR (den a)).
  { intros u Hu. specialize (H u Hu). unfold val, multiplied; cbn [fst snd]. rewrite dot_multiplied, mult_IZR.
    pose proof (val_app (snd u) x y) as V. rewrite (fits_len _ _ _ x n L) in V. specialize (V H). unfold val in V.
    rewrite <- H1, mult_IZR. assert (dot (snd (snd u)) (x ++ y) = dot (snd (snd u)) x) as -> by lra. field. lra. }
  assert (B : forall u : bool * row, val (widened n q (snd u)) (x ++ y) / IZR d = val (snd u) y / IZR (den b)).
  { intros u. unfold val, widened; cbn [fst snd]. rewrite dot_pad by exact L. rewrite dot_nil_l, dot_multiplied, mult_IZR, <- H0, mult_IZR. field. lra. }
  unfold pass, affine, pre. cbn [units den]. rewrite !map_app, !map_map. cbn [fst snd].
  split; f_equal; try (apply map_ext_in; intros u Hu; cbn [fst snd]; rewrite A by exact Hu; reflexivity);
    apply map_ext; intros u; cbn [fst snd]; rewrite B; reflexivity.
Qed.
Lemma join_nets_sound : forall h1 l1 h2 l2 n r l x y, join_nets n h1 l1 h2 l2 = Some (r, l) -> length x = length n ->
  eval r l (x ++ y) = eval h1 l1 x ++ eval h2 l2 y.
Proof.
  induction h1 as [|a h1 IH]; intros l1 [|b h2] l2 n r l x y H L; cbn [join_nets] in H; try discriminate.
  - destruct (join_layer n l1 l2) as [j|] eqn:J; [|discriminate]. inversion H; subst.
    unfold eval; cbn [run_layers]. exact (proj2 (join_layer_sound _ _ _ _ _ _ J L)).
  - destruct (join_layer n a b) as [j|] eqn:J; [|discriminate]. destruct (join_nets _ _ _ _ _) as [[r' l']|] eqn:K; [|discriminate].
    inversion H; subst. unfold eval in *; cbn [run_layers]. rewrite (proj1 (join_layer_sound _ _ _ _ _ _ J L)).
    apply (IH _ _ _ _ _ _ _ _ K). unfold pass, width. rewrite !map_length. reflexivity.
Qed.
Lemma idle_sound : forall depth last x, eval (fst (idle depth last)) (snd (idle depth last)) x = affine last x.
Proof.
  induction depth as [|z depth IH]; intros last x; cbn [idle]; [reflexivity|].
  specialize (IH (identity last) (affine last x)). destruct (idle depth (identity last)) as [r l]. cbn [fst snd] in *.
  unfold eval in *; cbn [run_layers].
  assert (pass (all_linear last) x = affine last x) as -> by (unfold pass, affine, all_linear, pre; cbn [units den]; rewrite map_map; reflexivity).
  rewrite IH. transitivity (image 1 (unit_rows (units last)) (affine last x)).
  - unfold affine at 1, identity, image, pre; cbn [units den]. rewrite map_map. reflexivity.
  - apply image_units. unfold affine. apply map_length.
Qed.
Lemma extend_sound : forall hs depth last x, eval (fst (extend depth hs last)) (snd (extend depth hs last)) x = eval hs last x.
Proof.
  induction hs as [|h hs IH]; intros depth last x; cbn [extend]; [apply idle_sound|].
  specialize (IH (tl depth) last (pass h x)). destruct (extend (tl depth) hs last) as [r l]. exact IH.
Qed.
Theorem joined_sound : forall depth nets h l x, joined depth nets = Some (h, l) -> length x = length (inputs nets) ->
  eval h l x = evals nets x.
Proof.
  induction nets as [|[n [h0 l0]] nets IH]; intros h l x H L; cbn [joined] in H; [discriminate|].
  pose proof (extend_sound h0 depth l0) as X. destruct (extend depth h0 l0) as [h1 l1]. cbn [fst snd] in X. cbn [evals].
  unfold inputs in L; cbn [flat_map fst] in L. rewrite app_length in L.
  destruct nets as [|net nets].
  - inversion H; subst. cbn in L. rewrite firstn_all2 by lia. cbn [evals]. rewrite app_nil_r. apply X.
  - destruct (joined depth (net :: nets)) as [[h2 l2]|] eqn:J; [|discriminate].
    rewrite <- (firstn_skipn (length n) x) at 1. rewrite (join_nets_sound _ _ _ _ _ _ _ _ _ H) by (apply firstn_length_le; lia).
    rewrite X. f_equal. apply (IH _ _ _ eq_refl). rewrite skipn_length. unfold inputs. lia.
Qed.
(* a property of several networks *)
Theorem properties_sound : forall depth nets hidden last common solve dom cases d p dims sc ins b it lines,
  joined depth nets = Some (hidden, last) ->
  opened (inputs nets) common hidden last dom d p = Some (dims, sc, ins) -> first_item dom dims sc ins b = Some it ->
  walks (inputs nets) dims sc ins solve hidden last dom cases [it] lines = Some [] ->
  (exists x, length x = length (inputs nets) /\ inner (eqs dom) (inequalities dom) x) /\
  forall x, length x = length (inputs nets) -> solution dom x -> ~ some_case nets cases x.
Proof.
  intros until lines. intros J O F W. destruct (property_sound _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ O F W) as [A B].
  split; [exact A|]. intros x L S C. apply (B x L S). unfold satisfied. rewrite (joined_sound _ _ _ _ _ J L). exact C.
Qed.
Theorem points_sound : forall depth nets hidden last dom cases d p, joined depth nets = Some (hidden, last) ->
  point_ok (inputs nets) hidden last dom cases d p = true ->
  exists x, length x = length (inputs nets) /\ solution dom x /\ some_case nets cases x.
Proof.
  intros depth nets hidden last dom cases d p J H. destruct (point_sound _ _ _ _ _ _ _ _ H) as (x & L & S & C).
  exists x. split; [exact L|]. split; [exact S|]. unfold satisfied in C. rewrite (joined_sound _ _ _ _ _ J L) in C. exact C.
Qed.
