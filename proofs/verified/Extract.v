(* The program of Kinds.v in OCaml, with the standard library's realizers of integers by zarith. *)
From Exactrelu Require Import Meaning Kinds.
Require Import ExtrOcamlBasic ExtrOcamlZBigInt.
Extraction Language OCaml.
Extraction "kernel.ml" dimension first_stage next_stage complete.
