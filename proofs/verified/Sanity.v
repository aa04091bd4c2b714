(* What the statements say in two small cases, with everything but the reals unfolded. *)
Require Import List ZArith Reals Lra.
From Exactrelu Require Import Meaning Rows Cells Chart Regions Bounds Property Equality.
Import ListNotations.
Open Scope R_scope.

(* x |-> s(x) + s(-x) *)
Definition fold_layer : layer := Layer 1 [(false, (0, [1]))%Z; (false, (0, [-1]))%Z].
Definition sum_layer : layer := Layer 1 [(false, (0, [1; 1]))%Z].
Definition abs_dom : system := [(Least, (3, [-1])%Z); (Least, (1, [1])%Z)].                   (* -1 <= x <= 3 *)
Definition abs_case : system := [(Above, (-3, [0; 1])%Z)].                                    (* y > 3 *)
Definition no_solve (_ _ : list row) : option (Z * list (list Z)) := None.
Definition abs_root := opened [tt] (fun _ => 1%Z) [fold_layer] sum_layer abs_dom 1 [0%Z].
Definition abs_lines : list bline := [BCells; BVisit (Split 0); BVisit (Side 1 true 1 [(5, 1)]%Z);
  BNever [[(2, 1); (6, 1)]]%Z; BVisit (Side 1 false 1 [(5, 1)]%Z); BNever [[(1, 1); (6, 1)]]%Z].
Theorem abs_bound : forall x, -1 <= x <= 3 -> Rmax 0 x + Rmax 0 (- x) <= 3.
Proof.
  intros x H. destruct (Rle_or_lt (Rmax 0 x + Rmax 0 (- x)) 3) as [|L]; [assumption|exfalso].
  assert (R : abs_root = Some ([tt], 1%Z, [(0, [1])%Z])) by (vm_compute; reflexivity).
  refine (proj2 (property_sound [tt] (fun _ => 1%Z) no_solve [fold_layer] sum_layer abs_dom [abs_case] 1 [0%Z] [tt] 1 [(0, [1])%Z]
    [(Some (-P)%Z, Some (3 * P)%Z)] _ abs_lines R eq_refl _) [x] eq_refl _ _).
  - vm_compute. reflexivity.
  - apply Forall_cons; [|apply Forall_cons; [|apply Forall_nil]]; unfold meets, val; cbn; lra.
  - apply Exists_cons_hd. apply Forall_cons; [|apply Forall_nil]. unfold meets, eval, affine, run_layers, pass, pre, val, passes, relu. cbn.
    replace ((0 + (1 * x + 0)) / 1) with x by field. replace ((0 + (-1 * x + 0)) / 1) with (- x) by field. lra.
Qed.
(* "the region of a pattern" is not empty, and "equal" is about values *)
Theorem equal_says : eval [fold_layer] sum_layer [2] = [2].
Proof. unfold eval, affine, run_layers, pass, pre, val, passes, relu. cbn. f_equal. rewrite Rmax_right, Rmax_left; lra. Qed.
