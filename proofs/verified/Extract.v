(* The program of Checker.v in OCaml, with the standard library's realizers of integers by zarith. *)
From Exactrelu Require Import Meaning Checker.
Require Import ExtrOcamlBasic ExtrOcamlZBigInt.
Extraction Language OCaml.
Extraction "kernel.ml" dimension first_state next_state accepted.
