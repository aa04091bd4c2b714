
(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

type nat =
| O
| S of nat

(** val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option **)

let option_map f = function
| Some a -> Some (f a)
| None -> None

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

(** val app : 'a1 list -> 'a1 list -> 'a1 list **)

let rec app l m =
  match l with
  | [] -> m
  | a :: l1 -> a :: (app l1 m)

type comparison =
| Eq
| Lt
| Gt

module Coq__1 = struct
 (** val add : nat -> nat -> nat **)
 let rec add n m =
   match n with
   | O -> m
   | S p0 -> S (add p0 m)
end
include Coq__1

(** val eqb : bool -> bool -> bool **)

let eqb b1 b2 =
  if b1 then b2 else if b2 then false else true

(** val hd : 'a1 -> 'a1 list -> 'a1 **)

let hd default = function
| [] -> default
| x :: _ -> x

(** val tl : 'a1 list -> 'a1 list **)

let tl = function
| [] -> []
| _ :: m -> m

(** val rev : 'a1 list -> 'a1 list **)

let rec rev = function
| [] -> []
| x :: l' -> app (rev l') (x :: [])

(** val concat : 'a1 list list -> 'a1 list **)

let rec concat = function
| [] -> []
| x :: l0 -> app x (concat l0)

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| a :: t -> (f a) :: (map f t)

(** val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list **)

let rec flat_map f = function
| [] -> []
| x :: t -> app (f x) (flat_map f t)

(** val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1 **)

let rec fold_left f l a0 =
  match l with
  | [] -> a0
  | b :: t -> fold_left f t (f a0 b)

(** val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1 **)

let rec fold_right f a0 = function
| [] -> a0
| b :: t -> f b (fold_right f a0 t)

(** val existsb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec existsb f = function
| [] -> false
| a :: l0 -> (||) (f a) (existsb f l0)

(** val forallb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec forallb f = function
| [] -> true
| a :: l0 -> (&&) (f a) (forallb f l0)

(** val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list **)

let rec filter f = function
| [] -> []
| x :: l0 -> if f x then x :: (filter f l0) else filter f l0

(** val combine : 'a1 list -> 'a2 list -> ('a1 * 'a2) list **)

let rec combine l l' =
  match l with
  | [] -> []
  | x :: tl0 ->
    (match l' with
     | [] -> []
     | y :: tl' -> (x, y) :: (combine tl0 tl'))

module Pos =
 struct
  type mask =
  | IsNul
  | IsPos of Big_int_Z.big_int
  | IsNeg
 end

module Coq_Pos =
 struct
  (** val succ : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec succ = Big_int_Z.succ_big_int

  (** val add :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec add = Big_int_Z.add_big_int

  (** val add_carry :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  and add_carry x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (add_carry p0 q))
        (fun q -> Big_int_Z.mult_int_big_int 2 (add_carry p0 q))
        (fun _ ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (succ p0))
        y)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> Big_int_Z.mult_int_big_int 2 (add_carry p0 q))
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (add p0 q))
        (fun _ -> Big_int_Z.mult_int_big_int 2 (succ p0))
        y)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (succ q))
        (fun q -> Big_int_Z.mult_int_big_int 2 (succ q))
        (fun _ ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        Big_int_Z.unit_big_int)
        y)
      x

  (** val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec pred_double x =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 ->
      (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      (Big_int_Z.mult_int_big_int 2 p0))
      (fun p0 ->
      (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      (pred_double p0))
      (fun _ -> Big_int_Z.unit_big_int)
      x

  type mask = Pos.mask =
  | IsNul
  | IsPos of Big_int_Z.big_int
  | IsNeg

  (** val succ_double_mask : mask -> mask **)

  let succ_double_mask = function
  | IsNul -> IsPos Big_int_Z.unit_big_int
  | IsPos p0 ->
    IsPos ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      p0)
  | IsNeg -> IsNeg

  (** val double_mask : mask -> mask **)

  let double_mask = function
  | IsPos p0 -> IsPos (Big_int_Z.mult_int_big_int 2 p0)
  | x0 -> x0

  (** val double_pred_mask : Big_int_Z.big_int -> mask **)

  let double_pred_mask x =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 -> IsPos (Big_int_Z.mult_int_big_int 2
      (Big_int_Z.mult_int_big_int 2 p0)))
      (fun p0 -> IsPos (Big_int_Z.mult_int_big_int 2
      (pred_double p0)))
      (fun _ -> IsNul)
      x

  (** val sub_mask : Big_int_Z.big_int -> Big_int_Z.big_int -> mask **)

  let rec sub_mask x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> double_mask (sub_mask p0 q))
        (fun q -> succ_double_mask (sub_mask p0 q))
        (fun _ -> IsPos (Big_int_Z.mult_int_big_int 2 p0))
        y)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> succ_double_mask (sub_mask_carry p0 q))
        (fun q -> double_mask (sub_mask p0 q))
        (fun _ -> IsPos (pred_double p0))
        y)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> IsNeg)
        (fun _ -> IsNeg)
        (fun _ -> IsNul)
        y)
      x

  (** val sub_mask_carry : Big_int_Z.big_int -> Big_int_Z.big_int -> mask **)

  and sub_mask_carry x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> succ_double_mask (sub_mask_carry p0 q))
        (fun q -> double_mask (sub_mask p0 q))
        (fun _ -> IsPos (pred_double p0))
        y)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> double_mask (sub_mask_carry p0 q))
        (fun q -> succ_double_mask (sub_mask_carry p0 q))
        (fun _ -> double_pred_mask p0)
        y)
      (fun _ -> IsNeg)
      x

  (** val sub :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let sub = (fun n m -> Big_int_Z.max_big_int
  Big_int_Z.unit_big_int (Big_int_Z.sub_big_int n m))

  (** val mul :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec mul = Big_int_Z.mult_big_int

  (** val size_nat : Big_int_Z.big_int -> nat **)

  let rec size_nat p0 =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p1 -> S (size_nat p1))
      (fun p1 -> S (size_nat p1))
      (fun _ -> S O)
      p0

  (** val compare_cont :
      comparison -> Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let rec compare_cont = (fun c x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then c else if s < 0 then Lt else Gt)

  (** val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let compare = (fun x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then Eq else if s < 0 then Lt else Gt)

  (** val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let rec eqb p0 q =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p1 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q0 -> eqb p1 q0)
        (fun _ -> false)
        (fun _ -> false)
        q)
      (fun p1 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> false)
        (fun q0 -> eqb p1 q0)
        (fun _ -> false)
        q)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> false)
        (fun _ -> false)
        (fun _ -> true)
        q)
      p0

  (** val gcdn :
      nat -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec gcdn n a b =
    match n with
    | O -> Big_int_Z.unit_big_int
    | S n0 ->
      ((fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
         (fun a' ->
         (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
           (fun b' ->
           match compare a' b' with
           | Eq -> a
           | Lt -> gcdn n0 (sub b' a') a
           | Gt -> gcdn n0 (sub a' b') b)
           (fun b0 -> gcdn n0 a b0)
           (fun _ -> Big_int_Z.unit_big_int)
           b)
         (fun a0 ->
         (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
           (fun _ -> gcdn n0 a0 b)
           (fun b0 -> Big_int_Z.mult_int_big_int 2 (gcdn n0 a0 b0))
           (fun _ -> Big_int_Z.unit_big_int)
           b)
         (fun _ -> Big_int_Z.unit_big_int)
         a)

  (** val gcd :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let gcd a b =
    gcdn (Coq__1.add (size_nat a) (size_nat b)) a b
 end

module Z =
 struct
  (** val double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.zero_big_int)
      (fun p0 -> (Big_int_Z.mult_int_big_int 2 p0))
      (fun p0 -> Big_int_Z.minus_big_int (Big_int_Z.mult_int_big_int 2 p0))
      x

  (** val succ_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let succ_double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.unit_big_int)
      (fun p0 ->
      ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      p0))
      (fun p0 -> Big_int_Z.minus_big_int (Coq_Pos.pred_double p0))
      x

  (** val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let pred_double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.minus_big_int Big_int_Z.unit_big_int)
      (fun p0 -> (Coq_Pos.pred_double p0))
      (fun p0 -> Big_int_Z.minus_big_int
      ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      p0))
      x

  (** val pos_sub :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec pos_sub x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> double (pos_sub p0 q))
        (fun q -> succ_double (pos_sub p0 q))
        (fun _ -> (Big_int_Z.mult_int_big_int 2 p0))
        y)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> pred_double (pos_sub p0 q))
        (fun q -> double (pos_sub p0 q))
        (fun _ -> (Coq_Pos.pred_double p0))
        y)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> Big_int_Z.minus_big_int (Big_int_Z.mult_int_big_int 2
        q))
        (fun q -> Big_int_Z.minus_big_int (Coq_Pos.pred_double q))
        (fun _ -> Big_int_Z.zero_big_int)
        y)
      x

  (** val add :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let add = Big_int_Z.add_big_int

  (** val opp : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let opp = Big_int_Z.minus_big_int

  (** val succ : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let succ = Big_int_Z.succ_big_int

  (** val pred : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let pred = Big_int_Z.pred_big_int

  (** val sub :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let sub = Big_int_Z.sub_big_int

  (** val mul :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let mul = Big_int_Z.mult_big_int

  (** val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let compare = (fun x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then Eq else if s < 0 then Lt else Gt)

  (** val sgn : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let sgn z0 =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.zero_big_int)
      (fun _ -> Big_int_Z.unit_big_int)
      (fun _ -> Big_int_Z.minus_big_int Big_int_Z.unit_big_int)
      z0

  (** val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let leb x y =
    match compare x y with
    | Gt -> false
    | _ -> true

  (** val ltb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let ltb x y =
    match compare x y with
    | Lt -> true
    | _ -> false

  (** val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let eqb = Big_int_Z.eq_big_int

  (** val max :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let max = Big_int_Z.max_big_int

  (** val min :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let min = Big_int_Z.min_big_int

  (** val abs : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let abs = Big_int_Z.abs_big_int

  (** val pos_div_eucl :
      Big_int_Z.big_int -> Big_int_Z.big_int ->
      Big_int_Z.big_int * Big_int_Z.big_int **)

  let rec pos_div_eucl a b =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' =
        add (mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) r)
          Big_int_Z.unit_big_int
      in
      if ltb r' b
      then ((mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q), r')
      else ((add
              (mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q)
              Big_int_Z.unit_big_int), (sub r' b)))
      (fun a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' = mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) r in
      if ltb r' b
      then ((mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q), r')
      else ((add
              (mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q)
              Big_int_Z.unit_big_int), (sub r' b)))
      (fun _ ->
      if leb (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) b
      then (Big_int_Z.zero_big_int, Big_int_Z.unit_big_int)
      else (Big_int_Z.unit_big_int, Big_int_Z.zero_big_int))
      a

  (** val div_eucl :
      Big_int_Z.big_int -> Big_int_Z.big_int ->
      Big_int_Z.big_int * Big_int_Z.big_int **)

  let div_eucl = Big_int_Z.(fun x y ->
  match sign_big_int y with
  | 0 -> (zero_big_int, x)
  | 1 -> quomod_big_int x y
  | _ -> let (q, r) = quomod_big_int (add_int_big_int (-1) x) y in
          (add_int_big_int (-1) q, add_big_int (add_int_big_int 1 y) r))

  (** val div :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div = Big_int_Z.(fun x y ->
  match sign_big_int y with
  | 0 -> zero_big_int
  | 1 -> div_big_int x y
  | _ -> add_int_big_int (-1) (div_big_int (add_int_big_int (-1) x) y))

  (** val gcd :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let gcd a b =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> abs b)
      (fun a0 ->
      (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
        (fun _ -> abs a)
        (fun b0 -> (Coq_Pos.gcd a0 b0))
        (fun b0 -> (Coq_Pos.gcd a0 b0))
        b)
      (fun a0 ->
      (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
        (fun _ -> abs a)
        (fun b0 -> (Coq_Pos.gcd a0 b0))
        (fun b0 -> (Coq_Pos.gcd a0 b0))
        b)
      a

  (** val lcm :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let lcm a b =
    abs (mul a (div b (gcd a b)))
 end

type row = Big_int_Z.big_int * Big_int_Z.big_int list

type sense =
| Zero
| Least
| Above

type system = (sense * row) list

(** val eqs : system -> row list **)

let eqs s =
  flat_map (fun c -> match fst c with
                     | Zero -> (snd c) :: []
                     | _ -> []) s

(** val inequalities : system -> row list **)

let inequalities s =
  flat_map (fun c -> match fst c with
                     | Zero -> []
                     | _ -> (snd c) :: []) s

type layer = { den : Big_int_Z.big_int; units : (bool * row) list }

type network = unit list * (layer list * layer)

(** val inputs : network list -> unit list **)

let inputs nets =
  flat_map fst nets

type claim =
| Regions of bool * Big_int_Z.big_int * network * system
| Property of bool * network list * system * system list
| Equal of bool * network * network * system

(** val dimension : claim -> unit list **)

let dimension = function
| Regions (_, _, net, _) -> fst net
| Property (_, nets, _, _) -> inputs nets
| Equal (_, a, _, _) -> fst a

type vector = Big_int_Z.big_int * Big_int_Z.big_int list

type letter =
| Plus
| Minus
| Null
| Straight

type statement =
| Claimed of claim
| Nonempty of bool * unit list * system
| Value of network * vector * vector * letter list list
| In_range of bool * network * vector * system
| Within of bool * network * network
   * (Big_int_Z.big_int * Big_int_Z.big_int) * system
| Largest of bool * network * network
   * (Big_int_Z.big_int * Big_int_Z.big_int) * system
| Unbounded of network * network * system
| Rank of Big_int_Z.big_int list list * Big_int_Z.big_int
| Transparent of bool * network * system
| Not_injective of network * unit list * unit list * system
| Layer_not_injective of network * unit list * unit list * system

type cond = bool * row

(** val axpy :
    Big_int_Z.big_int -> Big_int_Z.big_int list -> Big_int_Z.big_int list ->
    Big_int_Z.big_int list **)

let rec axpy k a acc =
  match a with
  | [] -> acc
  | q :: a' ->
    (match acc with
     | [] -> (Z.mul k q) :: (axpy k a' [])
     | r :: acc' -> (Z.add (Z.mul k q) r) :: (axpy k a' acc'))

(** val fadd : Big_int_Z.big_int -> row -> row -> row **)

let fadd k f acc =
  ((Z.add (Z.mul k (fst f)) (fst acc)), (axpy k (snd f) (snd acc)))

(** val fneg : row -> row **)

let fneg f =
  ((Z.opp (fst f)), (map Z.opp (snd f)))

(** val zeros : Big_int_Z.big_int list -> bool **)

let zeros a =
  forallb (fun q -> Z.eqb q Big_int_Z.zero_big_int) a

(** val zero : row **)

let zero =
  (Big_int_Z.zero_big_int, [])

(** val comb :
    (Big_int_Z.big_int * cond) list -> row -> bool -> (row * bool) option **)

let rec comb us acc strict =
  match us with
  | [] -> Some (acc, strict)
  | p0 :: us' ->
    let (m, c) = p0 in
    let (s, f) = c in
    if Z.ltb m Big_int_Z.zero_big_int
    then None
    else if Z.eqb m Big_int_Z.zero_big_int
         then comb us' acc strict
         else comb us' (fadd m f acc) ((||) s strict)

(** val refutes : (Big_int_Z.big_int * cond) list -> bool **)

let refutes us =
  match comb us zero false with
  | Some p0 ->
    let (g, st) = p0 in
    (&&) (zeros (snd g))
      (if st
       then Z.leb (fst g) Big_int_Z.zero_big_int
       else Z.ltb (fst g) Big_int_Z.zero_big_int)
  | None -> false

(** val signed :
    bool -> (Big_int_Z.big_int * cond) list -> bool -> Big_int_Z.big_int ->
    row -> bool **)

let signed strict us up w f =
  (&&) (Z.ltb Big_int_Z.zero_big_int w)
    (match comb us (fadd (if up then Z.opp w else w) f zero) false with
     | Some p0 ->
       let (g, st) = p0 in
       (&&) ((&&) (zeros (snd g)) (Z.leb (fst g) Big_int_Z.zero_big_int))
         ((||) ((||) (negb strict) st) (Z.ltb (fst g) Big_int_Z.zero_big_int))
     | None -> false)

(** val fits : Big_int_Z.big_int list -> 'a1 list -> bool **)

let rec fits a n =
  match a with
  | [] -> true
  | _ :: a' -> (match n with
                | [] -> false
                | _ :: n' -> fits a' n')

(** val zdot :
    Big_int_Z.big_int list -> Big_int_Z.big_int list -> Big_int_Z.big_int **)

let rec zdot a p0 =
  match a with
  | [] -> Big_int_Z.zero_big_int
  | q :: a' ->
    (match p0 with
     | [] -> Big_int_Z.zero_big_int
     | v :: p' -> Z.add (Z.mul q v) (zdot a' p'))

(** val zval :
    row -> Big_int_Z.big_int -> Big_int_Z.big_int list -> Big_int_Z.big_int **)

let zval f d p0 =
  Z.add (Z.mul (fst f) d) (zdot (snd f) p0)

(** val same_len : 'a1 list -> 'a2 list -> bool **)

let rec same_len p0 n =
  match p0 with
  | [] -> (match n with
           | [] -> true
           | _ :: _ -> false)
  | _ :: p' -> (match n with
                | [] -> false
                | _ :: n' -> same_len p' n')

(** val positive0 :
    Big_int_Z.big_int -> Big_int_Z.big_int list -> cond -> bool **)

let positive0 d p0 k =
  Z.ltb Big_int_Z.zero_big_int (zval (snd k) d p0)

(** val witness :
    'a1 list -> cond list -> Big_int_Z.big_int -> Big_int_Z.big_int list ->
    bool **)

let witness n ks d p0 =
  (&&) ((&&) (Z.ltb Big_int_Z.zero_big_int d) (same_len p0 n))
    (forallb (positive0 d p0) ks)

(** val nthz : 'a1 list -> Big_int_Z.big_int -> 'a1 option **)

let rec nthz l i =
  match l with
  | [] -> None
  | x :: l' ->
    if Z.eqb i Big_int_Z.zero_big_int then Some x else nthz l' (Z.pred i)

(** val zlen : Big_int_Z.big_int -> 'a1 list -> Big_int_Z.big_int **)

let rec zlen k = function
| [] -> k
| _ :: u' -> zlen (Z.succ k) u'

(** val all_some : ('a1 -> 'a2 option) -> 'a1 list -> 'a2 list option **)

let rec all_some g = function
| [] -> Some []
| a :: l' ->
  (match g a with
   | Some b ->
     (match all_some g l' with
      | Some m -> Some (b :: m)
      | None -> None)
   | None -> None)

(** val cross :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int list **)

let cross a1 a2 a3 b1 b2 b3 =
  (Z.sub (Z.mul a2 b3) (Z.mul a3 b2)) :: ((Z.sub (Z.mul a3 b1) (Z.mul a1 b3)) :: (
    (Z.sub (Z.mul a1 b2) (Z.mul a2 b1)) :: []))

(** val edges :
    cond list -> (Big_int_Z.big_int * Big_int_Z.big_int list list) option **)

let edges = function
| [] -> None
| c :: l ->
  let (_, r) = c in
  let (_, l0) = r in
  (match l0 with
   | [] -> None
   | a1 :: l1 ->
     (match l1 with
      | [] -> None
      | a2 :: l2 ->
        (match l2 with
         | [] ->
           (match l with
            | [] -> None
            | c0 :: l3 ->
              let (_, r0) = c0 in
              let (_, l4) = r0 in
              (match l4 with
               | [] -> None
               | b1 :: l5 ->
                 (match l5 with
                  | [] -> None
                  | b2 :: l6 ->
                    (match l6 with
                     | [] ->
                       (match l3 with
                        | [] ->
                          Some ((Z.sub (Z.mul a1 b2) (Z.mul a2 b1)),
                            ((b2 :: ((Z.opp b1) :: [])) :: (((Z.opp a2) :: (a1 :: [])) :: [])))
                        | _ :: _ -> None)
                     | _ :: _ -> None))))
         | a3 :: l3 ->
           (match l3 with
            | [] ->
              (match l with
               | [] -> None
               | c0 :: l4 ->
                 let (_, r0) = c0 in
                 let (_, l5) = r0 in
                 (match l5 with
                  | [] -> None
                  | b1 :: l6 ->
                    (match l6 with
                     | [] -> None
                     | b2 :: l7 ->
                       (match l7 with
                        | [] -> None
                        | b3 :: l8 ->
                          (match l8 with
                           | [] ->
                             (match l4 with
                              | [] -> None
                              | c4 :: l9 ->
                                let (_, r1) = c4 in
                                let (_, l10) = r1 in
                                (match l10 with
                                 | [] -> None
                                 | c1 :: l11 ->
                                   (match l11 with
                                    | [] -> None
                                    | c2 :: l12 ->
                                      (match l12 with
                                       | [] -> None
                                       | c3 :: l13 ->
                                         (match l13 with
                                          | [] ->
                                            (match l9 with
                                             | [] ->
                                               let p0 =
                                                 ((cross b1 b2 b3 c1 c2 c3),
                                                 (cross c1 c2 c3 a1 a2 a3))
                                               in
                                               let w = cross a1 a2 a3 b1 b2 b3
                                               in
                                               let (u, v) = p0 in
                                               Some
                                               ((zdot
                                                  (a1 :: (a2 :: (a3 :: [])))
                                                  u), (u :: (v :: (w :: []))))
                                             | _ :: _ -> None)
                                          | _ :: _ -> None)))))
                           | _ :: _ -> None)))))
            | _ :: _ -> None))))

(** val outward :
    (Big_int_Z.big_int * Big_int_Z.big_int list list) ->
    Big_int_Z.big_int * Big_int_Z.big_int list list **)

let outward e =
  if Z.ltb (fst e) Big_int_Z.zero_big_int
  then ((Z.opp (fst e)), (map (map Z.opp) (snd e)))
  else e

(** val left_over :
    Big_int_Z.big_int list -> Big_int_Z.big_int list list -> cond list ->
    Big_int_Z.big_int -> bool -> (Big_int_Z.big_int * bool) option **)

let rec left_over a es cone c st =
  match es with
  | [] -> Some (c, st)
  | e :: es' ->
    (match cone with
     | [] -> Some (c, st)
     | c0 :: cone' ->
       let (s, g) = c0 in
       let m = zdot a e in
       if Z.ltb m Big_int_Z.zero_big_int
       then None
       else left_over a es' cone' (Z.sub c (Z.mul m (fst g)))
              ((||) st ((&&) s (Z.ltb Big_int_Z.zero_big_int m))))

(** val signed_by :
    bool -> cond list -> (Big_int_Z.big_int * Big_int_Z.big_int list list) ->
    bool -> row -> bool **)

let signed_by strict cone e up f =
  let g = if up then f else fneg f in
  (&&) ((&&) (Z.ltb Big_int_Z.zero_big_int (fst e)) (fits (snd g) cone))
    (match left_over (snd g) (snd e) cone (Z.mul (fst e) (fst g)) false with
     | Some p0 ->
       let (c, st) = p0 in
       (&&) (Z.leb Big_int_Z.zero_big_int c)
         ((||) ((||) (negb strict) st) (Z.ltb Big_int_Z.zero_big_int c))
     | None -> false)

type sign =
| Off
| On
| Lin
| Undecided

type node = { path : cond list; depth : Big_int_Z.big_int;
              past : (row * sign) list list; now : (row * sign) list;
              base : Big_int_Z.big_int; factor : Big_int_Z.big_int;
              ahead : row list; rest : layer list }

type record =
| Split of Big_int_Z.big_int
| Sides of Big_int_Z.big_int list * (Big_int_Z.big_int * bool) list
| Side of Big_int_Z.big_int * bool * Big_int_Z.big_int
   * (Big_int_Z.big_int * Big_int_Z.big_int) list
| Empty of (Big_int_Z.big_int * Big_int_Z.big_int) list
| Cut of row
| Known of (Big_int_Z.big_int * bool) list

(** val is_undecided : sign -> bool **)

let is_undecided = function
| Undecided -> true
| _ -> false

(** val decided : (row * sign) list -> bool **)

let decided es =
  forallb (fun e -> negb (is_undecided (snd e))) es

(** val sign_of : bool -> sign **)

let sign_of = function
| true -> On
| false -> Off

(** val lin : Big_int_Z.big_int list -> row option list -> row -> row **)

let rec lin w os acc =
  match w with
  | [] -> acc
  | k :: w' ->
    (match os with
     | [] -> acc
     | o :: os' ->
       (match o with
        | Some f -> lin w' os' (fadd k f acc)
        | None -> lin w' os' acc))

(** val act : (row * sign) -> row option **)

let act e =
  match snd e with
  | Off -> None
  | _ -> Some (fst e)

(** val first_sign : bool -> row -> sign **)

let first_sign l f =
  if l
  then Lin
  else if zeros (snd f)
       then sign_of (Z.ltb Big_int_Z.zero_big_int (fst f))
       else Undecided

(** val sums :
    ((row * sign) -> row option) -> layer -> (row * sign) list ->
    Big_int_Z.big_int -> row list **)

let sums choose l es fac =
  let os = map choose es in
  map (fun u -> lin (snd (snd u)) os ((Z.mul fac (fst (snd u))), [])) l.units

(** val add_sums :
    (bool * row) list -> row option list -> row list -> row list **)

let rec add_sums us os ah =
  match us with
  | [] -> []
  | u :: us' ->
    (match ah with
     | [] -> []
     | a :: ah' -> (lin (snd (snd u)) os a) :: (add_sums us' os ah'))

(** val settled_act : (row * sign) -> row option **)

let settled_act e =
  match snd e with
  | Off -> None
  | Undecided -> None
  | _ -> Some (fst e)

(** val begun :
    layer list -> (row * sign) list -> Big_int_Z.big_int -> row list **)

let begun rs es fac =
  match rs with
  | [] -> []
  | l :: _ -> sums settled_act l es fac

(** val enter : (bool * row) list -> row list -> (row * sign) list **)

let rec enter us ah =
  match us with
  | [] -> []
  | u :: us' ->
    (match ah with
     | [] -> []
     | a :: ah' -> (a, (first_sign (fst u) a)) :: (enter us' ah'))

(** val advance :
    layer list -> (row * sign) list list -> (row * sign) list ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> row list -> (((((row * sign)
    list list * (row * sign)
    list) * Big_int_Z.big_int) * Big_int_Z.big_int) * row list) * layer list **)

let rec advance rs past0 es b fac ah =
  match rs with
  | [] -> (((((past0, es), b), fac), ah), rs)
  | l :: rs' ->
    if decided es
    then let es' = enter l.units ah in
         let fac' = Z.mul fac l.den in
         advance rs' (es :: past0) es' (zlen b es) fac' (begun rs' es' fac')
    else (((((past0, es), b), fac), ah), rs)

(** val lookup :
    Big_int_Z.big_int -> (Big_int_Z.big_int * bool) list -> bool option **)

let rec lookup k = function
| [] -> None
| p0 :: ds' -> let (j, s) = p0 in if Z.eqb j k then Some s else lookup k ds'

(** val mark :
    (row * sign) list -> Big_int_Z.big_int -> (Big_int_Z.big_int * bool) list
    -> (row * sign) list **)

let rec mark es k ds =
  match es with
  | [] -> []
  | p0 :: es' ->
    let (f, o) = p0 in
    (f,
    (match o with
     | Undecided -> (match lookup k ds with
                     | Some s -> sign_of s
                     | None -> o)
     | _ -> o)) :: (mark es' (Z.succ k) ds)

(** val fresh : (row * sign) list -> (row * sign) list -> row option list **)

let rec fresh es es' =
  match es with
  | [] -> []
  | p0 :: r ->
    let (f, o) = p0 in
    (match es' with
     | [] -> []
     | p1 :: r' ->
       let (_, o') = p1 in
       (match o with
        | Undecided -> (match o' with
                        | On -> Some f
                        | _ -> None)
        | _ -> None) :: (fresh r r'))

(** val grown :
    layer list -> (row * sign) list -> (row * sign) list -> row list -> row
    list **)

let grown rs es es' ah =
  match rs with
  | [] -> []
  | l :: _ -> add_sums l.units (fresh es es') ah

(** val next :
    node -> cond list -> Big_int_Z.big_int -> (Big_int_Z.big_int * bool) list
    -> node **)

let next v ks d ds =
  let es' = mark v.now v.base ds in
  let (p0, rs) =
    advance v.rest v.past es' v.base v.factor (grown v.rest v.now es' v.ahead)
  in
  let (p1, ah) = p0 in
  let (p2, fac) = p1 in
  let (p3, b) = p2 in
  let (pa, es) = p3 in
  { path = ks; depth = d; past = pa; now = es; base = b; factor = fac;
  ahead = ah; rest = rs }

(** val pick : node -> Big_int_Z.big_int -> cond option **)

let pick v r =
  nthz v.path (Z.sub (Z.pred v.depth) r)

(** val chosen :
    node -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * cond) list option **)

let chosen v us =
  all_some (fun u ->
    if Z.ltb Big_int_Z.zero_big_int (snd u)
    then option_map (fun x -> ((snd u), x)) (pick v (fst u))
    else None) us

(** val neuron : node -> Big_int_Z.big_int -> row option **)

let neuron v k =
  match nthz v.now (Z.sub k v.base) with
  | Some p0 ->
    let (f, s) = p0 in (match s with
                        | Undecided -> Some f
                        | _ -> None)
  | None -> None

(** val nonconstant : 'a1 list -> row -> bool **)

let nonconstant n f =
  (&&) (negb (zeros (snd f))) (fits (snd f) n)

(** val finished : node -> bool **)

let finished v =
  match v.rest with
  | [] -> decided v.now
  | _ :: _ -> false

(** val start :
    Big_int_Z.big_int -> row list -> layer list -> cond list -> node **)

let start sc ins ls ks =
  let es0 = map (fun f -> (f, Lin)) ins in
  let (p0, rs) =
    advance ls [] es0 (Z.opp (zlen Big_int_Z.zero_big_int ins)) sc
      (begun ls es0 sc)
  in
  let (p1, ah) = p0 in
  let (p2, fac) = p1 in
  let (p3, b) = p2 in
  let (pa, es) = p3 in
  { path = (rev ks); depth = (zlen Big_int_Z.zero_big_int ks); past = pa;
  now = es; base = b; factor = fac; ahead = ah; rest = rs }

(** val signs_shown :
    bool -> 'a1 list -> (row list -> row list ->
    (Big_int_Z.big_int * Big_int_Z.big_int list list) option) -> cond list ->
    (bool * row) list -> bool **)

let signs_shown open0 n solve cone ts =
  match if same_len cone n then edges cone else None with
  | Some e ->
    let e0 = outward e in
    forallb (fun t -> signed_by open0 cone e0 (fst t) (snd t)) ts
  | None ->
    (match solve (map snd cone)
             (map (fun t -> if fst t then snd t else fneg (snd t)) ts) with
     | Some p0 ->
       let (det, ms) = p0 in
       (&&) (same_len ms ts)
         (forallb (fun tm ->
           signed open0 (combine (snd tm) cone) (fst (fst tm)) det
             (snd (fst tm))) (combine ts ms))
     | None -> false)

(** val visit :
    bool -> 'a1 list -> (row list -> row list ->
    (Big_int_Z.big_int * Big_int_Z.big_int list list) option) ->
    (Big_int_Z.big_int * bool) list -> node -> record -> node list option **)

let visit open0 n solve known_signs v = function
| Split k ->
  (match neuron v k with
   | Some f ->
     if nonconstant n f
     then let part0 = fun g up ->
            next v ((open0, g) :: v.path) (Z.succ v.depth) ((k, up) :: [])
          in
          Some ((part0 (fneg f) false) :: ((part0 f true) :: []))
     else None
   | None -> None)
| Sides (rs, ss) ->
  (match all_some (pick v) rs with
   | Some cone ->
     (match all_some (fun s ->
              option_map (fun x -> ((snd s), x)) (neuron v (fst s))) ss with
      | Some ts ->
        if signs_shown open0 n solve cone ts
        then Some ((next v v.path v.depth ss) :: [])
        else None
      | None -> None)
   | None -> None)
| Side (k, up, w, us) ->
  (match neuron v k with
   | Some f ->
     (match chosen v us with
      | Some cs ->
        if signed open0 cs up w f
        then Some ((next v v.path v.depth ((k, up) :: [])) :: [])
        else None
      | None -> None)
   | None -> None)
| Empty us ->
  (match chosen v us with
   | Some cs -> if refutes cs then Some [] else None
   | None -> None)
| Cut f ->
  if (&&) (negb open0) (nonconstant n f)
  then let part0 = fun g -> { path = ((false, g) :: v.path); depth =
         (Z.succ v.depth); past = v.past; now = v.now; base = v.base;
         factor = v.factor; ahead = v.ahead; rest = v.rest }
       in
       Some ((part0 (fneg f)) :: ((part0 f) :: []))
  else None
| Known ss ->
  let is_known = fun s ->
    match lookup (fst s) known_signs with
    | Some up ->
      (match neuron v (fst s) with
       | Some f -> (&&) (eqb up (snd s)) ((||) (negb open0) (nonconstant n f))
       | None -> false)
    | None -> false
  in
  if forallb is_known ss
  then Some ((next v v.path v.depth ss) :: [])
  else None

(** val dens_ok : layer list -> bool **)

let dens_ok ls =
  forallb (fun l -> Z.ltb Big_int_Z.zero_big_int l.den) ls

(** val pull : Big_int_Z.big_int -> row list -> row -> row **)

let pull sc ins f =
  lin (snd f) (map (fun x -> Some x) ins) ((Z.mul sc (fst f)), [])

(** val unit_rows : 'a1 list -> row list **)

let rec unit_rows = function
| [] -> []
| _ :: n' ->
  (Big_int_Z.zero_big_int,
    (Big_int_Z.unit_big_int :: [])) :: (map (fun f -> ((fst f),
                                         (Big_int_Z.zero_big_int :: (snd f))))
                                         (unit_rows n'))

(** val drop_at : Big_int_Z.big_int list -> 'a1 list -> 'a1 list **)

let rec drop_at m a =
  match m with
  | [] -> (match a with
           | [] -> []
           | _ :: a' -> a')
  | _ :: m' -> (match a with
                | [] -> []
                | x :: a' -> x :: (drop_at m' a'))

(** val entry_at :
    Big_int_Z.big_int list -> Big_int_Z.big_int list -> Big_int_Z.big_int **)

let rec entry_at m a =
  match m with
  | [] -> (match a with
           | [] -> Big_int_Z.zero_big_int
           | q :: _ -> q)
  | _ :: m' ->
    (match a with
     | [] -> Big_int_Z.zero_big_int
     | _ :: a' -> entry_at m' a')

(** val pivot : Big_int_Z.big_int list -> Big_int_Z.big_int list option **)

let rec pivot = function
| [] -> None
| q :: a' ->
  if Z.eqb q Big_int_Z.zero_big_int
  then option_map (fun x -> q :: x) (pivot a')
  else Some []

(** val substituted : Big_int_Z.big_int list -> row -> row -> row **)

let substituted m e f =
  let q = entry_at m (snd e) in
  let g =
    fadd (Z.opp (Z.mul (Z.sgn q) (entry_at m (snd f)))) e
      (fadd (Z.abs q) f zero)
  in
  ((fst g), (drop_at m (snd g)))

(** val primitive : (row -> Big_int_Z.big_int) -> row -> row **)

let primitive common f =
  let g = common f in
  if (&&) (Z.ltb Big_int_Z.zero_big_int g)
       (forallb (fun x -> Z.eqb (Z.mul g (Z.div x g)) x) ((fst f) :: (snd f)))
  then ((Z.div (fst f) g), (map (fun x -> Z.div x g) (snd f)))
  else f

(** val chart :
    (row -> Big_int_Z.big_int) -> row list -> 'a1 list -> Big_int_Z.big_int
    -> row list -> (('a1 list * Big_int_Z.big_int) * row list) option **)

let rec chart common es d sc ins =
  match es with
  | [] -> Some ((d, sc), ins)
  | e :: es' ->
    let g = primitive common (pull sc ins e) in
    (match pivot (snd g) with
     | Some m ->
       if fits (snd g) d
       then chart common es' (drop_at m d)
              (Z.mul sc (Z.abs (entry_at m (snd g))))
              (map (substituted m g) ins)
       else None
     | None ->
       if Z.eqb (fst g) Big_int_Z.zero_big_int
       then chart common es' d sc ins
       else None)

type ends = Big_int_Z.big_int option * Big_int_Z.big_int option

type box = ends list

(** val p : Big_int_Z.big_int **)

let p =
  (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    Big_int_Z.unit_big_int))))))))))))))))))))))))))))))))))))))))

(** val fdiv : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let fdiv a d =
  let q = Z.div a d in
  if Z.leb (Z.mul d q) a then q else Z.pred (Z.opp (Z.abs a))

(** val least :
    Big_int_Z.big_int list -> box -> Big_int_Z.big_int -> Big_int_Z.big_int
    option **)

let rec least a b acc =
  match a with
  | [] -> Some acc
  | q :: a' ->
    (match b with
     | [] -> if Z.eqb q Big_int_Z.zero_big_int then least a' [] acc else None
     | e :: b' ->
       let (l, h) = e in
       if Z.eqb q Big_int_Z.zero_big_int
       then least a' b' acc
       else (match if Z.ltb Big_int_Z.zero_big_int q then l else h with
             | Some e0 -> least a' b' (Z.add (Z.mul q e0) acc)
             | None -> None))

(** val lowest : row -> box -> Big_int_Z.big_int option **)

let lowest f b =
  least (snd f) b (Z.mul p (fst f))

(** val end_rows : Big_int_Z.big_int list -> box -> row list **)

let rec end_rows pre = function
| [] -> []
| e :: b' ->
  let (l, h) = e in
  app
    (match l with
     | Some e0 -> ((Z.opp e0), (app pre (p :: []))) :: []
     | None -> [])
    (app
      (match h with
       | Some e0 -> (e0, (app pre ((Z.opp p) :: []))) :: []
       | None -> []) (end_rows (app pre (Big_int_Z.zero_big_int :: [])) b'))

(** val total : Big_int_Z.big_int list -> Big_int_Z.big_int **)

let total a =
  fold_right Z.add Big_int_Z.zero_big_int a

(** val shown : cond list -> row -> bool **)

let shown ks g =
  existsb (fun k ->
    signed false ((p, k) :: []) true (Z.abs (total (snd (snd k)))) g) ks

(** val bounded : 'a1 list -> cond list -> box -> bool **)

let bounded n ks b =
  (&&) (same_len b n) (forallb (shown ks) (end_rows [] b))

type info = { lo : Big_int_Z.big_int option; hi : Big_int_Z.big_int option;
              under : (row * Big_int_Z.big_int) option;
              over : (row * Big_int_Z.big_int) option }

(** val noinfo : info **)

let noinfo =
  { lo = None; hi = None; under = None; over = None }

(** val relaxed :
    Big_int_Z.big_int -> bool -> info ->
    (Big_int_Z.big_int * Big_int_Z.big_int) option **)

let relaxed a lin0 i =
  if Z.eqb a Big_int_Z.zero_big_int
  then Some (Big_int_Z.zero_big_int, Big_int_Z.zero_big_int)
  else if lin0
       then Some (a, Big_int_Z.zero_big_int)
       else (match i.hi with
             | Some h ->
               if Z.leb h Big_int_Z.zero_big_int
               then Some (Big_int_Z.zero_big_int, Big_int_Z.zero_big_int)
               else (match i.lo with
                     | Some l ->
                       if Z.leb Big_int_Z.zero_big_int l
                       then Some (a, Big_int_Z.zero_big_int)
                       else let c =
                              if Z.ltb Big_int_Z.zero_big_int a
                              then if Z.leb (Z.opp l) h
                                   then a
                                   else Big_int_Z.zero_big_int
                              else Z.div (Z.mul a h) (Z.sub h l)
                            in
                            Some (c,
                            (Z.min Big_int_Z.zero_big_int
                              (Z.min (Z.opp (Z.mul c l))
                                (Z.mul (Z.sub a c) h))))
                     | None -> None)
             | None ->
               (match i.lo with
                | Some l ->
                  if Z.leb Big_int_Z.zero_big_int l
                  then Some (a, Big_int_Z.zero_big_int)
                  else None
                | None -> None))

(** val relaxes :
    Big_int_Z.big_int list -> (bool * row) list -> info list -> row ->
    Big_int_Z.big_int -> (row * Big_int_Z.big_int) option **)

let rec relaxes w us is acc lost =
  match w with
  | [] -> Some (acc, lost)
  | a :: w' ->
    (match us with
     | [] -> Some (acc, lost)
     | u :: us' ->
       (match relaxed a (fst u) (hd noinfo is) with
        | Some p0 ->
          let (c, m) = p0 in
          relaxes w' us' (tl is)
            (if Z.eqb c Big_int_Z.zero_big_int
             then acc
             else fadd c (snd u) acc) (Z.add m lost)
        | None -> None))

type stack = (layer * info list) list

(** val only_relus : stack -> bool **)

let only_relus = function
| [] -> false
| p0 :: _ -> let (l, _) = p0 in forallb (fun u -> negb (fst u)) l.units

(** val down :
    Big_int_Z.big_int -> row list -> stack -> row -> Big_int_Z.big_int ->
    (row * Big_int_Z.big_int) option **)

let rec down sc ins st f k =
  match st with
  | [] -> Some ((pull sc ins f), (Z.mul sc k))
  | p0 :: st' ->
    let (l, is) = p0 in
    (match relaxes (snd f) l.units is ((Z.mul l.den (fst f)), [])
             Big_int_Z.zero_big_int with
     | Some p1 ->
       let (g, m) = p1 in
       let c = Z.add (fst g) (Z.mul l.den (fdiv m p)) in
       if only_relus st'
       then down sc ins st' ((fdiv c l.den),
              (map (fun a -> fdiv a l.den) (snd g))) k
       else down sc ins st' (c, (snd g)) (Z.mul l.den k)
     | None -> None)

(** val larger :
    Big_int_Z.big_int option -> Big_int_Z.big_int option -> Big_int_Z.big_int
    option **)

let larger a b =
  match a with
  | Some x -> (match b with
               | Some y -> Some (Z.max x y)
               | None -> a)
  | None -> b

(** val smaller :
    Big_int_Z.big_int option -> Big_int_Z.big_int option -> Big_int_Z.big_int
    option **)

let smaller a b =
  match a with
  | Some x -> (match b with
               | Some y -> Some (Z.min x y)
               | None -> a)
  | None -> b

(** val end_of :
    (row * Big_int_Z.big_int) option -> box -> Big_int_Z.big_int option **)

let end_of f b =
  match f with
  | Some p0 -> let (g, k) = p0 in option_map (fun m -> fdiv m k) (lowest g b)
  | None -> None

(** val narrow : box -> info -> info **)

let narrow b i =
  { lo = (larger i.lo (end_of i.under b)); hi =
    (smaller i.hi (option_map Z.opp (end_of i.over b))); under = i.under;
    over = i.over }

(** val fINE : Big_int_Z.big_int **)

let fINE =
  (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    Big_int_Z.unit_big_int))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))

(** val is_none : 'a1 option -> bool **)

let is_none = function
| Some _ -> false
| None -> true

(** val finite : box -> bool **)

let finite b =
  forallb (fun e -> (&&) (negb (is_none (fst e))) (negb (is_none (snd e)))) b

(** val at_most : Big_int_Z.big_int option -> Big_int_Z.big_int -> bool **)

let at_most e z0 =
  match e with
  | Some h -> Z.leb h z0
  | None -> false

(** val at_least : Big_int_Z.big_int option -> Big_int_Z.big_int -> bool **)

let at_least e z0 =
  match e with
  | Some h -> Z.leb z0 h
  | None -> false

(** val scaled : Big_int_Z.big_int -> row -> row **)

let scaled k f =
  fadd k f zero

(** val bound1 :
    Big_int_Z.big_int -> row list -> stack -> box -> layer -> (bool * row) ->
    info -> info option **)

let bound1 sc ins st b l u i =
  let signed0 =
    if fst u
    then negb (is_none i.lo)
    else (||) (at_least i.lo Big_int_Z.zero_big_int)
           (at_most i.hi Big_int_Z.zero_big_int)
  in
  if signed0
  then Some i
  else (match down sc ins st (scaled (Z.opp fINE) (snd u)) (Z.mul fINE l.den) with
        | Some o ->
          let i' =
            narrow b { lo = i.lo; hi = i.hi; under = i.under; over = (Some
              o) }
          in
          if (&&) (negb (fst u)) (at_most i'.hi Big_int_Z.zero_big_int)
          then Some i'
          else (match down sc ins st (scaled fINE (snd u)) (Z.mul fINE l.den) with
                | Some f ->
                  Some
                    (narrow b { lo = i'.lo; hi = i'.hi; under = (Some f);
                      over = (Some o) })
                | None -> None)
        | None -> None)

(** val bound_units :
    Big_int_Z.big_int -> row list -> stack -> box -> layer -> (bool * row)
    list -> info list -> info list option **)

let rec bound_units sc ins st b l us is =
  match us with
  | [] -> Some []
  | u :: us' ->
    (match bound1 sc ins st b l u (hd noinfo is) with
     | Some i ->
       (match bound_units sc ins st b l us' (tl is) with
        | Some r -> Some (i :: r)
        | None -> None)
     | None -> None)

type infos = info list list

(** val stacked : layer list -> infos -> stack -> stack **)

let rec stacked ls is st =
  match ls with
  | [] -> st
  | l :: ls' -> stacked ls' (tl is) ((l, (hd [] is)) :: st)

(** val anchored :
    Big_int_Z.big_int -> row list -> layer list -> infos -> stack -> box ->
    infos option **)

let rec anchored sc ins ls is st b =
  match ls with
  | [] -> Some []
  | l :: ls' ->
    (match bound_units sc ins st b l l.units (hd [] is) with
     | Some i ->
       option_map (fun x -> i :: x)
         (anchored sc ins ls' (tl is) ((l, i) :: st) b)
     | None -> None)

(** val narrowed : box -> infos -> infos **)

let narrowed b is =
  map (map (narrow b)) is

(** val settled_units :
    (bool * row) list -> info list -> (bool * row) list **)

let rec settled_units us is =
  match us with
  | [] -> []
  | u :: us' ->
    (let i = hd noinfo is in
     if fst u
     then u
     else if at_least i.lo Big_int_Z.zero_big_int
          then (true, (snd u))
          else if at_most i.hi Big_int_Z.zero_big_int then (true, zero) else u) :: 
      (settled_units us' (tl is))

(** val settled : layer list -> infos -> layer list **)

let rec settled ls is =
  match ls with
  | [] -> []
  | l :: ls' ->
    { den = l.den; units =
      (settled_units l.units (hd [] is)) } :: (settled ls' (tl is))

type line =
| Visit of record
| Cell of Big_int_Z.big_int * Big_int_Z.big_int list

(** val step :
    'a1 list -> (row list -> row list ->
    (Big_int_Z.big_int * Big_int_Z.big_int list list) option) ->
    (Big_int_Z.big_int * bool) list -> (node list * Big_int_Z.big_int) ->
    line -> (node list * Big_int_Z.big_int) option **)

let step n solve known_signs st l =
  match fst st with
  | [] -> None
  | v :: vs ->
    (match l with
     | Visit r ->
       option_map (fun ps -> ((app ps vs), (snd st)))
         (visit true n solve known_signs v r)
     | Cell (d, p0) ->
       if (&&) (finished v) (witness n v.path d p0)
       then Some (vs, (Z.succ (snd st)))
       else None)

(** val is_inside :
    'a1 list -> row list -> row list -> Big_int_Z.big_int ->
    Big_int_Z.big_int list -> bool **)

let is_inside n eqs0 ineqs d p0 =
  (&&)
    ((&&) ((&&) (Z.ltb Big_int_Z.zero_big_int d) (same_len p0 n))
      (forallb (fun e -> Z.eqb (zval e d p0) Big_int_Z.zero_big_int) eqs0))
    (forallb (fun f -> Z.ltb Big_int_Z.zero_big_int (zval f d p0)) ineqs)

(** val conditions :
    row list -> Big_int_Z.big_int -> row list -> cond list **)

let conditions ineqs sc ins =
  (true, (Big_int_Z.unit_big_int,
    [])) :: (map (fun f -> (true, (pull sc ins f))) ineqs)

(** val placed :
    'a1 list -> (row -> Big_int_Z.big_int) -> row list -> row list -> layer
    list -> Big_int_Z.big_int -> Big_int_Z.big_int list -> (('a1
    list * Big_int_Z.big_int) * row list) option **)

let placed n common eqs0 ineqs ls d p0 =
  if (&&) (dens_ok ls) (is_inside n eqs0 ineqs d p0)
  then chart common eqs0 n Big_int_Z.unit_big_int (unit_rows n)
  else None

(** val root :
    row list -> layer list -> Big_int_Z.big_int -> row list -> node **)

let root ineqs ls sc ins =
  start sc ins ls (conditions ineqs sc ins)

(** val pad : 'a1 list -> Big_int_Z.big_int list -> Big_int_Z.big_int list **)

let rec pad n a =
  match n with
  | [] -> []
  | _ :: n' ->
    (match a with
     | [] -> Big_int_Z.zero_big_int :: (pad n' [])
     | q :: a' -> q :: (pad n' a'))

(** val cut_at :
    'a1 list -> Big_int_Z.big_int list -> Big_int_Z.big_int
    list * Big_int_Z.big_int list **)

let rec cut_at n a =
  match n with
  | [] -> ([], a)
  | _ :: n' ->
    (match a with
     | [] -> ([], [])
     | q :: a' -> let (b, c) = cut_at n' a' in ((q :: b), c))

(** val strict_of : sense -> bool option **)

let strict_of = function
| Zero -> None
| Least -> Some false
| Above -> Some true

(** val base_rows : Big_int_Z.big_int -> row list -> system -> cond list **)

let base_rows sc ins dom =
  (true, (Big_int_Z.unit_big_int,
    [])) :: (flat_map (fun c ->
              match strict_of (fst c) with
              | Some s -> (s, (pull sc ins (snd c))) :: []
              | None -> []) dom)

(** val case_row :
    'a1 list -> Big_int_Z.big_int -> row list -> (sense * row) -> bool
    option * (row * Big_int_Z.big_int list) **)

let case_row n sc ins c =
  let (a, w) = cut_at n (snd (snd c)) in
  ((strict_of (fst c)), ((pull sc ins ((fst (snd c)), a)), w))

(** val weigh :
    (bool option * row) -> Big_int_Z.big_int -> (Big_int_Z.big_int * cond)
    option **)

let weigh e m =
  match fst e with
  | Some s ->
    if Z.ltb Big_int_Z.zero_big_int m then Some (m, (s, (snd e))) else None
  | None ->
    Some
      (if Z.ltb m Big_int_Z.zero_big_int
       then ((Z.opp m), (false, (fneg (snd e))))
       else (m, (false, (snd e))))

(** val given : cond -> bool option * row **)

let given k =
  ((Some (fst k)), (snd k))

(** val weighed :
    (Big_int_Z.big_int -> (bool option * row) option) ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * cond) list option **)

let weighed table us =
  all_some (fun u ->
    match table (fst u) with
    | Some e -> weigh e (snd u)
    | None -> None) us

(** val over_both : 'a1 list -> (row * Big_int_Z.big_int list) -> row **)

let over_both dims r =
  ((fst (fst r)), (app (pad dims (snd (fst r))) (snd r)))

(** val leaf_table :
    'a1 list -> 'a2 list -> Big_int_Z.big_int -> row list -> system -> system
    -> (bool option * row) list **)

let leaf_table n dims sc ins dom c =
  app
    (map given
      (map (fun k -> ((fst k), (over_both dims ((snd k), []))))
        (base_rows sc ins dom)))
    (map (fun e -> ((fst e), (over_both dims (snd e))))
      (map (case_row n sc ins) c))

(** val leaf_case :
    'a1 list -> 'a2 list -> Big_int_Z.big_int -> row list -> layer list ->
    layer -> system -> infos -> box -> system ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> bool **)

let leaf_case n dims sc ins hidden last dom is b c us =
  match weighed (nthz (leaf_table n dims sc ins dom c)) us with
  | Some r ->
    (match comb r zero false with
     | Some p0 ->
       let (r0, st) = p0 in
       let (g0, ga) = r0 in
       let (a, w) = cut_at dims ga in
       let out = lin w (map (fun u -> Some (snd u)) last.units) zero in
       (match down sc ins (stacked hidden is [])
                (scaled (Z.opp (Z.mul sc fINE)) out) fINE with
        | Some p1 ->
          let (f, k) = p1 in
          (match lowest (fadd (Z.opp (Z.mul k last.den)) (g0, a) f) b with
           | Some m ->
             if st
             then Z.leb Big_int_Z.zero_big_int m
             else Z.ltb Big_int_Z.zero_big_int m
           | None -> false)
        | None -> false)
     | None -> false)
  | None -> false

(** val scale_of : layer list -> Big_int_Z.big_int **)

let scale_of ls =
  fold_right (fun l k -> Z.mul l.den k) Big_int_Z.unit_big_int ls

(** val never_case :
    'a1 list -> Big_int_Z.big_int -> row list -> layer list -> layer -> node
    -> system -> (Big_int_Z.big_int * Big_int_Z.big_int) list -> bool **)

let never_case n sc ins hidden last v c us =
  let d = Z.mul (scale_of hidden) last.den in
  let outs0 = map (fun x -> Some x) (sums act last v.now v.factor) in
  let rows0 =
    map (fun c0 ->
      let (s, p0) = case_row n sc ins c0 in
      let (f, w) = p0 in (s, (lin w outs0 (fadd d f zero)))) c
  in
  let table = fun i ->
    if Z.ltb i v.depth
    then option_map given (pick v i)
    else nthz rows0 (Z.sub i v.depth)
  in
  (&&) ((&&) (finished v) (Z.eqb (Z.mul v.factor last.den) (Z.mul sc d)))
    (match weighed table us with
     | Some r -> refutes r
     | None -> false)

(** val forall2b : ('a1 -> 'a2 -> bool) -> 'a1 list -> 'a2 list -> bool **)

let rec forall2b f u v =
  match u with
  | [] -> (match v with
           | [] -> true
           | _ :: _ -> false)
  | a :: u' ->
    (match v with
     | [] -> false
     | b :: v' -> (&&) (f a b) (forall2b f u' v'))

type item =
| Box of box * infos
| Cell0 of node

type bline =
| BCut of unit list * Big_int_Z.big_int
| BAnchor
| BLeaf of (Big_int_Z.big_int * Big_int_Z.big_int) list list
| BCells
| BVisit of record
| BNever of (Big_int_Z.big_int * Big_int_Z.big_int) list list

(** val part : unit list -> box -> Big_int_Z.big_int -> (box * box) option **)

let rec part m b v =
  match m with
  | [] ->
    (match b with
     | [] -> None
     | e :: b' ->
       let (l, h) = e in
       if (&&) (match l with
                | Some e0 -> Z.leb e0 v
                | None -> true)
            (match h with
             | Some e0 -> Z.leb v e0
             | None -> true)
       then Some (((l, (Some v)) :: b'), (((Some v), h) :: b'))
       else None)
  | _ :: m' ->
    (match b with
     | [] -> None
     | e :: b' ->
       (match part m' b' v with
        | Some p0 -> let (p1, q) = p0 in Some ((e :: p1), (e :: q))
        | None -> None))

(** val cells_root :
    Big_int_Z.big_int -> row list -> layer list -> system -> box -> infos ->
    node **)

let cells_root sc ins hidden dom b is =
  start sc ins (settled hidden is)
    (app (base_rows sc ins dom) (map (fun x -> (false, x)) (end_rows [] b)))

(** val walk :
    'a1 list -> 'a2 list -> Big_int_Z.big_int -> row list -> (row list -> row
    list -> (Big_int_Z.big_int * Big_int_Z.big_int list list) option) ->
    layer list -> layer -> system -> system list -> item list -> bline ->
    item list option **)

let walk n dims sc ins solve hidden last dom cases st l =
  match st with
  | [] -> None
  | i :: st' ->
    (match i with
     | Box (b, is) ->
       (match l with
        | BCut (m, v) ->
          (match part m b v with
           | Some p0 ->
             let (p1, q) = p0 in
             Some ((Box (p1, is)) :: ((Box (q, is)) :: st'))
           | None -> None)
        | BAnchor ->
          if finite b
          then option_map (fun i0 -> (Box (b, i0)) :: st')
                 (anchored sc ins hidden (narrowed b is) [] b)
          else None
        | BLeaf us ->
          if forall2b
               (leaf_case n dims sc ins hidden last dom (narrowed b is) b)
               cases us
          then Some st'
          else None
        | BCells ->
          Some ((Cell0
            (cells_root sc ins hidden dom b (narrowed b is))) :: st')
        | _ -> None)
     | Cell0 v ->
       (match l with
        | BVisit r ->
          option_map (fun ps -> app (map (fun x -> Cell0 x) ps) st')
            (visit false dims solve [] v r)
        | BNever us ->
          if forall2b (never_case n sc ins hidden last v) cases us
          then Some st'
          else None
        | _ -> None))

(** val opened :
    'a1 list -> (row -> Big_int_Z.big_int) -> layer list -> layer -> system
    -> Big_int_Z.big_int -> Big_int_Z.big_int list -> (('a1
    list * Big_int_Z.big_int) * row list) option **)

let opened n common hidden last dom d p0 =
  if (&&) ((&&) (dens_ok hidden) (Z.ltb Big_int_Z.zero_big_int last.den))
       (is_inside n (eqs dom) (inequalities dom) d p0)
  then chart common (eqs dom) n Big_int_Z.unit_big_int (unit_rows n)
  else None

(** val first_item :
    system -> 'a1 list -> Big_int_Z.big_int -> row list -> box -> item option **)

let first_item dom dims sc ins b =
  if bounded dims (base_rows sc ins dom) b then Some (Box (b, [])) else None

(** val zlayer :
    bool -> layer -> (Big_int_Z.big_int * Big_int_Z.big_int list) ->
    Big_int_Z.big_int * Big_int_Z.big_int list **)

let zlayer ends0 l = function
| (d, p0) ->
  ((Z.mul d l.den),
    (map (fun u ->
      let z0 = zval (snd u) d p0 in
      if (||) ends0 (fst u) then z0 else Z.max Big_int_Z.zero_big_int z0)
      l.units))

(** val zeval :
    layer list -> layer -> (Big_int_Z.big_int * Big_int_Z.big_int list) ->
    Big_int_Z.big_int * Big_int_Z.big_int list **)

let zeval hidden last dp =
  zlayer true last (fold_left (fun v l -> zlayer false l v) hidden dp)

(** val zmeets :
    Big_int_Z.big_int -> Big_int_Z.big_int list -> (sense * row) -> bool **)

let zmeets d p0 c =
  let z0 = zval (snd c) d p0 in
  (match fst c with
   | Zero -> Z.eqb z0 Big_int_Z.zero_big_int
   | Least -> Z.leb Big_int_Z.zero_big_int z0
   | Above -> Z.ltb Big_int_Z.zero_big_int z0)

(** val point_ok :
    'a1 list -> layer list -> layer -> system -> system list ->
    Big_int_Z.big_int -> Big_int_Z.big_int list -> bool **)

let point_ok n hidden last dom cases d p0 =
  let (e, y) = zeval hidden last (d, p0) in
  let k = Z.div e d in
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&) ((&&) (Z.ltb Big_int_Z.zero_big_int d) (same_len p0 n))
            (dens_ok hidden)) (Z.ltb Big_int_Z.zero_big_int last.den))
        (Z.eqb (Z.mul d k) e)) (forallb (zmeets d p0) dom))
    (existsb (forallb (zmeets e (app (map (Z.mul k) p0) y))) cases)

type atom = row * row

(** val atoms_of : row list -> Big_int_Z.big_int list -> atom list option **)

let rec atoms_of tab pos =
  match tab with
  | [] -> Some []
  | h :: tab' ->
    if fits (snd h) pos
    then option_map (fun x -> (h, (Big_int_Z.zero_big_int,
           (app pos (Big_int_Z.unit_big_int :: [])))) :: x)
           (atoms_of tab' (app pos (Big_int_Z.zero_big_int :: [])))
    else None

type enode = { rows : cond list; many : Big_int_Z.big_int; facts : row list }

type source =
| SRow of Big_int_Z.big_int
| SFact of Big_int_Z.big_int
| SAtom of Big_int_Z.big_int * bool
| SOne

type hint =
| HLinear
| HConst
| HOn of Big_int_Z.big_int * Big_int_Z.big_int * Big_int_Z.big_int
| HOff of Big_int_Z.big_int * Big_int_Z.big_int * Big_int_Z.big_int
| HAtom of Big_int_Z.big_int * Big_int_Z.big_int

type eline =
| EHalf of row
| EFold of row
| ESign of row * Big_int_Z.big_int * (Big_int_Z.big_int * source) list
| EBelow of bool * Big_int_Z.big_int * Big_int_Z.big_int * Big_int_Z.big_int
   * Big_int_Z.big_int * (Big_int_Z.big_int * source) list
| EEmpty of (Big_int_Z.big_int * source) list
| ESame of hint list list * hint list list

(** val equal_rows : row -> row -> bool **)

let equal_rows f g =
  (&&) (Z.eqb (fst f) (fst g))
    (zeros
      (axpy (Big_int_Z.minus_big_int Big_int_Z.unit_big_int) (snd f) (snd g)))

(** val cond_of : atom list -> enode -> source -> cond option **)

let cond_of ats v = function
| SRow r -> nthz v.rows (Z.sub (Z.pred v.many) r)
| SFact i -> option_map (fun x -> (false, x)) (nthz v.facts i)
| SAtom (j, low) ->
  option_map (fun e -> (false,
    (if low
     then snd e
     else fadd (Big_int_Z.minus_big_int Big_int_Z.unit_big_int) (fst e)
            (snd e)))) (nthz ats j)
| SOne -> Some (false, (Big_int_Z.unit_big_int, []))

(** val conds_of :
    atom list -> enode -> (Big_int_Z.big_int * source) list ->
    (Big_int_Z.big_int * cond) list option **)

let conds_of ats v us =
  all_some (fun u ->
    option_map (fun x -> ((fst u), x)) (cond_of ats v (snd u))) us

(** val relu_row : atom list -> enode -> bool -> row -> hint -> row option **)

let relu_row ats v lin0 z0 = function
| HLinear -> if lin0 then Some z0 else None
| HConst ->
  if (&&) (negb lin0) (zeros (snd z0))
  then Some (if Z.leb Big_int_Z.zero_big_int (fst z0) then z0 else zero)
  else None
| HOn (i, c, w) ->
  (match nthz v.facts i with
   | Some f ->
     if (&&)
          ((&&) ((&&) (negb lin0) (Z.ltb Big_int_Z.zero_big_int c))
            (Z.ltb Big_int_Z.zero_big_int w))
          (equal_rows (scaled w z0) (scaled c f))
     then Some z0
     else None
   | None -> None)
| HOff (i, c, w) ->
  (match nthz v.facts i with
   | Some f ->
     if (&&)
          ((&&) ((&&) (negb lin0) (Z.ltb Big_int_Z.zero_big_int c))
            (Z.ltb Big_int_Z.zero_big_int w))
          (equal_rows (scaled w z0) (scaled (Z.opp c) f))
     then Some zero
     else None
   | None -> None)
| HAtom (j, g) ->
  (match nthz ats j with
   | Some a ->
     let (h0, s) = a in
     if (&&) ((&&) (negb lin0) (negb (Z.eqb g Big_int_Z.zero_big_int)))
          (equal_rows z0 (scaled g h0))
     then Some
            (if Z.ltb Big_int_Z.zero_big_int g
             then scaled g s
             else fadd (Z.opp g) s z0)
     else None
   | None -> None)

(** val pre_rows :
    layer -> row list -> Big_int_Z.big_int -> (bool * row) list **)

let pre_rows l is fac =
  map (fun u -> ((fst u),
    (lin (snd (snd u)) (map (fun x -> Some x) is) ((Z.mul fac (fst (snd u))),
      [])))) l.units

(** val relu_rows :
    atom list -> enode -> (bool * row) list -> hint list -> row list option **)

let rec relu_rows ats v zs hs =
  match zs with
  | [] -> (match hs with
           | [] -> Some []
           | _ :: _ -> None)
  | p0 :: zs' ->
    let (b, z0) = p0 in
    (match hs with
     | [] -> None
     | h :: hs' ->
       (match relu_row ats v b z0 h with
        | Some y ->
          (match relu_rows ats v zs' hs' with
           | Some ys -> Some (y :: ys)
           | None -> None)
        | None -> None))

(** val thru :
    atom list -> enode -> layer list -> row list -> Big_int_Z.big_int -> hint
    list list -> (row list * Big_int_Z.big_int) option **)

let rec thru ats v ls is fac hs =
  match ls with
  | [] -> (match hs with
           | [] -> Some (is, fac)
           | _ :: _ -> None)
  | l :: ls' ->
    (match hs with
     | [] -> None
     | h :: hs' ->
       (match relu_rows ats v (pre_rows l is fac) h with
        | Some ys -> thru ats v ls' ys (Z.mul fac l.den) hs'
        | None -> None))

(** val all_same :
    Big_int_Z.big_int -> Big_int_Z.big_int -> (bool * row) list ->
    (bool * row) list -> bool **)

let rec all_same p0 q u v =
  match u with
  | [] -> (match v with
           | [] -> true
           | _ :: _ -> false)
  | p1 :: u' ->
    let (_, f) = p1 in
    (match v with
     | [] -> false
     | p2 :: v' ->
       let (_, g) = p2 in
       (&&) (equal_rows (scaled q f) (scaled p0 g)) (all_same p0 q u' v'))

(** val leaf_ok :
    Big_int_Z.big_int -> row list -> layer list -> layer -> layer list ->
    layer -> atom list -> enode -> hint list list -> hint list list -> bool **)

let leaf_ok sc ins ha la hb lb ats v ga gb =
  match thru ats v ha ins sc ga with
  | Some p0 ->
    let (u, p1) = p0 in
    (match thru ats v hb ins sc gb with
     | Some p2 ->
       let (w, q) = p2 in
       all_same (Z.mul p1 la.den) (Z.mul q lb.den) (pre_rows la u p1)
         (pre_rows lb w q)
     | None -> false)
  | None -> false

(** val estep :
    'a1 list -> Big_int_Z.big_int -> row list -> layer list -> layer -> layer
    list -> layer -> atom list -> enode list -> eline -> enode list option **)

let estep dims sc ins ha la hb lb ats st l =
  match st with
  | [] -> None
  | v :: st' ->
    (match l with
     | EHalf f ->
       if nonconstant dims f
       then let part0 = fun g -> { rows = ((true, g) :: v.rows); many =
              (Z.succ v.many); facts = (g :: v.facts) }
            in
            Some ((part0 (fneg f)) :: ((part0 f) :: st'))
       else None
     | EFold f ->
       let part0 = fun g -> { rows = v.rows; many = v.many; facts =
         (g :: v.facts) }
       in
       Some ((part0 (fneg f)) :: ((part0 f) :: st'))
     | ESign (f, w, us) ->
       (match conds_of ats v us with
        | Some cs ->
          if signed false cs true w f
          then Some ({ rows = v.rows; many = v.many; facts =
                 (f :: v.facts) } :: st')
          else None
        | None -> None)
     | EBelow (neg, j, k, u, w, us) ->
       (match nthz ats j with
        | Some a ->
          let (h, s) = a in
          (match conds_of ats v us with
           | Some cs ->
             let f = fadd (if neg then k else Z.opp k) h (u, []) in
             if (&&)
                  ((&&) (Z.ltb Big_int_Z.zero_big_int k)
                    (Z.leb Big_int_Z.zero_big_int u))
                  (signed false cs true w f)
             then Some ({ rows = v.rows; many = v.many; facts =
                    ((fadd (Z.opp k) s (if neg then f else (u, []))) :: v.facts) } :: st')
             else None
           | None -> None)
        | None -> None)
     | EEmpty us ->
       (match conds_of ats v us with
        | Some cs -> if refutes cs then Some st' else None
        | None -> None)
     | ESame (ga, gb) ->
       if leaf_ok sc ins ha la hb lb ats v ga gb then Some st' else None)

(** val is_leaf : eline -> bool **)

let is_leaf = function
| ESame (_, _) -> true
| _ -> false

(** val eopened :
    'a1 list -> (row -> Big_int_Z.big_int) -> layer list -> layer -> layer
    list -> layer -> system -> Big_int_Z.big_int -> Big_int_Z.big_int list ->
    row list -> (((Big_int_Z.big_int * row list) * atom list) * enode) option **)

let eopened n common ha la hb lb dom d p0 tab =
  if (&&)
       ((&&)
         ((&&) ((&&) (dens_ok ha) (dens_ok hb))
           (Z.ltb Big_int_Z.zero_big_int la.den))
         (Z.ltb Big_int_Z.zero_big_int lb.den))
       (is_inside n (eqs dom) (inequalities dom) d p0)
  then (match chart common (eqs dom) n Big_int_Z.unit_big_int (unit_rows n) with
        | Some p1 ->
          let (p2, ins) = p1 in
          let (dims, sc) = p2 in
          let ks = conditions (inequalities dom) sc ins in
          if (&&) (forallb (fun f -> fits (snd f) dims) ins)
               (forallb (fun k -> fits (snd (snd k)) dims) ks)
          then (match atoms_of tab
                        (map (fun _ -> Big_int_Z.zero_big_int) dims) with
                | Some ats ->
                  Some (((sc, ins), ats), { rows = (rev ks); many =
                    (zlen Big_int_Z.zero_big_int ks); facts = [] })
                | None -> None)
          else None
        | None -> None)
  else None

(** val edims :
    'a1 list -> (row -> Big_int_Z.big_int) -> system -> 'a1 list **)

let edims n common dom =
  match chart common (eqs dom) n Big_int_Z.unit_big_int (unit_rows n) with
  | Some p0 -> let (p1, _) = p0 in let (dims, _) = p1 in dims
  | None -> []

(** val zclosed :
    Big_int_Z.big_int -> Big_int_Z.big_int list -> (sense * row) -> bool **)

let zclosed d p0 c =
  let z0 = zval (snd c) d p0 in
  (match fst c with
   | Zero -> Z.eqb z0 Big_int_Z.zero_big_int
   | _ -> Z.leb Big_int_Z.zero_big_int z0)

(** val crossed :
    Big_int_Z.big_int -> Big_int_Z.big_int list -> Big_int_Z.big_int ->
    Big_int_Z.big_int list -> bool **)

let rec crossed e y f z0 =
  match y with
  | [] -> false
  | a :: y' ->
    (match z0 with
     | [] -> false
     | b :: z' ->
       (||) (negb (Z.eqb (Z.mul a f) (Z.mul b e))) (crossed e y' f z'))

(** val differ_ok :
    'a1 list -> layer list -> layer -> layer list -> layer -> system ->
    Big_int_Z.big_int -> Big_int_Z.big_int list -> bool **)

let differ_ok n ha la hb lb dom d p0 =
  let (e, y) = zeval ha la (d, p0) in
  let (f, z0) = zeval hb lb (d, p0) in
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&) ((&&) (Z.ltb Big_int_Z.zero_big_int d) (same_len p0 n))
              (dens_ok ha)) (dens_ok hb))
          (Z.ltb Big_int_Z.zero_big_int la.den))
        (Z.ltb Big_int_Z.zero_big_int lb.den)) (forallb (zclosed d p0) dom))
    (crossed e y f z0)

type proof_of = Big_int_Z.big_int * (Big_int_Z.big_int * source) list

type wline =
| WForms of eline
| WLeaf of hint list list * hint list list * (proof_of * proof_of) list

(** val beyond :
    (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> row -> row -> row **)

let beyond bound p0 q f g =
  fadd (Z.mul (fst bound) q) f
    (fadd (Z.opp (Z.mul (fst bound) p0)) g
      ((Z.opp (Z.mul (snd bound) (Z.mul p0 q))), []))

(** val never_beyond : atom list -> enode -> row -> proof_of -> bool **)

let never_beyond ats v r u =
  match conds_of ats v (snd u) with
  | Some cs -> refutes (((fst u), (true, r)) :: cs)
  | None -> false

(** val all_near :
    atom list -> (Big_int_Z.big_int * Big_int_Z.big_int) -> enode ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> (bool * row) list ->
    (bool * row) list -> (proof_of * proof_of) list -> bool **)

let rec all_near ats bound v p0 q u w us =
  match u with
  | [] ->
    (match w with
     | [] -> (match us with
              | [] -> true
              | _ :: _ -> false)
     | _ :: _ -> false)
  | p1 :: u' ->
    let (_, f) = p1 in
    (match w with
     | [] -> false
     | p2 :: w' ->
       let (_, g) = p2 in
       (match us with
        | [] -> false
        | p3 :: us' ->
          let (above, below) = p3 in
          (&&)
            ((&&) (never_beyond ats v (beyond bound p0 q f g) above)
              (never_beyond ats v (beyond bound q p0 g f) below))
            (all_near ats bound v p0 q u' w' us')))

(** val near_ok :
    Big_int_Z.big_int -> row list -> layer list -> layer -> layer list ->
    layer -> atom list -> (Big_int_Z.big_int * Big_int_Z.big_int) -> enode ->
    hint list list -> hint list list -> (proof_of * proof_of) list -> bool **)

let near_ok sc ins ha la hb lb ats bound v ga gb us =
  match thru ats v ha ins sc ga with
  | Some p0 ->
    let (u, p1) = p0 in
    (match thru ats v hb ins sc gb with
     | Some p2 ->
       let (w, q) = p2 in
       all_near ats bound v (Z.mul p1 la.den) (Z.mul q lb.den)
         (pre_rows la u p1) (pre_rows lb w q) us
     | None -> false)
  | None -> false

(** val wstep :
    'a1 list -> Big_int_Z.big_int -> row list -> layer list -> layer -> layer
    list -> layer -> atom list -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
    enode list -> wline -> enode list option **)

let wstep dims sc ins ha la hb lb ats bound st l =
  match st with
  | [] ->
    (match l with
     | WForms l0 ->
       if is_leaf l0 then None else estep dims sc ins ha la hb lb ats st l0
     | WLeaf (_, _, _) -> None)
  | v :: st' ->
    (match l with
     | WForms l0 ->
       if is_leaf l0 then None else estep dims sc ins ha la hb lb ats st l0
     | WLeaf (ga, gb, us) ->
       if near_ok sc ins ha la hb lb ats bound v ga gb us
       then Some st'
       else None)

(** val widened : unit list -> Big_int_Z.big_int -> row -> row **)

let widened n k f =
  ((Z.mul k (fst f)), (app (pad n []) (map (Z.mul k) (snd f))))

(** val multiplied : Big_int_Z.big_int -> row -> row **)

let multiplied k f =
  ((Z.mul k (fst f)), (map (Z.mul k) (snd f)))

(** val join_layer : unit list -> layer -> layer -> layer option **)

let join_layer n a b =
  let d = Z.lcm a.den b.den in
  let p0 = Z.div d a.den in
  let q = Z.div d b.den in
  if (&&)
       ((&&)
         ((&&)
           ((&&)
             ((&&)
               ((&&) (Z.ltb Big_int_Z.zero_big_int a.den)
                 (Z.ltb Big_int_Z.zero_big_int b.den))
               (Z.ltb Big_int_Z.zero_big_int p0))
             (Z.ltb Big_int_Z.zero_big_int q)) (Z.eqb (Z.mul p0 a.den) d))
         (Z.eqb (Z.mul q b.den) d))
       (forallb (fun u -> fits (snd (snd u)) n) a.units)
  then Some { den = d; units =
         (app (map (fun u -> ((fst u), (multiplied p0 (snd u)))) a.units)
           (map (fun u -> ((fst u), (widened n q (snd u)))) b.units)) }
  else None

(** val width : layer -> unit list **)

let width l =
  map (fun _ -> ()) l.units

(** val join_nets :
    unit list -> layer list -> layer -> layer list -> layer -> (layer
    list * layer) option **)

let rec join_nets n h1 l1 h2 l2 =
  match h1 with
  | [] ->
    (match h2 with
     | [] -> option_map (fun x -> ([], x)) (join_layer n l1 l2)
     | _ :: _ -> None)
  | a :: h1' ->
    (match h2 with
     | [] -> None
     | b :: h2' ->
       (match join_layer n a b with
        | Some j ->
          (match join_nets (width a) h1' l1 h2' l2 with
           | Some p0 -> let (r, l) = p0 in Some ((j :: r), l)
           | None -> None)
        | None -> None))

(** val all_linear : layer -> layer **)

let all_linear l =
  { den = l.den; units = (map (fun u -> (true, (snd u))) l.units) }

(** val identity : layer -> layer **)

let identity l =
  { den = Big_int_Z.unit_big_int; units =
    (map (fun x -> (false, x)) (unit_rows l.units)) }

(** val idle : unit list -> layer -> layer list * layer **)

let rec idle depth0 last =
  match depth0 with
  | [] -> ([], last)
  | _ :: f ->
    let (r, l) = idle f (identity last) in (((all_linear last) :: r), l)

(** val extend : unit list -> layer list -> layer -> layer list * layer **)

let rec extend depth0 hs last =
  match hs with
  | [] -> idle depth0 last
  | h :: hs' -> let (r, l) = extend (tl depth0) hs' last in ((h :: r), l)

(** val joined : unit list -> network list -> (layer list * layer) option **)

let rec joined depth0 = function
| [] -> None
| n0 :: r ->
  let (n, p0) = n0 in
  let (h, l) = p0 in
  let (h1, l1) = extend depth0 h l in
  (match r with
   | [] -> Some (h1, l1)
   | _ :: _ ->
     (match joined depth0 r with
      | Some p1 -> let (h2, l2) = p1 in join_nets n h1 l1 h2 l2
      | None -> None))

(** val sharper : Big_int_Z.big_int -> Big_int_Z.big_int -> ends -> ends **)

let sharper c q e =
  let v = Z.div (Z.opp c) q in
  if Z.eqb (Z.mul q v) (Z.opp c)
  then if Z.ltb Big_int_Z.zero_big_int q
       then ((Some (match fst e with
                    | Some l -> Z.max l v
                    | None -> v)), (snd e))
       else ((fst e), (Some
              (match snd e with
               | Some h -> Z.min h v
               | None -> v)))
  else e

(** val with_row :
    Big_int_Z.big_int -> Big_int_Z.big_int list -> ends list -> ends list **)

let rec with_row c a es =
  match a with
  | [] -> es
  | q :: a' ->
    (match es with
     | [] -> es
     | e :: es' ->
       if Z.eqb q Big_int_Z.zero_big_int
       then e :: (with_row c a' es')
       else if zeros a' then (sharper c q e) :: es' else es)

(** val coordinate_ends :
    Big_int_Z.big_int -> 'a1 list -> cond list -> ends list **)

let coordinate_ends s n ks =
  fold_left (fun es k -> with_row (Z.mul s (fst (snd k))) (snd (snd k)) es)
    ks (map (fun _ -> (None, None)) n)

(** val lower_end :
    Big_int_Z.big_int list -> ends list -> Big_int_Z.big_int ->
    Big_int_Z.big_int option **)

let rec lower_end a es c =
  match a with
  | [] -> Some c
  | q :: a' ->
    (match es with
     | [] -> Some c
     | e :: es' ->
       if Z.eqb q Big_int_Z.zero_big_int
       then lower_end a' es' c
       else (match if Z.ltb Big_int_Z.zero_big_int q then fst e else snd e with
             | Some v -> lower_end a' es' (Z.add c (Z.mul q v))
             | None -> None))

(** val row_ends : Big_int_Z.big_int -> ends list -> row -> ends **)

let row_ends s es f =
  ((lower_end (snd f) es (Z.mul s (fst f))),
    (option_map Z.opp
      (lower_end (map Z.opp (snd f)) es (Z.opp (Z.mul s (fst f))))))

(** val passed_ends : (bool * row) -> ends -> ends **)

let passed_ends u e =
  if fst u
  then e
  else ((Some
         (match fst e with
          | Some l -> Z.max Big_int_Z.zero_big_int l
          | None -> Big_int_Z.zero_big_int)),
         (option_map (Z.max Big_int_Z.zero_big_int) (snd e)))

(** val sign_shown : ends -> info **)

let sign_shown = function
| (l, o) ->
  (match l with
   | Some l0 ->
     (match o with
      | Some h ->
        if Z.leb h Big_int_Z.zero_big_int
        then { lo = None; hi = (Some Big_int_Z.zero_big_int); under = None;
               over = None }
        else { lo =
               (match l with
                | Some l1 ->
                  if Z.leb Big_int_Z.zero_big_int l1
                  then Some Big_int_Z.zero_big_int
                  else None
                | None -> None); hi = None; under = None; over = None }
      | None ->
        { lo =
          (if Z.leb Big_int_Z.zero_big_int l0
           then Some Big_int_Z.zero_big_int
           else None); hi = None; under = None; over = None })
   | None ->
     (match o with
      | Some h ->
        if Z.leb h Big_int_Z.zero_big_int
        then { lo = None; hi = (Some Big_int_Z.zero_big_int); under = None;
               over = None }
        else { lo =
               (match l with
                | Some l0 ->
                  if Z.leb Big_int_Z.zero_big_int l0
                  then Some Big_int_Z.zero_big_int
                  else None
                | None -> None); hi = None; under = None; over = None }
      | None -> noinfo))

(** val passed_all : (bool * row) list -> ends list -> ends list **)

let rec passed_all us es =
  match us with
  | [] -> []
  | u :: us' ->
    (match es with
     | [] -> []
     | e :: es' -> (passed_ends u e) :: (passed_all us' es'))

(** val by_intervals :
    Big_int_Z.big_int -> layer list -> ends list -> infos **)

let rec by_intervals s ls es =
  match ls with
  | [] -> []
  | l :: ls' ->
    let fs = map (fun u -> row_ends s es (snd u)) l.units in
    (map sign_shown fs) :: (by_intervals (Z.mul s l.den) ls'
                             (passed_all l.units fs))

(** val intervals_of :
    'a1 list -> Big_int_Z.big_int -> row list -> cond list -> layer list ->
    Big_int_Z.big_int -> infos **)

let intervals_of dims sc ins ks hidden s =
  match hidden with
  | [] -> []
  | l :: ls ->
    let es = coordinate_ends s dims ks in
    let fs = map (fun u -> row_ends s es (pull sc ins (snd u))) l.units in
    (map sign_shown fs) :: (by_intervals (Z.mul s (Z.mul sc l.den)) ls
                             (passed_all l.units fs))

(** val both1 : info -> info -> info **)

let both1 i j =
  { lo = (if at_least i.lo Big_int_Z.zero_big_int then i.lo else j.lo); hi =
    (if at_most i.hi Big_int_Z.zero_big_int then i.hi else j.hi); under =
    None; over = None }

(** val both2 : info list -> info list -> info list **)

let rec both2 u v =
  match u with
  | [] -> v
  | i :: u' ->
    (match v with
     | [] -> u
     | j :: v' -> (both1 i j) :: (both2 u' v'))

(** val both : infos -> infos -> infos **)

let rec both u v =
  match u with
  | [] -> v
  | i :: u' -> (match v with
                | [] -> u
                | j :: v' -> (both2 i j) :: (both u' v'))

(** val shows : layer list -> infos -> Big_int_Z.big_int -> bool -> bool **)

let rec shows ls is k up =
  match ls with
  | [] -> false
  | l :: ls' ->
    if Z.ltb k (zlen Big_int_Z.zero_big_int l.units)
    then (match nthz (hd [] is) k with
          | Some i ->
            if up
            then at_least i.lo Big_int_Z.zero_big_int
            else at_most i.hi Big_int_Z.zero_big_int
          | None -> false)
    else shows ls' (tl is) (Z.sub k (zlen Big_int_Z.zero_big_int l.units)) up

(** val closed : Big_int_Z.big_int -> row list -> row list -> cond list **)

let closed sc ins fs =
  map (fun f -> (false, (pull sc ins f))) fs

(** val bounds_of :
    'a1 list -> Big_int_Z.big_int -> row list -> row list -> layer list ->
    Big_int_Z.big_int -> box -> infos option **)

let bounds_of dims sc ins fs hidden s b =
  if Z.ltb Big_int_Z.zero_big_int s
  then let ks = closed sc ins fs in
       let near = intervals_of dims sc ins ks hidden s in
       (match if (&&) (bounded dims ks b) (finite b)
              then anchored sc ins hidden [] [] b
              else None with
        | Some is -> Some (both near is)
        | None -> Some near)
  else None

(** val all_shown :
    layer list -> infos -> (Big_int_Z.big_int * bool) list -> bool **)

let all_shown hidden is ss =
  forallb (fun s -> shows hidden is (fst s) (snd s)) ss

(** val only_here :
    (Big_int_Z.big_int * bool) list -> Big_int_Z.big_int -> info list -> info
    list **)

let rec only_here ss k = function
| [] -> []
| i :: is' ->
  (match lookup k ss with
   | Some _ -> i
   | None -> noinfo) :: (only_here ss (Z.succ k) is')

(** val only :
    (Big_int_Z.big_int * bool) list -> Big_int_Z.big_int -> infos -> infos **)

let rec only ss k = function
| [] -> []
| i :: is' -> (only_here ss k i) :: (only ss (zlen k i) is')

type dline =
| Deeper of record
| Leaf

(** val shows_sign : (row * sign) -> bool -> bool **)

let shows_sign e up =
  match snd e with
  | Off ->
    (||) (negb up)
      ((&&) (zeros (snd (fst e)))
        (Z.eqb (fst (fst e)) Big_int_Z.zero_big_int))
  | On -> up
  | _ -> false

(** val shows_all :
    Big_int_Z.big_int -> node -> (Big_int_Z.big_int * bool) list -> bool **)

let shows_all offset v ss =
  let es = app (concat (rev v.past)) v.now in
  forallb (fun s ->
    match nthz es (Z.add (fst s) offset) with
    | Some e -> shows_sign e (snd s)
    | None -> false) ss

(** val dstep :
    'a1 list -> (row list -> row list ->
    (Big_int_Z.big_int * Big_int_Z.big_int list list) option) ->
    (Big_int_Z.big_int * bool) list -> Big_int_Z.big_int ->
    (Big_int_Z.big_int * bool) list -> node list -> dline -> node list option **)

let dstep dims solve known_signs offset ss st l =
  match st with
  | [] -> None
  | v :: vs ->
    (match l with
     | Deeper r ->
       option_map (fun ps -> app ps vs)
         (visit true dims solve known_signs v r)
     | Leaf -> if shows_all offset v ss then Some vs else None)

(** val infos_here :
    (Big_int_Z.big_int * bool) list -> 'a1 list -> Big_int_Z.big_int -> info
    list **)

let rec infos_here ss us k =
  match us with
  | [] -> []
  | _ :: us' ->
    (match lookup k ss with
     | Some b ->
       if b
       then { lo = (Some Big_int_Z.zero_big_int); hi = None; under = None;
              over = None }
       else { lo = None; hi = (Some Big_int_Z.zero_big_int); under = None;
              over = None }
     | None -> noinfo) :: (infos_here ss us' (Z.succ k))

(** val infos_of :
    (Big_int_Z.big_int * bool) list -> layer list -> Big_int_Z.big_int ->
    infos **)

let rec infos_of ss ls k =
  match ls with
  | [] -> []
  | l :: ls' ->
    (infos_here ss l.units k) :: (infos_of ss ls' (zlen k l.units))

type state =
| Placed of unit list * Big_int_Z.big_int * row list
   * (Big_int_Z.big_int * bool) list
| Deciding of unit list * Big_int_Z.big_int * row list
   * (Big_int_Z.big_int * bool) list * (Big_int_Z.big_int * bool) list
   * node list
| Counted of unit list * (Big_int_Z.big_int * bool) list
   * (node list * Big_int_Z.big_int)
| Rooted of unit list * Big_int_Z.big_int * row list * layer list * layer
| Boxed of unit list * Big_int_Z.big_int * row list * layer list * layer
   * item list
| Opened of Big_int_Z.big_int * Big_int_Z.big_int list * layer list
   * layer list
| Parting of Big_int_Z.big_int * Big_int_Z.big_int list * layer list
   * layer list * bool * unit list * Big_int_Z.big_int * row list
   * (Big_int_Z.big_int * bool) list * node list
| Equated of layer list * layer list * Big_int_Z.big_int * row list
   * atom list * enode list
| Shown

type entry =
| Signs of Big_int_Z.big_int * box * (Big_int_Z.big_int * bool) list
| Decide of bool * (Big_int_Z.big_int * bool) list
| Leaves of dline
| Tree of line
| Root of box
| Boxes of bline
| Atoms of row list
| Forms of eline
| Point of Big_int_Z.big_int * Big_int_Z.big_int list

(** val longest : network list -> unit list **)

let rec longest = function
| [] -> []
| n :: r ->
  let (_, p0) = n in
  let (h, _) = p0 in
  let d = map (fun _ -> ()) h in
  let e = longest r in
  if fits (map (fun _ -> Big_int_Z.zero_big_int) d) e then e else d

(** val side_by_side : network list -> (layer list * layer) option **)

let side_by_side nets =
  joined (longest nets) nets

(** val first_state :
    (row -> Big_int_Z.big_int) -> claim -> Big_int_Z.big_int ->
    Big_int_Z.big_int list -> state option **)

let first_state common c d p0 =
  match c with
  | Regions (_, _, net, dom) ->
    let (n, p1) = net in
    let (hidden, _) = p1 in
    option_map (fun r ->
      let (y, ins) = r in let (dims, sc) = y in Placed (dims, sc, ins, []))
      (placed n common (eqs dom) (inequalities dom) hidden d p0)
  | Property (_, nets, dom, _) ->
    (match side_by_side nets with
     | Some p1 ->
       let (hidden, last) = p1 in
       option_map (fun r ->
         let (y, ins) = r in
         let (dims, sc) = y in Rooted (dims, sc, ins, hidden, last))
         (opened (inputs nets) common hidden last dom d p0)
     | None -> None)
  | Equal (_, a, b, dom) ->
    let (n, p1) = a in
    let (ha, la) = p1 in
    let (_, p2) = b in
    let (hb, lb) = p2 in
    option_map (fun _ -> Opened (d, p0, ha, hb))
      (eopened n common ha la hb lb dom d p0 [])

(** val count_units : layer list -> Big_int_Z.big_int **)

let count_units ls =
  fold_right (fun l k -> zlen k l.units) Big_int_Z.zero_big_int ls

(** val settle_both :
    (row -> Big_int_Z.big_int) -> unit list -> layer list -> layer list ->
    system -> Big_int_Z.big_int -> box -> (Big_int_Z.big_int * bool) list ->
    (layer list * layer list) option **)

let settle_both common n ha hb dom s b ss =
  match chart common (eqs dom) n Big_int_Z.unit_big_int (unit_rows n) with
  | Some p0 ->
    let (p1, ins) = p0 in
    let (dims, sc) = p1 in
    let m = count_units ha in
    let sa = filter (fun s0 -> Z.ltb (fst s0) m) ss in
    let sb =
      map (fun s0 -> ((Z.sub (fst s0) m), (snd s0)))
        (filter (fun s0 -> negb (Z.ltb (fst s0) m)) ss)
    in
    (match bounds_of dims sc ins (inequalities dom) ha s b with
     | Some ia ->
       (match bounds_of dims sc ins (inequalities dom) hb s b with
        | Some ib ->
          if (&&) (all_shown ha ia sa) (all_shown hb ib sb)
          then Some ((settled ha (only sa Big_int_Z.zero_big_int ia)),
                 (settled hb (only sb Big_int_Z.zero_big_int ib)))
          else None
        | None -> None)
     | None -> None)
  | None -> None

(** val next_state :
    (row -> Big_int_Z.big_int) -> (row list -> row list ->
    (Big_int_Z.big_int * Big_int_Z.big_int list list) option) -> claim ->
    state -> entry -> state option **)

let next_state common solve c s l =
  match c with
  | Regions (_, _, net, dom) ->
    let (_, p0) = net in
    let (hidden, _) = p0 in
    (match s with
     | Placed (dims, sc, ins, known) ->
       (match l with
        | Signs (s0, b, ss) ->
          (match bounds_of dims sc ins (inequalities dom) hidden s0 b with
           | Some is ->
             if all_shown hidden is ss
             then Some (Placed (dims, sc, ins, (app ss known)))
             else None
           | None -> None)
        | Decide (_, ss) ->
          Some (Deciding (dims, sc, ins, known, ss,
            ((root (inequalities dom) hidden sc ins) :: [])))
        | Tree l0 ->
          option_map (fun x -> Counted (dims, known, x))
            (step dims solve known
              (((root (inequalities dom) hidden sc ins) :: []),
              Big_int_Z.zero_big_int) l0)
        | _ -> None)
     | Deciding (dims, sc, ins, known, ss, st) ->
       (match l with
        | Leaves l0 ->
          option_map (fun st' ->
            match st' with
            | [] -> Placed (dims, sc, ins, (app ss known))
            | _ :: _ -> Deciding (dims, sc, ins, known, ss, st'))
            (dstep dims solve known (zlen Big_int_Z.zero_big_int ins) ss st
              l0)
        | _ -> None)
     | Counted (dims, known, st) ->
       (match l with
        | Tree l0 ->
          option_map (fun x -> Counted (dims, known, x))
            (step dims solve known st l0)
        | _ -> None)
     | _ -> None)
  | Property (hold, nets, dom, cases) ->
    if hold
    then (match s with
          | Rooted (dims, sc, ins, hidden, last) ->
            (match l with
             | Root b ->
               option_map (fun it -> Boxed (dims, sc, ins, hidden, last,
                 (it :: []))) (first_item dom dims sc ins b)
             | _ -> None)
          | Boxed (dims, sc, ins, hidden, last, st) ->
            (match l with
             | Boxes l0 ->
               option_map (fun x -> Boxed (dims, sc, ins, hidden, last, x))
                 (walk (inputs nets) dims sc ins solve hidden last dom cases
                   st l0)
             | _ -> None)
          | _ -> None)
    else (match s with
          | Rooted (_, _, _, hidden, last) ->
            (match l with
             | Point (d, p0) ->
               if point_ok (inputs nets) hidden last dom cases d p0
               then Some Shown
               else None
             | _ -> None)
          | _ -> None)
  | Equal (hold, a, b0, dom) ->
    if hold
    then let (n, p0) = a in
         let (ha, la) = p0 in
         let (_, p1) = b0 in
         let (hb, lb) = p1 in
         (match s with
          | Opened (d, p2, ha0, hb0) ->
            (match l with
             | Signs (s0, b, ss) ->
               option_map (fun r -> Opened (d, p2, (fst r), (snd r)))
                 (settle_both common n ha hb dom s0 b ss)
             | Decide (second, ss) ->
               option_map (fun r ->
                 let (y, ins) = r in
                 let (dims, sc) = y in
                 Parting (d, p2, ha0, hb0, second, dims, sc, ins, ss,
                 ((root (inequalities dom) (if second then hb0 else ha0) sc
                    ins) :: [])))
                 (chart common (eqs dom) n Big_int_Z.unit_big_int
                   (unit_rows n))
             | Atoms tab ->
               option_map (fun r ->
                 let (y, v) = r in
                 let (y0, ats) = y in
                 let (sc, ins) = y0 in
                 Equated (ha0, hb0, sc, ins, ats, (v :: [])))
                 (eopened n common ha0 la hb0 lb dom d p2 tab)
             | _ -> None)
          | Parting (d, p2, ha0, hb0, second, dims, sc, ins, ss, st) ->
            (match l with
             | Leaves l0 ->
               option_map (fun st' ->
                 match st' with
                 | [] ->
                   if second
                   then Opened (d, p2, ha0,
                          (settled hb0
                            (infos_of ss hb0 Big_int_Z.zero_big_int)))
                   else Opened (d, p2,
                          (settled ha0
                            (infos_of ss ha0 Big_int_Z.zero_big_int)), hb0)
                 | _ :: _ ->
                   Parting (d, p2, ha0, hb0, second, dims, sc, ins, ss, st'))
                 (dstep dims solve [] (zlen Big_int_Z.zero_big_int ins) ss st
                   l0)
             | _ -> None)
          | Equated (ha0, hb0, sc, ins, ats, st) ->
            (match l with
             | Forms l0 ->
               option_map (fun x -> Equated (ha0, hb0, sc, ins, ats, x))
                 (estep (edims n common dom) sc ins ha0 la hb0 lb ats st l0)
             | _ -> None)
          | _ -> None)
    else let (n, p0) = a in
         let (ha, la) = p0 in
         let (_, p1) = b0 in
         let (hb, lb) = p1 in
         (match s with
          | Opened (_, _, _, _) ->
            (match l with
             | Point (d, p2) ->
               if differ_ok n ha la hb lb dom d p2 then Some Shown else None
             | _ -> None)
          | _ -> None)

(** val accepted : claim -> state -> bool **)

let accepted c s =
  match c with
  | Regions (at_least0, count, _, _) ->
    (match s with
     | Counted (_, _, st) ->
       let (l, k) = st in
       (match l with
        | [] -> if at_least0 then Z.leb count k else Z.eqb k count
        | _ :: _ -> false)
     | _ -> false)
  | Property (hold, _, _, _) ->
    if hold
    then (match s with
          | Boxed (_, _, _, _, _, st) ->
            (match st with
             | [] -> true
             | _ :: _ -> false)
          | _ -> false)
    else (match s with
          | Shown -> true
          | _ -> false)
  | Equal (hold, _, _, _) ->
    if hold
    then (match s with
          | Equated (_, _, _, _, _, st) ->
            (match st with
             | [] -> true
             | _ :: _ -> false)
          | _ -> false)
    else (match s with
          | Shown -> true
          | _ -> false)

(** val zletter : bool -> Big_int_Z.big_int -> letter -> bool **)

let zletter linear z0 = function
| Plus -> (&&) (negb linear) (Z.ltb Big_int_Z.zero_big_int z0)
| Minus -> (&&) (negb linear) (Z.ltb z0 Big_int_Z.zero_big_int)
| Null -> (&&) (negb linear) (Z.eqb z0 Big_int_Z.zero_big_int)
| Straight -> linear

(** val zletters :
    layer list -> (Big_int_Z.big_int * Big_int_Z.big_int list) -> letter list
    list -> bool **)

let rec zletters ls dp cs =
  match ls with
  | [] -> (match cs with
           | [] -> true
           | _ :: _ -> false)
  | l :: ls' ->
    (match cs with
     | [] -> false
     | c :: cs' ->
       (&&)
         (forall2b (fun u ->
           zletter (fst u) (zval (snd u) (fst dp) (snd dp))) l.units c)
         (zletters ls' (zlayer false l dp) cs'))

(** val same_vector : vector -> vector -> bool **)

let same_vector ey v =
  (&&) (Z.ltb Big_int_Z.zero_big_int (fst v))
    (forall2b (fun a b -> Z.eqb (Z.mul a (fst v)) (Z.mul b (fst ey)))
      (snd ey) (snd v))

(** val value_ok : network -> vector -> vector -> letter list list -> bool **)

let value_ok net x y signs =
  let (n, p0) = net in
  let (hidden, last) = p0 in
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&) (Z.ltb Big_int_Z.zero_big_int (fst x)) (same_len (snd x) n))
          (dens_ok hidden)) (Z.ltb Big_int_Z.zero_big_int last.den))
      (same_vector (zeval hidden last x) y)) (zletters hidden x signs)

(** val belongs :
    unit list -> system -> (Big_int_Z.big_int * Big_int_Z.big_int list) ->
    bool **)

let belongs n dom dp =
  (&&) ((&&) (Z.ltb Big_int_Z.zero_big_int (fst dp)) (same_len (snd dp) n))
    (forallb (zmeets (fst dp) (snd dp)) dom)

(** val zpassed_on :
    unit list -> layer list -> layer ->
    (Big_int_Z.big_int * Big_int_Z.big_int list) ->
    Big_int_Z.big_int * Big_int_Z.big_int list **)

let rec zpassed_on k hidden last dp =
  match k with
  | [] -> dp
  | _ :: k' ->
    (match hidden with
     | [] -> zlayer true last dp
     | l :: hidden' -> zpassed_on k' hidden' last (zlayer false l dp))

(** val zalone :
    unit list -> layer list -> layer ->
    (Big_int_Z.big_int * Big_int_Z.big_int list) ->
    Big_int_Z.big_int * Big_int_Z.big_int list **)

let rec zalone k hidden last dp =
  match k with
  | [] ->
    (match hidden with
     | [] -> zlayer true last dp
     | l :: _ -> zlayer false l dp)
  | _ :: k' ->
    (match hidden with
     | [] -> zlayer true last dp
     | _ :: hidden' -> zalone k' hidden' last dp)

(** val zsilent :
    layer list -> (Big_int_Z.big_int * Big_int_Z.big_int list) -> bool **)

let rec zsilent hidden dp =
  match hidden with
  | [] -> false
  | l :: hidden' ->
    (||)
      (forallb (fun u ->
        Z.ltb (zval (snd u) (fst dp) (snd dp)) Big_int_Z.zero_big_int)
        l.units) (zsilent hidden' (zlayer false l dp))

(** val witness_ok :
    statement -> (Big_int_Z.big_int * Big_int_Z.big_int list) list -> bool **)

let witness_ok s ps =
  match s with
  | Transparent (hold, net, dom) ->
    if hold
    then false
    else let (n, p0) = net in
         let (h, _) = p0 in
         (match ps with
          | [] -> false
          | x :: l0 ->
            (match l0 with
             | [] -> (&&) ((&&) (dens_ok h) (belongs n dom x)) (zsilent h x)
             | _ :: _ -> false))
  | Not_injective (net, first, last, dom) ->
    let (n, p0) = net in
    let (h, l) = p0 in
    (match ps with
     | [] -> false
     | x :: l0 ->
       (match l0 with
        | [] -> false
        | y :: l1 ->
          (match l1 with
           | [] ->
             let a = zpassed_on first h l x in
             let b = zpassed_on first h l y in
             (&&)
               ((&&)
                 ((&&)
                   ((&&)
                     ((&&) (dens_ok h) (Z.ltb Big_int_Z.zero_big_int l.den))
                     (belongs n dom x)) (belongs n dom y))
                 (same_vector (zpassed_on last h l x) (zpassed_on last h l y)))
               (crossed (fst a) (snd a) (fst b) (snd b))
           | _ :: _ -> false)))
  | Layer_not_injective (net, n, k, dom) ->
    let (_, p0) = net in
    let (h, l) = p0 in
    (match ps with
     | [] -> false
     | x :: l1 ->
       (match l1 with
        | [] -> false
        | y :: l2 ->
          (match l2 with
           | [] ->
             (&&)
               ((&&)
                 ((&&)
                   ((&&)
                     ((&&) (dens_ok h) (Z.ltb Big_int_Z.zero_big_int l.den))
                     (belongs n dom x)) (belongs n dom y))
                 (same_vector (zalone k h l x) (zalone k h l y)))
               (crossed (fst x) (snd x) (fst y) (snd y))
           | _ :: _ -> false)))
  | _ -> false

(** val fused : unit list -> row -> row **)

let fused n f =
  let (p0, q) = cut_at n (snd f) in
  ((fst f), (axpy Big_int_Z.unit_big_int p0 q))

(** val fused_layer : unit list -> layer -> layer **)

let fused_layer n l =
  { den = l.den; units =
    (map (fun u -> ((fst u), (fused n (snd u)))) l.units) }

(** val paired : network -> network -> network option **)

let paired a b =
  if (&&) (same_len (fst a) (fst b))
       (same_len (snd (snd a)).units (snd (snd b)).units)
  then (match side_by_side (a :: (b :: [])) with
        | Some p0 ->
          let (l0, l) = p0 in
          (match l0 with
           | [] -> Some ((fst a), ([], (fused_layer (fst a) l)))
           | h :: hs -> Some ((fst a), (((fused_layer (fst a) h) :: hs), l)))
        | None -> None)
  else None

(** val gap_row :
    unit list -> unit list -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int list -> row **)

let gap_row n m k e a =
  ((Z.opp e),
    (app (pad n []) (app (pad m (map (Z.mul k) a)) (map (Z.mul (Z.opp k)) a))))

(** val gaps :
    sense -> unit list -> unit list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> system list **)

let gaps s n m = function
| (d, e) ->
  flat_map (fun f -> ((s, (gap_row n m d e (snd f))) :: []) :: (((s,
    (gap_row n m (Z.opp d) e (snd f))) :: []) :: [])) (unit_rows m)

(** val closed_system : system -> system **)

let closed_system s =
  map (fun c -> ((match fst c with
                  | Zero -> Zero
                  | _ -> Least), (snd c))) s

(** val outs : network -> unit list **)

let outs b =
  width (snd (snd b))

(** val pair_claim :
    bool -> sense -> network -> network -> network ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> system -> claim **)

let pair_claim hold s a b ab bound dom =
  Property (hold, (ab :: []), (closed_system dom),
    (gaps s (fst a) (outs b) bound))

(** val linear_row : row -> row **)

let linear_row f =
  (Big_int_Z.zero_big_int, (snd f))

(** val linear_layer : layer -> layer **)

let linear_layer l =
  { den = l.den; units =
    (map (fun u -> ((fst u), (linear_row (snd u)))) l.units) }

(** val ray_ok :
    network -> network -> system -> Big_int_Z.big_int -> Big_int_Z.big_int
    list -> Big_int_Z.big_int list -> bool **)

let ray_ok a b dom d p0 r =
  let (n, p1) = a in
  let (ha, la) = p1 in
  let (_, p2) = b in
  let (hb, lb) = p2 in
  let (e, y) =
    zeval (map linear_layer ha) (linear_layer la) (Big_int_Z.unit_big_int, r)
  in
  let (f, z0) =
    zeval (map linear_layer hb) (linear_layer lb) (Big_int_Z.unit_big_int, r)
  in
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&)
              ((&&)
                ((&&) (is_inside n (eqs dom) (inequalities dom) d p0)
                  (same_len r n))
                (forallb (fun g ->
                  Z.eqb (zval (linear_row g) Big_int_Z.unit_big_int r)
                    Big_int_Z.zero_big_int) (eqs dom)))
              (forallb (fun g ->
                Z.leb Big_int_Z.zero_big_int
                  (zval (linear_row g) Big_int_Z.unit_big_int r))
                (inequalities dom))) (dens_ok ha)) (dens_ok hb))
        (Z.ltb Big_int_Z.zero_big_int la.den))
      (Z.ltb Big_int_Z.zero_big_int lb.den)) (crossed e y f z0)

(** val zpattern :
    layer list -> (Big_int_Z.big_int * Big_int_Z.big_int list) -> bool list **)

let rec zpattern ls dp =
  match ls with
  | [] -> []
  | l :: ls' ->
    app
      (map (fun u ->
        (&&) (negb (fst u))
          (Z.ltb Big_int_Z.zero_big_int (zval (snd u) (fst dp) (snd dp))))
        l.units) (zpattern ls' (zlayer false l dp))

(** val firm :
    layer list -> (Big_int_Z.big_int * Big_int_Z.big_int list) -> bool **)

let rec firm ls dp =
  match ls with
  | [] -> true
  | l :: ls' ->
    (&&)
      (forallb (fun u ->
        (||) (fst u)
          (negb
            (Z.eqb (zval (snd u) (fst dp) (snd dp)) Big_int_Z.zero_big_int)))
        l.units) (firm ls' (zlayer false l dp))

(** val seen :
    network -> system -> Big_int_Z.big_int -> Big_int_Z.big_int list -> bool
    list list -> bool list list option **)

let seen net dom d p0 ss =
  let (n, p1) = net in
  let (hidden, _) = p1 in
  let s = zpattern hidden (d, p0) in
  if (&&)
       ((&&)
         ((&&) (dens_ok hidden)
           (is_inside n (eqs dom) (inequalities dom) d p0))
         (firm hidden (d, p0))) (negb (existsb (forall2b eqb s) ss))
  then Some (s :: ss)
  else None

type aline =
| AVisit of record
| ALeaf

(** val active_unit : (row * sign) -> bool **)

let active_unit e =
  match snd e with
  | Off ->
    (&&) (zeros (snd (fst e))) (Z.eqb (fst (fst e)) Big_int_Z.zero_big_int)
  | On -> true
  | _ -> false

(** val layers_active : layer list -> (row * sign) list list -> bool **)

let rec layers_active hidden ess =
  match hidden with
  | [] -> (match ess with
           | [] -> true
           | _ :: _ -> false)
  | l :: hidden' ->
    (match ess with
     | [] -> false
     | es :: ess' ->
       (&&) ((&&) (same_len es l.units) (existsb active_unit es))
         (layers_active hidden' ess'))

(** val active_leaf : row list -> layer list -> node -> bool **)

let active_leaf ins hidden v =
  match v.rest with
  | [] ->
    (match app (rev v.past) (v.now :: []) with
     | [] -> false
     | chart0 :: ess -> (&&) (same_len chart0 ins) (layers_active hidden ess))
  | _ :: _ -> false

(** val active_root :
    Big_int_Z.big_int -> row list -> layer list -> system -> node **)

let active_root sc ins hidden dom =
  start sc ins hidden (base_rows sc ins dom)

(** val astep :
    'a1 list -> row list -> layer list -> (row list -> row list ->
    (Big_int_Z.big_int * Big_int_Z.big_int list list) option) -> node list ->
    aline -> node list option **)

let astep dims ins hidden solve st l =
  match st with
  | [] -> None
  | v :: st' ->
    (match l with
     | AVisit r ->
       option_map (fun ps -> app ps st') (visit false dims solve [] v r)
     | ALeaf -> if active_leaf ins hidden v then Some st' else None)

(** val zmixed :
    Big_int_Z.big_int list -> Big_int_Z.big_int list list ->
    Big_int_Z.big_int list **)

let rec zmixed cs rows0 =
  match cs with
  | [] -> []
  | c :: cs' ->
    (match rows0 with
     | [] -> []
     | a :: rows' -> axpy c a (zmixed cs' rows'))

(** val rank_ok :
    Big_int_Z.big_int list list -> Big_int_Z.big_int -> Big_int_Z.big_int
    list -> (Big_int_Z.big_int * Big_int_Z.big_int list) list ->
    Big_int_Z.big_int -> Big_int_Z.big_int list list -> bool **)

let rank_ok rows0 rank places sums0 d duals =
  match all_some (nthz rows0) places with
  | Some sub0 ->
    (&&)
      ((&&)
        ((&&) (Z.eqb (zlen Big_int_Z.zero_big_int sub0) rank)
          (negb (Z.eqb d Big_int_Z.zero_big_int)))
        (forall2b (fun f x ->
          forall2b Z.eqb (map (fun a -> zdot a x) sub0)
            (pad sub0 (map (Z.mul d) (snd f)))) (unit_rows sub0) duals))
      (forall2b (fun a s ->
        (&&)
          ((&&) (negb (Z.eqb (fst s) Big_int_Z.zero_big_int))
            (same_len (snd s) sub0))
          (zeros (axpy (Z.opp (fst s)) a (zmixed (snd s) sub0)))) rows0 sums0)
  | None -> false

type rule =
| Turn
| Replace of unit list * unit list * network

(** val split_at : unit list -> layer list -> layer list * layer list **)

let rec split_at k ls =
  match k with
  | [] -> ([], ls)
  | _ :: k' ->
    (match ls with
     | [] -> ([], ls)
     | l :: ls' -> let (u, v) = split_at k' ls' in ((l :: u), v))

(** val plain : layer -> bool **)

let plain l =
  forallb (fun u -> negb (fst u)) l.units

(** val orthant : unit list -> system **)

let orthant n =
  map (fun x -> (Least, x)) (rev (unit_rows n))

(** val taken_in : unit list -> system -> layer list -> unit list * system **)

let taken_in n dom before = match before with
| [] -> (n, dom)
| _ :: _ -> let m = fold_left (fun _ -> width) before n in (m, (orthant m))

(** val apply_rule : rule -> claim -> claim list option **)

let apply_rule r c =
  match r with
  | Turn ->
    (match c with
     | Equal (hold, a, b, dom) ->
       if hold
       then if same_len (fst a) (fst b)
            then Some ((Equal (true, b, a, dom)) :: [])
            else None
       else None
     | _ -> None)
  | Replace (before, inside, new0) ->
    let (m, p0) = new0 in
    let (nh, nl) = p0 in
    (match c with
     | Equal (hold, a, b, dom) ->
       if hold
       then let (n, p1) = a in
            let (h, l) = p1 in
            let (u, r0) = split_at before h in
            let (v, w) = split_at inside r0 in
            let (k, place) = taken_in n dom u in
            if forallb plain u
            then (match w with
                  | [] ->
                    Some ((Equal (true, (k, (v, l)), (m, (nh, nl)),
                      place)) :: ((Equal (true, (n, ((app u nh), nl)), b,
                      dom)) :: []))
                  | p2 :: w' ->
                    if (&&) (plain p2) (plain nl)
                    then Some ((Equal (true, (k, (v, p2)), (m, (nh, nl)),
                           place)) :: ((Equal (true, (n,
                           ((app u (app nh (nl :: w'))), l)), b, dom)) :: []))
                    else None)
            else None
       else None
     | _ -> None)

(** val nowhere : unit list -> network **)

let nowhere n =
  (n, ([], { den = Big_int_Z.unit_big_int; units = [] }))

(** val taken : unit list -> vector -> system **)

let taken n y =
  map (fun vf ->
    let g = Z.gcd (fst vf) (fst y) in
    (Zero, ((Z.opp (Z.div (fst vf) g)),
    (app (pad n []) (map (Z.mul (Z.div (fst y) g)) (snd (snd vf)))))))
    (combine (snd y) (unit_rows (snd y)))

(** val pair_claims :
    network -> network -> (Big_int_Z.big_int * Big_int_Z.big_int) -> (network
    -> 'a1 list) -> 'a1 list option **)

let pair_claims a b bound cs =
  if Z.ltb Big_int_Z.zero_big_int (fst bound)
  then option_map cs (paired a b)
  else None

type goal =
| Claim of claim
| Near of network * network * (Big_int_Z.big_int * Big_int_Z.big_int) * system
| Far of network * network * system
| Witness of statement * unit list * system
| Count of Big_int_Z.big_int * network * system
| Active of network * system
| Ranked of Big_int_Z.big_int list list * Big_int_Z.big_int

(** val parts : bool -> statement -> goal list option **)

let parts cells s = match s with
| Claimed c ->
  (match c with
   | Regions (at_least0, k, net, dom) ->
     if at_least0
     then Some
            ((if cells
              then Claim (Regions (true, k, net, dom))
              else Count (k, net, dom)) :: [])
     else Some ((Claim c) :: [])
   | _ -> Some ((Claim c) :: []))
| Nonempty (hold, n, s0) ->
  Some ((Claim (Property ((negb hold), ((nowhere n) :: []), [],
    (s0 :: [])))) :: [])
| Value (net, x, y, signs) -> if value_ok net x y signs then Some [] else None
| In_range (hold, net, y, dom) ->
  if (&&) (Z.ltb Big_int_Z.zero_big_int (fst y))
       (same_len (snd y) (snd (snd net)).units)
  then Some ((Claim (Property ((negb hold), (net :: []), dom,
         ((taken (fst net) y) :: [])))) :: [])
  else None
| Within (hold, a, b, e, dom) ->
  pair_claims a b e (fun ab ->
    (if (&&) hold cells
     then Near (a, b, e, dom)
     else Claim (pair_claim hold Above a b ab e dom)) :: [])
| Largest (exactly, a, b, e, dom) ->
  pair_claims a b e (fun ab ->
    if exactly
    then (Claim
           (pair_claim false Zero a b ab e dom)) :: ((if cells
                                                      then Near (a, b, e, dom)
                                                      else Claim
                                                             (pair_claim true
                                                               Above a b ab e
                                                               dom)) :: [])
    else (Claim (pair_claim false Least a b ab e dom)) :: [])
| Unbounded (a, b, dom) -> Some ((Far (a, b, dom)) :: [])
| Rank (rows0, rank) -> Some ((Ranked (rows0, rank)) :: [])
| Transparent (hold, net, dom) ->
  if hold
  then Some ((Active (net, dom)) :: [])
  else Some ((Witness (s, (fst net), dom)) :: [])
| Not_injective (net, _, _, dom) -> Some ((Witness (s, (fst net), dom)) :: [])
| Layer_not_injective (_, n, _, dom) -> Some ((Witness (s, n, dom)) :: [])

type work =
| Checking of state
| Placing of Big_int_Z.big_int * Big_int_Z.big_int list
| Forming of Big_int_Z.big_int * row list * atom list * enode list
| Shown_all
| Counting of bool list list
| Walking of unit list * Big_int_Z.big_int * row list * node list

type input =
| Line of entry
| Leafed of wline
| Along of Big_int_Z.big_int list
| Points of (Big_int_Z.big_int * Big_int_Z.big_int list) list
| Walk of aline
| Spans of Big_int_Z.big_int list
   * (Big_int_Z.big_int * Big_int_Z.big_int list) list * Big_int_Z.big_int
   * Big_int_Z.big_int list list

type stage =
| Stage of (goal * work) option * goal list

type move =
| Enter of Big_int_Z.big_int * Big_int_Z.big_int list
| Take of input
| Apply of rule

(** val start_goal :
    (row -> Big_int_Z.big_int) -> goal -> Big_int_Z.big_int ->
    Big_int_Z.big_int list -> work option **)

let start_goal common g d p0 =
  match g with
  | Claim c -> option_map (fun x -> Checking x) (first_state common c d p0)
  | Count (_, net, dom) ->
    let (n, _) = net in
    if is_inside n (eqs dom) (inequalities dom) d p0
    then Some (Counting [])
    else None
  | Active (net, dom) ->
    let (n, p1) = net in
    let (hidden, last) = p1 in
    option_map (fun r ->
      let (y, ins) = r in
      let (dims, sc) = y in
      Walking (dims, sc, ins, ((active_root sc ins hidden dom) :: [])))
      (opened n common hidden last dom d p0)
  | _ -> Some (Placing (d, p0))

(** val step_goal :
    (row -> Big_int_Z.big_int) -> (row list -> row list ->
    (Big_int_Z.big_int * Big_int_Z.big_int list list) option) -> goal -> work
    -> input -> work option **)

let step_goal common solve g w i =
  match g with
  | Claim c ->
    (match w with
     | Checking s ->
       (match i with
        | Line l ->
          option_map (fun x -> Checking x) (next_state common solve c s l)
        | _ -> None)
     | _ -> None)
  | Near (a, b, bound, dom) ->
    let (n, p0) = a in
    let (ha, la) = p0 in
    let (_, p1) = b in
    let (hb, lb) = p1 in
    (match w with
     | Placing (d, p2) ->
       (match i with
        | Line l ->
          (match l with
           | Atoms tab ->
             option_map (fun r ->
               let (y, v) = r in
               let (y0, ats) = y in
               let (sc, ins) = y0 in Forming (sc, ins, ats, (v :: [])))
               (eopened n common ha la hb lb dom d p2 tab)
           | _ -> None)
        | _ -> None)
     | Forming (sc, ins, ats, st) ->
       (match i with
        | Leafed l ->
          option_map (fun x -> Forming (sc, ins, ats, x))
            (wstep (edims n common dom) sc ins ha la hb lb ats bound st l)
        | _ -> None)
     | _ -> None)
  | Far (a, b, dom) ->
    (match w with
     | Placing (d, p0) ->
       (match i with
        | Along r -> if ray_ok a b dom d p0 r then Some Shown_all else None
        | _ -> None)
     | _ -> None)
  | Witness (s, n, dom) ->
    (match w with
     | Placing (d, p0) ->
       (match i with
        | Points ps ->
          if (&&) (is_inside n (eqs dom) (inequalities dom) d p0)
               (witness_ok s ps)
          then Some Shown_all
          else None
        | _ -> None)
     | _ -> None)
  | Count (_, net, dom) ->
    (match w with
     | Counting ss ->
       (match i with
        | Points ps ->
          (match ps with
           | [] -> None
           | p0 :: l ->
             let (d, p1) = p0 in
             (match l with
              | [] -> option_map (fun x -> Counting x) (seen net dom d p1 ss)
              | _ :: _ -> None))
        | _ -> None)
     | _ -> None)
  | Active (net, _) ->
    let (_, p0) = net in
    let (hidden, _) = p0 in
    (match w with
     | Walking (dims, sc, ins, st) ->
       (match i with
        | Walk l ->
          option_map (fun x -> Walking (dims, sc, ins, x))
            (astep dims ins hidden solve st l)
        | _ -> None)
     | _ -> None)
  | Ranked (rows0, rank) ->
    (match w with
     | Placing (_, _) ->
       (match i with
        | Spans (ps, sums0, d, ds) ->
          if rank_ok rows0 rank ps sums0 d ds then Some Shown_all else None
        | _ -> None)
     | _ -> None)

(** val end_goal : goal -> work -> bool **)

let end_goal g w =
  match g with
  | Claim c -> (match w with
                | Checking s -> accepted c s
                | _ -> false)
  | Near (_, _, _, _) ->
    (match w with
     | Forming (_, _, _, st) -> (match st with
                                 | [] -> true
                                 | _ :: _ -> false)
     | _ -> false)
  | Count (k, _, _) ->
    (match w with
     | Counting ss -> Z.leb k (zlen Big_int_Z.zero_big_int ss)
     | _ -> false)
  | Active (_, _) ->
    (match w with
     | Walking (_, _, _, st) -> (match st with
                                 | [] -> true
                                 | _ :: _ -> false)
     | _ -> false)
  | _ -> (match w with
          | Shown_all -> true
          | _ -> false)

(** val rule_for : rule -> goal -> goal list option **)

let rule_for r = function
| Claim c -> option_map (map (fun x -> Claim x)) (apply_rule r c)
| _ -> None

(** val first_stage : bool -> statement -> stage option **)

let first_stage cells s =
  option_map (fun x -> Stage (None, x)) (parts cells s)

(** val next_stage :
    (row -> Big_int_Z.big_int) -> (row list -> row list ->
    (Big_int_Z.big_int * Big_int_Z.big_int list list) option) -> stage ->
    move -> stage option **)

let next_stage common solve g m =
  let Stage (now0, cs) = g in
  (match now0 with
   | Some p0 ->
     let (c, w) = p0 in
     (match m with
      | Take i ->
        option_map (fun w' -> Stage
          ((if end_goal c w' then None else Some (c, w')), cs))
          (step_goal common solve c w i)
      | _ -> None)
   | None ->
     (match cs with
      | [] -> None
      | c :: cs0 ->
        (match m with
         | Enter (d, p0) ->
           option_map (fun w -> Stage
             ((if end_goal c w then None else Some (c, w)), cs0))
             (start_goal common c d p0)
         | Take _ -> None
         | Apply r ->
           option_map (fun new0 -> Stage (None, (app new0 cs0)))
             (rule_for r c))))

(** val complete : stage -> bool **)

let complete = function
| Stage (now0, rest0) ->
  (match now0 with
   | Some _ -> false
   | None -> (match rest0 with
              | [] -> true
              | _ :: _ -> false))
