(* No point of a domain, with what a network makes of it, satisfies a case; or some point does. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart Bounds Regions.
Import ListNotations.
Open Scope R_scope.

Definition satisfied (hidden : list layer) (last : layer) (cases : list system) (x : point) : Prop :=
  Exists (fun c => solution c (x ++ eval hidden last x)) cases.

(* ---- rows over t ++ y ---- *)
Fixpoint pad {U} (n : list U) (a : list Z) : list Z :=
  match n, a with [], _ => [] | _ :: n', [] => 0%Z :: pad n' [] | _ :: n', q :: a' => q :: pad n' a' end.
Fixpoint cut_at {U} (n : list U) (a : list Z) : list Z * list Z :=
  match n, a with
  | [], _ => ([], a) | _, [] => ([], [])
  | _ :: n', q :: a' => let '(b, c) := cut_at n' a' in (q :: b, c)
  end.
Lemma dot_pad : forall U (n : list U) a t w y, length t = length n -> dot (pad n a ++ w) (t ++ y) = dot a t + dot w y.
Proof.
  induction n as [|u n IH]; intros a [|v t] w y H; try discriminate; cbn [pad app]; [rewrite dot_nil; ring|].
  destruct a as [|q a]; cbn [app dot]; rewrite IH by (cbn in H; lia); rewrite ?dot_nil_l; cbn [dot]; ring.
Qed.
Lemma dot_cut : forall U (n : list U) a t y, length t = length n ->
  dot a (t ++ y) = dot (fst (cut_at n a)) t + dot (snd (cut_at n a)) y.
Proof.
  induction n as [|u n IH]; intros a [|v t] y H; try discriminate; cbn [cut_at].
  - cbn. ring.
  - destruct a as [|q a]; [cbn; ring|]. specialize (IH a t y ltac:(cbn in H; lia)). destruct (cut_at n a) as [b c].
    cbn [fst snd app dot] in *. rewrite IH. ring.
Qed.

Section Property.
Context {U V : Type} (n : list U) (dims : list V) (sc : Z) (ins : list row).
Context (solve : list row -> list row -> option (Z * list (list Z))).
Context (hidden : list layer) (last : layer) (dom : system) (cases : list system) (root_box : box).

Definition strict_of (s : sense) : option bool := match s with Zero => None | Least => Some false | Above => Some true end.
(* row 0, then those of the domain but equations *)
Definition base_rows : list cond :=
  (true, (1%Z, [])) :: flat_map (fun c => match strict_of (fst c) with Some s => [(s, pull sc ins (snd c))] | None => [] end) dom.
(* a row of a case: over t, times sc; over the outputs *)
Definition case_row (c : sense * row) : option bool * (row * list Z) :=
  let '(a, w) := cut_at n (snd (snd c)) in (strict_of (fst c), (pull sc ins (fst (snd c), a), w)).
Definition weigh (e : option bool * row) (m : Z) : option (Z * cond) :=
  match fst e with
  | Some s => if Z.ltb 0 m then Some (m, (s, snd e)) else None
  | None => Some (if Z.ltb m 0 then (Z.opp m, (false, fneg (snd e))) else (m, (false, snd e)))
  end.
Definition given (k : cond) : option bool * row := (Some (fst k), snd k).
Definition holds_entry (E : point) (e : option bool * row) : Prop :=
  match fst e with Some s => holds E (s, snd e) | None => val (snd e) E = 0 end.
Lemma weigh_sound : forall e m E r, holds_entry E e -> weigh e m = Some r -> holds E (snd r).
Proof.
  intros [[s|] f] m E r H W; unfold weigh, holds_entry in *; cbn [fst snd] in *.
  - destruct (Z.ltb 0 m); [|discriminate]. inversion W; subst. exact H.
  - inversion W; subst. destruct (Z.ltb m 0); unfold holds; cbn; rewrite ?val_fneg; lra.
Qed.
Definition weighed (table : Z -> option (option bool * row)) (us : list (Z * Z)) : option (list (Z * cond)) :=
  all_some (fun u => match table (fst u) with Some e => weigh e (snd u) | None => None end) us.
Lemma weighed_sound : forall table us r E, (forall i e, table i = Some e -> holds_entry E e) ->
  weighed table us = Some r -> sat (map snd r) E.
Proof.
  intros table us r E H W. apply Forall_forall. intros k Hk. apply in_map_iff in Hk as (mk & <- & Hk).
  destruct (all_some_in _ _ _ _ _ W _ Hk) as (u & _ & G). destruct (table (fst u)) eqn:T; [|discriminate].
  eapply weigh_sound; [eapply H; exact T|exact G].
Qed.

(* ---- a leaf of boxes ---- *)
Definition over_both (r : row * list Z) : row := (fst (fst r), pad dims (snd (fst r)) ++ snd r).
Definition leaf_table (c : system) : list (option bool * row) :=
  map given (map (fun k => (fst k, over_both (snd k, []))) base_rows) ++
  map (fun e => (fst e, over_both (snd e))) (map case_row c).
Definition leaf_case (is : infos) (b : box) (c : system) (us : list (Z * Z)) : bool :=
  match weighed (nthz (leaf_table c)) us with
  | Some r => match comb r zero false with
    | Some ((g0, ga), st) =>
        let '(a, w) := cut_at dims ga in
        (* g0 + a.t + sc.w.y: minus this, times den last, is - den.(g0 + a.t) and a row over what layers pass on *)
        let out := lin w (map (fun u => Some (snd u)) (units last)) zero in
        match down sc ins (stacked hidden is []) (scaled (Z.opp (Z.mul sc FINE)) out) FINE with
        | Some (f, k) =>
            match lowest (fadd (Z.opp (Z.mul k (den last))) (g0, a) f) b with
            | Some m => if st then Z.leb 0 m else Z.ltb 0 m
            | None => false
            end
        | None => false
        end
    | None => false
    end
  | None => false
  end.

(* ---- a leaf of cells ---- *)
Definition scale_of (ls : list layer) : Z := fold_right (fun l k => Z.mul (den l) k) 1%Z ls.
Definition never_case (v : node) (c : system) (us : list (Z * Z)) : bool :=
  let d := Z.mul (scale_of hidden) (den last) in
  let outs := map Some (sums act last (now v) (factor v)) in
  let rows := map (fun c => let '(s, (f, w)) := case_row c in (s, lin w outs (fadd d f zero))) c in
  let table i := if Z.ltb i (depth v) then option_map given (pick v i) else nthz rows (Z.sub i (depth v)) in
  finished v && Z.eqb (Z.mul (factor v) (den last)) (Z.mul sc d) &&
  match weighed table us with Some r => refutes r | None => false end.
Fixpoint forall2b {A B} (f : A -> B -> bool) (u : list A) (v : list B) : bool :=
  match u, v with [], [] => true | a :: u', b :: v' => f a b && forall2b f u' v' | _, _ => false end.

(* ---- the walk ---- *)
Inductive item := Box (b : box) (is : infos) | Cell (v : node).
Inductive bline := BCut (m : list unit) (v : Z) | BAnchor | BLeaf (us : list (list (Z * Z))) | BCells
  | BVisit (r : record) | BNever (us : list (list (Z * Z))).
Fixpoint part (m : list unit) (b : box) (v : Z) : option (box * box) :=
  match m, b with
  | [], (l, h) :: b' =>
      if match l with Some e => Z.leb e v | None => true end && match h with Some e => Z.leb v e | None => true end
      then Some ((l, Some v) :: b', (Some v, h) :: b') else None
  | _ :: m', e :: b' => match part m' b' v with Some (p, q) => Some (e :: p, e :: q) | None => None end
  | _, [] => None
  end.
Definition cells_root (b : box) (is : infos) : node :=
  start sc ins (settled hidden is) (base_rows ++ map (pair false) (end_rows [] b)).
Definition walk (st : list item) (l : bline) : option (list item) :=
  match st, l with
  | Box b is :: st', BCut m v => match part m b v with Some (p, q) => Some (Box p is :: Box q is :: st') | None => None end
  | Box b is :: st', BAnchor =>
      if finite b then option_map (fun i => Box b i :: st') (anchored sc ins hidden (narrowed b is) [] b) else None
  | Box b is :: st', BLeaf us => if forall2b (leaf_case (narrowed b is) b) cases us then Some st' else None
  | Box b is :: st', BCells => Some (Cell (cells_root b (narrowed b is)) :: st')
  | Cell v :: st', BVisit r => option_map (fun ps => map Cell ps ++ st') (visit false dims solve [] v r)
  | Cell v :: st', BNever us => if forall2b (never_case v) cases us then Some st' else None
  | _, _ => None
  end.
Fixpoint walks (st : list item) (ls : list bline) : option (list item) :=
  match ls with [] => Some st | l :: ls' => match walk st l with Some st' => walks st' ls' | None => None end end.

(* ---- soundness ---- *)
Definition net : list layer := chart_layer sc ins :: hidden.
Definition within (it : item) (t : point) : Prop :=
  match it with Box b _ => sat base_rows t /\ inbox b t | Cell v => sat (path v) t end.
Definition good (it : item) : Prop :=
  match it with
  | Box b is => forall t, length t = length dims -> inbox b t -> fine hidden is t (image sc ins t)
  | Cell v => exists net', valid false dims [] net' (zlen 0 ins) v /\
      forall t, length t = length dims -> sat (path v) t -> run_layers net' t = run_layers net t
  end.
Definition bad (t : point) : Prop := satisfied hidden last cases (image sc ins t).
Definition clear (it : item) : Prop := forall t, length t = length dims -> within it t -> ~ bad t.
Context (Hsc : (0 < sc)%Z) (Hins : length ins = length n) (Hden : dens_ok hidden = true) (Hlast : (0 < den last)%Z).

Lemma pass_chart : forall t, pass (chart_layer sc ins) t = image sc ins t.
Proof. intros t. unfold pass, image, chart_layer; cbn [units]. rewrite map_map. reflexivity. Qed.
Lemma part_sound : forall m b v p q t, part m b v = Some (p, q) -> inbox b t -> inbox p t \/ inbox q t.
Proof.
  induction m as [|z m IH]; intros [|[l h] b] v p q t E H; cbn in E; try discriminate.
  - destruct (_ && _); [|discriminate]. inversion E; subst. inversion H as [|? w ? t' [A B] H']; subst.
    destruct (Rle_or_lt (IZR P * w) (IZR v)); [left|right]; (constructor; [|exact H']); split; cbn in *; auto. lra.
  - destruct (part m b v) as [[p' q']|] eqn:E'; [|discriminate]. inversion E; subst. inversion H as [|? ? ? ? He Hb]; subst.
    destruct (IH _ _ _ _ _ E' Hb); [left|right]; constructor; assumption.
Qed.
Lemma part_less : forall m b v p q t, part m b v = Some (p, q) -> inbox p t \/ inbox q t -> inbox b t.
Proof.
  induction m as [|z m IH]; intros [|[l h] b] v p q t E H; cbn in E; try discriminate.
  - destruct (_ && _) eqn:T; [|discriminate]. apply andb_true_iff in T as [T1 T2]. inversion E; subst. clear E.
    destruct H as [H|H]; inversion H as [|? w ? t' [A B] H']; subst; (constructor; [|exact H']); split; cbn in *; auto.
    + destruct h; cbn; [|exact I]. apply Z.leb_le, IZR_le in T2. lra.
    + destruct l; cbn; [|exact I]. apply Z.leb_le, IZR_le in T1. lra.
  - destruct (part m b v) as [[p' q']|] eqn:E'; [|discriminate]. inversion E; subst.
    destruct H as [H|H]; inversion H; subst; constructor; auto; eapply IH; eauto.
Qed.
Lemma case_row_sound : forall c t, length t = length dims -> meets (image sc ins t ++ eval hidden last (image sc ins t)) c ->
  let '(s, (f, w)) := case_row c in let y := eval hidden last (image sc ins t) in
  match s with
  | None => val f t + IZR sc * dot w y = 0
  | Some true => 0 < val f t + IZR sc * dot w y
  | Some false => 0 <= val f t + IZR sc * dot w y
  end.
Proof.
  intros [s [b a]] t L M. unfold case_row; cbn [fst snd]. set (y := eval _ _ _) in *.
  assert (Li : length (image sc ins t) = length n) by (unfold image; rewrite map_length; exact Hins).
  pose proof (dot_cut _ n a _ y Li) as D. destruct (cut_at n a) as [a' w]. cbn [fst snd] in D.
  rewrite val_pull by exact Hsc. apply IZR_lt in Hsc. set (X := image sc ins t) in *.
  assert (Ev : val (b, a) (X ++ y) = val (b, a') X + dot w y) by (unfold val; cbn [fst snd]; rewrite D; ring).
  unfold meets in M; cbn [fst snd] in M. rewrite Ev in M.
  replace (IZR sc * val (b, a') X + IZR sc * dot w y) with (IZR sc * (val (b, a') X + dot w y)) by ring.
  destruct s; cbn [strict_of].
  - rewrite M. ring.
  - apply Rmult_le_pos; lra.
  - apply Rmult_lt_0_compat; lra.
Qed.
Lemma nthz_map : forall A B (f : A -> B) l i e, nthz (map f l) i = Some e -> exists a, In a l /\ e = f a.
Proof. intros A B f l i e H. apply nthz_in, in_map_iff in H as (a & <- & H). eauto. Qed.

Lemma leaf_sound : forall is b c us t, leaf_case is b c us = true -> length t = length dims -> inbox b t ->
  sat base_rows t -> fine hidden is t (image sc ins t) -> ~ solution c (image sc ins t ++ eval hidden last (image sc ins t)).
Proof.
  intros is b c us t H L B S F Bad. unfold leaf_case in H.
  destruct (weighed _ us) as [r|] eqn:W; [|discriminate].
  set (y := eval hidden last (image sc ins t)) in *. set (E := t ++ map (Rmult (IZR sc)) y).
  assert (Vb : forall f w, val (over_both (f, w)) E = val f t + IZR sc * dot w y).
  { intros f w. unfold over_both, val, E; cbn [fst snd]. rewrite dot_pad by exact L.
    rewrite (dot_scaled w (IZR sc) (map (Rmult (IZR sc)) y) y); [ring|]. clear. induction y; cbn; constructor; auto. }
  assert (Sr : sat (map snd r) E).
  { eapply weighed_sound; [|exact W]. intros i e T. apply nthz_in in T. unfold leaf_table in T. apply in_app_or in T as [T|T].
    - apply in_map_iff in T as (k & <- & T). apply in_map_iff in T as (k' & <- & T). rewrite Forall_forall in S. specialize (S k' T).
      unfold holds_entry, given, holds in *; cbn [fst snd] in *. rewrite Vb, dot_nil_l, Rmult_0_r, Rplus_0_r. exact S.
    - apply in_map_iff in T as (e' & <- & T). apply in_map_iff in T as (k & <- & T). unfold solution in Bad.
      rewrite Forall_forall in Bad. pose proof (case_row_sound k t L (Bad k T)) as C. destruct (case_row k) as [s [f w]].
      unfold holds_entry, holds; cbn [fst snd]. fold y in C. destruct s as [[|]|]; rewrite Vb; exact C. }
  destruct (comb r zero false) as [[[g0 ga] st]|] eqn:Cm; [|discriminate].
  destruct (comb_sound E _ _ _ _ _ Cm Sr) as [C1 C2]. rewrite val_zero in C1, C2.
  destruct (cut_at dims ga) as [a w] eqn:Ct. pose proof (dot_cut _ dims ga t (map (Rmult (IZR sc)) y) L) as D.
  fold E in D. rewrite Ct in D. cbn [fst snd] in D.
  assert (Ds : dot w (map (Rmult (IZR sc)) y) = IZR sc * dot w y)
    by (apply dot_scaled; clear; induction y; cbn; constructor; auto).
  assert (Vc : val (g0, ga) E = val (g0, a) t + IZR sc * dot w y) by (unfold val; cbn [fst snd]; rewrite D, Ds; ring).
  destruct (down _ _ _ _ _) as [[f k]|] eqn:Dn; [|discriminate].
  destruct (lowest _ b) as [m|] eqn:M; [|discriminate]. apply (lowest_sound _ _ _ _ B) in M.
  destruct (stacked_sound sc ins hidden is [] t I F) as [O Ou]. cbn [out] in Ou.
  apply IZR_lt in Hlast as Hl. assert (HF : 0 < IZR FINE) by (apply IZR_lt; reflexivity).
  set (h := run_layers hidden (image sc ins t)) in *.
  assert (Ol : val (lin w (map (fun u => Some (snd u)) (units last)) zero) h = IZR (den last) * dot w y).
  { rewrite val_lin, val_zero, Rplus_0_r. apply dot_scaled. rewrite map_map. unfold y, eval, affine. fold h. clear - Hl.
    induction (units last) as [|u us IH]; cbn; constructor; [|exact IH]. unfold pre. field. lra. }
  apply (down_sound sc ins _ t _ _ _ _ (- (IZR (den last) * (IZR sc * dot w y))) Hsc HF O) in Dn.
  2:{ rewrite Ou, val_scaled, opp_IZR, mult_IZR, Ol. lra. }
  destruct Dn as [Hk Dn]. rewrite val_fadd, opp_IZR, mult_IZR in M.
  set (T := val (g0, a) t + IZR sc * dot w y) in *. rewrite Vc in C1, C2.
  assert (Up : IZR m <= IZR P * (IZR k * (IZR (den last) * - T))).
  { eapply Rle_trans; [exact M|]. apply Rmult_le_compat_l; [apply Rlt_le, P_pos|]. unfold T. lra. }
  assert (KD : 0 < IZR P * (IZR k * IZR (den last))).
  { apply Rmult_lt_0_compat; [apply P_pos|apply Rmult_lt_0_compat; assumption]. }
  replace (IZR P * (IZR k * (IZR (den last) * - T))) with (IZR P * (IZR k * IZR (den last)) * - T) in Up by ring.
  destruct st.
  - apply Z.leb_le, IZR_le in H. destruct (C2 eq_refl) as [|C3]; [discriminate|]. nra.
  - apply Z.ltb_lt, IZR_lt in H. nra.
Qed.

Lemma never_sound : forall v net' c us t, valid false dims [] net' (zlen 0 ins) v -> length t = length dims -> sat (path v) t ->
  run_layers net' t = run_layers net t -> never_case v c us = true ->
  ~ solution c (image sc ins t ++ eval hidden last (image sc ins t)).
Proof.
  intros v net' c us t [_ [bs Vd]] L S N H Bad. unfold never_case in H. apply andb_true_iff in H as [H R].
  apply andb_true_iff in H as [Fi Sc]. unfold finished in Fi. destruct (rest v) eqn:Re; [|discriminate].
  destruct (Vd t L S) as [(Hf & _ & _ & zs & H1 & H2 & _) _]. cbn [run_layers] in H2.
  unfold net in N. cbn [run_layers] in N. rewrite pass_chart in N. rewrite N in H2. clear N.
  set (h := run_layers hidden (image sc ins t)) in *. apply Z.eqb_eq in Sc. apply IZR_lt in Hf as Hf'.
  pose proof (acts_outs false _ _ _ _ Fi H1) as A. rewrite <- H2 in A. apply IZR_lt in Hlast as Hl.
  set (d := (scale_of hidden * den last)%Z) in *.
  set (y := eval hidden last (image sc ins t)) in *.
  assert (Dp : 0 < IZR d).
  { apply IZR_lt. assert (0 < factor v * den last)%Z by (apply Z.mul_pos_pos; assumption). rewrite Sc in H.
    apply Z.mul_pos_cancel_l in H; assumption. }
  assert (Ev : forall w f, val (lin w (map Some (sums act last (now v) (factor v))) f) t
    = IZR sc * IZR d * dot w y + val f t).
  { intros w f. rewrite val_lin. f_equal. rewrite map_map. cbn [oval]. rewrite (dot_scaled w (IZR (factor v * den last)) _ y).
    - rewrite Sc, mult_IZR. ring.
    - unfold y, eval, affine. fold h. pose proof (sums_val act last (now v) (factor v) t) as Sv.
      clear - Sv A Hl. induction Sv as [|[li [b w0]] a us' rows Ea _ IH]; cbn [map]; constructor; [|exact IH]. cbn [oval fst snd] in *. rewrite Ea, <- (map_map act (fun o => oval o t)), (dot_scaled _ _ _ _ A).
      unfold pre, val; cbn [fst snd]. rewrite !mult_IZR. field. lra. }
  destruct (weighed _ us) as [r|] eqn:W; [|discriminate]. apply (refutes_sound r t R).
  eapply weighed_sound; [|exact W]. intros i e T. cbv beta in T. destruct (Z.ltb i (depth v)).
  - destruct (pick v i) as [k|] eqn:Pk; [|discriminate]. inversion T; subst. unfold holds_entry, given; cbn [fst snd].
    apply (pick_sat v i k t) in Pk; [|exact S]. destruct k; exact Pk.
  - apply nthz_map in T as (k & Hk & ->). unfold solution in Bad. rewrite Forall_forall in Bad.
    pose proof (case_row_sound k t L (Bad k Hk)) as C. destruct (case_row k) as [s [f w]]. fold y in C.
    unfold holds_entry, holds; cbn [fst snd]. rewrite Ev, val_fadd, val_zero.
    replace (IZR sc * IZR d * dot w y + (IZR d * val f t + 0)) with (IZR d * (val f t + IZR sc * dot w y)) by ring.
    destruct s as [[|]|].
    + apply Rmult_lt_0_compat; assumption.
    + apply Rmult_le_pos; lra.
    + rewrite C. ring.
Qed.
Lemma forall2b_in : forall A B (f : A -> B -> bool) u v a, forall2b f u v = true -> In a u -> exists b, f a b = true.
Proof.
  induction u as [|x u IH]; intros [|y v] a H []; cbn in H; try discriminate; apply andb_true_iff in H as [H1 H2].
  - subst. eauto.
  - eauto.
Qed.

Lemma start_path : forall ls ks, path (start sc ins ls ks) = rev ks.
Proof. intros. unfold start. destruct (advance _ _ _ _ _ _) as [[[[[? ?] ?] ?] ?] ?]. reflexivity. Qed.
Lemma inbox_rows : forall b t, inbox b t -> Forall (fun g => 0 <= val g t) (end_rows [] b).
Proof.
  intros b t B. assert (E : length t = length b) by (induction B; cbn; congruence).
  exact (proj1 (end_rows_sound b [] [] t eq_refl eq_refl E) B).
Qed.
Lemma rows_inbox : forall b t, length t = length b -> Forall (fun g => 0 <= val g t) (end_rows [] b) -> inbox b t.
Proof. intros b t E H. exact (proj2 (end_rows_sound b [] [] t eq_refl eq_refl E) H). Qed.
Definition sized (it : item) : Prop := match it with Box b _ => length b = length dims | Cell _ => True end.
Lemma part_length : forall m b v p q, part m b v = Some (p, q) -> length p = length b /\ length q = length b.
Proof.
  induction m as [|z m IH]; intros [|[l h] b] v p q E; cbn in E; try discriminate.
  - destruct (_ && _); [|discriminate]. inversion E; subst. split; reflexivity.
  - destruct (part m b v) as [[p' q']|] eqn:E'; [|discriminate]. inversion E; subst. destruct (IH _ _ _ _ E'). cbn. split; congruence.
Qed.

Lemma walk_sound : forall st l st', walk st l = Some st' -> Forall (fun i => good i /\ sized i) st ->
  Forall (fun i => good i /\ sized i) st' /\ (Forall clear st' -> Forall clear st).
Proof.
  intros st l st' H G. destruct st as [|it st]; [discriminate|]. inversion G as [|? ? [Gi Si] Gs]; subst.
  destruct it as [b is|v], l; cbn [walk] in H; try discriminate.
  - destruct (part m b v) as [[p q]|] eqn:E; [|discriminate]. inversion H; subst. clear H. destruct (part_length _ _ _ _ _ E).
    split.
    + repeat (constructor; [split; [|cbn in *; congruence]|]); try exact Gs; intros t L B; apply Gi; auto;
        eapply part_less; eauto.
    + intros C. inversion C as [|? ? Cp C']; subst. inversion C' as [|? ? Cq C'']; subst. constructor; [|exact C''].
      intros t L [W1 W2]. destruct (part_sound _ _ _ _ _ t E W2) as [W|W]; [apply Cp|apply Cq]; auto; split; assumption.
  - destruct (finite b); [|discriminate]. destruct (anchored _ _ _ _ _ _) as [i|] eqn:E; [|discriminate].
    inversion H; subst. clear H. split.
    + constructor; [split; [|exact Si]|exact Gs]. intros t L B.
      apply (anchored_sound sc ins b t Hsc B hidden (narrowed b is) [] i I); [|exact E]. cbn [out].
      apply narrowed_sound; [exact B|]. apply Gi; assumption.
    + intros C. inversion C as [|? ? Cp C']; subst. constructor; [|exact C']. exact Cp.
  - destruct (forall2b _ _ _) eqn:E; [|discriminate]. inversion H; subst. split; [exact Gs|]. intros C. constructor; [|exact C].
    intros t L [W1 W2] X. unfold bad, satisfied in X. apply Exists_exists in X as (c & Hc & X).
    destruct (forall2b_in _ _ _ _ _ _ E Hc) as (us' & K). eapply leaf_sound; eauto. apply narrowed_sound; [exact W2|]. apply Gi; assumption.
  - inversion H; subst. clear H.
    destruct (start_valid false dims [] (chart_layer sc ins :: settled hidden (narrowed b is)) (zlen 0 ins) sc ins (settled hidden (narrowed b is))
      (base_rows ++ map (pair false) (end_rows [] b)) Hsc) as [Vs Ps]; [rewrite settled_dens; exact Hden|reflexivity|reflexivity|discriminate|intros ? ? ? ? ? []|].
    assert (In0 : forall t, sat (path (cells_root b (narrowed b is))) t <->
       sat base_rows t /\ Forall (fun g => 0 <= val g t) (end_rows [] b)).
    { intros t. unfold cells_root. rewrite start_path, Forall_rev_iff, Forall_app, Forall_map. reflexivity. }
    split.
    + constructor; [split; [|exact I]|exact Gs]. exists (chart_layer sc ins :: settled hidden (narrowed b is)).
      split; [exact Vs|]. intros t L S. apply In0 in S as [_ S]. unfold net. cbn [run_layers].
      rewrite pass_chart. apply (settled_sound t). assert (B : inbox b t) by (apply rows_inbox; [cbn in Si; congruence|exact S]).
      apply narrowed_sound; [exact B|]. apply Gi; assumption.
    + intros C. inversion C as [|? ? Cp C']; subst. constructor; [|exact C']. intros t L [W1 W2]. apply Cp; [exact L|].
      cbn [within]. apply In0. split; [exact W1|]. apply inbox_rows. exact W2.
  - destruct (visit false dims solve [] v r) as [ps|] eqn:E; [|discriminate]. cbn in H. inversion H; subst. clear H.
    destruct Gi as (net' & Vd & Eq). destruct (visit_sound false dims solve [] net' (zlen 0 ins) v r ps Vd E) as [Vp Cv].
    assert (Sub : forall p t, In p ps -> sat (path p) t -> sat (path v) t).
    { intros p t Hp S. destruct Cv as [w Ew|En|f s p' q' N1 N2 N3 E1 E2 N4]; cbn in Hp.
      - destruct Hp as [<-|[]]. rewrite <- Ew. exact S.
      - contradiction.
      - destruct Hp as [<-|[<-|[]]]; [rewrite E1 in S|rewrite E2 in S]; inversion S; assumption. }
    split.
    + apply Forall_app. split; [|exact Gs]. apply Forall_forall. intros it Hit. apply in_map_iff in Hit as (p & <- & Hp).
      split; [|exact I]. exists net'. rewrite Forall_forall in Vp. split; [apply Vp; exact Hp|]. intros t L S. apply Eq; [exact L|eapply Sub; eauto].
    + intros C. apply Forall_app in C as [C1 C2]. constructor; [|exact C2]. rewrite Forall_forall in C1.
      intros t L W. cbn [within] in W. destruct Cv as [w Ew|En|f s p' q' N1 N2 N3 E1 E2 N4].
      * apply (C1 (Cell w)); [left; reflexivity|exact L|]. cbn. rewrite Ew. exact W.
      * destruct (En t W).
      * specialize (N4 eq_refl). subst s. destruct (Rle_or_lt 0 (val f t)) as [X|X].
        -- apply (C1 (Cell q')); [right; left; reflexivity|exact L|]. cbn. rewrite E2. constructor; [exact X|exact W].
        -- apply (C1 (Cell p')); [left; reflexivity|exact L|]. cbn. rewrite E1. constructor; [|exact W].
           unfold holds; cbn. rewrite val_fneg. lra.
  - destruct (forall2b _ _ _) eqn:E; [|discriminate]. inversion H; subst. split; [exact Gs|]. intros C. constructor; [|exact C].
    intros t L W X. unfold bad, satisfied in X. apply Exists_exists in X as (c & Hc & X).
    destruct Gi as (net' & Vd & Eq). destruct (forall2b_in _ _ _ _ _ _ E Hc) as (us' & K).
    exact (never_sound v net' c us' t Vd L W (Eq t L W) K X).
Qed.
Theorem walks_sound : forall ls st, walks st ls = Some [] -> Forall (fun i => good i /\ sized i) st -> Forall clear st.
Proof.
  induction ls as [|l ls IH]; intros st H G; cbn [walks] in H; [inversion H; subst; constructor|].
  destruct (walk st l) as [st'|] eqn:E; [|discriminate]. destruct (walk_sound _ _ _ E G) as [G' C]. apply C. apply IH; assumption.
Qed.
End Property.

(* ---- the claim ---- *)
Lemma solution_solves : forall dom x, solution dom x -> solves (rev (eqs dom) ++ []) x.
Proof.
  intros dom x S. rewrite app_nil_r. unfold solves. apply Forall_rev. apply Forall_forall. intros f Hf. unfold eqs in Hf.
  apply in_flat_map in Hf as ([s g] & Hc & Hf). unfold solution in S. rewrite Forall_forall in S. specialize (S _ Hc).
  unfold meets in S; cbn [fst snd] in *. destruct s; cbn in Hf; try contradiction; destruct Hf as [<-|[]]; exact S.
Qed.
Lemma base_sat : forall dom sc ins t, (0 < sc)%Z -> solution dom (image sc ins t) -> sat (base_rows sc ins dom) t.
Proof.
  intros dom sc ins t Hs S. constructor; [unfold holds, val; cbn; lra|]. apply Forall_forall. intros k Hk.
  apply in_flat_map in Hk as ([s g] & Hc & Hk). unfold solution in S. rewrite Forall_forall in S. specialize (S _ Hc).
  unfold meets in S; cbn [fst snd] in *. apply IZR_lt in Hs as Hs'.
  destruct s; cbn in Hk; try contradiction; destruct Hk as [<-|[]]; unfold holds; cbn [fst snd]; rewrite val_pull by exact Hs.
  - apply Rmult_le_pos; lra.
  - apply Rmult_lt_0_compat; lra.
Qed.
Section Claim.
Context {U : Type} (n : list U) (common : row -> Z) (solve : list row -> list row -> option (Z * list (list Z))).
Context (hidden : list layer) (last : layer) (dom : system) (cases : list system).
(* the chart of the domain: coordinates, and x as rows over them *)
Definition opened (d : Z) (p : list Z) : option (list U * Z * list row) :=
  if dens_ok hidden && Z.ltb 0 (den last) && is_inside n (eqs dom) (inequalities dom) d p
  then chart common (eqs dom) n 1 (unit_rows n) else None.
Definition first_item (dims : list U) (sc : Z) (ins : list row) (b : box) : option item :=
  if bounded dims (base_rows sc ins dom) b then Some (Box b []) else None.

Theorem property_sound : forall d p dims sc ins b it lines,
  opened d p = Some (dims, sc, ins) -> first_item dims sc ins b = Some it ->
  walks n dims sc ins solve hidden last dom cases [it] lines = Some [] ->
  (exists x, length x = length n /\ inner (eqs dom) (inequalities dom) x) /\
  forall x, length x = length n -> solution dom x -> ~ satisfied hidden last cases x.
Proof.
  intros d p dims sc ins b it lines O F W. unfold opened in O. destruct (_ && is_inside _ _ _ _ _) eqn:E; [|discriminate].
  apply andb_true_iff in E as [E Ins]. apply andb_true_iff in E as [Hd Hl]. apply Z.ltb_lt in Hl.
  split; [exists (topoint d p); apply (inside_sound n _ _ d p); exact Ins|].
  destruct (chart_sound _ _ _ _ _ _ _ _ _ _ _ (units_ok _ n) O) as (Hs & Hi & Q & Q1 & _ & _ & Q4).
  intros x Hx S. unfold first_item in F. destruct (bounded _ _ b) eqn:Bd; [|discriminate]. inversion F; subst it. clear F.
  pose proof (solution_solves dom x S) as Sx.
  pose proof (Q4 x Hx Sx) as X. set (t := Q x) in *. assert (Lt : length t = length dims) by (apply Q1; exact Hx).
  assert (Sb : sat (base_rows sc ins dom) t) by (apply base_sat; [exact Hs|rewrite X; exact S]).
  assert (G : Forall (fun i => good dims sc ins hidden i /\ sized dims i) [Box b []]).
  { constructor; [|constructor]. split.
    - intros t' _ _. apply nothing_fine. exact Hd.
    - unfold bounded in Bd. apply andb_true_iff in Bd as [Bd _]. apply same_len_ok in Bd. exact Bd. }
  pose proof (walks_sound n dims sc ins solve hidden last dom cases Hs Hi Hd Hl lines _ W G) as C.
  apply Forall_inv in C. specialize (C t Lt). unfold bad in C. rewrite X in C. apply C.
  split; [exact Sb|]. eapply bounded_sound; eassumption.
Qed.
End Claim.

(* ---- some point does: exact values at a rational point p/d ---- *)
Definition zlayer (ends : bool) (l : layer) (dp : Z * list Z) : Z * list Z :=
  let '(d, p) := dp in
  (Z.mul d (den l), map (fun u => let z := zval (snd u) d p in if ends || fst u then z else Z.max 0 z) (units l)).
Definition zeval (hidden : list layer) (last : layer) (dp : Z * list Z) : Z * list Z :=
  zlayer true last (fold_left (fun v l => zlayer false l v) hidden dp).
Definition zmeets (d : Z) (p : list Z) (c : sense * row) : bool :=
  let z := zval (snd c) d p in match fst c with Zero => Z.eqb z 0 | Least => Z.leb 0 z | Above => Z.ltb 0 z end.
Definition point_ok {U} (n : list U) (hidden : list layer) (last : layer) (dom : system) (cases : list system) (d : Z) (p : list Z) : bool :=
  let '(e, y) := zeval hidden last (d, p) in
  let k := Z.div e d in
  Z.ltb 0 d && same_len p n && dens_ok hidden && Z.ltb 0 (den last) && Z.eqb (Z.mul d k) e && forallb (zmeets d p) dom &&
  existsb (forallb (zmeets e (map (Z.mul k) p ++ y))) cases.
Lemma zmeets_sound : forall d p c, 0 < IZR d -> zmeets d p c = true -> meets (topoint d p) c.
Proof.
  intros d p [s f] Hd H. unfold zmeets, meets in *; cbn [fst snd] in *. rewrite val_topoint by lra. destruct s.
  - apply Z.eqb_eq in H. rewrite H. field. lra.
  - apply Z.leb_le, IZR_le in H. apply Rmult_le_pos; [exact H|left; apply Rinv_0_lt_compat; exact Hd].
  - apply Z.ltb_lt, IZR_lt in H. apply Rdiv_lt_0_compat; assumption.
Qed.
Lemma zlayer_sound : forall b l d p, 0 < IZR d -> 0 < IZR (den l) ->
  topoint (fst (zlayer b l (d, p))) (snd (zlayer b l (d, p))) = (if b then affine l else pass l) (topoint d p).
Proof.
  intros b l d p Hd Hl. unfold zlayer, topoint; cbn [fst snd]. fold (topoint d p).
  assert (E : forall u, IZR (zval (snd u) d p) / IZR (d * den l) = pre l u (topoint d p)).
  { intros u. unfold pre. rewrite val_topoint, mult_IZR by lra. field. lra. }
  assert (Pos : 0 < IZR (d * den l)) by (rewrite mult_IZR; apply Rmult_lt_0_compat; assumption).
  destruct b; unfold affine, pass; rewrite map_map; apply map_ext; intros u; cbn [orb]; [apply E|].
  rewrite <- E. destruct (fst u); cbn [passes]; [reflexivity|]. unfold relu.
  set (z := zval _ _ _). destruct (Z.max_spec 0 z) as [[A ->]|[A ->]].
  - apply IZR_lt in A. rewrite Rmax_right; [reflexivity|]. left. apply Rdiv_lt_0_compat; assumption.
  - apply IZR_le in A. rewrite Rmax_left; [field; lra|]. unfold Rdiv. apply Rmult_le_compat_neg_r with (c := - / IZR (d * den l)) in A.
    + lra.
    + assert (0 < / IZR (d * den l)) by (apply Rinv_0_lt_compat; exact Pos). lra.
Qed.
Lemma zrun_sound : forall ls d p, 0 < IZR d -> dens_ok ls = true ->
  let '(e, q) := fold_left (fun v l => zlayer false l v) ls (d, p) in 0 < IZR e /\ topoint e q = run_layers ls (topoint d p).
Proof.
  induction ls as [|l ls IH]; intros d p Hd H; cbn [fold_left run_layers]; [auto|].
  cbn in H. apply andb_true_iff in H as [H1 H2]. apply Z.ltb_lt, IZR_lt in H1.
  pose proof (zlayer_sound false l d p Hd H1) as E. destruct (zlayer false l (d, p)) as [d' p'] eqn:Z'. cbn [fst snd] in E.
  assert (D : d' = (d * den l)%Z) by (unfold zlayer in Z'; inversion Z'; reflexivity).
  rewrite <- E. apply IH; [|exact H2]. rewrite D, mult_IZR. apply Rmult_lt_0_compat; assumption.
Qed.
Theorem point_sound : forall U (n : list U) hidden last dom cases d p, point_ok n hidden last dom cases d p = true ->
  exists x, length x = length n /\ solution dom x /\ satisfied hidden last cases x.
Proof.
  intros U n hidden last dom cases d p H. unfold point_ok, zeval in H.
  pose proof (fun A B => zrun_sound hidden d p A B) as R. destruct (fold_left _ hidden (d, p)) as [e0 q].
  destruct (zlayer true last (e0, q)) as [e y] eqn:L.
  repeat (apply andb_true_iff in H as [H ?]). apply Z.ltb_lt, IZR_lt in H. apply Z.ltb_lt, IZR_lt in H3.
  destruct (R H H4) as [He Hq]. apply same_len_ok in H5. apply Z.eqb_eq in H2.
  pose proof (zlayer_sound true last e0 q He H3) as A. rewrite L in A. cbn [fst snd] in A.
  assert (Ee : e = (e0 * den last)%Z) by (unfold zlayer in L; inversion L; reflexivity).
  assert (Pe : 0 < IZR e) by (rewrite Ee, mult_IZR; apply Rmult_lt_0_compat; assumption).
  set (k := (e / d)%Z) in *. rewrite <- H2, mult_IZR in Pe.
  assert (Pk : 0 < IZR k) by (apply Rmult_lt_reg_l with (IZR d); lra).
  exists (topoint d p). split; [unfold topoint; rewrite map_length; exact H5|]. split.
  - apply Forall_forall. intros c Hc. rewrite forallb_forall in H1. apply zmeets_sound; auto.
  - apply existsb_exists in H0 as (c & Hc & H0). apply Exists_exists. exists c. split; [exact Hc|].
    unfold eval. rewrite <- Hq, <- A.
    assert (X : topoint e (map (Z.mul k) p ++ y) = topoint d p ++ topoint e y).
    { unfold topoint. rewrite map_app, map_map. f_equal. apply map_ext. intros v. rewrite <- H2, !mult_IZR. field. lra. }
    rewrite <- X. apply Forall_forall. intros r Hr. rewrite forallb_forall in H0. apply zmeets_sound; [rewrite <- H2, mult_IZR; exact Pe|auto].
Qed.
