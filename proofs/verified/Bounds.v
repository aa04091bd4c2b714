(* Boxes, and bounds of the units of a network on them: exact, by going down through the layers. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cells Chart.
Import ListNotations.
Open Scope R_scope.

(* ---- boxes: ends of each coordinate, times P ---- *)
Definition ends := (option Z * option Z)%type.
Definition box := list ends.
Definition P : Z := 1099511627776.                          (* 2^40 *)
Definition above (e : option Z) (v : R) : Prop := match e with Some l => IZR l <= IZR P * v | None => True end.
Definition below (e : option Z) (v : R) : Prop := match e with Some h => IZR P * v <= IZR h | None => True end.
Definition between (e : ends) (v : R) : Prop := above (fst e) v /\ below (snd e) v.
Definition inbox (b : box) (t : point) : Prop := Forall2 between b t.
Lemma P_pos : 0 < IZR P.
Proof. apply IZR_lt. reflexivity. Qed.
Lemma Rmult_le_compat_neg_r : forall a b c, c <= 0 -> a <= b -> b * c <= a * c.
Proof. intros. nra. Qed.
Lemma P_positive : (0 < P)%Z.
Proof. reflexivity. Qed.
Opaque P.

(* a quotient that is rounded down; tested, so that the realizer of Z.div need not be believed *)
Definition fdiv (a d : Z) : Z := let q := Z.div a d in if Z.leb (Z.mul d q) a then q else Z.pred (Z.opp (Z.abs a)).
Lemma fdiv_le : forall a d, (0 < d)%Z -> (d * fdiv a d <= a)%Z.
Proof. intros a d H. unfold fdiv. destruct (Z.leb_spec (d * (a / d)) a); [assumption|]. nia. Qed.

(* the least value of a row on a box, times P *)
Fixpoint least (a : list Z) (b : box) (acc : Z) : option Z :=
  match a, b with
  | [], _ => Some acc
  | q :: a', (l, h) :: b' =>
      if Z.eqb q 0 then least a' b' acc
      else match (if Z.ltb 0 q then l else h) with Some e => least a' b' (Z.add (Z.mul q e) acc) | None => None end
  | q :: a', [] => if Z.eqb q 0 then least a' [] acc else None
  end.
Definition lowest (f : row) (b : box) : option Z := least (snd f) b (Z.mul P (fst f)).
Lemma least_sound : forall a b t acc m, inbox b t -> least a b acc = Some m -> IZR m <= IZR P * dot a t + IZR acc.
Proof.
  pose proof P_pos as HP.
  induction a as [|q a IH]; intros b t acc m H E; cbn [least] in E.
  - inversion E; subst. rewrite dot_nil_l. lra.
  - inversion H as [|[l h] v b' t' [Hl Hh] H']; subst.
    + destruct (Z.eqb_spec q 0) as [->|]; [|discriminate]. specialize (IH [] [] acc m (Forall2_nil _) E).
      rewrite dot_nil in *. lra.
    + cbn [dot]. cbn [fst snd] in *. destruct (Z.eqb_spec q 0) as [->|N]; [specialize (IH _ _ _ _ H' E); lra|].
      destruct (Z.ltb_spec 0 q) as [G|G].
      * destruct l as [l|]; [|discriminate]. apply (IH _ _ _ _ H') in E. rewrite plus_IZR, mult_IZR in E.
        cbn in Hl. apply IZR_lt in G. nra.
      * destruct h as [h|]; [|discriminate]. apply (IH _ _ _ _ H') in E. rewrite plus_IZR, mult_IZR in E.
        cbn in Hh. assert (IZR q < 0) by (apply IZR_lt; lia). nra.
Qed.
Lemma lowest_sound : forall f b t m, inbox b t -> lowest f b = Some m -> IZR m <= IZR P * val f t.
Proof.
  intros f b t m H E. apply (least_sound _ _ _ _ _ H) in E. unfold val. rewrite mult_IZR in E. lra.
Qed.

(* ---- the ends of a box as rows; pre: a row of zeros ---- *)
Fixpoint end_rows (pre : list Z) (b : box) : list row :=
  match b with
  | [] => []
  | (l, h) :: b' =>
      match l with Some e => [(Z.opp e, pre ++ [P])] | None => [] end ++
      match h with Some e => [(e, pre ++ [Z.opp P])] | None => [] end ++ end_rows (pre ++ [0%Z]) b'
  end.
Lemma dot_end : forall pre u q v t, zeros pre = true -> length u = length pre -> dot (pre ++ [q]) (u ++ v :: t) = IZR q * v.
Proof.
  induction pre as [|z pre IH]; intros [|w u] q v t H L; cbn in *; try discriminate; [ring|].
  apply andb_true_iff in H as [H1 H2]. apply Z.eqb_eq in H1. subst z. rewrite IH by (try exact H2; lia). ring.
Qed.
Lemma end_rows_sound : forall b pre u t, zeros pre = true -> length u = length pre -> length t = length b ->
  inbox b t <-> Forall (fun g => 0 <= val g (u ++ t)) (end_rows pre b).
Proof.
  induction b as [|[l h] b IH]; intros pre u [|v t] H L E; try discriminate; cbn [end_rows].
  - split; intros; constructor.
  - assert (Z' : zeros (pre ++ [0%Z]) = true) by (unfold zeros in *; rewrite forallb_app, H; reflexivity).
    assert (L' : length (u ++ [v]) = length (pre ++ [0%Z])) by (rewrite !app_length; cbn; lia).
    specialize (IH (pre ++ [0%Z]) (u ++ [v]) t Z' L' ltac:(cbn in E; lia)). rewrite <- app_assoc in IH. cbn [app] in IH.
    assert (D : forall q, dot (pre ++ [q]) (u ++ v :: t) = IZR q * v) by (intros; apply dot_end; assumption).
    rewrite !Forall_app, <- IH. split.
    + intros X. inversion X as [|? ? ? ? [A B] C]; subst. unfold above, below in A, B; cbn [fst snd] in A, B. split; [|split; [|exact C]].
      * destruct l; constructor; [|constructor]. unfold val; cbn [fst snd]. rewrite D, opp_IZR. lra.
      * destruct h; constructor; [|constructor]. unfold val; cbn [fst snd]. rewrite D, opp_IZR. lra.
    + intros (A & B & C). constructor; [|exact C]. split; cbn.
      * destruct l; cbn; [|exact I]. inversion A as [|? ? X _]; subst. unfold val in X; cbn [fst snd] in X.
        rewrite D, opp_IZR in X. lra.
      * destruct h; cbn; [|exact I]. inversion B as [|? ? X _]; subst. unfold val in X; cbn [fst snd] in X.
        rewrite D, opp_IZR in X. lra.
Qed.
(* each end follows from one of some conditions *)
Definition total (a : list Z) : Z := fold_right Z.add 0%Z a.
Definition shown (ks : list cond) (g : row) : bool :=
  existsb (fun k => signed false [(P, k)] true (Z.abs (total (snd (snd k)))) g) ks.
Definition bounded {U} (n : list U) (ks : list cond) (b : box) : bool := same_len b n && forallb (shown ks) (end_rows [] b).
Lemma bounded_sound : forall U (n : list U) ks b t, bounded n ks b = true -> length t = length n -> sat ks t -> inbox b t.
Proof.
  unfold bounded; intros U n ks b t H L S. apply andb_true_iff in H as [H1 H2]. apply same_len_ok in H1.
  apply (end_rows_sound b [] [] t eq_refl eq_refl); [congruence|]. cbn [app]. apply Forall_forall. intros g Hg.
  rewrite forallb_forall in H2. specialize (H2 g Hg). unfold shown in H2. apply existsb_exists in H2 as (k & Hk & G).
  rewrite Forall_forall in S. apply (signed_sound _ _ _ _ _ t) in G as [G _]; [exact G|]. constructor; [apply S; exact Hk|constructor].
Qed.

(* ---- what is known of a unit: ends, and forms below k.z and -k.z, k > 0 ---- *)
Record info := Info { lo : option Z; hi : option Z; under : option (row * Z); over : option (row * Z) }.
Definition noinfo : info := Info None None None None.
Definition form_ok (f : option (row * Z)) (t : point) (z : R) : Prop :=
  match f with Some (g, k) => 0 < IZR k /\ val g t <= IZR k * z | None => True end.
Definition known1 (i : info) (t : point) (z : R) : Prop :=
  above (lo i) z /\ below (hi i) z /\ form_ok (under i) t z /\ form_ok (over i) t (- z).
Fixpoint known_units (l : layer) (us : list (bool * row)) (is : list info) (t : point) (y : list R) : Prop :=
  match us, is with
  | u :: us', i :: is' => known1 i t (pre l u y) /\ known_units l us' is' t y
  | _, _ => True
  end.

(* a.h >= c.z + m/P for what a unit passes on, between its ends; c is any integer *)
Definition relaxed (a : Z) (lin : bool) (i : info) : option (Z * Z) :=
  if Z.eqb a 0 then Some (0, 0)%Z
  else if lin then Some (a, 0%Z)
  else match hi i with
    | Some h =>
        if Z.leb h 0 then Some (0, 0)%Z
        else match lo i with
          | Some l =>
              if Z.leb 0 l then Some (a, 0%Z)
              else
                let c := if Z.ltb 0 a then (if Z.leb (Z.opp l) h then a else 0%Z)
                         else Z.div (Z.mul a h) (Z.sub h l) in
                Some (c, Z.min 0 (Z.min (Z.opp (Z.mul c l)) (Z.mul (Z.sub a c) h)))
          | None => None
          end
    | None => match lo i with Some l => if Z.leb 0 l then Some (a, 0%Z) else None | None => None end
    end.
Lemma relaxed_sound : forall a b i t z c m, known1 i t z -> relaxed a b i = Some (c, m) ->
  IZR P * (IZR c * z) + IZR m <= IZR P * (IZR a * passes b z).
Proof.
  pose proof P_pos as HP.
  intros a b i t z c m (L & H & _ & _) E. unfold relaxed in E.
  destruct (Z.eqb_spec a 0) as [->|N]; [inversion E; subst; lra|]. destruct b; [inversion E; subst; cbn; lra|]. cbn [passes].
  assert (Pos : forall l, lo i = Some l -> (0 <= l)%Z -> relu z = z).
  { intros l El Hl. rewrite El in L. cbn in L. apply IZR_le in Hl. unfold relu. apply Rmax_right. nra. }
  destruct (hi i) as [h|] eqn:Eh.
  - cbn in H. destruct (Z.leb_spec h 0) as [Hh|Hh].
    + inversion E; subst. apply IZR_le in Hh. assert (z <= 0) by nra. unfold relu. rewrite Rmax_left by assumption. lra.
    + destruct (lo i) as [l|] eqn:El; [|discriminate]. cbn in L. destruct (Z.leb_spec 0 l) as [Hl|Hl].
      * inversion E; subst. rewrite (Pos l eq_refl Hl). lra.
      * set (c' := if Z.ltb 0 a then _ else _) in E. inversion E as [[E1 E2]]. clear E N. clearbody c'.
        subst c. set (u := (- (c' * l))%Z) in *. set (w := ((a - c') * h)%Z) in *.
        assert (M0 : IZR m <= 0) by (apply IZR_le; lia). assert (M1 : IZR m <= IZR u) by (apply IZR_le; lia).
        assert (M2 : IZR m <= IZR w) by (apply IZR_le; lia). rewrite E2. unfold u, w in M1, M2. clear E2 u w.
        rewrite opp_IZR, mult_IZR in M1. rewrite mult_IZR, minus_IZR in M2. apply IZR_lt in Hl, Hh.
        destruct (Rle_or_lt 0 z) as [S|S].
        -- unfold relu. rewrite Rmax_right by exact S. set (A := IZR a - IZR c') in *.
           enough (IZR m <= IZR P * z * A) by (unfold A in *; lra).
           destruct (Rle_or_lt 0 A); [assert (0 <= IZR P * z * A) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|assumption]); lra|].
           assert (IZR P * z * A >= IZR h * A) by (apply Rle_ge; apply Rmult_le_compat_neg_r; lra). lra.
        -- unfold relu. rewrite Rmax_left by lra. enough (IZR P * z * IZR c' + IZR m <= 0) by lra.
           destruct (Rle_or_lt 0 (IZR c')).
           ++ assert (IZR P * z <= 0) by nra. nra.
           ++ assert (IZR P * z * IZR c' <= IZR l * IZR c') by (apply Rmult_le_compat_neg_r; lra). lra.
  - destruct (lo i) as [l|]; [|discriminate]. destruct (Z.leb_spec 0 l); [|discriminate].
    inversion E; subst. rewrite (Pos l eq_refl) by assumption. lra.
Qed.
Fixpoint relaxes (w : list Z) (us : list (bool * row)) (is : list info) (acc : row) (lost : Z) : option (row * Z) :=
  match w, us with
  | a :: w', u :: us' =>
      match relaxed a (fst u) (hd noinfo is) with
      | Some (c, m) => relaxes w' us' (tl is) (if Z.eqb c 0 then acc else fadd c (snd u) acc) (Z.add m lost)
      | None => None
      end
  | [], _ => Some (acc, lost)
  | _ :: _, [] => Some (acc, lost)
  end.
Lemma noinfo_known : forall t z, known1 noinfo t z.
Proof. intros; repeat split. Qed.
Lemma relaxes_sound : forall l t y us is w acc lost g m, 0 < IZR (den l) -> known_units l us is t y ->
  relaxes w us is acc lost = Some (g, m) ->
  IZR P * val g y + IZR (den l) * IZR m <=
  IZR P * val acc y + IZR (den l) * IZR lost + IZR P * IZR (den l) * dot w (map (fun u => passes (fst u) (pre l u y)) us).
Proof.
  pose proof P_pos as HP.
  intros l t y us. induction us as [|u us IH]; intros is [|a w] acc lost g m Hd K E; cbn [relaxes] in E;
    try (inversion E; subst; cbn [map dot]; lra).
  destruct (relaxed a (fst u) (hd noinfo is)) as [[c m']|] eqn:R; [|discriminate].
  assert (K1 : known1 (hd noinfo is) t (pre l u y) /\ known_units l us (tl is) t y).
  { destruct is as [|i is]; cbn [hd tl]; [|exact K]. split; [apply noinfo_known|destruct us; exact I]. }
  destruct K1 as [K1 K2]. apply (relaxed_sound _ _ _ _ _ _ _ K1) in R. apply (IH _ _ _ _ _ _ Hd K2) in E.
  cbn [map dot]. set (h := passes (fst u) (pre l u y)) in *. set (D := dot w _) in *. rewrite plus_IZR in E.
  assert (V : val (if Z.eqb c 0 then acc else fadd c (snd u) acc) y = IZR c * (IZR (den l) * pre l u y) + val acc y).
  { replace (IZR (den l) * pre l u y) with (val (snd u) y) by (unfold pre; field; lra).
    destruct (Z.eqb_spec c 0) as [->|]; [ring|]. apply val_fadd. }
  rewrite V in E. apply (Rmult_le_compat_l (IZR (den l))) in R; [|lra]. lra.
Qed.

(* ---- a stack of layers, the last one first ---- *)
Section Stack.
Context (sc : Z) (ins : list row).
Definition stack := list (layer * list info).
Fixpoint out (st : stack) (t : point) : list R :=
  match st with [] => image sc ins t | (l, _) :: st' => pass l (out st' t) end.
Fixpoint ok (st : stack) (t : point) : Prop :=
  match st with [] => True | (l, is) :: st' => 0 < IZR (den l) /\ known_units l (units l) is t (out st' t) /\ ok st' t end.
(* what passes only values >= 0 on: rows over these may be divided and rounded down *)
Definition only_relus (st : stack) : bool :=
  match st with [] => false | (l, _) :: _ => forallb (fun u : bool * row => negb (fst u)) (units l) end.
Fixpoint down (st : stack) (f : row) (k : Z) : option (row * Z) :=
  match st with
  | [] => Some (pull sc ins f, Z.mul sc k)
  | (l, is) :: st' =>
      match relaxes (snd f) (units l) is (Z.mul (den l) (fst f), []) 0 with
      | Some (g, m) =>
          let c := Z.add (fst g) (Z.mul (den l) (fdiv m P)) in
          if only_relus st' then down st' (fdiv c (den l), map (fun a => fdiv a (den l)) (snd g)) k
          else down st' (c, snd g) (Z.mul (den l) k)
      | None => None
      end
  end.
Lemma div_below : forall a d v, 0 < IZR d -> 0 <= v -> IZR d * (IZR (fdiv a d) * v) <= IZR a * v.
Proof.
  intros a d v Hd Hv. rewrite <- Rmult_assoc, <- mult_IZR. apply Rmult_le_compat_r; [exact Hv|].
  apply IZR_le, fdiv_le, lt_IZR. exact Hd.
Qed.
Lemma divided_below : forall d c a y, 0 < IZR d -> Forall (fun v => 0 <= v) y ->
  IZR d * val (fdiv c d, map (fun q => fdiv q d) a) y <= val (c, a) y.
Proof.
  intros d c a y Hd H. unfold val; cbn [fst snd]. pose proof (div_below c d 1 Hd Rle_0_1) as C.
  enough (IZR d * dot (map (fun q => fdiv q d) a) y <= dot a y) by lra. clear C. revert y H.
  induction a as [|q a IH]; intros y H; cbn [map dot]; [lra|]. destruct H as [|v y Hv H]; [lra|].
  specialize (IH y H). pose proof (div_below q d v Hd Hv). lra.
Qed.
Lemma only_relus_out : forall st t, only_relus st = true -> Forall (fun v => 0 <= v) (out st t).
Proof.
  intros [|[l is] st] t H; [discriminate|]. cbn [only_relus out] in *. unfold pass. rewrite forallb_forall in H.
  apply Forall_forall. intros v Hv. apply in_map_iff in Hv as (u & <- & Hu). specialize (H u Hu). destruct (fst u); [discriminate|].
  apply Rmax_l.
Qed.
(* a number >= f(out)/k on the points of the stack *)
Lemma down_sound : forall st t f k g k' v, (0 < sc)%Z -> 0 < IZR k -> ok st t -> down st f k = Some (g, k') ->
  val f (out st t) <= IZR k * v -> 0 < IZR k' /\ val g t <= IZR k' * v.
Proof.
  pose proof P_pos as HP.
  induction st as [|[l is] st IH]; intros t f k g k' v Hs Hk O E L; cbn [down] in E.
  - inversion E; subst. rewrite val_pull by exact Hs. cbn [out] in L. apply IZR_lt in Hs. rewrite mult_IZR.
    split; [apply Rmult_lt_0_compat; assumption|]. rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
  - destruct O as (Hd & K & O). destruct (relaxes _ _ _ _ _) as [[g' m]|] eqn:R; [|discriminate].
    apply (relaxes_sound l t (out st t)) in R; [|exact Hd|exact K].
    assert (Low : val ((fst g' + den l * fdiv m P)%Z, snd g') (out st t) <= IZR (den l) * (IZR k * v)).
    2:{ destruct (only_relus st) eqn:N.
        - refine (IH t _ _ g k' v Hs Hk O E _). pose proof (divided_below (den l) (fst g' + den l * fdiv m P) (snd g') _ Hd (only_relus_out _ t N)) as B.
          apply Rmult_le_reg_l with (IZR (den l)); [exact Hd|]. lra.
        - refine (IH t _ _ g k' v Hs _ O E _); rewrite ?mult_IZR; [apply Rmult_lt_0_compat; assumption|]. lra. }
    cbn [out] in L. unfold pass in L. unfold val in L |- * at 1. unfold val at 2 in R. cbn [fst snd] in *.
    rewrite plus_IZR, mult_IZR. rewrite dot_nil_l, mult_IZR in R. unfold val in R.
    set (D := dot (snd f) _) in *. set (y := out st t) in *.
    assert (Q : IZR P * IZR (fdiv m P) <= IZR m).
    { rewrite <- mult_IZR. apply IZR_le. apply fdiv_le. exact P_positive. }
    assert (A : IZR P * (IZR (fst g') + dot (snd g') y + IZR (den l) * IZR (fdiv m P)) <= IZR P * (IZR (den l) * (IZR (fst f) + D))).
    { apply (Rmult_le_compat_l (IZR (den l))) in Q; lra. }
    apply Rmult_le_reg_l in A; [|exact HP]. apply (Rmult_le_compat_l (IZR (den l))) in L; lra.
Qed.

(* ---- new ends ---- *)
Definition larger (a b : option Z) : option Z := match a, b with Some x, Some y => Some (Z.max x y) | None, _ => b | _, None => a end.
Definition smaller (a b : option Z) : option Z := match a, b with Some x, Some y => Some (Z.min x y) | None, _ => b | _, None => a end.
Definition end_of (f : option (row * Z)) (b : box) : option Z :=
  match f with Some (g, k) => option_map (fun m => fdiv m k) (lowest g b) | None => None end.
Lemma end_of_sound : forall f b t z e, inbox b t -> form_ok f t z -> end_of f b = Some e -> IZR e <= IZR P * z.
Proof.
  intros [[g k]|] b t z e H F E; cbn in *; [|discriminate]. destruct (lowest g b) as [m|] eqn:M; [|discriminate].
  inversion E; subst. apply (lowest_sound _ _ _ _ H) in M. destruct F as [Hk F].
  assert (Q : IZR k * IZR (fdiv m k) <= IZR m) by (rewrite <- mult_IZR; apply IZR_le, fdiv_le; apply lt_IZR; exact Hk).
  pose proof P_pos. apply (Rmult_le_compat_l (IZR P)) in F; [|lra].
  apply Rmult_le_reg_l with (IZR k); [exact Hk|]. lra.
Qed.
Definition narrow (b : box) (i : info) : info :=
  Info (larger (lo i) (end_of (under i) b)) (smaller (hi i) (option_map Z.opp (end_of (over i) b))) (under i) (over i).
Lemma narrow_sound : forall b t z i, inbox b t -> known1 i t z -> known1 (narrow b i) t z.
Proof.
  intros b t z i H (L & R & U & O). unfold narrow, known1; cbn [lo hi under over]. split; [|split; [|split; assumption]].
  - destruct (end_of (under i) b) as [e|] eqn:E; [apply (end_of_sound _ _ _ _ _ H U) in E|];
      destruct (lo i) as [l|]; cbn in *; auto.
    destruct (Z.max_spec l e) as [[_ ->]|[_ ->]]; assumption.
  - destruct (end_of (over i) b) as [e|] eqn:E; [apply (end_of_sound _ _ _ _ _ H O) in E|];
      destruct (hi i) as [h|]; cbn in *; auto; rewrite ?opp_IZR.
    + destruct (Z.min_spec h (- e)) as [[_ ->]|[_ ->]]; rewrite ?opp_IZR; lra.
    + lra.
Qed.
Definition FINE : Z := 4722366482869645213696.              (* 2^72 *)
Definition is_none {A} (o : option A) : bool := match o with None => true | _ => false end.
Definition finite (b : box) : bool := forallb (fun e : ends => negb (is_none (fst e)) && negb (is_none (snd e))) b.
Definition at_most (e : option Z) (z : Z) : bool := match e with Some h => Z.leb h z | None => false end.
Definition at_least (e : option Z) (z : Z) : bool := match e with Some h => Z.leb z h | None => false end.
Definition scaled (k : Z) (f : row) : row := fadd k f zero.
(* the forms of a unit that has no sign yet; none if it cannot be bounded *)
Definition bound1 (st : stack) (b : box) (l : layer) (u : bool * row) (i : info) : option info :=
  let signed := (if fst u then negb (is_none (lo i)) else at_least (lo i) 0 || at_most (hi i) 0) in
  if signed then Some i
  else match down st (scaled (Z.opp FINE) (snd u)) (Z.mul FINE (den l)) with
    | None => None
    | Some o =>
        let i' := narrow b (Info (lo i) (hi i) (under i) (Some o)) in
        if negb (fst u) && at_most (hi i') 0 then Some i'
        else match down st (scaled FINE (snd u)) (Z.mul FINE (den l)) with
          | None => None
          | Some f => Some (narrow b (Info (lo i') (hi i') (Some f) (Some o)))
          end
    end.
Lemma val_scaled : forall k f x, val (scaled k f) x = IZR k * val f x.
Proof. intros. unfold scaled. rewrite val_fadd, val_zero. ring. Qed.
Lemma bound1_sound : forall st b l u i i' t, (0 < sc)%Z -> 0 < IZR (den l) -> ok st t -> inbox b t ->
  known1 i t (pre l u (out st t)) -> bound1 st b l u i = Some i' -> known1 i' t (pre l u (out st t)).
Proof.
  intros st b l u i i' t Hs Hd O B K E. unfold bound1 in E. destruct (if fst u then _ else _); [inversion E; subst; exact K|].
  assert (HF : 0 < IZR FINE) by (apply IZR_lt; reflexivity).
  assert (V : val (snd u) (out st t) = IZR (den l) * pre l u (out st t)) by (unfold pre; field; lra).
  assert (KP : 0 < IZR (FINE * den l)) by (rewrite mult_IZR; apply Rmult_lt_0_compat; assumption).
  destruct (down st (scaled (- FINE) _) _) as [[go ko]|] eqn:Do; [|discriminate].
  apply (down_sound st t _ _ _ _ (- pre l u (out st t)) Hs KP O) in Do.
  2:{ rewrite val_scaled, opp_IZR, V, mult_IZR. lra. }
  destruct K as (K1 & K2 & K3 & K4).
  set (i1 := narrow b (Info (lo i) (hi i) (under i) (Some (go, ko)))) in E.
  assert (N1 : known1 i1 t (pre l u (out st t))) by (apply narrow_sound; [exact B|exact (conj K1 (conj K2 (conj K3 Do)))]).
  destruct (negb (fst u) && at_most (hi i1) 0); [inversion E; subst; exact N1|].
  destruct (down st (scaled FINE _) _) as [[gu ku]|] eqn:Du; [|discriminate].
  apply (down_sound st t _ _ _ _ (pre l u (out st t)) Hs KP O) in Du.
  2:{ rewrite val_scaled, V, mult_IZR. lra. }
  inversion E; subst. apply narrow_sound; [exact B|]. destruct N1 as (M1 & M2 & _). exact (conj M1 (conj M2 (conj Du Do))).
Qed.
Fixpoint bound_units (st : stack) (b : box) (l : layer) (us : list (bool * row)) (is : list info) : option (list info) :=
  match us with
  | [] => Some []
  | u :: us' => match bound1 st b l u (hd noinfo is), bound_units st b l us' (tl is) with
      Some i, Some r => Some (i :: r) | _, _ => None end
  end.
Lemma known_units_hd : forall l u us is t y, known_units l (u :: us) is t y ->
  known1 (hd noinfo is) t (pre l u y) /\ known_units l us (tl is) t y.
Proof. intros l u us [|i is] t y K; cbn [hd tl]; [|exact K]. split; [apply noinfo_known|destruct us; exact I]. Qed.
Lemma bound_units_sound : forall st b l t, (0 < sc)%Z -> 0 < IZR (den l) -> ok st t -> inbox b t ->
  forall us is r, known_units l us is t (out st t) -> bound_units st b l us is = Some r -> known_units l us r t (out st t).
Proof.
  intros st b l t Hs Hd O B us. induction us as [|u us IH]; intros is r K E; [exact I|]. cbn [bound_units] in E.
  apply known_units_hd in K as [K1 K2]. destruct (bound1 _ _ _ _ _) as [i|] eqn:E1; [|discriminate].
  destruct (bound_units _ _ _ _ _) as [r'|] eqn:E2; [|discriminate]. inversion E; subst. cbn [known_units]. split; [|eauto].
  eapply bound1_sound; eassumption.
Qed.

(* ---- all hidden layers: what is known of each, the first one first ---- *)
Definition infos := list (list info).
Fixpoint stacked (ls : list layer) (is : infos) (st : stack) : stack :=
  match ls with [] => st | l :: ls' => stacked ls' (tl is) ((l, hd [] is) :: st) end.
Fixpoint fine (ls : list layer) (is : infos) (t : point) (y : list R) : Prop :=
  match ls with
  | [] => True
  | l :: ls' => 0 < IZR (den l) /\ known_units l (units l) (hd [] is) t y /\ fine ls' (tl is) t (pass l y)
  end.
Fixpoint anchored (ls : list layer) (is : infos) (st : stack) (b : box) : option infos :=
  match ls with
  | [] => Some []
  | l :: ls' => match bound_units st b l (units l) (hd [] is) with
      | Some i => option_map (cons i) (anchored ls' (tl is) ((l, i) :: st) b)
      | None => None end
  end.
Definition narrowed (b : box) (is : infos) : infos := map (map (narrow b)) is.
Lemma stacked_sound : forall ls is st t, ok st t -> fine ls is t (out st t) ->
  ok (stacked ls is st) t /\ out (stacked ls is st) t = run_layers ls (out st t).
Proof.
  induction ls as [|l ls IH]; intros is st t O F; [split; [exact O|reflexivity]|]. destruct F as (F1 & F2 & F3).
  cbn [stacked run_layers]. apply (IH (tl is) ((l, hd [] is) :: st) t); [cbn; tauto|exact F3].
Qed.
Lemma anchored_sound : forall b t, (0 < sc)%Z -> inbox b t -> forall ls is st r, ok st t -> fine ls is t (out st t) ->
  anchored ls is st b = Some r -> fine ls r t (out st t).
Proof.
  intros b t Hs B ls. induction ls as [|l ls IH]; intros is st r O F E; [exact I|]. destruct F as (F1 & F2 & F3).
  cbn [anchored] in E. destruct (bound_units _ _ _ _ _) as [i|] eqn:U; [|discriminate].
  destruct (anchored _ _ _ _) as [r'|] eqn:A; [|discriminate]. inversion E; subst. cbn [fine hd tl].
  apply (bound_units_sound st b l t Hs F1 O B) in U; [|exact F2].
  split; [exact F1|]. split; [exact U|]. apply (IH (tl is) ((l, i) :: st)); [cbn; tauto|exact F3|exact A].
Qed.
Lemma narrowed_sound : forall b t, inbox b t -> forall ls is y, fine ls is t y -> fine ls (narrowed b is) t y.
Proof.
  intros b t B ls. induction ls as [|l ls IH]; intros is y F; [exact I|]. destruct F as (F1 & F2 & F3). cbn [fine].
  split; [exact F1|]. destruct is as [|i is]; cbn [narrowed map hd tl] in *; [split; [exact F2|exact (IH [] _ F3)]|].
  split; [|exact (IH is _ F3)]. clear - F2 B. revert i F2. induction (units l) as [|u us IH]; intros [|j i] F; cbn in *; auto.
  destruct F as [F1 F2]. split; [apply narrow_sound; assumption|apply IH; exact F2].
Qed.
Lemma nothing_fine : forall ls t y, dens_ok ls = true -> fine ls [] t y.
Proof.
  induction ls as [|l ls IH]; intros t y H; cbn in *; [exact I|]. apply andb_true_iff in H as [H1 H2].
  apply Z.ltb_lt, IZR_lt in H1. split; [exact H1|]. split; [destruct (units l); exact I|apply IH; exact H2].
Qed.

(* ---- units with a sign by their ends, as linear units ---- *)
Fixpoint settled_units (us : list (bool * row)) (is : list info) : list (bool * row) :=
  match us with
  | [] => []
  | u :: us' => (let i := hd noinfo is in
      if fst u then u else if at_least (lo i) 0 then (true, snd u) else if at_most (hi i) 0 then (true, zero) else u)
      :: settled_units us' (tl is)
  end.
Fixpoint settled (ls : list layer) (is : infos) : list layer :=
  match ls with [] => [] | l :: ls' => Layer (den l) (settled_units (units l) (hd [] is)) :: settled ls' (tl is) end.
Lemma settled_sound : forall t ls is y, fine ls is t y -> run_layers (settled ls is) y = run_layers ls y.
Proof.
  intros t ls. induction ls as [|l ls IH]; intros is y F; [reflexivity|]. destruct F as (F1 & F2 & F3).
  cbn [settled run_layers]. pose proof P_pos as HP.
  assert (E : pass (Layer (den l) (settled_units (units l) (hd [] is))) y = pass l y).
  { unfold pass. cbn [units]. revert F2. generalize (hd [] is). clear F3 IH. induction (units l) as [|u us IH]; intros i K; [reflexivity|].
    apply known_units_hd in K as [K1 K2]. cbn [settled_units map]. f_equal; [|apply IH; exact K2].
    set (j := hd noinfo i) in *. unfold pre; cbn [den]. fold (pre l u y). destruct u as [b f]. cbn [fst snd].
    destruct b; [reflexivity|]. change (val f y / IZR (den l)) with (pre l (false, f) y) in *. set (z := pre l (false, f) y) in *.
    destruct K1 as (A & B & _). destruct (at_least (lo j) 0) eqn:El.
    - destruct (lo j) as [e|]; [|discriminate]. apply Z.leb_le, IZR_le in El. cbn in A. cbn [fst snd passes]. fold z.
      change (val f y / IZR (den l)) with z. unfold relu. symmetry. apply Rmax_right. nra.
    - destruct (at_most (hi j) 0) eqn:Eh; [|reflexivity]. destruct (hi j) as [e|]; [|discriminate].
      apply Z.leb_le, IZR_le in Eh. cbn in B. cbn [fst snd passes]. rewrite val_zero. unfold relu.
      change (val f y / IZR (den l)) with z. rewrite Rmax_left by nra. unfold Rdiv. ring. }
  rewrite E. apply IH. exact F3.
Qed.
Lemma settled_dens : forall ls is, dens_ok (settled ls is) = dens_ok ls.
Proof. induction ls as [|l ls IH]; intros is; [reflexivity|]. cbn [settled dens_ok forallb den]. fold (dens_ok (settled ls (tl is))). rewrite IH. reflexivity. Qed.
End Stack.
