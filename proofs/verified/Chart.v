(* The solutions of equations: coordinates t, some of those of x, and x = (C.t + c)/sc. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells.
Import ListNotations.
Open Scope R_scope.

Definition image (sc : Z) (ins : list row) (t : point) : point := map (fun f => val f t / IZR sc) ins.

(* ---- the checker; places are lists, as long as the number of coordinates before ---- *)
Definition pull (sc : Z) (ins : list row) (f : row) : row := lin (snd f) (map Some ins) (Z.mul sc (fst f), []).
Fixpoint unit_rows {U} (n : list U) : list row :=
  match n with [] => [] | _ :: n' => (0%Z, [1%Z]) :: map (fun f => (fst f, 0%Z :: snd f)) (unit_rows n') end.
Fixpoint drop_at {A} (m : list Z) (a : list A) : list A :=
  match m, a with [], _ :: a' => a' | _ :: m', x :: a' => x :: drop_at m' a' | _, [] => [] end.
Fixpoint entry_at (m : list Z) (a : list Z) : Z :=
  match m, a with [], q :: _ => q | _ :: m', _ :: a' => entry_at m' a' | _, [] => 0%Z end.
Fixpoint pivot (a : list Z) : option (list Z) :=
  match a with [] => None | q :: a' => if Z.eqb q 0 then option_map (cons q) (pivot a') else Some [] end.
Definition substituted (m : list Z) (e f : row) : row :=
  let q := entry_at m (snd e) in
  let g := fadd (Z.opp (Z.mul (Z.sgn q) (entry_at m (snd f)))) e (fadd (Z.abs q) f zero) in
  (fst g, drop_at m (snd g)).
Section Chart.
Context (common : row -> Z).                                (* guesses the gcd, which is tested *)
Definition primitive (f : row) : row :=
  let g := common f in
  if Z.ltb 0 g && forallb (fun x => Z.eqb (Z.mul g (Z.div x g)) x) (fst f :: snd f)
  then (Z.div (fst f) g, map (fun x => Z.div x g) (snd f)) else f.
Fixpoint chart {U} (es : list row) (d : list U) (sc : Z) (ins : list row) : option (list U * Z * list row) :=
  match es with
  | [] => Some (d, sc, ins)
  | e :: es' =>
      let g := primitive (pull sc ins e) in
      match pivot (snd g) with
      | None => if Z.eqb (fst g) 0 then chart es' d sc ins else None
      | Some m => if fits (snd g) d
                  then chart es' (drop_at m d) (Z.mul sc (Z.abs (entry_at m (snd g)))) (map (substituted m g) ins)
                  else None
      end
  end.

(* ---- soundness ---- *)
Lemma val_pull : forall sc ins f t, (0 < sc)%Z -> val (pull sc ins f) t = IZR sc * val f (image sc ins t).
Proof.
  intros sc ins [b a] t Hs. apply IZR_lt in Hs. unfold pull. rewrite val_lin.
  rewrite (dot_scaled _ (IZR sc) _ (image sc ins t)).
  - unfold val; cbn [fst snd]. rewrite dot_nil_l, mult_IZR. ring.
  - unfold image. induction ins as [|f ins IH]; cbn [map]; constructor; [|exact IH]. cbn. field. lra.
Qed.
Lemma image_units : forall U (n : list U) t, length t = length n -> image 1 (unit_rows n) t = t.
Proof.
  induction n as [|u n IH]; intros [|x t] H; cbn in H |- *; try discriminate; [reflexivity|].
  unfold image in *. f_equal.
  - unfold val; cbn. field.
  - rewrite map_map. transitivity (map (fun f => val f t / IZR 1) (unit_rows n)); [|apply IH; congruence].
    apply map_ext. intros f. unfold val; cbn. field.
Qed.
Fixpoint insert (m : list Z) (v : R) (t : point) : point :=
  match m, t with [], _ => v :: t | _ :: m', x :: t' => x :: insert m' v t' | _ :: _, [] => [v] end.
Fixpoint coord (m : list Z) (t : point) : R :=
  match m, t with [], x :: _ => x | _ :: m', _ :: t' => coord m' t' | _, [] => 0 end.
Lemma dot_insert : forall m v t a, (length m <= length t)%nat ->
  dot a (insert m v t) = dot (drop_at m a) t + IZR (entry_at m a) * v.
Proof.
  induction m as [|z m IH]; intros v t a H.
  - destruct a; cbn; ring.
  - destruct t as [|x t]; [cbn in H; lia|]. destruct a as [|q a]; cbn [insert drop_at entry_at dot]; [ring|].
    rewrite IH by (cbn in H; lia). ring.
Qed.
Lemma insert_drop : forall m t, (length m < length t)%nat -> insert m (coord m t) (drop_at m t) = t.
Proof. induction m as [|z m IH]; intros [|x t] H; cbn in *; try lia; [reflexivity|]. f_equal. apply IH. lia. Qed.
Lemma drop_insert : forall m v t, (length m <= length t)%nat -> drop_at m (insert m v t) = t.
Proof. induction m as [|z m IH]; intros v [|x t] H; cbn in *; try lia; try reflexivity. f_equal. apply IH. lia. Qed.
Lemma length_drop : forall A m (a : list A), (length m < length a)%nat -> S (length (drop_at m a)) = length a.
Proof. induction m as [|z m IH]; intros [|x a] H; cbn in *; try lia. rewrite IH; lia. Qed.
Lemma near_drop : forall m r x y, near r x y -> near r (drop_at m x) (drop_at m y).
Proof. induction m as [|z m IH]; intros r x y H; destruct H; cbn; try constructor; auto. apply IH; assumption. Qed.
Lemma entry_axpy : forall m k a acc, entry_at m (axpy k a acc) = (k * entry_at m a + entry_at m acc)%Z.
Proof.
  induction m as [|z m IH]; intros k [|q a] [|r acc]; cbn [axpy entry_at]; try lia; rewrite IH; cbn; try lia.
  destruct m; cbn; lia.
Qed.
Lemma pivot_entry : forall a m, pivot a = Some m -> entry_at m a <> 0%Z /\ (length m < length a)%nat.
Proof.
  induction a as [|q a IH]; intros m H; cbn in H; [discriminate|]. destruct (Z.eqb_spec q 0).
  - destruct (pivot a) as [m'|]; [|discriminate]. inversion H; subst. destruct (IH _ eq_refl). cbn. split; [assumption|lia].
  - inversion H; subst. cbn. split; [assumption|lia].
Qed.
Lemma pivot_none : forall a, pivot a = None -> zeros a = true.
Proof.
  induction a as [|q a IH]; intros H; cbn in *; [reflexivity|]. destruct (Z.eqb q 0); [|discriminate].
  destruct (pivot a); [discriminate|]. apply IH; reflexivity.
Qed.
Lemma fits_length : forall A (a : list Z) (d : list A), fits a d = true -> (length a <= length d)%nat.
Proof. induction a as [|q a IH]; intros [|u d] H; cbn in *; try discriminate; try lia. specialize (IH _ H). lia. Qed.
Definition solved (m : list Z) (e : row) (t : point) : R :=
  - (IZR (fst e) + dot (drop_at m (snd e)) t) / IZR (entry_at m (snd e)).
Lemma val_solved : forall m e t, entry_at m (snd e) <> 0%Z -> (length m <= length t)%nat ->
  val e (insert m (solved m e t) t) = 0.
Proof.
  intros m e t H L. unfold val. rewrite dot_insert by exact L. unfold solved. field. intros E. apply H. apply eq_IZR. exact E.
Qed.
Lemma val_substituted : forall m e f t, entry_at m (snd e) <> 0%Z -> (length m <= length t)%nat ->
  val (substituted m e f) t = IZR (Z.abs (entry_at m (snd e))) * val f (insert m (solved m e t) t).
Proof.
  intros m e f t H L. unfold substituted. set (q := entry_at m (snd e)) in *. set (y := insert m (solved m e t) t).
  set (g := fadd _ e _).
  assert (Z0 : entry_at m (snd g) = 0%Z).
  { subst g. unfold fadd; cbn [fst snd zero]. rewrite !entry_axpy. fold q.
    replace (entry_at m []) with 0%Z by (destruct m; reflexivity). pose proof (Z.sgn_abs q). nia. }
  transitivity (val g y).
  - unfold val; cbn [fst snd]. unfold y. rewrite dot_insert, Z0 by exact L. ring.
  - subst g. rewrite !val_fadd, val_zero. unfold y at 1. rewrite val_solved by assumption. ring.
Qed.
Lemma primitive_zero : forall f t, val (primitive f) t = 0 <-> val f t = 0.
Proof.
  intros f t. unfold primitive. destruct (Z.ltb 0 (common f) && _) eqn:E; [|tauto].
  apply andb_true_iff in E as [Hg E]. apply Z.ltb_lt, IZR_lt in Hg. set (g := common f) in *. clearbody g.
  assert (val f t = IZR g * val (fst f / g, map (fun x => x / g) (snd f))%Z t) as ->.
  { destruct f as [b a]. cbn in E |- *. apply andb_true_iff in E as [E1 E2]. apply Z.eqb_eq in E1.
    unfold val; cbn [fst snd]. rewrite Rmult_plus_distr_l, <- mult_IZR, E1. f_equal.
    clear - E2. revert t; induction a as [|x a IH]; intros [|v t]; cbn in *; try ring.
    apply andb_true_iff in E2 as [E1 E2]. apply Z.eqb_eq in E1. rewrite (IH E2), <- E1 at 1. rewrite mult_IZR. ring. }
  split; intros H; [rewrite H; ring|]. apply Rmult_integral in H as [H|H]; [lra|exact H].
Qed.

Definition chart_ok {U} (n : list U) (es : list row) (d : list U) (sc : Z) (ins : list row) : Prop :=
  (0 < sc)%Z /\ length ins = length n /\ exists P,
    (forall x, length x = length n -> length (P x) = length d) /\
    (forall r x y, near r x y -> near r (P x) (P y)) /\
    (forall t, length t = length d -> solves es (image sc ins t) /\ P (image sc ins t) = t) /\
    (forall x, length x = length n -> solves es x -> image sc ins (P x) = x).
Lemma length_units : forall U (n : list U), length (unit_rows n) = length n.
Proof. induction n; cbn; [reflexivity|]. rewrite map_length. f_equal. exact IHn. Qed.
Lemma units_ok : forall U (n : list U), chart_ok n [] n 1 (unit_rows n).
Proof.
  intros U n. split; [lia|]. split; [apply length_units|]. exists (fun x => x).
  split; [auto|]. split; [auto|]. split.
  - intros t Ht. split; [constructor|apply image_units; exact Ht].
  - intros x Hx _. apply image_units; exact Hx.
Qed.
Lemma chart_sound : forall U (n : list U) es done d sc ins d' sc' ins',
  chart_ok n done d sc ins -> chart es d sc ins = Some (d', sc', ins') -> chart_ok n (rev es ++ done) d' sc' ins'.
Proof.
  induction es as [|e es IH]; intros done d sc ins d' sc' ins' O H; cbn [chart] in H.
  - inversion H; subst. exact O.
  - cbn [rev]. rewrite <- app_assoc. destruct O as (Hs & Hl & P & P1 & P2 & P3 & P4).
    set (g := primitive (pull sc ins e)) in *. apply IZR_lt in Hs as Hs'.
    assert (Q : forall t, val g t = 0 <-> val e (image sc ins t) = 0).
    { intros t. unfold g. rewrite primitive_zero, val_pull by exact Hs. split; intros A; [|rewrite A; ring].
      apply Rmult_integral in A as [A|A]; [lra|exact A]. }
    destruct (pivot (snd g)) as [m|] eqn:M.
    + destruct (fits (snd g) d) eqn:F; [|discriminate]. apply fits_length in F. destruct (pivot_entry _ _ M) as [Hq Hm].
      assert (Hd : S (length (drop_at m d)) = length d) by (apply length_drop; lia).
      eapply IH; [|exact H]. set (q := entry_at m (snd g)) in *.
      assert (Im : forall t, length t = length (drop_at m d) ->
        image (sc * Z.abs q) (map (substituted m g) ins) t = image sc ins (insert m (solved m g t) t)).
      { intros t Ht. unfold image. rewrite map_map. apply map_ext. intros f.
        rewrite val_substituted by (try exact Hq; lia). fold q. rewrite mult_IZR.
        assert (IZR (Z.abs q) <> 0) by (intros E; apply eq_IZR in E; lia). field. split; [lra|assumption]. }
      assert (Li : forall t, length t = length (drop_at m d) -> length (insert m (solved m g t) t) = length d).
      { intros t Ht. rewrite <- Hd, <- Ht. assert (L : (length m <= length t)%nat) by lia. clear - L.
        revert t L. generalize (solved m g). intros h t. generalize (h t). intros v. clear h. revert t.
        induction m as [|z m IH]; intros [|x t] L; cbn in *; try lia. rewrite IH; lia. }
      split; [apply Z.mul_pos_pos; lia|]. split; [rewrite map_length; exact Hl|].
      exists (fun x => drop_at m (P x)). split; [|split; [|split]].
      * intros x Hx. apply P1 in Hx. assert (A := length_drop _ m (P x)). lia.
      * intros r x y A. apply near_drop, P2, A.
      * intros t Ht. rewrite Im by exact Ht. destruct (P3 _ (Li t Ht)) as [A B]. split.
        -- constructor; [|exact A]. apply Q. apply val_solved; [exact Hq|lia].
        -- rewrite B. apply drop_insert. lia.
      * intros x Hx A. inversion A as [|? ? A1 A2]; subst. specialize (P4 x Hx A2). specialize (P1 x Hx).
        assert (L : (length m < length (P x))%nat) by lia.
        rewrite Im by (pose proof (length_drop _ _ _ L); lia). transitivity (image sc ins (P x)); [f_equal|exact P4].
        transitivity (insert m (coord m (P x)) (drop_at m (P x))); [f_equal|apply insert_drop; exact L].
        assert (B : val g (P x) = 0) by (apply Q; rewrite P4; exact A1).
        rewrite <- (insert_drop m (P x)) in B by exact L. unfold val in B.
        rewrite dot_insert in B by (pose proof (length_drop _ _ _ L); lia). fold q in B.
        unfold solved. fold q. assert (IZR q <> 0) by (intros E; apply eq_IZR in E; lia).
        apply Rmult_eq_reg_l with (IZR q); [|assumption]. field_simplify; [|assumption]. lra.
    + destruct (Z.eqb_spec (fst g) 0) as [E|]; [|discriminate]. eapply IH; [|exact H].
      assert (G : forall t, val g t = 0) by (intros t; rewrite (val_const _ _ (pivot_none _ M)), E; reflexivity).
      split; [exact Hs|]. split; [exact Hl|]. exists P. split; [exact P1|]. split; [exact P2|]. split.
      * intros t Ht. destruct (P3 t Ht) as [A B]. split; [|exact B]. constructor; [apply Q, G|exact A].
      * intros x Hx A. inversion A; subst. apply P4; assumption.
Qed.
End Chart.
Lemma image_near : forall sc ins, (0 < sc)%Z -> exists K, 0 < K /\
  forall r t t', 0 <= r -> near r t t' -> near (K * r) (image sc ins t) (image sc ins t').
Proof.
  intros sc ins Hs. apply IZR_lt in Hs. induction ins as [|f ins (K & HK & IH)].
  - exists 1. split; [lra|]. intros; constructor.
  - pose proof (norm1_pos (snd f)) as N. assert (0 <= norm1 (snd f) / IZR sc)
      by (apply Rmult_le_pos; [exact N|left; apply Rinv_0_lt_compat; exact Hs]).
    exists (norm1 (snd f) / IZR sc + K). split; [lra|]. intros r t t' Hr Ht. unfold image in *; cbn [map]. constructor.
    + pose proof (val_near f r t t' Ht Hr) as V.
      replace (val f t / IZR sc - val f t' / IZR sc) with ((val f t - val f t') * / IZR sc) by (field; lra).
      rewrite Rabs_mult, (Rabs_pos_eq (/ IZR sc)) by (left; apply Rinv_0_lt_compat; exact Hs).
      apply Rle_trans with (norm1 (snd f) * r * / IZR sc).
      * apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact Hs|exact V].
      * unfold Rdiv. assert (0 <= K * r) by (apply Rmult_le_pos; lra). nra.
    + eapply near_mono; [|apply IH; eassumption]. nra.
Qed.
