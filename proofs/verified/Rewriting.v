(* Steps from one claim to others that it follows from: layers of a network are replaced by others with the same values. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Bounds Regions Property Equality Join Checker.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker ---- *)
Inductive rule :=
| Turn                                                  (* the networks change places *)
| Replace (before within : list unit) (new : network).  (* in a: layers that stay, hidden layers of the part, what comes in its place *)
Fixpoint split_at (k : list unit) (ls : list layer) : list layer * list layer :=
  match k, ls with _ :: k', l :: ls' => let '(u, v) := split_at k' ls' in (l :: u, v) | _, _ => ([], ls) end.
Definition plain (l : layer) : bool := forallb (fun u : bool * row => negb (fst u)) (units l).
(* what the layers take in: the closure of the domain, or what layers with ReLU pass on *)
Definition orthant (n : list unit) : system := map (pair Least) (rev (unit_rows n)).
Definition taken_in (n : list unit) (dom : system) (before : list layer) : list unit * system :=
  match before with
  | [] => (n, dom)
  | _ => let m := fold_left (fun _ l => width l) before n in (m, orthant m)
  end.
Definition apply_rule (r : rule) (c : claim) : option (list claim) :=
  match r, c with
  | Turn, Equal true a b dom => if same_len (fst a) (fst b) then Some [Equal true b a dom] else None
  | Replace before inside (m, (nh, nl)), Equal true (n, (h, l)) b dom =>
      let '(u, r) := split_at before h in
      let '(v, w) := split_at inside r in
      let '(k, place) := taken_in n dom u in
      if forallb plain u then
        match w with
        | [] => Some [Equal true (k, (v, l)) (m, (nh, nl)) place; Equal true (n, (u ++ nh, nl)) b dom]
        | p :: w' =>
            if plain p && plain nl
            then Some [Equal true (k, (v, p)) (m, (nh, nl)) place; Equal true (n, (u ++ nh ++ nl :: w', l)) b dom] else None
        end
      else None
  | _, _ => None
  end.

(* ---- soundness ---- *)
Lemma split_app : forall k ls u v, split_at k ls = (u, v) -> ls = u ++ v.
Proof.
  induction k as [|z k IH]; intros [|l ls] u v H; cbn [split_at] in H; try (inversion H; subst; reflexivity).
  destruct (split_at k ls) as [u' v'] eqn:E. inversion H; subst. cbn [app]. f_equal. exact (IH _ _ _ E).
Qed.
Lemma run_app : forall u v x, run_layers (u ++ v) x = run_layers v (run_layers u x).
Proof. induction u as [|l u IH]; intros v x; [reflexivity|]. cbn [app run_layers]. apply IH. Qed.
Lemma plain_pass : forall l y, plain l = true -> pass l y = map relu (affine l y).
Proof.
  intros l y H. unfold plain in H. rewrite forallb_forall in H. unfold pass, affine. rewrite map_map. apply map_ext_in.
  intros u Hu. specialize (H u Hu). destruct (fst u); [discriminate|reflexivity].
Qed.
Lemma run_length : forall ls n x, length x = length n -> length (run_layers ls x) = length (fold_left (fun _ l => width l) ls n).
Proof.
  induction ls as [|l ls IH]; intros n x L; [exact L|]. cbn [run_layers fold_left]. apply IH. unfold pass, width. rewrite !map_length. reflexivity.
Qed.
Lemma orthant_closure : forall n y, Forall (fun v => 0 <= v) y -> closure (orthant n) y.
Proof.
  intros n y H. unfold closure, orthant. rewrite map_rev. apply Forall_rev. rewrite Forall_map. cbn [fst snd]. revert y H. induction n as [|z n IH]; intros y H; [constructor|].
  cbn [unit_rows]. constructor.
  - unfold val; cbn [fst snd]. destruct y as [|v y]; cbn; [lra|]. apply Forall_inv in H. lra.
  - rewrite Forall_map. destruct y as [|v y].
    + apply (Forall_impl _ (P := fun f => 0 <= val f [])); [|apply IH; constructor]. intros f. unfold val; cbn [fst snd].
      rewrite !dot_nil. auto.
    + apply (Forall_impl _ (P := fun f => 0 <= val f y)); [|apply IH; exact (Forall_inv_tail H)]. intros f. unfold val; cbn [fst snd dot].
      rewrite Rmult_0_l, Rplus_0_l. auto.
Qed.
Lemma run_positive : forall ls x, ls <> [] -> forallb plain ls = true -> Forall (fun v => 0 <= v) (run_layers ls x).
Proof.
  induction ls as [|l ls IH]; intros x N H; [contradiction|]. cbn [forallb] in H. apply andb_true_iff in H as [H1 H2]. cbn [run_layers].
  destruct ls as [|l' ls]; [|apply IH; [discriminate|exact H2]]. cbn [run_layers]. rewrite (plain_pass _ _ H1), Forall_map.
  apply Forall_forall. intros v _. apply Rmax_l.
Qed.
Lemma taken_in_sound : forall n dom u k place x, taken_in n dom u = (k, place) -> forallb plain u = true -> length x = length n ->
  closure dom x -> length (run_layers u x) = length k /\ closure place (run_layers u x).
Proof.
  intros n dom [|l u] k place x T H L C; cbn [taken_in] in T; inversion T; subst; [split; assumption|]. split.
  - exact (run_length (l :: u) n x L).
  - apply orthant_closure. apply (run_positive (l :: u)); [discriminate|exact H].
Qed.
Lemma rule_sound : forall r c cs, apply_rule r c = Some cs -> Forall (fun c => says c /\ not_vacuous c) cs -> says c /\ not_vacuous c.
Proof.
  intros [|before inside [m [nh nl]]] [? ? ? ?|? ? ? ?|[|] a b dom] cs H T; cbn [apply_rule] in H; try discriminate;
    try (destruct a as [n [h l]]; discriminate).
  - destruct (same_len (fst a) (fst b)) eqn:L; [|discriminate]. apply same_len_ok in L. inversion H; subst.
    apply Forall_inv in T as [S (x & Lx & I)]. cbn [dimension domain says] in *. split.
    + intros y Ly C. symmetry. apply S; [congruence|exact C].
    + exists x. cbn [dimension domain]. split; [congruence|exact I].
  - destruct a as [n [h l]]. destruct (split_at before h) as [u r] eqn:E1. destruct (split_at inside r) as [v w] eqn:E2.
    destruct (taken_in n dom u) as [k place] eqn:E3. destruct (forallb plain u) eqn:P; [|discriminate].
    apply split_app in E1. apply split_app in E2. subst h r.
    assert (Q : forall c1 c2, cs = [c1; c2] -> (says c1 /\ not_vacuous c1) /\ (says c2 /\ not_vacuous c2)).
    { intros c1 c2 ->. split; [exact (Forall_inv T)|exact (Forall_inv (Forall_inv_tail T))]. }
    destruct w as [|p w].
    + inversion H; subst cs. destruct (Q _ _ eq_refl) as [[S1 _] [S2 V2]]. clear Q T H. cbn [says fst] in *. split; [|exact V2].
      intros x L C. rewrite <- (S2 x L C). destruct (taken_in_sound _ _ _ _ _ _ E3 P L C) as [L1 C1].
      specialize (S1 _ L1 C1). unfold value, eval in *; cbn [fst snd] in *. rewrite app_nil_r, !run_app. exact S1.
    + destruct (plain p && plain nl) eqn:P2; [|discriminate]. apply andb_true_iff in P2 as [Pp Pn].
      inversion H; subst cs. destruct (Q _ _ eq_refl) as [[S1 _] [S2 V2]]. clear Q T H. cbn [says fst] in *. split; [|exact V2].
      intros x L C. rewrite <- (S2 x L C). destruct (taken_in_sound _ _ _ _ _ _ E3 P L C) as [L1 C1].
      specialize (S1 _ L1 C1). unfold value, eval in *; cbn [fst snd] in *. rewrite !run_app. cbn [run_layers].
      rewrite (plain_pass _ _ Pp), (plain_pass _ _ Pn), S1. reflexivity.
Qed.
