(* What the theorem rests on, besides Coq: two axioms of the standard library's real numbers. *)
From Exactrelu Require Import Kinds Sanity.
Print Assumptions proved.
Print Assumptions abs_bound.
