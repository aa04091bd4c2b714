(* Two networks are equal on the closure of a domain: rows over t and atoms s(h), s = ReLU. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Bounds Regions Property.
Import ListNotations.
Open Scope R_scope.

(* ---- networks are Lipschitz ---- *)
Lemma passes_near : forall b u v, Rabs (passes b u - passes b v) <= Rabs (u - v).
Proof.
  intros [] u v; cbn [passes]; [lra|]. unfold relu, Rmax. destruct (Rle_dec 0 u), (Rle_dec 0 v); unfold Rabs; repeat destruct Rcase_abs; lra.
Qed.
Lemma units_near : forall l (g : bool -> bool), exists K, 0 <= K /\ forall r x y, 0 <= r -> near r x y ->
  near (K * r) (map (fun u => passes (g (fst u)) (pre l u x)) (units l)) (map (fun u => passes (g (fst u)) (pre l u y)) (units l)).
Proof.
  intros l g. induction (units l) as [|u us (K & HK & IH)].
  - exists 0. split; [lra|]. intros; constructor.
  - pose proof (norm1_pos (snd (snd u))) as Hn. pose proof (Rabs_pos (/ IZR (den l))) as Hd.
    set (k := norm1 (snd (snd u)) * Rabs (/ IZR (den l))). assert (0 <= k) by (apply Rmult_le_pos; assumption).
    exists (k + K). split; [lra|]. intros r x y Hr Hxy. cbn [map]. assert (0 <= K * r) by (apply Rmult_le_pos; assumption).
    assert (0 <= k * r) by (apply Rmult_le_pos; assumption). constructor.
    + eapply Rle_trans; [apply passes_near|]. unfold pre, Rdiv. rewrite <- Rmult_minus_distr_r, Rabs_mult.
      pose proof (val_near (snd u) r x y Hxy Hr).
      assert (Rabs (val (snd u) x - val (snd u) y) * Rabs (/ IZR (den l)) <= norm1 (snd (snd u)) * r * Rabs (/ IZR (den l)))
        by (apply Rmult_le_compat_r; assumption). unfold k in *. lra.
    + eapply near_mono; [|apply (IH r); assumption]. lra.
Qed.
Lemma eval_near : forall hidden last, exists K, 0 <= K /\
  forall r x y, 0 <= r -> near r x y -> near (K * r) (eval hidden last x) (eval hidden last y).
Proof.
  intros hidden last. unfold eval. assert (H : exists K, 0 <= K /\ forall r x y, 0 <= r -> near r x y ->
    near (K * r) (run_layers hidden x) (run_layers hidden y)).
  { induction hidden as [|l ls (K & HK & IH)]; cbn [run_layers].
    - exists 1. split; [lra|]. intros. rewrite Rmult_1_l. assumption.
    - destruct (units_near l (fun b => b)) as (K' & HK' & Q). exists (K * K'). split; [apply Rmult_le_pos; assumption|].
      intros r x y Hr H. rewrite Rmult_assoc. apply IH; [apply Rmult_le_pos; assumption|]. apply Q; assumption. }
  destruct H as (K & HK & H). destruct (units_near last (fun _ => true)) as (K' & HK' & Q).
  exists (K' * K). split; [apply Rmult_le_pos; assumption|]. intros r x y Hr Hxy. rewrite Rmult_assoc.
  apply (Q (K * r)); [apply Rmult_le_pos; assumption|]. apply H; assumption.
Qed.
Lemma near_all_eq : forall K r0 u v, 0 <= K -> 0 < r0 -> (forall r, 0 < r <= r0 -> near (K * r) u v) -> u = v.
Proof.
  intros K r0 u; induction u as [|a u IH]; intros v HK Hr H;
    pose proof (H r0 (conj Hr (Rle_refl _))) as H0; inversion H0 as [|? b ? v' _ _]; subst; [reflexivity|].
  f_equal.
  - destruct (Req_dec a b) as [E|E]; [exact E|exfalso].
    assert (D : 0 < Rabs (a - b)) by (apply Rabs_pos_lt; lra).
    set (r := Rmin r0 (Rabs (a - b) / (K + 1) / 2)).
    assert (Hq : 0 < Rabs (a - b) / (K + 1) / 2) by (apply Rdiv_lt_0_compat; [apply Rdiv_lt_0_compat|]; lra).
    assert (Hr1 : 0 < r) by (apply Rmin_glb_lt; assumption).
    pose proof (H r (conj Hr1 (Rmin_l _ _))) as Hn. inversion Hn as [|? ? ? ? C _]; subst.
    assert (K * r <= K * (Rabs (a - b) / (K + 1) / 2)) by (apply Rmult_le_compat_l; [exact HK|apply Rmin_r]).
    assert (K * (Rabs (a - b) / (K + 1) / 2) < Rabs (a - b)).
    { apply Rmult_lt_reg_r with ((K + 1) * 2); [lra|]. field_simplify; [|lra]. nra. }
    lra.
  - apply IH; auto. intros r Hr1. specialize (H r Hr1). inversion H; assumption.
Qed.
Lemma near_sym : forall r x y, near r x y -> near r y x.
Proof. induction 1; constructor; [rewrite Rabs_minus_sym; assumption|assumption]. Qed.

(* ---- points t, and what atoms are there ---- *)
Fixpoint ext (tab : list row) (E : point) : point :=
  match tab with [] => E | h :: tab' => ext tab' (E ++ [relu (val h E)]) end.
Definition atom := (row * row)%type.                        (* h, and s(h) as a row *)
Fixpoint atoms_of (tab : list row) (pos : list Z) : option (list atom) :=
  match tab with
  | [] => Some []
  | h :: tab' => if fits (snd h) pos then option_map (cons (h, (0%Z, pos ++ [1%Z]))) (atoms_of tab' (pos ++ [0%Z])) else None
  end.
Definition right (X : point) (e : atom) : Prop := val (snd e) X = relu (val (fst e) X).
Lemma val_app : forall f E F, fits (snd f) E = true -> val f (E ++ F) = val f E.
Proof.
  intros [b a] E F H. unfold val; cbn [fst snd] in *. f_equal. revert E H.
  induction a as [|q a IH]; intros [|v E] H; cbn in *; try discriminate; try reflexivity. rewrite IH by exact H. reflexivity.
Qed.
Lemma ext_app : forall tab E, exists F, ext tab E = E ++ F.
Proof.
  induction tab as [|h tab IH]; intros E; cbn; [exists []; rewrite app_nil_r; reflexivity|].
  destruct (IH (E ++ [relu (val h E)])) as (F & ->). exists ([relu (val h E)] ++ F). rewrite app_assoc. reflexivity.
Qed.
Lemma zeros_app0 : forall a, zeros a = true -> zeros (a ++ [0%Z]) = true.
Proof. intros. unfold zeros in *. rewrite forallb_app, H. reflexivity. Qed.
Lemma atoms_right : forall tab pos E es, atoms_of tab pos = Some es -> length pos = length E -> zeros pos = true ->
  Forall (right (ext tab E)) es.
Proof.
  induction tab as [|h tab IH]; intros pos E es H L Z0; cbn in H; [inversion H; constructor|].
  destruct (fits (snd h) pos) eqn:Hf; [|discriminate]. destruct (atoms_of tab _) as [es'|] eqn:A; [|discriminate].
  inversion H; subst. clear H. cbn [ext]. constructor.
  - destruct (ext_app tab (E ++ [relu (val h E)])) as (F & ->). unfold right; cbn [fst snd]. rewrite <- app_assoc.
    rewrite (val_app h) by (rewrite <- (fits_len _ _ _ pos E L); exact Hf). unfold val at 1; cbn [fst snd app].
    rewrite dot_end by (try exact Z0; symmetry; exact L). ring.
  - apply (IH _ _ _ A); [rewrite !app_length; cbn; lia|apply zeros_app0; exact Z0].
Qed.
Lemma relu_scale : forall c t, 0 < c -> relu (c * t) = c * relu t.
Proof. intros c t Hc. unfold relu, Rmax. destruct (Rle_dec 0 (c * t)), (Rle_dec 0 t); nra. Qed.
Lemma relu_neg : forall t, relu (- t) = relu t - t.
Proof. intros t. unfold relu, Rmax. destruct (Rle_dec 0 (- t)), (Rle_dec 0 t); lra. Qed.

(* ---- the checker ---- *)
Record enode := ENode { rows : list cond; many : Z; facts : list row }.   (* numbered rows; rows >= 0 *)
Inductive source := SRow (r : Z) | SFact (i : Z) | SAtom (j : Z) (low : bool) | SOne.
Inductive hint := HLinear | HConst | HOn (i c w : Z) | HOff (i c w : Z) | HAtom (j g : Z).
Inductive eline := EHalf (f : row) | EFold (f : row) | ESign (f : row) (w : Z) (us : list (Z * source))
  | EBelow (neg : bool) (j k u w : Z) (us : list (Z * source))            (* k.s(h) <= u, or <= u + k.h *)
  | EEmpty (us : list (Z * source)) | ESame (ha hb : list (list hint)).
Definition equal_rows (f g : row) : bool := Z.eqb (fst f) (fst g) && zeros (axpy (-1) (snd f) (snd g)).
Lemma equal_rows_sound : forall f g X, equal_rows f g = true -> val f X = val g X.
Proof.
  intros f g X H. apply andb_true_iff in H as [H1 H2]. apply Z.eqb_eq in H1. apply (fun h => dot_zeros _ X h) in H2.
  rewrite dot_axpy in H2. unfold val. rewrite H1. lra.
Qed.

Section Equal.
Context {U V : Type} (n : list U) (dims : list V) (sc : Z) (ins : list row) (dom : system).
Context (ha : list layer) (la : layer) (hb : list layer) (lb : layer) (ats : list atom).

Definition cond_of (v : enode) (s : source) : option cond :=
  match s with
  | SRow r => nthz (rows v) (Z.sub (Z.pred (many v)) r)
  | SFact i => option_map (pair false) (nthz (facts v) i)
  | SAtom j low => option_map (fun e : atom => (false, if low then snd e else fadd (-1) (fst e) (snd e))) (nthz ats j)
  | SOne => Some (false, (1%Z, []))
  end.
Definition conds_of (v : enode) (us : list (Z * source)) : option (list (Z * cond)) :=
  all_some (fun u => option_map (pair (fst u)) (cond_of v (snd u))) us.
Definition relu_row (v : enode) (lin : bool) (z : row) (h : hint) : option row :=
  match h with
  | HLinear => if lin then Some z else None
  | HConst => if negb lin && zeros (snd z) then Some (if Z.leb 0 (fst z) then z else zero) else None
  | HOn i c w => match nthz (facts v) i with
      | Some f => if negb lin && Z.ltb 0 c && Z.ltb 0 w && equal_rows (scaled w z) (scaled c f) then Some z else None
      | None => None end
  | HOff i c w => match nthz (facts v) i with
      | Some f => if negb lin && Z.ltb 0 c && Z.ltb 0 w && equal_rows (scaled w z) (scaled (Z.opp c) f) then Some zero else None
      | None => None end
  | HAtom j g => match nthz ats j with
      | Some (h, s) => if negb lin && negb (Z.eqb g 0) && equal_rows z (scaled g h)
          then Some (if Z.ltb 0 g then scaled g s else fadd (Z.opp g) s z) else None
      | None => None end
  end.
Definition pre_rows (l : layer) (is : list row) (fac : Z) : list (bool * row) :=
  map (fun u => (fst u, lin (snd (snd u)) (map Some is) (Z.mul fac (fst (snd u)), []))) (units l).
Fixpoint relu_rows (v : enode) (zs : list (bool * row)) (hs : list hint) : option (list row) :=
  match zs, hs with
  | [], [] => Some []
  | (b, z) :: zs', h :: hs' => match relu_row v b z h, relu_rows v zs' hs' with Some y, Some ys => Some (y :: ys) | _, _ => None end
  | _, _ => None
  end.
Fixpoint thru (v : enode) (ls : list layer) (is : list row) (fac : Z) (hs : list (list hint)) : option (list row * Z) :=
  match ls, hs with
  | [], [] => Some (is, fac)
  | l :: ls', h :: hs' => match relu_rows v (pre_rows l is fac) h with
      | Some ys => thru v ls' ys (Z.mul fac (den l)) hs' | None => None end
  | _, _ => None
  end.
Fixpoint all_same (p q : Z) (u v : list (bool * row)) : bool :=
  match u, v with
  | [], [] => true
  | (_, f) :: u', (_, g) :: v' => equal_rows (scaled q f) (scaled p g) && all_same p q u' v'
  | _, _ => false
  end.
Definition leaf_ok (v : enode) (ga gb : list (list hint)) : bool :=
  match thru v ha ins sc ga, thru v hb ins sc gb with
  | Some (u, p), Some (w, q) => all_same (Z.mul p (den la)) (Z.mul q (den lb)) (pre_rows la u p) (pre_rows lb w q)
  | _, _ => false
  end.
Definition estep (st : list enode) (l : eline) : option (list enode) :=
  match st, l with
  | v :: st', EHalf f =>
      if nonconstant dims f then
        let part g := ENode ((true, g) :: rows v) (Z.succ (many v)) (g :: facts v) in
        Some (part (fneg f) :: part f :: st')
      else None
  | v :: st', EFold f => let part g := ENode (rows v) (many v) (g :: facts v) in Some (part (fneg f) :: part f :: st')
  | v :: st', ESign f w us => match conds_of v us with
      | Some cs => if signed false cs true w f then Some (ENode (rows v) (many v) (f :: facts v) :: st') else None
      | None => None end
  | v :: st', EBelow neg j k u w us => match nthz ats j, conds_of v us with
      | Some (h, s), Some cs =>
          let f := fadd (if neg then k else Z.opp k) h (u, []) in
          if Z.ltb 0 k && Z.leb 0 u && signed false cs true w f
          then Some (ENode (rows v) (many v) (fadd (Z.opp k) s (if neg then f else (u, [])) :: facts v) :: st') else None
      | _, _ => None end
  | v :: st', EEmpty us => match conds_of v us with Some cs => if refutes cs then Some st' else None | None => None end
  | v :: st', ESame ga gb => if leaf_ok v ga gb then Some st' else None
  | [], _ => None
  end.
Fixpoint esteps (st : list enode) (ls : list eline) : option (list enode) :=
  match ls with [] => Some st | l :: ls' => match estep st l with Some st' => esteps st' ls' | None => None end end.

(* ---- soundness ---- *)
Context (tab : list row) (Hsc : (0 < sc)%Z) (Hins : forallb (fun f => fits (snd f) dims) ins = true).
Context (Hats : forall t, length t = length dims -> Forall (right (ext tab t)) ats).
Context (Hda : dens_ok ha = true) (Hdb : dens_ok hb = true) (Hla : (0 < den la)%Z) (Hlb : (0 < den lb)%Z).
Definition on (v : enode) (X : point) : Prop := sat (rows v) X /\ Forall (fun f => 0 <= val f X) (facts v).
Definition same_at (t : point) : Prop := eval ha la (image sc ins t) = eval hb lb (image sc ins t).
Definition avoids (H : list row) (t : point) : Prop := Forall (fun f => val f t <> 0) H.
(* what is shown of a node, off some hyperplanes *)
Definition done (P : point -> Prop) (v : enode) : Prop := exists H, Forall (fun f => nonconstant dims f = true) H /\
  forall t, length t = length dims -> on v (ext tab t) -> avoids H t -> P t.

Lemma val_ext : forall f t, fits (snd f) dims = true -> length t = length dims -> val f (ext tab t) = val f t.
Proof.
  intros f t F L. destruct (ext_app tab t) as (F' & ->). apply val_app. rewrite (fits_len _ _ _ t dims L). exact F.
Qed.
Lemma right_facts : forall X e, right X e -> 0 <= val (snd e) X /\ 0 <= val (fadd (-1) (fst e) (snd e)) X.
Proof.
  intros X e R. unfold right in R. rewrite val_fadd, R. change (IZR (-1)) with (-1).
  pose proof (Rmax_l 0 (val (fst e) X)). pose proof (Rmax_r 0 (val (fst e) X)). unfold relu. lra.
Qed.
Lemma conds_sound : forall v us cs X, conds_of v us = Some cs -> on v X -> Forall (right X) ats -> sat (map snd cs) X.
Proof.
  intros v us cs X H [O1 O2] R. apply Forall_forall. intros k Hk. apply in_map_iff in Hk as (mk & <- & Hk).
  destruct (all_some_in _ _ _ _ _ H _ Hk) as ([m s] & _ & G). cbn [fst snd] in G.
  destruct (cond_of v s) as [c|] eqn:C; [|discriminate]. inversion G; subst mk. cbn [snd]. clear G.
  rewrite Forall_forall in O1, O2, R. destruct s as [r|i|j low|]; cbn [cond_of] in C.
  - apply O1. eapply nthz_in; exact C.
  - destruct (nthz (facts v) i) as [f|] eqn:N; [|discriminate]. inversion C; subst. apply O2. eapply nthz_in; exact N.
  - destruct (nthz ats j) as [e|] eqn:N; [|discriminate]. inversion C; subst. apply nthz_in in N. apply R in N.
    apply right_facts in N as [N1 N2]. unfold holds; cbn [fst snd]. destruct low; assumption.
  - inversion C; subst. unfold holds, val; cbn. lra.
Qed.
Lemma relu_row_sound : forall v b z h r X, relu_row v b z h = Some r -> on v X -> Forall (right X) ats ->
  val r X = passes b (val z X).
Proof.
  intros v b z h r X H [_ O] R. rewrite Forall_forall in O, R. unfold relu_row in H. destruct h as [| |i c w|i c w|j g].
  - destruct b; [|discriminate]. inversion H; subst. reflexivity.
  - destruct b; [discriminate|]. cbn in H. destruct (zeros (snd z)) eqn:Z0; [|discriminate]. inversion H; subst.
    rewrite (val_const z X Z0). cbn [passes]. unfold relu. destruct (Z.leb_spec 0 (fst z)) as [L|L].
    + rewrite (val_const z X Z0). apply IZR_le in L. rewrite Rmax_right; auto.
    + rewrite val_zero. apply IZR_lt in L. rewrite Rmax_left; lra.
  - destruct (nthz (facts v) i) as [f|] eqn:N; [|discriminate]. destruct (_ && _) eqn:T; [|discriminate].
    repeat (apply andb_true_iff in T as [T ?]). inversion H; subst. destruct b; [discriminate|]. apply nthz_in, O in N.
    apply (fun h => equal_rows_sound _ _ X h) in H0. rewrite !val_scaled in H0.
    apply Z.ltb_lt, IZR_lt in H2. apply Z.ltb_lt, IZR_lt in H1.
    cbn [passes]. unfold relu. rewrite Rmax_right; [reflexivity|]. assert (0 <= IZR c * val f X) by (apply Rmult_le_pos; lra). nra.
  - destruct (nthz (facts v) i) as [f|] eqn:N; [|discriminate]. destruct (_ && _) eqn:T; [|discriminate].
    repeat (apply andb_true_iff in T as [T ?]). inversion H; subst. destruct b; [discriminate|]. apply nthz_in, O in N.
    apply (fun h => equal_rows_sound _ _ X h) in H0. rewrite !val_scaled, opp_IZR in H0.
    apply Z.ltb_lt, IZR_lt in H2. apply Z.ltb_lt, IZR_lt in H1. rewrite val_zero.
    cbn [passes]. unfold relu. rewrite Rmax_left; [reflexivity|]. assert (0 <= IZR c * val f X) by (apply Rmult_le_pos; lra). nra.
  - destruct (nthz ats j) as [[h s]|] eqn:N; [|discriminate]. destruct (_ && _) eqn:T; [|discriminate].
    repeat (apply andb_true_iff in T as [T ?]). inversion H; subst. destruct b; [discriminate|]. apply nthz_in, R in N.
    unfold right in N; cbn [fst snd] in N. apply (fun h => equal_rows_sound _ _ X h) in H0. rewrite val_scaled in H0.
    cbn [passes]. apply negb_true_iff, Z.eqb_neq in H1. destruct (Z.ltb_spec 0 g) as [G|G].
    + rewrite val_scaled, N, H0. apply IZR_lt in G. rewrite relu_scale by exact G. reflexivity.
    + rewrite val_fadd, opp_IZR, N, H0. assert (G' : IZR g < 0) by (apply IZR_lt; lia).
      replace (IZR g * val h X) with (- IZR g * - val h X) at 2 by ring. rewrite relu_scale by lra. rewrite relu_neg. ring.
Qed.
Lemma pre_rows_sound : forall l is fac X ys, (0 < den l)%Z -> Forall2 (fun f y => val f X = IZR fac * y) is ys ->
  Forall2 (fun f u => fst f = fst u /\ val (snd f) X = IZR (fac * den l) * pre l u ys) (pre_rows l is fac) (units l).
Proof.
  intros l is fac X ys Hl H. apply IZR_lt in Hl. unfold pre_rows.
  assert (A : Forall2 (fun u y => u = IZR fac * y) (map (fun o => oval o X) (map Some is)) ys)
    by (rewrite map_map; clear Hl; induction H; cbn; constructor; auto).
  induction (units l) as [|[b [c a]] us IH]; cbn [map]; constructor; [|exact IH]. cbn [fst snd]. split; [reflexivity|].
  rewrite val_lin, (dot_scaled _ _ _ _ A). unfold pre, val; cbn [fst snd]. rewrite dot_nil_l, !mult_IZR. field. lra.
Qed.
Lemma thru_sound : forall v X, on v X -> Forall (right X) ats -> forall ls is fac ys hs r fac', dens_ok ls = true -> (0 < fac)%Z ->
  Forall2 (fun f y => val f X = IZR fac * y) is ys -> thru v ls is fac hs = Some (r, fac') ->
  (0 < fac')%Z /\ Forall2 (fun f y => val f X = IZR fac' * y) r (run_layers ls ys).
Proof.
  intros v X O R ls. induction ls as [|l ls IH]; intros is fac ys hs r fac' D Hf H T; destruct hs as [|h hs]; try discriminate.
  - inversion T; subst. auto.
  - cbn in D. apply andb_true_iff in D as [Dl D]. apply Z.ltb_lt in Dl. cbn [thru] in T.
    destruct (relu_rows v _ h) as [r'|] eqn:E; [|discriminate]. cbn [run_layers].
    assert (Hf' : (0 < fac * den l)%Z) by (apply Z.mul_pos_pos; assumption).
    refine (IH _ _ (pass l ys) _ _ _ D Hf' _ T). apply (pre_rows_sound l is fac X ys Dl) in H.
    unfold pass. clear T IH. revert h r' E. apply IZR_lt in Hf'. induction H as [|[b z] u zs us [H1 H2] H IH]; intros [|h hs'] r' E; cbn in E; try discriminate.
    + inversion E; subst. constructor.
    + destruct (relu_row v b z h) as [y|] eqn:E1; [|discriminate]. destruct (relu_rows v zs hs') as [ys'|] eqn:E2; [|discriminate].
      inversion E; subst. cbn [map]. constructor; [|exact (IH _ _ E2)]. cbn [fst snd] in *.
      rewrite (relu_row_sound _ _ _ _ _ X E1 O R), H2, H1. destruct (fst u); cbn [passes]; [reflexivity|]. apply relu_scale. exact Hf'.
Qed.
Lemma start_ins : forall t, length t = length dims ->
  Forall2 (fun f y => val f (ext tab t) = IZR sc * y) ins (image sc ins t).
Proof.
  intros t L. apply IZR_lt in Hsc as Hs. unfold image. assert (G : Forall (fun f => fits (snd f) dims = true) ins)
    by (apply Forall_forall; rewrite forallb_forall in Hins; exact Hins). clear Hins.
  induction G as [|f fs F G IH]; cbn; constructor; [|exact IH]. rewrite val_ext by assumption. field. lra.
Qed.
Lemma leaf_same : forall v ga gb t, leaf_ok v ga gb = true -> length t = length dims -> on v (ext tab t) -> same_at t.
Proof.
  intros v ga gb t H L O. unfold leaf_ok in H. pose proof (start_ins t L) as S. pose proof (Hats t L) as R.
  destruct (thru v ha ins sc ga) as [[u p]|] eqn:Ta; [|discriminate]. destruct (thru v hb ins sc gb) as [[w q]|] eqn:Tb; [|discriminate].
  destruct (thru_sound v _ O R _ _ _ _ _ _ _ Hda Hsc S Ta) as [Pp Fa]. destruct (thru_sound v _ O R _ _ _ _ _ _ _ Hdb Hsc S Tb) as [Pq Fb].
  apply (pre_rows_sound la _ _ _ _ Hla) in Fa. apply (pre_rows_sound lb _ _ _ _ Hlb) in Fb.
  unfold same_at, eval, affine. set (ya := run_layers ha _) in *. set (yb := run_layers hb _) in *.
  assert (Ha : 0 < IZR (p * den la)) by (apply IZR_lt, Z.mul_pos_pos; assumption).
  assert (Hb : 0 < IZR (q * den lb)) by (apply IZR_lt, Z.mul_pos_pos; assumption).
  set (P' := (p * den la)%Z) in *. set (Q' := (q * den lb)%Z) in *. clearbody P' Q'. clear Ta Tb.
  revert Fb H. generalize (pre_rows lb w q) (units lb). induction Fa as [|[b f] x fs us [_ Hf] Fa IH]; intros gs vs Fb H.
  - destruct gs as [|[? ?] ?]; [|discriminate]. inversion Fb; subst. reflexivity.
  - destruct Fb as [|[b' g] x' gs vs [_ Hg] Fb]; [discriminate|]. cbn [all_same] in H. apply andb_true_iff in H as [H1 H2].
    cbn [map]. f_equal; [|exact (IH _ _ Fb H2)]. apply (fun h => equal_rows_sound _ _ (ext tab t) h) in H1. cbn [snd] in *.
    rewrite !val_scaled, Hf, Hg in H1. assert (Z' : IZR P' * IZR Q' * (pre la x ya - pre lb x' yb) = 0) by lra.
    apply Rmult_integral in Z' as [Z'|Z']; [|lra]. exfalso. assert (0 < IZR P' * IZR Q') by (apply Rmult_lt_0_compat; assumption). lra.
Qed.
Definition is_leaf (l : eline) : bool := match l with ESame _ _ => true | _ => false end.
Lemma estep_sound : forall (P : point -> Prop) st l st', (is_leaf l = true -> forall t, same_at t -> P t) -> estep st l = Some st' ->
  Forall (done P) st' -> Forall (done P) st.
Proof.
  intros P [|v st] l st' Leaf H D; [discriminate|]. destruct l as [f|f|f w us|neg j k u w us|us|ga gb]; cbn [estep] in H.
  - destruct (nonconstant dims f) eqn:N; [|discriminate]. inversion H; subst. clear H.
    inversion D as [|? ? (H1 & N1 & D1) D']; subst. inversion D' as [|? ? (H2 & N2 & D2) D'']; subst.
    constructor; [|exact D'']. exists (f :: H1 ++ H2). split; [constructor; [exact N|apply Forall_app; split; assumption]|].
    intros t L [O1 O2] A. inversion A as [|? ? A0 A']; subst. apply Forall_app in A' as [A1 A2].
    assert (F : fits (snd f) dims = true) by (unfold nonconstant in N; apply andb_true_iff in N; tauto).
    pose proof (val_ext f t F L) as E. destruct (Rtotal_order (val f t) 0) as [X|[X|X]]; [|contradiction|].
    + apply D1; [exact L| |exact A1]. split; constructor; try assumption; unfold holds; cbn; rewrite val_fneg; lra.
    + apply D2; [exact L| |exact A2]. split; constructor; try assumption; unfold holds; cbn; lra.
  - inversion H; subst. clear H.
    inversion D as [|? ? (H1 & N1 & D1) D']; subst. inversion D' as [|? ? (H2 & N2 & D2) D'']; subst.
    constructor; [|exact D'']. exists (H1 ++ H2). split; [apply Forall_app; split; assumption|].
    intros t L [O1 O2] A. apply Forall_app in A as [A1 A2]. destruct (Rle_or_lt (val f (ext tab t)) 0) as [X|X].
    + apply D1; [exact L| |exact A1]. split; [exact O1|]. constructor; [rewrite val_fneg; lra|exact O2].
    + apply D2; [exact L| |exact A2]. split; [exact O1|]. constructor; [lra|exact O2].
  - destruct (conds_of v us) as [cs|] eqn:C; [|discriminate]. destruct (signed false cs true w f) eqn:S; [|discriminate].
    inversion H; subst. inversion D as [|? ? (H1 & N1 & D1) D']; subst. constructor; [|exact D']. exists H1. split; [exact N1|].
    intros t L O A. apply D1; [exact L| |exact A]. destruct O as [O1 O2]. split; [exact O1|]. constructor; [|exact O2].
    exact (proj1 (signed_sound _ _ _ _ _ _ S (conds_sound _ _ _ _ C (conj O1 O2) (Hats t L)))).
  - destruct (nthz ats j) as [[h s]|] eqn:N; [|discriminate]. destruct (conds_of v us) as [cs|] eqn:C; [|discriminate].
    set (f := fadd (if neg then k else Z.opp k) h (u, [])) in *.
    destruct (Z.ltb 0 k && Z.leb 0 u && signed false cs true w f) eqn:T; [|discriminate].
    apply andb_true_iff in T as [T S]. apply andb_true_iff in T as [Tk Tu]. apply Z.ltb_lt, IZR_lt in Tk. apply Z.leb_le, IZR_le in Tu.
    inversion H; subst. inversion D as [|? ? (H1 & N1 & D1) D']; subst. constructor; [|exact D']. exists H1. split; [exact N1|].
    intros t L O A. apply D1; [exact L| |exact A]. pose proof (Hats t L) as R.
    pose proof (proj1 (signed_sound _ _ _ _ _ _ S (conds_sound _ _ _ _ C O R))) as F. cbn [cond_of] in F.
    destruct O as [O1 O2]. split; [exact O1|]. constructor; [|exact O2].
    rewrite Forall_forall in R. apply nthz_in, R in N. unfold right in N; cbn [fst snd] in N. unfold f in F. rewrite val_fadd in F.
    assert (Uc : forall X, val (u, []) X = IZR u) by (intros X; unfold val; cbn; ring). rewrite Uc in F.
    rewrite val_fadd, opp_IZR, N. set (z := val h (ext tab t)) in *. unfold relu, Rmax.
    destruct neg; [unfold f; rewrite val_fadd, Uc; fold z|rewrite Uc, ?opp_IZR in *]; destruct (Rle_dec 0 z); rewrite ?opp_IZR in F; lra.
  - destruct (conds_of v us) as [cs|] eqn:C; [|discriminate]. destruct (refutes cs) eqn:S; [|discriminate]. inversion H; subst.
    constructor; [|exact D]. exists []. split; [constructor|]. intros t L O _. exfalso.
    exact (refutes_sound _ _ S (conds_sound _ _ _ _ C O (Hats t L))).
  - destruct (leaf_ok v ga gb) eqn:S; [|discriminate]. inversion H; subst. constructor; [|exact D]. exists []. split; [constructor|].
    intros t L O _. apply Leaf; [reflexivity|]. eapply leaf_same; eassumption.
Qed.
Lemma esteps_sound : forall ls st, esteps st ls = Some [] -> Forall (done same_at) st.
Proof.
  induction ls as [|l ls IH]; intros st H; cbn in H; [inversion H; constructor|].
  destruct (estep st l) as [st'|] eqn:E; [|discriminate].
  eapply estep_sound; [intros _ t Ht; exact Ht|exact E|exact (IH _ H)].
Qed.
(* every box has a point off some hyperplanes *)
Lemma avoid : forall H c r, Forall (fun f => nonconstant dims f = true) H -> 0 < r -> length c = length dims ->
  exists c', near r c c' /\ avoids H c'.
Proof.
  intros H c r N Hr Hc. enough (exists c' r', 0 < r' /\ (forall x, near r' c' x -> near r c x /\ avoids H x)) as (c' & r' & Hr' & A)
    by (exists c'; apply A, near_refl; lra).
  induction N as [|f H Nf N IH]; [exists c, r; split; [exact Hr|]; intros; split; [assumption|constructor]|].
  destruct IH as (c1 & r1 & Hr1 & A). unfold nonconstant in Nf. apply andb_true_iff in Nf as [N1 N2]. apply negb_true_iff in N1.
  assert (L : length c1 = length dims) by (rewrite <- Hc; eapply near_len; apply (A c1), near_refl; lra).
  rewrite (fits_len _ _ _ dims c1) in N2 by congruence.
  destruct (shrink f c1 r1 Hr1 N2 N1) as (c2 & r2 & Hr2 & Sub & Side). exists c2, r2. split; [exact Hr2|].
  intros x Hx. destruct (A x (Sub x Hx)) as [A1 A2]. split; [exact A1|]. constructor; [|exact A2].
  destruct Side as [S|S]; specialize (S x Hx); lra.
Qed.
End Equal.

(* ---- the claim: equal on the closure of D ---- *)
Fixpoint mix (s : R) (x p : point) : point := match x, p with u :: x', v :: p' => (u + s * (v - u)) :: mix s x' p' | _, _ => [] end.
Lemma dot_mix : forall s x p a, length x = length p -> dot a (mix s x p) = dot a x + s * (dot a p - dot a x).
Proof. induction x as [|u x IH]; intros [|v p] [|q a] H; try discriminate; cbn; try ring. rewrite IH by (cbn in H; lia). ring. Qed.
Lemma val_mix : forall s x p f, length x = length p -> val f (mix s x p) = val f x + s * (val f p - val f x).
Proof. intros. unfold val. rewrite dot_mix by assumption. ring. Qed.
Lemma length_mix : forall s x p, length x = length p -> length (mix s x p) = length x.
Proof. induction x as [|u x IH]; intros [|v p] H; try discriminate; cbn; auto. Qed.
Lemma mix_near : forall x p, length x = length p -> exists M, 0 <= M /\ forall s, 0 <= s -> near (s * M) x (mix s x p).
Proof.
  induction x as [|u x IH]; intros [|v p] H; try discriminate; [exists 0; split; [lra|]; intros; constructor|].
  destruct (IH p) as (M & HM & N); [cbn in H; lia|]. pose proof (Rabs_pos (v - u)). exists (M + Rabs (v - u)). split; [lra|].
  intros s Hs. assert (0 <= s * M) by (apply Rmult_le_pos; assumption). assert (0 <= s * Rabs (v - u)) by (apply Rmult_le_pos; assumption).
  cbn [mix]. constructor; [|eapply near_mono; [|apply N; exact Hs]; lra].
  replace (u - (u + s * (v - u))) with (- (s * (v - u))) by ring. rewrite Rabs_Ropp, Rabs_mult, (Rabs_pos_eq s) by exact Hs. lra.
Qed.

Section EqualClaim.
Context {U : Type} (n : list U) (common : row -> Z).
Context (ha : list layer) (la : layer) (hb : list layer) (lb : layer) (dom : system).
Definition eopened (d : Z) (p : list Z) (tab : list row) : option (Z * list row * list atom * enode) :=
  if dens_ok ha && dens_ok hb && Z.ltb 0 (den la) && Z.ltb 0 (den lb) && is_inside n (eqs dom) (inequalities dom) d p then
    match chart common (eqs dom) n 1 (unit_rows n) with
    | Some (dims, sc, ins) =>
        let ks := conditions (inequalities dom) sc ins in
        if forallb (fun f => fits (snd f) dims) ins && forallb (fun k => fits (snd (snd k)) dims) ks then
          match atoms_of tab (map (fun _ => 0%Z) dims) with
          | Some ats => Some (sc, ins, ats, ENode (rev ks) (zlen 0 ks) [])
          | None => None end
        else None
    | None => None end
  else None.
Definition edims : list U := match chart common (eqs dom) n 1 (unit_rows n) with Some (dims, _, _) => dims | None => [] end.

(* what the root has *)
Lemma eopened_facts : forall d p tab sc ins ats v, eopened d p tab = Some (sc, ins, ats, v) ->
  ((0 < sc)%Z /\ forallb (fun f => fits (snd f) edims) ins = true /\
   (forall t, length t = length edims -> Forall (right (ext tab t)) ats)) /\
  (dens_ok ha = true /\ dens_ok hb = true /\ (0 < den la)%Z /\ (0 < den lb)%Z) /\
  exists x, length x = length n /\ inner (eqs dom) (inequalities dom) x.
Proof.
  intros d p tab sc ins ats v O. unfold eopened in O. unfold edims.
  destruct (_ && is_inside _ _ _ _ _) eqn:E; [|discriminate].
  repeat (apply andb_true_iff in E as [E ?]). apply Z.ltb_lt in H0, H1. rename H into Hi.
  destruct (chart _ _ _ _ _) as [[[dims sc'] ins']|] eqn:C; [|discriminate].
  match type of O with (if ?b then _ else _) = _ => destruct b eqn:F end; [|discriminate]. apply andb_true_iff in F as [F1 F2].
  destruct (atoms_of tab _) as [ats'|] eqn:At; [|discriminate]. inversion O; subst sc' ins' ats' v. clear O.
  destruct (inside_sound n _ _ d p Hi) as [Lp Ip].
  destruct (chart_sound _ _ _ _ _ _ _ _ _ _ _ (units_ok _ n) C) as (Hs & _).
  split; [|split; [tauto|exists (topoint d p); split; assumption]]. split; [exact Hs|]. split; [exact F1|].
  intros t L. apply (atoms_right tab _ t ats At); [rewrite map_length; congruence|]. clear. induction dims; cbn; auto.
Qed.
(* what is shown of the root off some hyperplanes holds near every point of the closure *)
Lemma dense : forall d p tab sc ins ats v (P : point -> Prop), eopened d p tab = Some (sc, ins, ats, v) -> done edims tab P v ->
  forall x, length x = length n -> closure dom x -> forall r, 0 < r -> exists t, P t /\ near r x (image sc ins t).
Proof.
  intros d p tab sc ins ats v P O (H & N & D). unfold eopened in O. unfold edims in N, D.
  destruct (_ && is_inside _ _ _ _ _) eqn:E; [|discriminate]. apply andb_true_iff in E as [_ Hi].
  destruct (chart _ _ _ _ _) as [[[dims sc'] ins']|] eqn:C; [|discriminate].
  match type of O with (if ?b then _ else _) = _ => destruct b eqn:F end; [|discriminate]. apply andb_true_iff in F as [F1 F2].
  destruct (atoms_of tab _) as [ats'|] eqn:At; [|discriminate]. inversion O; subst sc' ins' ats' v. clear O.
  destruct (inside_sound n _ _ d p Hi) as [Lp Ip].
  destruct (chart_sound _ _ _ _ _ _ _ _ _ _ _ (units_ok _ n) C) as (Hs & Hl & Q & Q1 & Q2 & Q3 & Q4).
  assert (Sol : forall y, solves (eqs dom) y <-> solves (rev (eqs dom) ++ []) y)
    by (intros y; rewrite app_nil_r; unfold solves; symmetry; apply Forall_rev_iff).
  intros x Hx Cx. set (q := topoint d p) in *. destruct Ip as [Ip1 Ip2].
  assert (Lx : length x = length q) by congruence. destruct (mix_near x q Lx) as (M & HM & Mn).
  destruct (image_near sc ins Hs) as (Kc & HKc & Nc).
  assert (Ex : solves (eqs dom) x).
  { unfold solves, eqs. apply Forall_forall. intros f Hf. apply in_flat_map in Hf as ([s g] & Hc & Hf).
    unfold closure in Cx. rewrite Forall_forall in Cx. specialize (Cx _ Hc). cbn [fst snd] in *. destruct s; cbn in Hf; try contradiction.
    destruct Hf as [<-|[]]; exact Cx. }
  assert (Ix : Forall (fun f => 0 <= val f x) (inequalities dom)).
  { unfold inequalities. apply Forall_forall. intros f Hf. apply in_flat_map in Hf as ([s g] & Hc & Hf).
    unfold closure in Cx. rewrite Forall_forall in Cx. specialize (Cx _ Hc). cbn [fst snd] in *. destruct s; cbn in Hf; try contradiction;
    destruct Hf as [<-|[]]; exact Cx. }
  intros r Hr.
  set (s := Rmin 1 (r / 2 / (M + 1))).
  assert (Hq : 0 < r / 2 / (M + 1)) by (apply Rdiv_lt_0_compat; lra).
  assert (Hs0 : 0 < s) by (apply Rmin_glb_lt; lra). assert (Hs1 : s <= 1) by apply Rmin_l.
  assert (Hs2 : s * M <= r / 2).
  { apply Rle_trans with (r / 2 / (M + 1) * M); [apply Rmult_le_compat_r; [exact HM|apply Rmin_r]|].
    apply Rmult_le_reg_r with (M + 1); [lra|]. field_simplify; [|lra]. nra. }
  set (y := mix s x q). assert (Ly : length y = length n) by (unfold y; rewrite length_mix by exact Lx; exact Hx).
  assert (Ny : near (r / 2) x y) by (eapply near_mono; [exact Hs2|apply Mn; lra]).
  assert (Ey : solves (eqs dom) y).
  { unfold solves in *. rewrite Forall_forall in *. intros f Hf. unfold y. rewrite val_mix, (Ex f Hf), (Ip1 f Hf) by exact Lx. ring. }
  assert (Iy : Forall (fun f => 0 < val f y) (inequalities dom)).
  { rewrite Forall_forall in *. intros f Hf. unfold y. rewrite val_mix by exact Lx. specialize (Ix f Hf). specialize (Ip2 f Hf).
    cbv beta in *. assert (0 <= (1 - s) * val f x) by (apply Rmult_le_pos; lra). assert (0 < s * val f q) by (apply Rmult_lt_0_compat; assumption). lra. }
  set (t := Q y). assert (Lt : length t = length dims) by (apply Q1; exact Ly).
  assert (Iy' : image sc ins t = y) by (apply Q4; [exact Ly|apply Sol; exact Ey]).
  set (ks := conditions (inequalities dom) sc ins) in *.
  assert (Pos : Forall (fun k : cond => 0 < val (snd k) t) ks).
  { constructor; [unfold val; cbn; lra|]. rewrite Forall_map. cbn [snd]. eapply Forall_impl; [|exact Iy]. intros f Hf. cbv beta.
    rewrite val_pull, Iy' by exact Hs. apply IZR_lt in Hs. apply Rmult_lt_0_compat; assumption. }
  destruct (open_box ks t Pos) as (r1 & Hr1' & B). set (rho := Rmin r1 (r / 2 / Kc)).
  assert (Hrho : 0 < rho) by (apply Rmin_glb_lt; [exact Hr1'|apply Rdiv_lt_0_compat; lra]).
  destruct (avoid dims H t rho N Hrho Lt) as (t' & Nt & Av).
  assert (Lt' : length t' = length dims) by (rewrite (near_len _ _ _ Nt); exact Lt).
  assert (Same : P t').
  { apply D; [exact Lt'| |exact Av]. split; [|constructor]. change (sat (rev ks) (ext tab t')). apply (proj2 (Forall_rev_iff _ _ _)).
    assert (Pt : Forall (fun k : cond => 0 < val (snd k) t') ks) by (apply B; eapply near_mono; [apply Rmin_l|exact Nt]).
    apply positive_sat. rewrite forallb_forall in F2. rewrite Forall_forall in *. intros k Hk. cbv beta.
    rewrite (val_ext dims tab (snd k) t' (F2 k Hk) Lt'). apply Pt; exact Hk. }
  assert (Nz : near r x (image sc ins t')).
  { replace r with (r / 2 + r / 2) by field. apply near_trans with y; [exact Ny|]. rewrite <- Iy'.
    eapply near_mono; [|apply (Nc rho); [lra|exact Nt]].
    apply Rle_trans with (Kc * (r / 2 / Kc)); [apply Rmult_le_compat_l; [lra|apply Rmin_r]|]. field_simplify; lra. }
  exists t'. split; [exact Same|exact Nz].
Qed.
Theorem equal_sound : forall d p tab sc ins ats v lines, eopened d p tab = Some (sc, ins, ats, v) ->
  esteps edims sc ins ha la hb lb ats [v] lines = Some [] ->
  (exists x, length x = length n /\ inner (eqs dom) (inequalities dom) x) /\
  forall x, length x = length n -> closure dom x -> eval ha la x = eval hb lb x.
Proof.
  intros d p tab sc ins ats v lines O S. destruct (eopened_facts _ _ _ _ _ _ _ O) as ((Hs & F & Hat) & (Da & Db & La & Lb) & I).
  split; [exact I|]. pose proof (esteps_sound edims sc ins ha la hb lb ats tab Hs F Hat Da Db La Lb lines _ S) as D.
  apply Forall_inv in D. intros x Hx Cx.
  destruct (eval_near ha la) as (Ka & HKa & Na). destruct (eval_near hb lb) as (Kb & HKb & Nb).
  apply near_all_eq with (K := Ka + Kb) (r0 := 1); [lra|lra|]. intros r [Hr _].
  destruct (dense _ _ _ _ _ _ _ _ O D x Hx Cx r Hr) as (t & Same & Nz). unfold same_at in Same.
  replace ((Ka + Kb) * r) with (Ka * r + Kb * r) by ring. apply near_trans with (eval ha la (image sc ins t)).
  - apply Na; [lra|exact Nz].
  - rewrite Same. apply near_sym, Nb; [lra|exact Nz].
Qed.
End EqualClaim.

(* ---- they differ at a point of the closure ---- *)
Definition zclosed (d : Z) (p : list Z) (c : sense * row) : bool :=
  let z := zval (snd c) d p in match fst c with Zero => Z.eqb z 0 | _ => Z.leb 0 z end.
Fixpoint crossed (e : Z) (y : list Z) (f : Z) (z : list Z) : bool :=
  match y, z with a :: y', b :: z' => negb (Z.eqb (Z.mul a f) (Z.mul b e)) || crossed e y' f z' | _, _ => false end.
Lemma crossed_sound : forall e y f z, 0 < IZR e -> 0 < IZR f -> crossed e y f z = true -> topoint e y <> topoint f z.
Proof.
  intros e y f z He Hf. revert z. induction y as [|a y IH]; intros [|b z] H E; cbn in H; try discriminate.
  inversion E as [[E1 E2]]. apply orb_true_iff in H as [H|H]; [|exact (IH _ H E2)].
  apply negb_true_iff, Z.eqb_neq in H. apply H. apply eq_IZR. rewrite !mult_IZR.
  assert (IZR a = IZR a / IZR e * IZR e) as -> by (field; lra). rewrite E1. field. lra.
Qed.
Definition differ_ok {U} (n : list U) (ha : list layer) (la : layer) (hb : list layer) (lb : layer) (dom : system) (d : Z) (p : list Z) : bool :=
  let '(e, y) := zeval ha la (d, p) in
  let '(f, z) := zeval hb lb (d, p) in
  Z.ltb 0 d && same_len p n && dens_ok ha && dens_ok hb && Z.ltb 0 (den la) && Z.ltb 0 (den lb) && forallb (zclosed d p) dom && crossed e y f z.
Lemma zeval_sound : forall hidden last d p, 0 < IZR d -> dens_ok hidden = true -> (0 < den last)%Z ->
  let '(e, y) := zeval hidden last (d, p) in 0 < IZR e /\ topoint e y = eval hidden last (topoint d p).
Proof.
  intros hidden last d p Hd Hh Hl. apply IZR_lt in Hl. unfold zeval. pose proof (zrun_sound hidden d p Hd Hh) as R.
  destruct (fold_left _ hidden (d, p)) as [e0 q]. destruct R as [He Hq]. pose proof (zlayer_sound true last e0 q He Hl) as A.
  destruct (zlayer true last (e0, q)) as [e y] eqn:L. cbn [fst snd] in A.
  assert (Ee : e = (e0 * den last)%Z) by (unfold zlayer in L; inversion L; reflexivity).
  split; [rewrite Ee, mult_IZR; apply Rmult_lt_0_compat; assumption|]. unfold eval. rewrite <- Hq. exact A.
Qed.
Theorem differ_sound : forall U (n : list U) ha la hb lb dom d p, differ_ok n ha la hb lb dom d p = true ->
  exists x, length x = length n /\ closure dom x /\ eval ha la x <> eval hb lb x.
Proof.
  intros U n ha la hb lb dom d p H. unfold differ_ok in H.
  pose proof (zeval_sound ha la d p) as A. pose proof (zeval_sound hb lb d p) as B.
  destruct (zeval ha la (d, p)) as [e y]. destruct (zeval hb lb (d, p)) as [f z].
  repeat (apply andb_true_iff in H as [H ?]). apply Z.ltb_lt, IZR_lt in H. apply Z.ltb_lt in H2, H3.
  destruct (A H H5 H3) as [He Ey]. destruct (B H H4 H2) as [Hf Ez]. apply same_len_ok in H6.
  exists (topoint d p). split; [unfold topoint; rewrite map_length; exact H6|]. split.
  - apply Forall_forall. intros [s g] Hc. rewrite forallb_forall in H1. specialize (H1 _ Hc). unfold zclosed in H1; cbn [fst snd] in *.
    rewrite val_topoint by lra. assert (0 < / IZR d) by (apply Rinv_0_lt_compat; exact H). destruct s.
    + apply Z.eqb_eq in H1. rewrite H1. field. lra.
    + apply Z.leb_le, IZR_le in H1. apply Rmult_le_pos; lra.
    + apply Z.leb_le, IZR_le in H1. apply Rmult_le_pos; lra.
  - rewrite <- Ey, <- Ez. apply crossed_sound; assumption.
Qed.
