(* Ends of the units of a network on a domain, layer by layer, with exact numbers: those of the record [intervals] (KS3). *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Bounds.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker: ends of s times a number; they may be missing ---- *)
(* a row s.b + a.x >= 0 with one coordinate gives it an end, if it is an integer *)
Definition sharper (c q : Z) (e : ends) : ends :=
  let v := Z.div (Z.opp c) q in
  if Z.eqb (Z.mul q v) (Z.opp c) then
    if Z.ltb 0 q then (Some (match fst e with Some l => Z.max l v | None => v end), snd e)
    else (fst e, Some (match snd e with Some h => Z.min h v | None => v end))
  else e.
Fixpoint with_row (c : Z) (a : list Z) (es : list ends) : list ends :=
  match a, es with
  | q :: a', e :: es' =>
      if Z.eqb q 0 then e :: with_row c a' es' else if zeros a' then sharper c q e :: es' else es
  | _, _ => es
  end.
Definition coordinate_ends {U} (s : Z) (n : list U) (ks : list cond) : list ends :=
  fold_left (fun es k => with_row (Z.mul s (fst (snd k))) (snd (snd k)) es) ks (map (fun _ => (None, None)) n).
Fixpoint lower_end (a : list Z) (es : list ends) (c : Z) : option Z :=
  match a, es with
  | q :: a', e :: es' =>
      if Z.eqb q 0 then lower_end a' es' c
      else match (if Z.ltb 0 q then fst e else snd e) with Some v => lower_end a' es' (Z.add c (Z.mul q v)) | None => None end
  | _, _ => Some c
  end.
Definition row_ends (s : Z) (es : list ends) (f : row) : ends :=
  (lower_end (snd f) es (Z.mul s (fst f)), option_map Z.opp (lower_end (map Z.opp (snd f)) es (Z.opp (Z.mul s (fst f))))).
Definition passed_ends (u : bool * row) (e : ends) : ends :=
  if fst u then e else (Some (match fst e with Some l => Z.max 0 l | None => 0%Z end), option_map (Z.max 0) (snd e)).
(* as in KS3 an end <= 0 comes first: a unit that is 0 throughout shows no + *)
Definition sign_shown (e : ends) : info :=
  match e with
  | (l, Some h) =>
      if Z.leb h 0 then Info None (Some 0%Z) None None
      else Info (match l with Some l => if Z.leb 0 l then Some 0%Z else None | None => None end) None None None
  | (Some l, None) => Info (if Z.leb 0 l then Some 0%Z else None) None None None
  | (None, None) => noinfo
  end.
Fixpoint passed_all (us : list (bool * row)) (es : list ends) : list ends :=
  match us, es with u :: us', e :: es' => passed_ends u e :: passed_all us' es' | _, _ => [] end.
Fixpoint by_intervals (s : Z) (ls : list layer) (es : list ends) : infos :=
  match ls with
  | [] => []
  | l :: ls' =>
      let fs := map (fun u => row_ends s es (snd u)) (units l) in
      map sign_shown fs :: by_intervals (Z.mul s (den l)) ls' (passed_all (units l) fs)
  end.
(* the coordinates are t; s times an end is an integer, or the end is not used *)
Definition intervals_of {U} (dims : list U) (sc : Z) (ins : list row) (ks : list cond) (hidden : list layer) (s : Z) : infos :=
  match hidden with
  | [] => []
  | l :: ls =>
      let es := coordinate_ends s dims ks in
      let fs := map (fun u => row_ends s es (pull sc ins (snd u))) (units l) in
      map sign_shown fs :: by_intervals (Z.mul s (Z.mul sc (den l))) ls (passed_all (units l) fs)
  end.
(* what both know *)
Definition both1 (i j : info) : info :=
  Info (if at_least (lo i) 0 then lo i else lo j) (if at_most (hi i) 0 then hi i else hi j) None None.
Fixpoint both2 (u v : list info) : list info :=
  match u, v with i :: u', j :: v' => both1 i j :: both2 u' v' | [], _ => v | _, [] => u end.
Fixpoint both (u v : infos) : infos :=
  match u, v with i :: u', j :: v' => both2 i j :: both u' v' | [], _ => v | _, [] => u end.

(* ---- soundness ---- *)
Definition spans (s : Z) (e : ends) (z : R) : Prop :=
  match fst e with Some l => IZR l <= IZR s * z | None => True end /\ match snd e with Some h => IZR s * z <= IZR h | None => True end.
Lemma sharper_sound : forall s b q e z, (0 < s)%Z -> q <> 0%Z -> 0 <= IZR b + IZR q * z -> spans s e z -> spans s (sharper (s * b) q e) z.
Proof.
  intros s b q [l h] z Hs Hq H [A B]. unfold sharper; cbn [fst snd] in *. set (v := (- (s * b) / q)%Z).
  destruct (Z.eqb_spec (q * v) (- (s * b))) as [E|]; [|split; assumption]. apply IZR_lt in Hs.
  assert (E' : IZR q * IZR v = - (IZR s * IZR b)) by (rewrite <- !mult_IZR, <- opp_IZR; f_equal; exact E).
  assert (F : 0 <= IZR s * (IZR b + IZR q * z)) by (apply Rmult_le_pos; lra).
  assert (G : 0 <= IZR q * (IZR s * z - IZR v)) by lra.
  destruct (Z.ltb_spec 0 q) as [P|P]; [apply IZR_lt in P|assert (IZR q < 0) by (apply IZR_lt; lia)]; split; cbn [fst snd]; auto.
  - assert (IZR v <= IZR s * z) by nra. destruct l as [l|]; [|assumption]. destruct (Z.max_spec l v) as [[_ ->]|[_ ->]]; assumption.
  - assert (IZR s * z <= IZR v) by nra. destruct h as [h|]; [|assumption]. destruct (Z.min_spec h v) as [[_ ->]|[_ ->]]; assumption.
Qed.
Lemma with_row_sound : forall s b a es t, (0 < s)%Z -> 0 <= IZR b + dot a t -> Forall2 (spans s) es t ->
  Forall2 (spans s) (with_row (s * b) a es) t.
Proof.
  intros s b. induction a as [|q a IH]; intros es t Hs H F; [exact F|]. destruct F as [|e x es t He F]; [constructor|]. cbn [with_row].
  cbn [dot] in H. destruct (Z.eqb_spec q 0) as [->|N]; [constructor; [exact He|apply IH; auto; lra]|].
  destruct (zeros a) eqn:Z0; [|constructor; assumption]. constructor; [|exact F].
  rewrite (dot_zeros _ _ Z0), Rplus_0_r in H. apply sharper_sound; assumption.
Qed.
Lemma coordinate_ends_sound : forall U s (n : list U) ks t, (0 < s)%Z -> length t = length n -> sat ks t ->
  Forall2 (spans s) (coordinate_ends s n ks) t.
Proof.
  intros U s n ks t Hs L S. unfold coordinate_ends.
  assert (G : forall es, Forall2 (spans s) es t -> Forall2 (spans s) (fold_left (fun es k => with_row (s * fst (snd k)) (snd (snd k)) es) ks es) t).
  { induction S as [|[st [b a]] ks Hk S IH]; intros es F; [exact F|]. cbn [fold_left fst snd]. apply IH. apply with_row_sound; auto.
    unfold holds, val in Hk; cbn [fst snd] in Hk. destruct st; lra. }
  apply G. clear - L. revert t L. induction n as [|u n IH]; intros [|x t] L; try discriminate; constructor; [split; exact I|apply IH; cbn in L; lia].
Qed.
Lemma lower_end_sound : forall s y es, Forall2 (spans s) es y -> forall a c m, lower_end a es c = Some m -> IZR m <= IZR c + IZR s * dot a y.
Proof.
  intros s y es F. induction F as [|e z es y [A B] F IH]; intros [|q a] c m H; cbn [lower_end] in H;
    try (inversion H; subst; rewrite ?dot_nil_l, ?dot_nil; lra).
  cbn [dot]. destruct (Z.eqb_spec q 0) as [->|N]; [apply IH in H; lra|].
  destruct (Z.ltb_spec 0 q) as [P|P].
  - destruct (fst e) as [v|]; [|discriminate]. apply IH in H. rewrite plus_IZR, mult_IZR in H. apply IZR_lt in P.
    assert (IZR q * IZR v <= IZR q * (IZR s * z)) by (apply Rmult_le_compat_l; lra). lra.
  - destruct (snd e) as [v|]; [|discriminate]. apply IH in H. rewrite plus_IZR, mult_IZR in H. assert (IZR q < 0) by (apply IZR_lt; lia).
    assert (IZR q * IZR v <= IZR q * (IZR s * z)) by (apply Rmult_le_compat_neg_l; lra). lra.
Qed.
Lemma row_ends_sound : forall s d es f y z, Forall2 (spans s) es y -> IZR d * z = val f y -> spans (s * d) (row_ends s es f) z.
Proof.
  intros s d es [b a] y z F E. unfold row_ends, spans, val in *; cbn [fst snd] in *. rewrite mult_IZR, Rmult_assoc, E.
  split.
  - destruct (lower_end a es _) as [m|] eqn:H; [|exact I]. apply (lower_end_sound _ _ _ F) in H. rewrite mult_IZR in H. lra.
  - destruct (lower_end (map Z.opp a) es _) as [m|] eqn:H; [|exact I]. apply (lower_end_sound _ _ _ F) in H.
    rewrite dot_opp, opp_IZR, mult_IZR in H. cbn [option_map]. rewrite opp_IZR. lra.
Qed.
Lemma passed_sound : forall s u e z, (0 < s)%Z -> spans s e z -> spans s (passed_ends u e) (passes (fst u) z).
Proof.
  intros s [[] f] [l h] z Hs [A B]; unfold passed_ends, spans in *; cbn [fst snd passes] in *; [split; assumption|]. apply IZR_lt in Hs.
  unfold relu, Rmax. split.
  - destruct l as [l|]; [destruct (Z.max_spec 0 l) as [[_ ->]|[_ ->]]|]; destruct (Rle_dec 0 z); nra.
  - destruct h as [h|]; [|exact I]. cbn [option_map]. destruct (Z.max_spec 0 h) as [[Q ->]|[Q ->]]; destruct (Rle_dec 0 z); try apply IZR_lt in Q; try apply IZR_le in Q; nra.
Qed.
Lemma sign_shown_known : forall s e t z, (0 < s)%Z -> spans s e z -> known1 (sign_shown e) t z.
Proof.
  intros s [l h] t z Hs [A B]. pose proof P_pos as HP. apply IZR_lt in Hs. cbn [fst snd] in *.
  assert (Lo : match l with Some l => above (if Z.leb 0 l then Some 0%Z else None) z | None => True end).
  { destruct l as [l|]; [|exact I]. destruct (Z.leb_spec 0 l) as [Q|]; [|exact I]. apply IZR_le in Q. cbn.
    assert (0 <= z) by nra. apply Rmult_le_pos; lra. }
  unfold sign_shown. destruct h as [h|].
  - destruct (Z.leb_spec h 0) as [Q|]; [|destruct l; repeat split; exact Lo].
    apply IZR_le in Q. cbn in B. assert (z <= 0) by nra. assert (IZR P * z <= 0) by nra. destruct l; (split; [exact I|split; [assumption|split; exact I]]).
  - destruct l; repeat split; exact Lo.
Qed.
Lemma layer_known : forall s l fs t y, (0 < s)%Z -> Forall2 (spans s) fs (map (fun u => pre l u y) (units l)) ->
  known_units l (units l) (map sign_shown fs) t y.
Proof.
  intros s l fs t y Hs. revert fs. induction (units l) as [|u us IH]; intros [|e fs] B; cbn [map known_units]; auto.
  cbn [map] in B. inversion B; subst. split; [apply (sign_shown_known s); assumption|apply IH; assumption].
Qed.
Lemma layer_passed : forall s l fs y, (0 < s)%Z -> Forall2 (spans s) fs (map (fun u => pre l u y) (units l)) ->
  Forall2 (spans s) (passed_all (units l) fs) (pass l y).
Proof.
  intros s l fs y Hs. unfold pass. revert fs. induction (units l) as [|u us IH]; intros [|e fs] B; cbn [map passed_all] in *;
    inversion B; subst; constructor; [apply passed_sound; assumption|apply IH; assumption].
Qed.
Theorem by_intervals_fine : forall ls s es t y, (0 < s)%Z -> dens_ok ls = true -> Forall2 (spans s) es y -> fine ls (by_intervals s ls es) t y.
Proof.
  induction ls as [|l ls IH]; intros s es t y Hs D F; [exact I|]. cbn in D. apply andb_true_iff in D as [D1 D2]. apply Z.ltb_lt in D1.
  cbn [by_intervals fine hd tl]. apply IZR_lt in D1 as D1'. assert (Hn : (0 < s * den l)%Z) by (apply Z.mul_pos_pos; assumption).
  set (fs := map (fun u => row_ends s es (snd u)) (units l)).
  assert (B : Forall2 (spans (s * den l)) fs (map (fun u => pre l u y) (units l))).
  { unfold fs. clear IH. induction (units l) as [|u us IHu]; cbn [map]; constructor; [|exact IHu].
    apply (row_ends_sound s (den l) es (snd u) y); [exact F|]. unfold pre. field. lra. }
  split; [exact D1'|]. split; [exact (layer_known _ _ _ t y Hn B)|]. apply IH; [exact Hn|exact D2|exact (layer_passed _ _ _ y Hn B)].
Qed.
Theorem intervals_fine : forall U (dims : list U) sc ins ks hidden s t, (0 < s)%Z -> (0 < sc)%Z -> dens_ok hidden = true ->
  length t = length dims -> sat ks t -> fine hidden (intervals_of dims sc ins ks hidden s) t (image sc ins t).
Proof.
  intros U dims sc ins ks [|l ls] s t Hs Hc D L S; [exact I|]. cbn in D. apply andb_true_iff in D as [D1 D2]. apply Z.ltb_lt in D1.
  cbn [intervals_of fine hd tl]. apply IZR_lt in D1 as D1'. apply IZR_lt in Hc as Hc'.
  assert (Hn : (0 < s * (sc * den l))%Z) by (apply Z.mul_pos_pos; [|apply Z.mul_pos_pos]; assumption).
  pose proof (coordinate_ends_sound U s dims ks t Hs L S) as F. set (es := coordinate_ends s dims ks) in *.
  set (fs := map (fun u => row_ends s es (pull sc ins (snd u))) (units l)). set (y := image sc ins t).
  assert (B : Forall2 (spans (s * (sc * den l))) fs (map (fun u => pre l u y) (units l))).
  { unfold fs. induction (units l) as [|u us IHu]; cbn [map]; constructor; [|exact IHu].
    apply (row_ends_sound s (sc * den l) es _ t); [exact F|]. rewrite val_pull by exact Hc. fold y. unfold pre. rewrite mult_IZR. field. lra. }
  split; [exact D1'|]. split; [exact (layer_known _ _ _ t y Hn B)|].
  apply by_intervals_fine; [exact Hn|exact D2|exact (layer_passed _ _ _ y Hn B)].
Qed.
Lemma both_fine : forall ls u v t y, fine ls u t y -> fine ls v t y -> fine ls (both u v) t y.
Proof.
  induction ls as [|l ls IH]; intros u v t y A B; [exact I|]. destruct A as (A1 & A2 & A3). destruct B as (_ & B2 & B3).
  destruct u as [|i u], v as [|j v]; cbn [both hd tl] in *; try (repeat split; assumption).
  split; [exact A1|]. split; [|apply IH; assumption]. clear - A2 B2. revert i j A2 B2. induction (units l) as [|w ws IHw]; intros [|p i] [|q j] A B;
    cbn [both2 known_units] in *; auto. destruct A as [(A1 & A2 & _) A3], B as [(B1 & B2 & _) B3]. split; [|apply IHw; assumption].
  unfold both1, known1; cbn [lo hi under over form_ok]. split; [destruct (at_least (lo p) 0); assumption|].
  split; [destruct (at_most (hi p) 0); assumption|]. split; exact I.
Qed.
