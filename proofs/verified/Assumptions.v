(* What the theorem rests on, besides Coq: two axioms of the standard library's real numbers. *)
From Exactrelu Require Import Checker Sanity.
Print Assumptions sound.
Print Assumptions abs_bound.
