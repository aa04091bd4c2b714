(* Networks of ReLUs and linear units over R; nodes of trees of cells, and what their records do. *)
Require Import List ZArith Reals Lra Lia Bool.
From Exactrelu Require Import Meaning Rows Cones.
Import ListNotations.
Open Scope R_scope.

(* ---- the checker ---- *)
Inductive sign := Off | On | Lin | Undecided.
Record node := Node {
  path : list cond;              (* conditions of the node, the newest first *)
  depth : Z;                     (* how many there are *)
  past : list (list (row * sign));   (* units of the layers before, the last layer first *)
  now : list (row * sign);       (* units of the current layer, times factor *)
  base : Z;                      (* the number of the first of them *)
  factor : Z;
  ahead : list row;              (* rows of the next layer, summed over the units that are decided *)
  rest : list layer }.
Inductive record :=
| Split (k : Z)
| Sides (rows : list Z) (sides : list (Z * bool))          (* numbers of rows; neurons with their signs *)
| Side (k : Z) (up : bool) (w : Z) (us : list (Z * Z))     (* neuron, sign, multiplier; rows with multipliers *)
| Empty (us : list (Z * Z))
| Cut (f : row)
| Known (ss : list (Z * bool)).                            (* neurons whose sign is known on all of the domain *)

Definition is_lin (s : sign) : bool := match s with Lin => true | _ => false end.
Definition is_undecided (s : sign) : bool := match s with Undecided => true | _ => false end.
Definition decided (es : list (row * sign)) : bool := forallb (fun e => negb (is_undecided (snd e))) es.
Definition sign_of (up : bool) : sign := if up then On else Off.
Fixpoint lin (w : list Z) (os : list (option row)) (acc : row) : row :=
  match w, os with
  | k :: w', Some f :: os' => lin w' os' (fadd k f acc)
  | _ :: w', None :: os' => lin w' os' acc
  | _, _ => acc
  end.
Definition act (e : row * sign) : option row := match snd e with Off => None | _ => Some (fst e) end.
Definition first_sign (l : bool) (f : row) : sign :=
  if l then Lin else if zeros (snd f) then sign_of (Z.ltb 0 (fst f)) else Undecided.
(* the rows of the units of a layer, over the units before it that [choose] takes; more of them later *)
Definition sums (choose : row * sign -> option row) (l : layer) (es : list (row * sign)) (fac : Z) : list row :=
  let os := map choose es in map (fun u => lin (snd (snd u)) os (Z.mul fac (fst (snd u)), [])) (units l).
Fixpoint add_sums (us : list (bool * row)) (os : list (option row)) (ah : list row) : list row :=
  match us, ah with u :: us', a :: ah' => lin (snd (snd u)) os a :: add_sums us' os ah' | _, _ => [] end.
Definition settled_act (e : row * sign) : option row := match snd e with On | Lin => Some (fst e) | _ => None end.
Definition begun (rs : list layer) (es : list (row * sign)) (fac : Z) : list row :=
  match rs with l :: _ => sums settled_act l es fac | [] => [] end.
Fixpoint enter (us : list (bool * row)) (ah : list row) : list (row * sign) :=
  match us, ah with u :: us', a :: ah' => (a, first_sign (fst u) a) :: enter us' ah' | _, _ => [] end.
Fixpoint advance (rs : list layer) (past : list (list (row * sign))) (es : list (row * sign)) (b fac : Z) (ah : list row) :
    list (list (row * sign)) * list (row * sign) * Z * Z * list row * list layer :=
  match rs with
  | [] => (past, es, b, fac, ah, rs)
  | l :: rs' =>
      if decided es then
        let es' := enter (units l) ah in
        let fac' := Z.mul fac (den l) in advance rs' (es :: past) es' (zlen b es) fac' (begun rs' es' fac')
      else (past, es, b, fac, ah, rs)
  end.
Fixpoint lookup (k : Z) (ds : list (Z * bool)) : option bool :=
  match ds with [] => None | (j, s) :: ds' => if Z.eqb j k then Some s else lookup k ds' end.
Fixpoint mark (es : list (row * sign)) (k : Z) (ds : list (Z * bool)) : list (row * sign) :=
  match es with
  | [] => []
  | (f, o) :: es' =>
      (f, match o with Undecided => match lookup k ds with Some s => sign_of s | None => o end | _ => o end)
      :: mark es' (Z.succ k) ds
  end.
(* neurons that were undecided and now are > 0 *)
Fixpoint fresh (es es' : list (row * sign)) : list (option row) :=
  match es, es' with
  | (f, o) :: r, (_, o') :: r' => (match o, o' with Undecided, On => Some f | _, _ => None end) :: fresh r r'
  | _, _ => []
  end.
Definition grown (rs : list layer) (es es' : list (row * sign)) (ah : list row) : list row :=
  match rs with l :: _ => add_sums (units l) (fresh es es') ah | [] => [] end.
Definition next (v : node) (ks : list cond) (d : Z) (ds : list (Z * bool)) : node :=
  let es' := mark (now v) (base v) ds in
  let '(pa, es, b, fac, ah, rs) := advance (rest v) (past v) es' (base v) (factor v) (grown (rest v) (now v) es' (ahead v)) in
  Node ks d pa es b fac ah rs.
Definition pick (v : node) (r : Z) : option cond := nthz (path v) (Z.sub (Z.pred (depth v)) r).
Definition chosen (v : node) (us : list (Z * Z)) : option (list (Z * cond)) :=
  all_some (fun u => if Z.ltb 0 (snd u) then option_map (pair (snd u)) (pick v (fst u)) else None) us.
Definition neuron (v : node) (k : Z) : option row :=
  match nthz (now v) (Z.sub k (base v)) with Some (f, Undecided) => Some f | _ => None end.
Definition nonconstant {U} (n : list U) (f : row) : bool := negb (zeros (snd f)) && fits (snd f) n.
Definition finished (v : node) : bool := match rest v with [] => decided (now v) | _ => false end.

(* the inputs of the first layer are rows of ins, over sc *)
Definition chart_layer (sc : Z) (ins : list row) : layer := Layer sc (map (pair true) ins).
Definition start (sc : Z) (ins : list row) (ls : list layer) (ks : list cond) : node :=
  let es0 := map (fun f => (f, Lin)) ins in
  let '(pa, es, b, fac, ah, rs) := advance ls [] es0 (Z.opp (zlen 0 ins)) sc (begun ls es0 sc) in
  Node (rev ks) (zlen 0 ks) pa es b fac ah rs.

Section Visit.
(* [open]: the points of nodes matter but for finitely many hyperplanes; else all do. n: as long as points.
   [solve]: multipliers of rows for some targets, a guess that is tested.
   [known_signs]: of neurons, on the closure of the domain (KS1 to KS5). *)
Context {U : Type} (open : bool) (n : list U) (solve : list row -> list row -> option (Z * list (list Z))).
Context (known_signs : list (Z * bool)).

(* signs of rows on a cone with as many conditions as there are coordinates *)
Definition signs_shown (cone : list cond) (ts : list (bool * row)) : bool :=
  match (if same_len cone n then edges cone else None) with
  | Some e => let e := outward e in forallb (fun t => signed_by open cone e (fst t) (snd t)) ts
  | None =>
      match solve (map snd cone) (map (fun t : bool * row => if fst t then snd t else fneg (snd t)) ts) with
      | Some (det, ms) =>
          same_len ms ts && forallb (fun tm => signed open (combine (snd tm) cone) (fst (fst tm)) det (snd (fst tm))) (combine ts ms)
      | None => false
      end
  end.
Definition visit (v : node) (r : record) : option (list node) :=
  match r with
  | Split k =>
      match neuron v k with
      | Some f =>
          if nonconstant n f then
            let part g up := next v ((open, g) :: path v) (Z.succ (depth v)) [(k, up)] in
            Some [part (fneg f) false; part f true]
          else None
      | None => None
      end
  | Side k up w us =>
      match neuron v k, chosen v us with
      | Some f, Some cs => if signed open cs up w f then Some [next v (path v) (depth v) [(k, up)]] else None
      | _, _ => None
      end
  | Sides rs ss =>
      match all_some (pick v) rs, all_some (fun s => option_map (pair (snd s)) (neuron v (fst s))) ss with
      | Some cone, Some ts =>
          if signs_shown cone ts then Some [next v (path v) (depth v) ss] else None
      | _, _ => None
      end
  | Empty us => match chosen v us with Some cs => if refutes cs then Some [] else None | None => None end
  | Cut f =>
      if negb open && nonconstant n f then
        let part g := Node ((false, g) :: path v) (Z.succ (depth v)) (past v) (now v) (base v) (factor v) (ahead v) (rest v) in
        Some [part (fneg f); part f]
      else None
  | Known ss =>
      let is_known s := match lookup (fst s) known_signs, neuron v (fst s) with
        | Some up, Some f => Bool.eqb up (snd s) && (negb open || nonconstant n f)
        | _, _ => false end in
      if forallb is_known ss then Some [next v (path v) (depth v) ss] else None
  end.

(* ---- soundness: what is known of a network at the points of a node ---- *)
Context (net : list layer) (offset : Z).                   (* units before the first one that has a number *)
Fixpoint preactivations (ls : list layer) (x : point) : list R :=
  match ls with [] => [] | l :: ls' => map (fun u => pre l u x) (units l) ++ preactivations ls' (pass l x) end.
Definition told (ss : list (Z * bool)) (x : point) : Prop := forall k up, In (k, up) ss ->
  let z := nth (Z.to_nat (k + offset)) (preactivations net x) 0 in if up : bool then 0 <= z else z <= 0.
Definition dens_ok (ls : list layer) : bool := forallb (fun l => Z.ltb 0 (den l)) ls.
Definition oval (o : option row) (x : point) : R := match o with Some f => val f x | None => 0 end.
Definition known (s : sign) (z : R) : Prop :=
  match s with On => if open then 0 < z else 0 <= z | Off => z <= 0 | _ => True end.
Fixpoint outs (es : list (row * sign)) (zs : list R) : list R :=
  match es, zs with (_, s) :: es', z :: zs' => passes (is_lin s) z :: outs es' zs' | _, _ => [] end.
Fixpoint bits (es : list (row * sign)) (zs : list R) : list bool :=
  match es, zs with (_, s) :: es', z :: zs' => fires (is_lin s) z :: bits es' zs' | _, _ => [] end.
Definition summed (rs : list layer) (es : list (row * sign)) (fac : Z) (ah : list row) (x : point) : Prop :=
  match rs with
  | [] => True
  | l :: _ => Forall2 (fun (u : bool * row) a => val a x = dot (snd (snd u)) (map (fun e => oval (settled_act e) x) es) + IZR (fac * fst (snd u)))
                (units l) ah
  end.
Definition kept (es : list (row * sign)) (zs : list R) (x : point) : Prop :=
  Forall2 (fun e z => exists c, 0 < c /\ val (fst e) x = c * z /\ known (snd e) z) es zs.
Definition inv (bs : list bool) (past : list (list (row * sign))) (es : list (row * sign)) (b fac : Z) (ah : list row) (rs : list layer) (x : point) : Prop :=
  (0 < fac)%Z /\ dens_ok rs = true /\ summed rs es fac ah x /\ exists zs,
    Forall2 (fun e z => val (fst e) x = IZR fac * z /\ known (snd e) z) es zs /\
    run_layers net x = run_layers rs (outs es zs) /\
    (open = true -> pattern net x = bs ++ bits es zs ++ pattern rs (outs es zs)) /\
    exists before, preactivations net x = before ++ zs ++ preactivations rs (outs es zs) /\
      Z.of_nat (length before) = (b + offset)%Z /\ kept (concat (rev past)) before x.
Definition strict_path (v : node) : Prop := open = true -> Forall (fun k => fst k = true) (path v).
Definition valid (v : node) : Prop := strict_path v /\ exists bs, forall x, length x = length n -> sat (path v) x ->
  inv bs (past v) (now v) (base v) (factor v) (ahead v) (rest v) x /\ told known_signs x.

Lemma known_relu : forall s z, known s z -> is_undecided s = false ->
  passes (is_lin s) z = match s with Off => 0 | _ => z end.
Proof.
  intros [] z H E; cbn in *; try discriminate; try reflexivity.
  - apply Rmax_left; exact H.
  - apply Rmax_right. destruct open; lra.
Qed.
Definition bit (s : sign) : bool := match s with On => true | _ => false end.
Lemma known_fires : forall s z, open = true -> known s z -> is_undecided s = false -> fires (is_lin s) z = bit s.
Proof.
  intros [] z O H E; cbn in *; try discriminate; try reflexivity; destruct (Rlt_dec 0 z); try reflexivity.
  - lra.
  - rewrite O in H. contradiction.
Qed.
Lemma val_lin : forall w os acc x, val (lin w os acc) x = dot w (map (fun o => oval o x) os) + val acc x.
Proof.
  induction w as [|k w IH]; intros [|[f|] os] acc x; cbn [lin map dot]; try ring.
  - rewrite IH, val_fadd. cbn [oval]. ring.
  - rewrite IH. cbn [oval]. ring.
Qed.
Lemma dot_scaled : forall w c us ys, Forall2 (fun u y => u = c * y) us ys -> dot w us = c * dot w ys.
Proof.
  induction w as [|k w IH]; intros c us ys H; cbn; [ring|].
  inversion H as [|u y us' ys' Hu H']; subst; cbn; [ring|]. rewrite (IH _ _ _ H'). ring.
Qed.
Lemma acts_outs : forall es fac zs x, decided es = true ->
  Forall2 (fun e z => val (fst e) x = IZR fac * z /\ known (snd e) z) es zs ->
  Forall2 (fun u y => u = IZR fac * y) (map (fun o => oval o x) (map act es)) (outs es zs).
Proof.
  induction es as [|[f s] es IH]; intros fac zs x D H; inversion H as [|? z ? zs' (Hv & Hk) H']; subst; constructor.
  - cbn in *. apply andb_true_iff in D as [D _]. apply negb_true_iff in D.
    rewrite (known_relu _ _ Hk D). destruct s; cbn in *; try exact Hv; try discriminate. ring.
  - apply IH; [|exact H']. cbn in D. apply andb_true_iff in D. tauto.
Qed.
Lemma bits_known : forall es fac zs x, open = true -> decided es = true ->
  Forall2 (fun e z => val (fst e) x = IZR fac * z /\ known (snd e) z) es zs ->
  bits es zs = map (fun e => bit (snd e)) es.
Proof.
  induction es as [|[f s] es IH]; intros fac zs x O D H; inversion H as [|? z ? zs' (Hv & Hk) H']; subst; [reflexivity|].
  cbn in D |- *. apply andb_true_iff in D as [D1 D2]. apply negb_true_iff in D1.
  cbn in Hk. rewrite (known_fires _ _ O Hk D1). f_equal. eapply IH; eassumption.
Qed.
Lemma is_lin_first : forall l f, is_lin (first_sign l f) = l.
Proof. intros [] f; cbn; [reflexivity|]. unfold first_sign. destruct (zeros (snd f)); [|reflexivity]. destruct (Z.ltb 0 (fst f)); reflexivity. Qed.

Lemma const_known : forall b c z, 0 < c -> IZR b = c * z -> known (sign_of (Z.ltb 0 b)) z.
Proof.
  intros b c z Hc E. destruct (Z.ltb 0 b) eqn:B; cbn.
  - apply Z.ltb_lt, IZR_lt in B. assert (0 < z) by (destruct (Rlt_or_le 0 z); nra). destruct open; lra.
  - apply Z.ltb_ge, IZR_le in B. destruct (Rlt_or_le 0 z); nra.
Qed.
Lemma zlen_length : forall A (u : list A) k, zlen k u = (k + Z.of_nat (length u))%Z.
Proof. induction u as [|a u IH]; intros k; cbn [zlen length]; [lia|]. rewrite IH. lia. Qed.
Lemma settled_decided : forall es, decided es = true -> map settled_act es = map act es.
Proof.
  intros es D. apply map_ext_in. intros [f s] Hin. unfold decided in D. rewrite forallb_forall in D. specialize (D _ Hin).
  destruct s; try reflexivity. discriminate.
Qed.
Lemma sums_val : forall choose l es fac x,
  Forall2 (fun (u : bool * row) a => val a x = dot (snd (snd u)) (map (fun e => oval (choose e) x) es) + IZR (fac * fst (snd u)))
    (units l) (sums choose l es fac).
Proof.
  intros choose l es fac x. unfold sums. induction (units l) as [|u us IH]; cbn [map]; constructor; [|exact IH].
  destruct u as [li [b w]]. rewrite val_lin, map_map. unfold val; cbn [fst snd]. rewrite dot_nil_l. ring.
Qed.
Lemma begun_summed : forall rs es fac x, summed rs es fac (begun rs es fac) x.
Proof. intros [|l rs] es fac x; [exact I|]. apply sums_val. Qed.
Lemma enter_inv : forall bs pa es b fac ah l rs x, decided es = true -> inv bs pa es b fac ah (l :: rs) x ->
  let es' := enter (units l) ah in
  inv (bs ++ map (fun e => bit (snd e)) es) (es :: pa) es' (zlen b es) (Z.mul fac (den l)) (begun rs es' (Z.mul fac (den l))) rs x.
Proof.
  intros bs pa es b0 fac ah l rs x D (Hf & Hd & Su & zs & H1 & H2 & H3 & before & H4 & H5 & H6) es'. cbn in Hd. apply andb_true_iff in Hd as [Hl Hd].
  apply Z.ltb_lt in Hl. apply IZR_lt in Hl as Hl'. apply IZR_lt in Hf as Hf'.
  split; [apply Z.mul_pos_pos; assumption|]. split; [exact Hd|]. split; [apply begun_summed|].
  set (y := outs es zs) in *. exists (map (fun u => pre l u y) (units l)).
  assert (A := acts_outs _ _ _ _ D H1). fold y in A.
  assert (Ev : Forall2 (fun u a => val a x = IZR (fac * den l) * pre l u y) (units l) ah).
  { cbn [summed] in Su. eapply Forall2_impl; [|exact Su]. cbn beta. intros u a ->.
    rewrite <- (map_map settled_act (fun o => oval o x)), (settled_decided _ D), (dot_scaled _ _ _ _ A). unfold pre, val. rewrite !mult_IZR. field. lra. }
  clear Su. assert (P : pass l y = outs es' (map (fun u => pre l u y) (units l)) /\
              map (fun u => fires (fst u) (pre l u y)) (units l) = bits es' (map (fun u => pre l u y) (units l))).
  { unfold pass, es'. induction Ev as [|u a us ah' _ _ [IH1 IH2]]; [split; reflexivity|].
    cbn [map outs bits enter]. rewrite is_lin_first, IH1, IH2. split; reflexivity. }
  destruct P as [P1 P2]. split; [|split; [|split]].
  - unfold es'. clear P1 P2. induction Ev as [|[li r] f us ah' Ev _ IH]; cbn [map enter]; [constructor|constructor; [|exact IH]].
    cbn [fst snd]. split; [exact Ev|].
    unfold first_sign. destruct li; [exact I|]. destruct (zeros (snd f)) eqn:Z0; [|exact I].
    rewrite (val_const _ _ Z0) in Ev. eapply const_known; [|exact Ev]. apply IZR_lt. apply Z.mul_pos_pos; assumption.
  - rewrite H2. cbn [run_layers]. rewrite P1. reflexivity.
  - intros O. rewrite (H3 O). cbn [pattern]. rewrite P2, P1, (bits_known _ _ _ _ O D H1), <- !app_assoc. reflexivity.
  - exists (before ++ zs). rewrite H4, zlen_length, app_length. cbn [preactivations]. fold y. rewrite P1, <- app_assoc.
    split; [reflexivity|]. split; [rewrite (Forall2_length _ _ _ _ _ H1); lia|].
    cbn [rev]. rewrite concat_app. cbn [concat]. rewrite app_nil_r. apply Forall2_app; [exact H6|].
    eapply Forall2_impl; [|exact H1]. cbn beta. intros e z [E K]. exists (IZR fac). auto.
Qed.
Lemma advance_inv : forall rs pa es b fac ah bs, exists bs', forall x, inv bs pa es b fac ah rs x ->
  let '(pa', es', b', fac', ah', rs') := advance rs pa es b fac ah in inv bs' pa' es' b' fac' ah' rs' x.
Proof.
  induction rs as [|l rs IH]; intros pa es b fac ah bs; cbn [advance]; [exists bs; auto|].
  destruct (decided es) eqn:D; [|exists bs; auto]. set (es' := enter (units l) ah).
  destruct (IH (es :: pa) es' (zlen b es) (Z.mul fac (den l)) (begun rs es' (Z.mul fac (den l))) (bs ++ map (fun e => bit (snd e)) es)) as [bs' H].
  exists bs'. intros x Hx. apply H. apply enter_inv; assumption.
Qed.

Definition fact (up : bool) (f : row) (x : point) : Prop :=
  if up then (if open then 0 < val f x else 0 <= val f x) else val f x <= 0.
Lemma lookup_in : forall k ds s, lookup k ds = Some s -> In (k, s) ds.
Proof.
  induction ds as [|[j t] ds IH]; intros s H; cbn in H; [discriminate|].
  destruct (Z.eqb_spec j k); [inversion H; subst; left; reflexivity|right; auto].
Qed.
Lemma val_add_sums : forall us os ah x (z : bool * row -> R), Forall2 (fun u a => val a x = z u) us ah ->
  Forall2 (fun (u : bool * row) a => val a x = dot (snd (snd u)) (map (fun o => oval o x) os) + z u) us (add_sums us os ah).
Proof. induction 1 as [|u a us ah E _ IH]; cbn [add_sums]; constructor; [rewrite val_lin, E; reflexivity|exact IH]. Qed.
Lemma dot_add : forall w a b c, Forall2 (fun p r => p = fst r + snd r) c (combine a b) -> length a = length b ->
  dot w c = dot w a + dot w b.
Proof.
  induction w as [|k w IH]; intros [|p a] [|q b] c H L; try discriminate; cbn in *; try lra; inversion H; subst; cbn; [lra|].
  rewrite (IH a b l); [cbn; ring|assumption|congruence].
Qed.
Lemma grown_summed : forall rs es k ds fac ah x, summed rs es fac ah x ->
  summed rs (mark es k ds) fac (grown rs es (mark es k ds) ah) x.
Proof.
  intros [|l rs] es k ds fac ah x H; [exact I|]. cbn [summed grown] in *.
  apply (val_add_sums _ (fresh es (mark es k ds)) _ _ (fun u : bool * row => dot (snd (snd u)) (map (fun e => oval (settled_act e) x) es) + IZR (fac * fst (snd u)))) in H.
  eapply Forall2_impl; [|exact H]. cbn beta. intros u a ->. rewrite <- Rplus_assoc. f_equal. symmetry. apply dot_add.
  - clear. revert k. induction es as [|[f o] es IH]; intros k; cbn [mark fresh map combine]; constructor; [|apply IH].
    cbn [fst snd]. unfold settled_act; cbn [fst snd]. destruct o; cbn; try lra. destruct (lookup k ds) as [[]|]; cbn; lra.
  - rewrite !map_length. clear. revert k. induction es as [|[f o] es IH]; intros k; cbn; [reflexivity|]. rewrite IH. reflexivity.
Qed.
Lemma mark_inv : forall bs pa es k ds b fac ah rs x,
  (forall j s f, In (j, s) ds -> nthz es (j - k) = Some (f, Undecided) -> fact s f x) ->
  inv bs pa es b fac ah rs x -> inv bs pa (mark es k ds) b fac (grown rs es (mark es k ds) ah) rs x.
Proof.
  intros bs pa es k ds b fac ah rs x F (Hf & Hd & Su & zs & H1 & H2 & H3). split; [exact Hf|]. split; [exact Hd|].
  split; [apply grown_summed; exact Su|]. exists zs. apply IZR_lt in Hf.
  assert (P : forall es k zs, (forall j s f, In (j, s) ds -> nthz es (j - k) = Some (f, Undecided) -> fact s f x) ->
     Forall2 (fun e z => val (fst e) x = IZR fac * z /\ known (snd e) z) es zs ->
     Forall2 (fun e z => val (fst e) x = IZR fac * z /\ known (snd e) z) (mark es k ds) zs /\
     outs (mark es k ds) zs = outs es zs /\ bits (mark es k ds) zs = bits es zs).
  { clear - Hf. induction es as [|[f o] es IH]; intros k zs F H; [split; [exact H|split; reflexivity]|].
    inversion H as [|? z ? zs' (Hv & Hk) H']; subst. cbn [mark].
    destruct (IH (Z.succ k) zs') as (I1 & I2 & I3); [|exact H'|].
    { intros j s g Hin Hn. apply (F j s g Hin). cbn. destruct (Z.eqb_spec (j - k) 0).
      - rewrite nthz_neg in Hn by lia. discriminate.
      - replace (Z.pred (j - k)) with (j - Z.succ k)%Z by lia. exact Hn. }
    set (o' := match o with Undecided => _ | _ => _ end).
    assert (L : is_lin o' = is_lin o)
      by (subst o'; destruct o; try reflexivity; destruct (lookup k ds) as [[]|]; reflexivity).
    split; [|cbn; rewrite L, I2, I3; split; reflexivity].
    constructor; [|exact I1]. cbn [fst snd] in *. split; [exact Hv|]. subst o'.
    destruct o; try exact Hk. destruct (lookup k ds) as [s|] eqn:E; [|exact I].
    apply lookup_in in E. specialize (F k s f E). cbn in F. rewrite Z.sub_diag in F. specialize (F eq_refl).
    unfold fact in F. rewrite Hv in F. destruct s; cbn; [destruct open|]; nra. }
  destruct (P es k zs F H1) as (P1 & P2 & P3). rewrite P2, P3. auto.
Qed.
Lemma next_valid : forall v ks d ds, valid v -> (open = true -> Forall (fun k => fst k = true) ks) ->
  (forall x, length x = length n -> sat ks x -> sat (path v) x /\
     forall j s f, In (j, s) ds -> neuron v j = Some f -> fact s f x) ->
  valid (next v ks d ds) /\ path (next v ks d ds) = ks.
Proof.
  intros v ks d ds [_ [bs V]] St H. unfold next.
  destruct (advance_inv (rest v) (past v) (mark (now v) (base v) ds) (base v) (factor v)
    (grown (rest v) (now v) (mark (now v) (base v) ds) (ahead v)) bs) as [bs' A].
  destruct (advance _ _ _ _ _ _) as [[[[[pa es] b] fac] ah] rs]. split; [|reflexivity]. split; [exact St|].
  exists bs'. intros x Hx Hs. cbn in Hs |- *. destruct (H x Hx Hs) as [Hp F]. destruct (V x Hx Hp) as [Vi Vt].
  split; [|exact Vt]. apply A. apply mark_inv; [|exact Vi].
  intros j s f Hin Hn. apply (F j s f Hin). unfold neuron. rewrite Hn. reflexivity.
Qed.

Lemma start_valid : forall sc ins ls ks, (0 < sc)%Z -> dens_ok ls = true -> net = chart_layer sc ins :: ls ->
  offset = zlen 0 ins -> (open = true -> Forall (fun k => fst k = true) ks) ->
  (forall x, length x = length n -> sat (rev ks) x -> told known_signs x) ->
  valid (start sc ins ls ks) /\ path (start sc ins ls ks) = rev ks.
Proof.
  intros sc ins ls ks Hs Hd E Ho St Kn. unfold start.
  set (es0 := map (fun f => (f, Lin)) ins) in *.
  destruct (advance_inv ls [] es0 (Z.opp (zlen 0 ins)) sc (begun ls es0 sc) []) as [bs A].
  destruct (advance _ _ _ _ _ _) as [[[[[pa es] b] fac] ah] rs]. split; [|reflexivity].
  split; [intros O; cbn; apply Forall_rev, St, O|].
  exists bs. intros x Lx Sx. split; [|exact (Kn x Lx Sx)]. cbn. apply A. split; [exact Hs|]. split; [exact Hd|]. split; [apply begun_summed|]. unfold es0.
  apply IZR_lt in Hs. exists (map (fun f => val f x / IZR sc) ins). rewrite E. cbn [run_layers pattern].
  assert (P : pass (chart_layer sc ins) x = outs (map (fun f => (f, Lin)) ins) (map (fun f => val f x / IZR sc) ins) /\
     map (fun u => fires (fst u) (pre (chart_layer sc ins) u x)) (units (chart_layer sc ins))
       = bits (map (fun f => (f, Lin)) ins) (map (fun f => val f x / IZR sc) ins)).
  { clear A E Ho. unfold pass, pre, chart_layer; cbn [units den]. induction ins as [|f ins [I1 I2]]; [split; reflexivity|].
    cbn. rewrite I1, I2. split; reflexivity. }
  destruct P as [P1 P2]. rewrite P1, P2. split; [|split; [reflexivity|split; [intros _; reflexivity|]]].
  2:{ exists []. cbn [preactivations app length rev concat]. rewrite Ho, P1. split; [|split; [lia|constructor]]. f_equal. unfold chart_layer; cbn [units].
      rewrite map_map. reflexivity. }
  clear - Hs. induction ins as [|f ins IH]; cbn [map]; constructor; [|exact IH].
  cbn [fst snd]. split; [|exact I]. field. lra.
Qed.

(* what an accepted record gives: valid parts, within the node, that cover it *)
Lemma pick_sat : forall v r k x, pick v r = Some k -> sat (path v) x -> holds x k.
Proof. intros v r k x H Hs. apply nthz_in in H. rewrite Forall_forall in Hs. apply Hs. exact H. Qed.
Lemma chosen_sat : forall v us cs x, chosen v us = Some cs -> sat (path v) x -> sat (map snd cs) x.
Proof.
  intros v us cs x H Hs. apply Forall_forall. intros k Hk. apply in_map_iff in Hk as ((m & k') & <- & Hk).
  destruct (all_some_in _ _ _ _ _ H _ Hk) as ([r m'] & _ & E). cbn [fst snd] in *.
  destruct (Z.ltb 0 m'); [|discriminate]. destruct (pick v r) eqn:P; [|discriminate].
  inversion E; subst. eapply pick_sat; eassumption.
Qed.
Lemma signed_fact : forall us up w f x, signed open us up w f = true -> sat (map snd us) x -> fact up f x.
Proof.
  intros us up w f x H Hs. destruct (signed_sound _ _ _ _ _ x H Hs) as [A B]. unfold fact.
  destruct up; [|exact A]. destruct open; [apply B; reflexivity|exact A].
Qed.
Lemma combine_sat : forall (ms : list Z) cone x, sat cone x -> sat (map snd (combine ms cone)) x.
Proof.
  induction ms as [|m ms IH]; intros cone x H; [constructor|]. destruct H as [|k cone Hk H]; [constructor|].
  cbn. constructor; [exact Hk|apply IH; exact H].
Qed.

Lemma signs_shown_fact : forall cone ts s f x, signs_shown cone ts = true -> length x = length n -> In (s, f) ts -> sat cone x ->
  fact s f x.
Proof.
  intros cone ts s f x E Hx Q S. unfold signs_shown in E. destruct (if same_len cone n then edges cone else None) as [e|] eqn:G.
  - destruct (same_len cone n) eqn:L; [|discriminate]. apply same_len_ok in L. rewrite forallb_forall in E. specialize (E _ Q).
    destruct (signed_by_sound _ _ _ _ _ x G E ltac:(congruence) S) as [A B]. unfold fact. cbn [fst snd] in *.
    destruct s; [|exact A]. destruct open; [apply B; reflexivity|exact A].
  - clear G. destruct (solve _ _) as [[det ms]|]; [|discriminate]. apply andb_true_iff in E as [E1 E2]. rewrite forallb_forall in E2.
    assert (M : exists m, In ((s, f), m) (combine ts ms)).
    { apply same_len_ok in E1. clear - E1 Q. revert ms E1. induction ts as [|t ts IH]; intros [|m ms] L; try discriminate; [contradiction|].
      destruct Q as [->|Q]; [exists m; left; reflexivity|]. destruct (IH Q ms) as [m' I]; [cbn in L; lia|].
      exists m'. right; exact I. }
    destruct M as [m M]. apply E2 in M. cbn [fst snd] in M. eapply signed_fact; [exact M|]. apply combine_sat. exact S.
Qed.
Inductive covered (v : node) : list node -> Prop :=
| Cov_same : forall w, path w = path v -> covered v [w]
| Cov_none : (forall x, ~ sat (path v) x) -> covered v []
| Cov_parts : forall f s p q, nonconstant n f = true -> (open = true -> s = true) ->
    (open = true -> exists i, forall x, length x = length n -> sat (path v) x ->
       nth i (pattern net x) false = if Rlt_dec 0 (val f x) then true else false) ->
    path p = (s, fneg f) :: path v -> path q = (s, f) :: path v -> (open = false -> s = false) -> covered v [p; q].

Lemma neuron_bit : forall v k f, valid v -> neuron v k = Some f -> open = true ->
  exists i, forall x, length x = length n -> sat (path v) x ->
    nth i (pattern net x) false = if Rlt_dec 0 (val f x) then true else false.
Proof.
  intros v k f [_ [bs V]] H O. unfold neuron in H.
  destruct (nthz (now v) (k - base v)) as [[g []]|] eqn:E; try discriminate. inversion H; subst g. clear H.
  assert (P : forall es j zs (tl : list bool) (x : point) fac, nthz es j = Some (f, Undecided) -> 0 < IZR fac ->
    Forall2 (fun e z => val (fst e) x = IZR fac * z /\ known (snd e) z) es zs ->
    nth (Z.to_nat j) (bits es zs ++ tl) false = if Rlt_dec 0 (val f x) then true else false).
  { clear. induction es as [|[g o] es IH]; intros j zs tl x fac H Hf F; cbn in H; [discriminate|].
    inversion F as [|? z ? zs' (Hv & Hk) F']; subst. destruct (Z.eqb_spec j 0) as [->|N].
    - inversion H; subst. cbn in *. unfold fires. rewrite Hv.
      destruct (Rlt_dec 0 z), (Rlt_dec 0 (IZR fac * z)); try reflexivity; exfalso; nra.
    - destruct (Z_lt_le_dec j 0) as [L|L]; [rewrite nthz_neg in H by lia; discriminate|].
      replace (Z.to_nat j) with (S (Z.to_nat (Z.pred j))) by lia. cbn [bits app nth]. eapply IH; eassumption. }
  exists (length bs + Z.to_nat (k - base v))%nat. intros x Hx Hs.
  destruct (V x Hx Hs) as [(Hf & _ & _ & zs & H1 & _ & H3 & _) _]. apply IZR_lt in Hf.
  rewrite (H3 O), app_nth2_plus. eapply P; eassumption.
Qed.
(* a neuron whose sign is known on the domain has it on the node, in an open tree strictly *)
Lemma told_fact : forall v k up f, valid v -> lookup k known_signs = Some up -> neuron v k = Some f ->
  (open = true -> nonconstant n f = true) -> forall x, length x = length n -> sat (path v) x -> fact up f x.
Proof.
  intros v k up f [St [bs V]] L N C. apply lookup_in in L. unfold neuron in N.
  destruct (nthz (now v) (k - base v)) as [[g []]|] eqn:E; try discriminate. inversion N; subst g. clear N.
  assert (P : forall es j zs tl (x : point) fac, nthz es j = Some (f, Undecided) ->
    Forall2 (fun e z => val (fst e) x = IZR fac * z /\ known (snd e) z) es zs ->
    (0 <= j)%Z /\ val f x = IZR fac * nth (Z.to_nat j) (zs ++ tl) 0).
  { clear. induction es as [|[g o] es IH]; intros j zs tl x fac H F; cbn in H; [discriminate|].
    inversion F as [|? z ? zs' (Hv & Hk) F']; subst. destruct (Z.eqb_spec j 0) as [->|N].
    - inversion H; subst. split; [lia|exact Hv].
    - destruct (Z_lt_le_dec j 0) as [L|L]; [rewrite nthz_neg in H by lia; discriminate|]. split; [exact L|].
      replace (Z.to_nat j) with (S (Z.to_nat (Z.pred j))) by lia. cbn [app nth]. eapply IH; eassumption. }
  assert (W : forall x, length x = length n -> sat (path v) x -> if up then 0 <= val f x else val f x <= 0).
  { intros x Hx Hs. destruct (V x Hx Hs) as [(Hf & _ & _ & zs & H1 & _ & _ & before & H4 & H5 & _) T]. specialize (T k up L). cbv zeta in T.
    destruct (P _ _ _ (preactivations (rest v) (outs (now v) zs)) x _ E H1) as [J ->]. apply IZR_lt in Hf.
    replace (Z.to_nat (k + offset)) with (length before + Z.to_nat (k - base v))%nat in T by lia.
    rewrite H4, app_nth2_plus in T. destruct up; nra. }
  intros x Hx Hs. specialize (W x Hx Hs) as Wx. unfold fact. destruct up; [|exact Wx]. unfold strict_path in St.
  destruct open; [|exact Wx].
  specialize (C eq_refl). unfold nonconstant in C. apply andb_true_iff in C as [C1 C2]. apply negb_true_iff in C1.
  destruct (Rle_lt_or_eq_dec 0 (val f x) Wx) as [|Z0]; [assumption|exfalso].
  assert (Pos : Forall (fun k : cond => 0 < val (snd k) x) (path v)).
  { specialize (St eq_refl). rewrite Forall_forall in *. intros c Hc. specialize (Hs c Hc). specialize (St c Hc).
    unfold holds in Hs. rewrite St in Hs. exact Hs. }
  destruct (open_box _ _ Pos) as (r & Hr & B). rewrite (fits_len _ _ _ n x) in C2 by congruence.
  destruct (dip f x r Hr C2 C1) as (x' & Nx & Lt).
  assert (Lx : length x' = length n) by (rewrite (near_len _ _ _ Nx); exact Hx).
  specialize (W x' Lx (positive_sat _ _ (B x' Nx))). lra.
Qed.

Ltac all_valid := repeat (apply Forall_cons; [assumption|]); apply Forall_nil.
Theorem visit_sound : forall v r ps, valid v -> visit v r = Some ps -> Forall valid ps /\ covered v ps.
Proof.
  intros v r ps V H. destruct r as [k|rs ss|k up w us|us|f|ss]; cbn [visit] in H.
  - destruct (neuron v k) as [f|] eqn:K; [|discriminate]. destruct (nonconstant n f) eqn:N; [|discriminate].
    inversion H; subst; clear H.
    assert (P : forall g up, (g = if up : bool then f else fneg f) ->
       let w := next v ((open, g) :: path v) (Z.succ (depth v)) [(k, up)] in valid w /\ path w = (open, g) :: path v).
    { intros g up ->. apply next_valid; [exact V|intros O; constructor; [exact O|exact (proj1 V O)]|]. intros x Hx Hs. inversion Hs as [|? ? Hg Hp]; subst.
      split; [exact Hp|]. intros j s f' [E|[]] Hj. inversion E; subst. rewrite K in Hj. inversion Hj; subst f'.
      unfold holds in Hg; cbn in Hg. unfold fact. destruct s; [exact Hg|]. rewrite val_fneg in Hg. destruct open; lra. }
    destruct (P (fneg f) false eq_refl) as [A1 A2]. destruct (P f true eq_refl) as [B1 B2].
    split; [all_valid|]. apply Cov_parts with f open; auto. intros O. eapply neuron_bit; eassumption.
  - destruct (all_some (pick v) rs) as [cone|] eqn:C; [|discriminate].
    destruct (all_some _ ss) as [ts|] eqn:T; [|discriminate].
    destruct (signs_shown cone ts) eqn:E; [|discriminate]. inversion H; subst; clear H.
    assert (S : forall x, sat (path v) x -> sat cone x).
    { intros x Hs. apply Forall_forall. intros c Hc. destruct (all_some_in _ _ _ _ _ C _ Hc) as (r & _ & P).
      eapply pick_sat; eassumption. }
    destruct (next_valid v (path v) (depth v) ss V (proj1 V)) as [A1 A2].
    { intros x Hx Hs. split; [exact Hs|]. intros j s f Hin Hj.
      assert (Q : In (s, f) ts).
      { clear - T Hin Hj. revert ts T. induction ss as [|[i u] ss IH]; intros ts T; [contradiction|].
        cbn in T. destruct (neuron v i) eqn:N; [|discriminate]. cbn in T.
        destruct (all_some _ ss) as [ts'|]; [|discriminate]. inversion T; subst.
        destruct Hin as [Hin|Hin]; [inversion Hin; subst; rewrite Hj in N; inversion N; left; reflexivity|right; eauto]. }
      apply (signs_shown_fact cone ts s f x E Hx Q). auto. }
    split; [all_valid|apply Cov_same; assumption].
  - destruct (neuron v k) as [f|] eqn:K; [|discriminate]. destruct (chosen v us) as [cs|] eqn:C; [|discriminate].
    destruct (signed open cs up w f) eqn:G; [|discriminate]. inversion H; subst; clear H.
    destruct (next_valid v (path v) (depth v) [(k, up)] V (proj1 V)) as [A1 A2].
    { intros x Hx Hs. split; [exact Hs|]. intros j s f' [E|[]] Hj. inversion E; subst. rewrite K in Hj. inversion Hj; subst f'.
      eapply signed_fact; [exact G|]. eapply chosen_sat; eassumption. }
    split; [all_valid|apply Cov_same; assumption].
  - destruct (chosen v us) as [cs|] eqn:C; [|discriminate]. destruct (refutes cs) eqn:R; [|discriminate].
    inversion H; subst. split; [constructor|]. apply Cov_none. intros x Hs.
    apply (refutes_sound _ x R). eapply chosen_sat; eassumption.
  - destruct (negb open) eqn:O; [|discriminate]. apply negb_true_iff in O. cbn in H.
    destruct (nonconstant n f) eqn:N; [|discriminate]. inversion H; subst; clear H. destruct V as [St [bs V]].
    split; [|apply Cov_parts with f false; auto; intros; congruence].
    repeat (apply Forall_cons; [split; [intros E; congruence|exists bs; intros x Hx Hs; inversion Hs; subst; cbn; apply V; assumption]|]).
    apply Forall_nil.
  - destruct (forallb _ ss) eqn:K; [|discriminate]. inversion H; subst; clear H. rewrite forallb_forall in K.
    destruct (next_valid v (path v) (depth v) ss V (proj1 V)) as [A1 A2].
    { intros x Hx Hs. split; [exact Hs|]. intros j s f Hin Hj. specialize (K _ Hin). cbn [fst snd] in K. rewrite Hj in K.
      destruct (lookup j known_signs) as [up|] eqn:L; [|discriminate]. apply andb_true_iff in K as [K1 K2].
      apply eqb_prop in K1. subst up. apply (told_fact v j); auto. intros O. rewrite O in K2. exact K2. }
    split; [all_valid|apply Cov_same; assumption].
Qed.
End Visit.
