(* Two networks on the same inputs are one network, and their outputs differ by so much where a row says it. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Bounds Regions Property Equality Join Checker.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker ---- *)
(* a row over (x, x) as a row over x *)
Definition fused (n : list unit) (f : row) : row := let '(p, q) := cut_at n (snd f) in (fst f, axpy 1 p q).
Definition fused_layer (n : list unit) (l : layer) : layer := Layer (den l) (map (fun u : bool * row => (fst u, fused n (snd u))) (units l)).
Definition paired (a b : network) : option network :=
  if same_len (fst a) (fst b) && same_len (units (snd (snd a))) (units (snd (snd b))) then
    match side_by_side [a; b] with
    | Some (h :: hs, l) => Some (fst a, (fused_layer (fst a) h :: hs, l))
    | Some ([], l) => Some (fst a, ([], fused_layer (fst a) l))
    | None => None
    end
  else None.
(* +-d(u - v) - e, for outputs u and v at one place, e/d the bound *)
Definition gap_row (n m : list unit) (k e : Z) (a : list Z) : row :=
  (Z.opp e, pad n [] ++ pad m (map (Z.mul k) a) ++ map (Z.mul (Z.opp k)) a).
Definition gaps (s : sense) (n m : list unit) (bound : Z * Z) : list system :=
  let '(d, e) := bound in
  flat_map (fun f : row => [[(s, gap_row n m d e (snd f))]; [(s, gap_row n m (Z.opp d) e (snd f))]]) (unit_rows m).
Definition closed_system (s : system) : system := map (fun c => (match fst c with Zero => Zero | _ => Least end, snd c)) s.

(* ---- soundness ---- *)
Lemma fused_sound : forall n f x, length x = length n -> val (fused n f) x = val f (x ++ x).
Proof.
  intros n [b a] x L. unfold fused, val; cbn [fst snd]. rewrite (dot_cut _ n a x x L). destruct (cut_at n a) as [p q]; cbn [fst snd].
  rewrite dot_axpy. ring.
Qed.
Lemma fused_layer_sound : forall n l x, length x = length n ->
  pass (fused_layer n l) x = pass l (x ++ x) /\ affine (fused_layer n l) x = affine l (x ++ x).
Proof.
  intros n l x L. unfold pass, affine, fused_layer, pre; cbn [units den]. rewrite !map_map.
  split; apply map_ext; intros u; cbn [fst snd]; rewrite fused_sound by exact L; reflexivity.
Qed.
Lemma paired_sound : forall a b ab x, paired a b = Some ab -> length x = length (fst a) ->
  fst ab = fst a /\ value ab x = value a x ++ value b x.
Proof.
  intros [n [ha la]] [m [hb lb]] ab x H L. unfold paired in H. cbn [fst snd] in *.
  destruct (_ && _) eqn:S; [|discriminate]. apply andb_true_iff in S as [S _]. apply same_len_ok in S.
  destruct (side_by_side _) as [[hs l]|] eqn:J; [|discriminate]. unfold side_by_side in J.
  assert (V : eval hs l (x ++ x) = eval ha la x ++ eval hb lb x).
  { rewrite (joined_sound _ _ _ _ (x ++ x) J) by (unfold inputs; cbn [flat_map fst]; rewrite !app_length; cbn; lia).
    cbn [evals]. rewrite app_nil_r, firstn_app, skipn_app, <- L, firstn_all, skipn_all, Nat.sub_diag. cbn [firstn skipn app].
    rewrite app_nil_r, firstn_all2 by lia. reflexivity. }
  destruct hs as [|h hs]; inversion H; subst; cbn [fst snd]; (split; [reflexivity|]); unfold value; cbn [fst snd]; rewrite <- V;
    unfold eval; cbn [run_layers]; destruct (fused_layer_sound n h x L) || destruct (fused_layer_sound n l x L); congruence.
Qed.
Definition outs (b : network) : list unit := width (snd (snd b)).
Lemma lengths : forall a b ab x, paired a b = Some ab -> length (value a x) = length (outs b) /\ length (value b x) = length (outs b).
Proof.
  intros a b ab x H. unfold paired in H. destruct (_ && _) eqn:S; [|discriminate]. apply andb_true_iff in S as [_ S].
  apply same_len_ok in S. unfold outs, width, value, eval, affine. rewrite !map_length. split; [exact S|reflexivity].
Qed.
Lemma val_gap : forall n m k e a x u v, length x = length n -> length u = length m ->
  val (gap_row n m k e a) (x ++ u ++ v) = IZR k * (dot a u - dot a v) - IZR e.
Proof.
  intros n m k e a x u v Lx Lu. unfold gap_row, val; cbn [fst snd]. rewrite dot_pad by exact Lx. rewrite dot_pad by exact Lu.
  rewrite dot_nil_l, !dot_multiplied, !opp_IZR. ring.
Qed.
Lemma places : forall (P : R -> R -> Prop) (m : list unit) u v, length u = length m -> length v = length m ->
  Exists (fun f : row => P (dot (snd f) u) (dot (snd f) v)) (unit_rows m) <-> Exists (fun uv => P (fst uv) (snd uv)) (combine u v).
Proof.
  intros P. induction m as [|z m IH]; intros [|y u] [|w v] Lu Lv; try discriminate; cbn [unit_rows combine].
  - split; intros H; inversion H.
  - rewrite !Exists_cons, Exists_map. cbn [fst snd dot]. rewrite !Rmult_1_l, !Rplus_0_r.
    rewrite <- IH by (cbn in *; congruence). split; (intros [H|H]; [left; exact H|right]); revert H; apply Exists_impl;
      intros f; cbn [fst snd dot]; rewrite !Rmult_0_l, !Rplus_0_l; auto.
Qed.
Lemma Exists_flat_map : forall A B (P : B -> Prop) (f : A -> list B) l, Exists P (flat_map f l) <-> Exists (fun a => Exists P (f a)) l.
Proof.
  induction l as [|a l IH]; cbn [flat_map]; [split; intros H; inversion H|]. rewrite Exists_app, Exists_cons, IH. reflexivity.
Qed.
Definition rises (s : sense) (z : R) : Prop := match s with Zero => z = 0 | Least => 0 <= z | Above => 0 < z end.
Lemma gaps_say : forall s a b ab d e x, paired a b = Some ab -> length x = length (fst a) ->
  some_case [ab] (gaps s (fst a) (outs b) (d, e)) x <->
  Exists (fun uv => rises s (IZR d * (fst uv - snd uv) - IZR e) \/ rises s (IZR d * (snd uv - fst uv) - IZR e))
    (combine (value a x) (value b x)).
Proof.
  intros s a b ab d e x H L. destruct (paired_sound _ _ _ x H L) as [Fn V]. destruct (lengths _ _ _ x H) as [La Lb].
  unfold some_case. assert (E : evals [ab] x = value a x ++ value b x).
  { destruct ab as [n [h l]]. cbn [evals fst] in *. rewrite app_nil_r, firstn_all2 by (rewrite L, Fn; lia). exact V. }
  rewrite E. unfold gaps. rewrite Exists_flat_map.
  rewrite <- (places (fun u v => rises s (IZR d * (u - v) - IZR e) \/ rises s (IZR d * (v - u) - IZR e)) (outs b) _ _ La Lb).
  assert (One : forall k f, solution [(s, gap_row (fst a) (outs b) k e f)] (x ++ value a x ++ value b x) <->
    rises s (IZR k * (dot f (value a x) - dot f (value b x)) - IZR e)).
  { intros k f. unfold solution. rewrite Forall_cons_iff. unfold meets; cbn [fst snd]. rewrite val_gap by assumption.
    split; [intros [A _]; exact A|intros A; split; [exact A|constructor]]. }
  split; apply Exists_impl; intros f; rewrite !Exists_cons, Exists_nil, !One, opp_IZR;
    replace (- IZR d * (dot (snd f) (value a x) - dot (snd f) (value b x)) - IZR e)
      with (IZR d * (dot (snd f) (value b x) - dot (snd f) (value a x)) - IZR e) by ring; tauto.
Qed.
(* an output that rises above a bound e/d differs by more, and so for the other senses *)
Lemma rises_gap : forall d e u v, 0 < IZR d ->
  (rises Above (IZR d * (u - v) - IZR e) \/ rises Above (IZR d * (v - u) - IZR e)) <-> number (d, e) < Rabs (u - v).
Proof.
  intros d e u v Hd. unfold number; cbn [fst snd rises].
  assert (Q : forall z, 0 < IZR d * z - IZR e <-> IZR e / IZR d < z).
  { intros z. split; intros A.
    - apply (Rmult_lt_reg_l (IZR d)); [exact Hd|]. replace (IZR d * (IZR e / IZR d)) with (IZR e) by (field; lra). lra.
    - apply (Rmult_lt_compat_l (IZR d)) in A; [|exact Hd]. replace (IZR d * (IZR e / IZR d)) with (IZR e) in A by (field; lra). lra. }
  rewrite !Q. unfold Rabs. destruct (Rcase_abs (u - v)); split; intros; lra.
Qed.
Lemma rises_least : forall s d e u v, 0 < IZR d -> s <> Above ->
  (rises s (IZR d * (u - v) - IZR e) \/ rises s (IZR d * (v - u) - IZR e)) -> number (d, e) <= Rabs (u - v).
Proof.
  intros s d e u v Hd N H. unfold number; cbn [fst snd].
  assert (Q : forall z, 0 <= IZR d * z - IZR e -> IZR e / IZR d <= z).
  { intros z A. apply (Rmult_le_reg_l (IZR d)); [exact Hd|]. replace (IZR d * (IZR e / IZR d)) with (IZR e) by (field; lra). lra. }
  assert (W : forall z, rises s z -> 0 <= z) by (intros z; destruct s; cbn; [lra|auto|contradiction]).
  unfold Rabs. destruct H as [H|H]; apply W, Q in H; destruct (Rcase_abs (u - v)); lra.
Qed.
Lemma closed_solution : forall s x, solution (closed_system s) x <-> closure s x.
Proof.
  intros s x. unfold solution, closure, closed_system. rewrite Forall_map. split; apply Forall_impl; intros [[] f]; cbn; auto.
Qed.
Lemma closed_rows : forall s, eqs (closed_system s) = eqs s /\ inequalities (closed_system s) = inequalities s.
Proof.
  unfold eqs, inequalities, closed_system. induction s as [|[[] f] s [A B]]; [split; reflexivity| | |];
    cbn [map flat_map fst snd app]; rewrite ?A, ?B; split; reflexivity.
Qed.
(* what claims about the network of both say about the pair *)
Definition pair_claim (hold : bool) (s : sense) (a b ab : network) (bound : Z * Z) (dom : system) : claim :=
  Property hold [ab] (closed_system dom) (gaps s (fst a) (outs b) bound).
Lemma inputs_of : forall a b ab, paired a b = Some ab -> length (inputs [ab]) = length (fst a).
Proof.
  intros a b ab H. unfold paired in H. destruct (_ && _); [|discriminate].
  destruct (side_by_side _) as [[[|h hs] l]|]; inversion H; cbn; rewrite app_nil_r; reflexivity.
Qed.
Lemma pair_populated : forall hold s a b ab e dom, paired a b = Some ab -> not_vacuous (pair_claim hold s a b ab e dom) ->
  populated (fst a) dom.
Proof.
  intros hold s a b ab e dom H (x & L & I). exists x. split.
  - rewrite L. unfold pair_claim, dimension. apply (inputs_of _ _ _ H).
  - unfold pair_claim, domain in I. destruct (closed_rows dom) as [A B]. rewrite A, B in I. exact I.
Qed.
Lemma never_exceeds : forall a b ab d e dom, 0 < IZR d -> paired a b = Some ab -> says (pair_claim true Above a b ab (d, e) dom) ->
  ~ exceeds a b dom (number (d, e)).
Proof.
  intros a b ab d e dom Hd H S (x & L & C & D). cbn [pair_claim says] in S. rewrite (inputs_of _ _ _ H) in S.
  apply (S x L); [apply closed_solution; exact C|]. apply (gaps_say _ _ _ _ _ _ _ H L). revert D. apply Exists_impl.
  intros uv. apply (rises_gap _ _ _ _ Hd).
Qed.
Lemma exceeds_here : forall a b ab d e dom, 0 < IZR d -> paired a b = Some ab -> says (pair_claim false Above a b ab (d, e) dom) ->
  exceeds a b dom (number (d, e)).
Proof.
  intros a b ab d e dom Hd H (x & L & C & D). cbn [inputs] in *. rewrite (inputs_of _ _ _ H) in L. exists x. split; [exact L|].
  split; [apply closed_solution; exact C|]. apply (gaps_say _ _ _ _ _ _ _ H L) in D. revert D. apply Exists_impl.
  intros uv. apply (rises_gap _ _ _ _ Hd).
Qed.
Lemma exceeds_below : forall s a b ab d e dom, 0 < IZR d -> s <> Above -> paired a b = Some ab ->
  says (pair_claim false s a b ab (d, e) dom) -> forall e', e' < number (d, e) -> exceeds a b dom e'.
Proof.
  intros s a b ab d e dom Hd N H (x & L & C & D) e' Le. rewrite (inputs_of _ _ _ H) in L. exists x. split; [exact L|].
  split; [apply closed_solution; exact C|]. apply (gaps_say _ _ _ _ _ _ _ H L) in D. revert D. apply Exists_impl.
  intros uv W. apply (rises_least _ _ _ _ _ Hd N) in W. lra.
Qed.
