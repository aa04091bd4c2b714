(* Signs of neurons that are known on all of a domain before its tree begins: by intervals, or by bounds on a box (KS1 to KS3). *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Bounds Intervals.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker: the ends of neuron k show its sign ---- *)
Fixpoint shows (ls : list layer) (is : infos) (k : Z) (up : bool) : bool :=
  match ls with
  | [] => false
  | l :: ls' =>
      if Z.ltb k (zlen 0 (units l)) then
        match nthz (hd [] is) k with Some i => if up then at_least (lo i) 0 else at_most (hi i) 0 | None => false end
      else shows ls' (tl is) (Z.sub k (zlen 0 (units l))) up
  end.
Definition closed (sc : Z) (ins fs : list row) : list cond := map (fun f => (false, pull sc ins f)) fs.
(* bounds of all units on a box that the inequalities of the domain give, if it has all its ends; and intervals *)
Definition bounds_of {U} (dims : list U) (sc : Z) (ins fs : list row) (hidden : list layer) (s : Z) (b : box) : option infos :=
  if Z.ltb 0 s then
    let ks := closed sc ins fs in
    let near := intervals_of dims sc ins ks hidden s in
    match (if bounded dims ks b && finite b then anchored sc ins hidden [] [] b else None) with
    | Some is => Some (both near is)
    | None => Some near end
  else None.
Definition all_shown (hidden : list layer) (is : infos) (ss : list (Z * bool)) : bool :=
  forallb (fun s => shows hidden is (fst s) (snd s)) ss.

(* ---- soundness ---- *)
Definition inside_closed (sc : Z) (ins fs : list row) (t : point) : Prop := Forall (fun f => 0 <= val f (image sc ins t)) fs.
Definition has_sign (up : bool) (z : R) : Prop := if up then 0 <= z else z <= 0.
Lemma end_shows : forall i t z (up : bool), known1 i t z -> (if up then at_least (lo i) 0 else at_most (hi i) 0) = true -> has_sign up z.
Proof.
  pose proof P_pos as HP. intros i t z up (L & H & _) E. destruct up; cbn.
  - destruct (lo i) as [e|]; [|discriminate]. apply Z.leb_le, IZR_le in E. cbn in L. nra.
  - destruct (hi i) as [e|]; [|discriminate]. apply Z.leb_le, IZR_le in E. cbn in H. nra.
Qed.
Lemma known_nth : forall l us is t y k i, known_units l us is t y -> nthz is k = Some i -> (k < Z.of_nat (length us))%Z ->
  known1 i t (nth (Z.to_nat k) (map (fun u => pre l u y) us) 0).
Proof.
  induction us as [|u us IH]; intros [|j is] t y k i K N L; cbn in N; try discriminate.
  - destruct (Z.eqb_spec k 0); [cbn in L; lia|]. destruct (Z_lt_le_dec k 0) as [G|G]; [rewrite nthz_neg in N by lia; discriminate|cbn in L; lia].
  - cbn [known_units] in K. destruct K as [K1 K2]. destruct (Z.eqb_spec k 0) as [->|Ne]; [inversion N; subst; exact K1|].
    destruct (Z_lt_le_dec k 0) as [G|G]; [rewrite nthz_neg in N by lia; discriminate|].
    replace (Z.to_nat k) with (S (Z.to_nat (Z.pred k))) by lia. cbn [map nth]. apply (IH is t y); [exact K2|exact N|cbn in L; lia].
Qed.
Lemma shows_sound : forall ls is k up t y, fine ls is t y -> shows ls is k up = true ->
  (0 <= k)%Z /\ has_sign up (nth (Z.to_nat k) (preactivations ls y) 0).
Proof.
  induction ls as [|l ls IH]; intros is k up t y F H; cbn [shows] in H; [discriminate|]. destruct F as (_ & F2 & F3).
  rewrite zlen_length in H. cbn [preactivations]. set (m := length (units l)) in *. destruct (Z.ltb_spec k (0 + Z.of_nat m)) as [L|L].
  - destruct (nthz (hd [] is) k) as [i|] eqn:N; [|discriminate].
    destruct (Z_lt_le_dec k 0) as [G|G]; [rewrite nthz_neg in N by lia; discriminate|]. split; [exact G|].
    rewrite app_nth1 by (rewrite map_length; fold m; lia). apply (end_shows i t); [|exact H]. apply (known_nth l _ (hd [] is)); auto.
  - destruct (IH _ _ _ _ _ F3 H) as [G S]. split; [lia|]. rewrite app_nth2 by (rewrite map_length; fold m; lia).
    rewrite map_length. fold m. replace (Z.to_nat k - m)%nat with (Z.to_nat (k - (0 + Z.of_nat m))) by lia. exact S.
Qed.
Lemma closed_sat : forall sc ins fs t, (0 < sc)%Z -> inside_closed sc ins fs t -> sat (closed sc ins fs) t.
Proof.
  intros sc ins fs t Hs H. unfold closed. rewrite Forall_map. eapply Forall_impl; [|exact H]. intros f Hf. unfold holds; cbn [fst snd].
  rewrite val_pull by exact Hs. apply IZR_lt in Hs. apply Rmult_le_pos; lra.
Qed.
Lemma bounds_fine : forall U (dims : list U) sc ins fs hidden s b is t, (0 < sc)%Z -> dens_ok hidden = true ->
  bounds_of dims sc ins fs hidden s b = Some is -> length t = length dims -> inside_closed sc ins fs t -> fine hidden is t (image sc ins t).
Proof.
  intros U dims sc ins fs hidden s b is t Hs Hd H L C. unfold bounds_of in H. destruct (Z.ltb_spec 0 s) as [Sp|]; [|discriminate].
  assert (K : sat (closed sc ins fs) t) by (apply closed_sat; assumption).
  pose proof (intervals_fine U dims sc ins (closed sc ins fs) hidden s t Sp Hs Hd L K) as N.
  destruct (if bounded dims (closed sc ins fs) b && finite b then _ else None) as [js|] eqn:A; inversion H; subst; [|exact N].
  destruct (bounded _ _ b) eqn:B; [|discriminate]. destruct (finite b); [|discriminate]. cbn in A.
  assert (I : inbox b t) by (eapply bounded_sound; [exact B|exact L|exact K]). apply both_fine; [exact N|].
  exact (anchored_sound sc ins b t Hs I hidden [] [] js Logic.I (nothing_fine hidden t _ Hd) A).
Qed.
Theorem known_told : forall sc ins hidden is ss t, fine hidden is t (image sc ins t) -> all_shown hidden is ss = true ->
  told (chart_layer sc ins :: hidden) (zlen 0 ins) ss t.
Proof.
  intros sc ins hidden is ss t F H k up Hin. unfold all_shown in H. rewrite forallb_forall in H. specialize (H _ Hin). cbn [fst snd] in H.
  destruct (shows_sound _ _ _ _ _ _ F H) as [G S]. cbn [preactivations chart_layer units]. rewrite zlen_length.
  rewrite app_nth2 by (rewrite !map_length; lia). rewrite !map_length.
  replace (Z.to_nat (k + (0 + Z.of_nat (length ins))) - length ins)%nat with (Z.to_nat k) by lia.
  assert (E : pass (chart_layer sc ins) t = image sc ins t).
  { unfold pass, image, chart_layer; cbn [units]. rewrite map_map. reflexivity. }
  rewrite E. exact S.
Qed.

(* ---- the neurons that are named, and no others, as linear units (settled_sound: the values are the same) ---- *)
Fixpoint only_here (ss : list (Z * bool)) (k : Z) (is : list info) : list info :=
  match is with [] => [] | i :: is' => (match lookup k ss with Some _ => i | None => noinfo end) :: only_here ss (Z.succ k) is' end.
Fixpoint only (ss : list (Z * bool)) (k : Z) (is : infos) : infos :=
  match is with [] => [] | i :: is' => only_here ss k i :: only ss (zlen k i) is' end.
Lemma only_here_known : forall ss l us is k t y, known_units l us is t y -> known_units l us (only_here ss k is) t y.
Proof.
  induction us as [|u us IH]; intros [|i is] k t y K; cbn [only_here known_units] in *; auto. destruct K as [K1 K2].
  split; [|apply IH; exact K2]. destruct (lookup k ss); [exact K1|apply noinfo_known].
Qed.
Lemma only_fine : forall ss ls is k t y, fine ls is t y -> fine ls (only ss k is) t y.
Proof.
  induction ls as [|l ls IH]; intros [|i is] k t y F; cbn [only fine] in *; auto. cbn [hd tl] in *. destruct F as (F1 & F2 & F3).
  split; [exact F1|]. split; [apply only_here_known; exact F2|apply IH; exact F3].
Qed.
