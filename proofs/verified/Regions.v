(* How many activation regions: the leaves of an open tree. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart.
Import ListNotations.
Open Scope R_scope.

Lemma Forall_rev_iff : forall A (Q : A -> Prop) l, Forall Q (rev l) <-> Forall Q l.
Proof. intros A Q l; split; intros H; [rewrite <- (rev_involutive l)|]; apply Forall_rev; exact H. Qed.
Inductive line := Visit (r : record) | Cell (d : Z) (p : list Z).

Section Count.
Context {U : Type} (n : list U) (solve : list row -> list row -> option (Z * list (list Z))).
Context (known_signs : list (Z * bool)).

(* one record: the nodes that are still to come, and the number of leaves so far *)
Definition step (st : list node * Z) (l : line) : option (list node * Z) :=
  match fst st, l with
  | v :: vs, Visit r => option_map (fun ps => (ps ++ vs, snd st)) (visit true n solve known_signs v r)
  | v :: vs, Cell d p => if finished v && witness n (path v) d p then Some (vs, Z.succ (snd st)) else None
  | [], _ => None
  end.
Fixpoint steps (st : list node * Z) (ls : list line) : option (list node * Z) :=
  match ls with [] => Some st | l :: ls' => match step st l with Some st' => steps st' ls' | None => None end end.

Context (net : list layer) (offset : Z).
(* a pattern of N on a box within a node *)
Definition reg (v : node) (s : list bool) : Prop := exists c r, 0 < r /\ length c = length n /\
  forall x, near r c x -> sat (path v) x /\ pattern net x = s.
Definition apart (v w : node) : Prop := forall s, reg v s -> reg w s -> False.

Lemma reg_same : forall v w s, path w = path v -> reg v s -> reg w s.
Proof. unfold reg; intros v w s ->; auto. Qed.
Lemma covered_reg : forall v ps, covered true n net v ps ->
  (forall s, reg v s -> exists p, In p ps /\ reg p s) /\ (forall s p, In p ps -> reg p s -> reg v s) /\
  ForallOrdPairs apart ps.
Proof.
  intros v ps C. destruct C as [w E|E|f s p q N S B Ep Eq O].
  - split; [|split].
    + intros s H. exists w. split; [left; reflexivity|]. apply reg_same with v; assumption.
    + intros s p [<-|[]] H. apply reg_same with w; auto.
    + repeat constructor.
  - split; [|split; [intros s p []|constructor]].
    intros s (c & r & Hr & _ & H). exfalso. apply (E c). apply H. apply near_refl. lra.
  - rewrite (S eq_refl) in *. unfold nonconstant in N. apply andb_true_iff in N as [N1 N2]. apply negb_true_iff in N1.
    split; [|split].
    + intros s0 (c & r & Hr & Hc & H). rewrite (fits_len _ _ _ n c) in N2 by congruence.
      destruct (shrink f c r Hr N2 N1) as (c' & r' & Hr' & Hsub & Hside).
      assert (L : length c' = length n)
        by (rewrite <- Hc; apply near_len with r; apply Hsub; apply near_refl; lra).
      destruct Hside as [P|P]; [exists q|exists p]; (split; [cbn; auto|]);
        exists c', r'; (split; [exact Hr'|]); (split; [exact L|]); intros x Hx; destruct (H x (Hsub x Hx)) as [H1 H2];
        (split; [|exact H2]).
      * rewrite Eq. constructor; [apply P; exact Hx|exact H1].
      * rewrite Ep. constructor; [|exact H1]. unfold holds; cbn. rewrite val_fneg. specialize (P x Hx). lra.
    + intros s0 w [<-|[<-|[]]] (c & r & Hr & Hc & H); exists c, r; (split; [exact Hr|]); (split; [exact Hc|]);
        intros x Hx; destruct (H x Hx) as [H1 H2]; (split; [|exact H2]).
      * rewrite Ep in H1. inversion H1; assumption.
      * rewrite Eq in H1. inversion H1; assumption.
    + constructor; [|repeat constructor]. constructor; [|constructor].
      intros s0 (c & r & Hr & Hc & H) (c' & r' & Hr' & Hc' & H'). destruct (B eq_refl) as [i Bi].
      destruct (H c (near_refl _ _ (Rlt_le _ _ Hr))) as [A1 A2].
      destruct (H' c' (near_refl _ _ (Rlt_le _ _ Hr'))) as [A1' A2'].
      rewrite Ep in A1. rewrite Eq in A1'. inversion A1 as [|? ? G1 P1]; subst. inversion A1' as [|? ? G1' P1']; subst.
      pose proof (Bi c Hc P1) as E1. pose proof (Bi c' Hc' P1') as E2. rewrite A2' in E2. rewrite E1 in E2.
      unfold holds in G1, G1'; cbn in G1, G1'. rewrite val_fneg in G1.
      destruct (Rlt_dec 0 (val f c)), (Rlt_dec 0 (val f c')); try lra; discriminate.
Qed.
Lemma leaf_reg : forall v d p, valid true n known_signs net offset v -> finished v && witness n (path v) d p = true ->
  exists s, forall s', reg v s' <-> s' = s.
Proof.
  intros v d p [_ [bs V]] H. apply andb_true_iff in H as [F W]. unfold finished in F.
  destruct (rest v) as [|] eqn:R; [|discriminate].
  set (s := bs ++ map (fun e => bit (snd e)) (now v)).
  assert (P : forall x, length x = length n -> sat (path v) x -> pattern net x = s).
  { intros x Hx Hs. destruct (V x Hx Hs) as [(_ & _ & _ & zs & H1 & _ & H3 & _) _]. rewrite (H3 eq_refl).
    cbn [pattern]. rewrite app_nil_r. unfold s. f_equal. exact (bits_known true _ _ _ _ eq_refl F H1). }
  exists s. intros s'. split.
  - intros (c & r & Hr & Hc & H). destruct (H c (near_refl _ _ (Rlt_le _ _ Hr))) as [A <-]. apply P; assumption.
  - intros ->. apply witness_sound in W as [Wl Ws]. destruct (open_box _ _ Ws) as (r & Hr & B).
    exists (topoint d p), r. split; [exact Hr|]. split; [exact Wl|]. intros x Hx.
    assert (S : sat (path v) x) by (apply positive_sat, B; exact Hx). split; [exact S|].
    apply P; [rewrite <- Wl; apply near_len with r; exact Hx|exact S].
Qed.
Lemma pairs_app : forall A (R : A -> A -> Prop) (u v : list A), ForallOrdPairs R u -> ForallOrdPairs R v ->
  (forall a b, In a u -> In b v -> R a b) -> ForallOrdPairs R (u ++ v).
Proof.
  induction u as [|a u IH]; intros v Hu Hv H; cbn; [exact Hv|]. inversion Hu as [|? ? Ha Hu']; subst.
  constructor; [apply Forall_app; split; [exact Ha|apply Forall_forall; intros b Hb; apply H; [left; reflexivity|exact Hb]]|].
  apply IH; auto. intros; apply H; [right|]; assumption.
Qed.

Theorem steps_sound : forall ls st c c', steps (st, c) ls = Some ([], c') ->
  Forall (valid true n known_signs net offset) st -> ForallOrdPairs apart st ->
  exists ps, NoDup ps /\ (forall s, In s ps <-> exists v, In v st /\ reg v s) /\ (Z.of_nat (length ps) = c' - c)%Z.
Proof.
  induction ls as [|l ls IH]; intros st c c' H V D; cbn [steps] in H.
  - inversion H; subst. exists []. split; [constructor|]. split; [|cbn; lia].
    intros s; split; [intros []|intros (v & [] & _)].
  - unfold step in H. cbn [fst snd] in H. destruct st as [|v st]; [discriminate|].
    inversion V as [|? ? Vv Vs]; subst. inversion D as [|? ? Dv Ds]; subst. rewrite Forall_forall in Dv. destruct l as [r|d p].
    + destruct (visit true n solve known_signs v r) as [ps|] eqn:E; [|discriminate]. cbn in H.
      destruct (visit_sound _ _ _ _ net offset _ _ _ Vv E) as [Vp C]. destruct (covered_reg _ _ C) as (C1 & C2 & C3).
      destruct (IH _ _ _ H) as (qs & Q1 & Q2 & Q3).
      * apply Forall_app; split; assumption.
      * apply pairs_app; [exact C3|exact Ds|]. intros a b Ha Hb s Ra Rb. apply (Dv b Hb s); [eapply C2; eassumption|exact Rb].
      * exists qs. split; [exact Q1|]. split; [|exact Q3]. intros s. rewrite Q2. split.
        -- intros (w & Hw & R). apply in_app_or in Hw as [Hw|Hw].
           ++ exists v. split; [left; reflexivity|eapply C2; eassumption].
           ++ exists w. split; [right; exact Hw|exact R].
        -- intros (w & [<-|Hw] & R).
           ++ destruct (C1 s R) as (p & Hp & Rp). exists p. split; [apply in_or_app; left; exact Hp|exact Rp].
           ++ exists w. split; [apply in_or_app; right; exact Hw|exact R].
    + destruct (finished v && witness n (path v) d p) eqn:E; [|discriminate].
      destruct (leaf_reg _ _ _ Vv E) as [s0 L]. destruct (IH _ _ _ H Vs Ds) as (qs & Q1 & Q2 & Q3).
      exists (s0 :: qs). split; [|split].
      * constructor; [|exact Q1]. rewrite Q2. intros (w & Hw & R). apply (Dv w Hw s0); [apply L; reflexivity|exact R].
      * intros s. cbn [In]. rewrite Q2. split.
        -- intros [<-|(w & Hw & R)]; [exists v; split; [left; reflexivity|apply L; reflexivity]|exists w; auto].
        -- intros (w & [<-|Hw] & R); [left; symmetry; apply L; exact R|right; exists w; auto].
      * cbn [length]. lia.
Qed.
End Count.

(* ---- the claim: N has exactly k activation regions on the relative interior of D ---- *)
Section Claim.
Context {U : Type} (n : list U) (common : row -> Z) (solve : list row -> list row -> option (Z * list (list Z))).
Context (eqs ineqs : list row) (ls : list layer).
Definition is_inside (d : Z) (p : list Z) : bool :=
  Z.ltb 0 d && same_len p n && forallb (fun e => Z.eqb (zval e d p) 0) eqs && forallb (fun f => Z.ltb 0 (zval f d p)) ineqs.
Definition conditions (sc : Z) (ins : list row) : list cond :=
  (true, (1%Z, [])) :: map (fun f => (true, pull sc ins f)) ineqs.
(* coordinates, and x as rows over them *)
Definition placed (d : Z) (p : list Z) : option (list U * Z * list row) :=
  if dens_ok ls && is_inside d p then chart common eqs n 1 (unit_rows n) else None.
Definition root (sc : Z) (ins : list row) : node := start sc ins ls (conditions sc ins).

Lemma inside_sound : forall d p, is_inside d p = true -> length (topoint d p) = length n /\ inner eqs ineqs (topoint d p).
Proof.
  unfold is_inside; intros d p H. apply andb_true_iff in H as [H H4]. apply andb_true_iff in H as [H H3].
  apply andb_true_iff in H as [H1 H2]. apply Z.ltb_lt, IZR_lt in H1. rewrite forallb_forall in H3, H4.
  split; [unfold topoint; rewrite map_length; apply same_len_ok; exact H2|]. split; apply Forall_forall; intros f Hf.
  - specialize (H3 f Hf). apply Z.eqb_eq in H3. rewrite val_topoint, H3 by lra. field. lra.
  - specialize (H4 f Hf). apply Z.ltb_lt, IZR_lt in H4. rewrite val_topoint by lra. apply Rdiv_lt_0_compat; assumption.
Qed.
Lemma conditions_sat : forall sc ins t, (0 < sc)%Z ->
  sat (rev (conditions sc ins)) t <-> Forall (fun f => 0 < val f (image sc ins t)) ineqs.
Proof.
  intros sc ins t Hs. rewrite Forall_rev_iff. unfold conditions. split; intros H.
  - inversion H as [|? ? _ H']; subst. clear H. induction ineqs as [|f fs IH]; constructor; cbn [map] in H'; inversion H'; subst; auto.
    unfold holds in H1; cbn in H1. rewrite val_pull in H1 by exact Hs. apply IZR_lt in Hs. nra.
  - constructor; [unfold holds, val; cbn; lra|]. induction H as [|f fs Hf H IH]; constructor; [|exact IH].
    unfold holds; cbn. rewrite val_pull by exact Hs. apply IZR_lt in Hs. nra.
Qed.

Theorem regions_sound : forall d p dims sc ins known_signs lines k, placed d p = Some (dims, sc, ins) ->
  (forall t, length t = length dims -> Forall (fun f => 0 <= val f (image sc ins t)) ineqs ->
     told (chart_layer sc ins :: ls) (zlen 0 ins) known_signs t) ->
  steps dims solve known_signs ([root sc ins], 0%Z) lines = Some ([], k) ->
  (exists x, length x = length n /\ inner eqs ineqs x) /\
  exists ps, NoDup ps /\ (forall s, In s ps <-> region (length n) eqs ineqs ls s) /\ Z.of_nat (length ps) = k.
Proof.
  unfold placed; intros d p dims sc ins known_signs lines k B T H. destruct (dens_ok ls && is_inside d p) eqn:E; [|discriminate].
  apply andb_true_iff in E as [E I]. split; [exists (topoint d p); apply inside_sound; exact I|]. rename B into C.
  destruct (chart_sound _ _ _ _ _ _ _ _ _ _ _ (units_ok _ n) C) as (Hs & Hl & P & P1 & P2 & P3 & P4).
  assert (Q : forall x, solves (rev eqs ++ []) x <-> solves eqs x)
    by (intros x; rewrite app_nil_r; unfold solves; apply Forall_rev_iff).
  set (net := chart_layer sc ins :: ls) in *. unfold root in H. set (v := start _ _ _ _) in *.
  destruct (start_valid true dims known_signs net (zlen 0 ins) sc ins ls (conditions sc ins) Hs E eq_refl eq_refl) as [V Vp].
  { intros _. constructor; [reflexivity|]. rewrite Forall_map. apply Forall_forall. reflexivity. }
  { intros t Lt St. apply T; [exact Lt|]. apply conditions_sat in St; [|exact Hs]. eapply Forall_impl; [|exact St]. intros f Hf.
    apply Rlt_le. exact Hf. }
  fold v in V, Vp.
  destruct (steps_sound dims solve known_signs net (zlen 0 ins) lines [v] 0 k H) as (ps & N & L & K); [apply Forall_cons; [exact V|apply Forall_nil]|repeat constructor|].
  set (F := map (fun _ => false) ins).
  assert (Pat : forall t, pattern net t = F ++ pattern ls (image sc ins t)).
  { intros t. unfold net. cbn [pattern]. f_equal; [|f_equal]; unfold F, image, pass, chart_layer; cbn [units].
    - rewrite map_map. reflexivity.
    - rewrite map_map. reflexivity. }
  assert (Lf : forall s, reg dims net v s <-> exists s', s = F ++ s' /\ region (length n) eqs ineqs ls s').
  { intros s. split.
    - intros (c & r & Hr & Hc & A). exists (pattern ls (image sc ins c)). split.
      + destruct (A c (near_refl _ _ (Rlt_le _ _ Hr))) as [_ <-]. apply Pat.
      + destruct (P3 c Hc) as [S1 S2]. exists (image sc ins c), r. split; [exact Hr|].
        split; [unfold image; rewrite map_length; exact Hl|]. split; [apply Q; exact S1|].
        intros x Hx Sx. apply P2 in Hx as Hx'. rewrite S2 in Hx'. destruct (A _ Hx') as [A1 A2].
        assert (X : image sc ins (P x) = x).
        { apply P4; [apply near_len in Hx; unfold image in Hx; rewrite map_length in Hx; congruence|apply Q; exact Sx]. }
        rewrite Vp, conditions_sat, X in A1 by exact Hs. split; [exact A1|].
        destruct (A c (near_refl _ _ (Rlt_le _ _ Hr))) as [_ A3]. rewrite Pat in A2, A3. rewrite X in A2.
        rewrite <- A2 in A3. apply app_inv_head in A3. congruence.
    - intros (s' & -> & c & r & Hr & Hc & Sc & A). destruct (image_near sc ins Hs) as (M & HM & Lip).
      exists (P c), (r / M). assert (R0 : 0 < r / M) by (apply Rdiv_lt_0_compat; lra).
      split; [exact R0|]. split; [apply P1; exact Hc|]. intros t Ht.
      assert (X : near r c (image sc ins t)).
      { rewrite <- (P4 c Hc (proj2 (Q c) Sc)). replace r with (M * (r / M)) by (field; lra). apply Lip; [lra|exact Ht]. }
      assert (Ht' : length t = length dims) by (rewrite (near_len _ _ _ Ht); apply P1; exact Hc).
      destruct (A _ X) as [A1 A2]; [apply Q; apply P3; exact Ht'|].
      split; [rewrite Vp, conditions_sat by exact Hs; exact A1|rewrite Pat, A2; reflexivity]. }
  assert (Pre : forall s, In s ps -> s = F ++ skipn (length F) s).
  { intros s Hin. apply L in Hin as (w & [<-|[]] & R). apply Lf in R as (s' & -> & _).
    rewrite skipn_app, skipn_all, Nat.sub_diag. reflexivity. }
  exists (map (skipn (length F)) ps). split; [|split].
  - apply (NoDup_map_inv (app F)). rewrite map_map. rewrite (map_ext_in _ (fun s => s)); [rewrite map_id; exact N|].
    intros s Hin. symmetry. apply Pre; exact Hin.
  - intros s. rewrite in_map_iff. split.
    + intros (s0 & <- & Hin). apply L in Hin as (w & [<-|[]] & R). apply Lf in R as (s' & -> & R).
      rewrite skipn_app, skipn_all, Nat.sub_diag. exact R.
    + intros R. exists (F ++ s). split; [rewrite skipn_app, skipn_all, Nat.sub_diag; reflexivity|].
      apply L. exists v. split; [left; reflexivity|]. apply Lf. exists s. auto.
  - rewrite map_length, K. lia.
Qed.
End Claim.
