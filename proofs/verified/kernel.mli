
val negb : bool -> bool

type nat =
| O
| S of nat

val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

val app : 'a1 list -> 'a1 list -> 'a1 list

type comparison =
| Eq
| Lt
| Gt

val add : nat -> nat -> nat

val eqb : bool -> bool -> bool

val hd : 'a1 -> 'a1 list -> 'a1

val tl : 'a1 list -> 'a1 list

val rev : 'a1 list -> 'a1 list

val concat : 'a1 list list -> 'a1 list

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list

val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1

val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1

val existsb : ('a1 -> bool) -> 'a1 list -> bool

val forallb : ('a1 -> bool) -> 'a1 list -> bool

val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list

val combine : 'a1 list -> 'a2 list -> ('a1 * 'a2) list

module Pos :
 sig
  type mask =
  | IsNul
  | IsPos of Big_int_Z.big_int
  | IsNeg
 end

module Coq_Pos :
 sig
  val succ : Big_int_Z.big_int -> Big_int_Z.big_int

  val add : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val add_carry : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int

  type mask = Pos.mask =
  | IsNul
  | IsPos of Big_int_Z.big_int
  | IsNeg

  val succ_double_mask : mask -> mask

  val double_mask : mask -> mask

  val double_pred_mask : Big_int_Z.big_int -> mask

  val sub_mask : Big_int_Z.big_int -> Big_int_Z.big_int -> mask

  val sub_mask_carry : Big_int_Z.big_int -> Big_int_Z.big_int -> mask

  val sub : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val mul : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val size_nat : Big_int_Z.big_int -> nat

  val compare_cont :
    comparison -> Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val gcdn :
    nat -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val gcd : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int
 end

module Z :
 sig
  val double : Big_int_Z.big_int -> Big_int_Z.big_int

  val succ_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val pos_sub : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val add : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val opp : Big_int_Z.big_int -> Big_int_Z.big_int

  val succ : Big_int_Z.big_int -> Big_int_Z.big_int

  val pred : Big_int_Z.big_int -> Big_int_Z.big_int

  val sub : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val mul : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val sgn : Big_int_Z.big_int -> Big_int_Z.big_int

  val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val ltb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val max : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val min : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val abs : Big_int_Z.big_int -> Big_int_Z.big_int

  val pos_div_eucl :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int * Big_int_Z.big_int

  val div_eucl :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int * Big_int_Z.big_int

  val div : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val gcd : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val lcm : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int
 end

type row = Big_int_Z.big_int * Big_int_Z.big_int list

type sense =
| Zero
| Least
| Above

type system = (sense * row) list

val eqs : system -> row list

val inequalities : system -> row list

type layer = { den : Big_int_Z.big_int; units : (bool * row) list }

type network = unit list * (layer list * layer)

val inputs : network list -> unit list

type claim =
| Regions of bool * Big_int_Z.big_int * network * system
| Property of bool * network list * system * system list
| Equal of bool * network * network * system

val dimension : claim -> unit list

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

val axpy :
  Big_int_Z.big_int -> Big_int_Z.big_int list -> Big_int_Z.big_int list ->
  Big_int_Z.big_int list

val fadd : Big_int_Z.big_int -> row -> row -> row

val fneg : row -> row

val zeros : Big_int_Z.big_int list -> bool

val zero : row

val comb :
  (Big_int_Z.big_int * cond) list -> row -> bool -> (row * bool) option

val refutes : (Big_int_Z.big_int * cond) list -> bool

val signed :
  bool -> (Big_int_Z.big_int * cond) list -> bool -> Big_int_Z.big_int -> row
  -> bool

val fits : Big_int_Z.big_int list -> 'a1 list -> bool

val zdot :
  Big_int_Z.big_int list -> Big_int_Z.big_int list -> Big_int_Z.big_int

val zval :
  row -> Big_int_Z.big_int -> Big_int_Z.big_int list -> Big_int_Z.big_int

val same_len : 'a1 list -> 'a2 list -> bool

val positive0 : Big_int_Z.big_int -> Big_int_Z.big_int list -> cond -> bool

val witness :
  'a1 list -> cond list -> Big_int_Z.big_int -> Big_int_Z.big_int list -> bool

val nthz : 'a1 list -> Big_int_Z.big_int -> 'a1 option

val zlen : Big_int_Z.big_int -> 'a1 list -> Big_int_Z.big_int

val all_some : ('a1 -> 'a2 option) -> 'a1 list -> 'a2 list option

val cross :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int list

val edges :
  cond list -> (Big_int_Z.big_int * Big_int_Z.big_int list list) option

val outward :
  (Big_int_Z.big_int * Big_int_Z.big_int list list) ->
  Big_int_Z.big_int * Big_int_Z.big_int list list

val left_over :
  Big_int_Z.big_int list -> Big_int_Z.big_int list list -> cond list ->
  Big_int_Z.big_int -> bool -> (Big_int_Z.big_int * bool) option

val signed_by :
  bool -> cond list -> (Big_int_Z.big_int * Big_int_Z.big_int list list) ->
  bool -> row -> bool

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

val is_undecided : sign -> bool

val decided : (row * sign) list -> bool

val sign_of : bool -> sign

val lin : Big_int_Z.big_int list -> row option list -> row -> row

val act : (row * sign) -> row option

val first_sign : bool -> row -> sign

val sums :
  ((row * sign) -> row option) -> layer -> (row * sign) list ->
  Big_int_Z.big_int -> row list

val add_sums : (bool * row) list -> row option list -> row list -> row list

val settled_act : (row * sign) -> row option

val begun : layer list -> (row * sign) list -> Big_int_Z.big_int -> row list

val enter : (bool * row) list -> row list -> (row * sign) list

val advance :
  layer list -> (row * sign) list list -> (row * sign) list ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> row list -> (((((row * sign) list
  list * (row * sign) list) * Big_int_Z.big_int) * Big_int_Z.big_int) * row
  list) * layer list

val lookup :
  Big_int_Z.big_int -> (Big_int_Z.big_int * bool) list -> bool option

val mark :
  (row * sign) list -> Big_int_Z.big_int -> (Big_int_Z.big_int * bool) list
  -> (row * sign) list

val fresh : (row * sign) list -> (row * sign) list -> row option list

val grown :
  layer list -> (row * sign) list -> (row * sign) list -> row list -> row list

val next :
  node -> cond list -> Big_int_Z.big_int -> (Big_int_Z.big_int * bool) list
  -> node

val pick : node -> Big_int_Z.big_int -> cond option

val chosen :
  node -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (Big_int_Z.big_int * cond) list option

val neuron : node -> Big_int_Z.big_int -> row option

val nonconstant : 'a1 list -> row -> bool

val finished : node -> bool

val start : Big_int_Z.big_int -> row list -> layer list -> cond list -> node

val signs_shown :
  bool -> 'a1 list -> (row list -> row list ->
  (Big_int_Z.big_int * Big_int_Z.big_int list list) option) -> cond list ->
  (bool * row) list -> bool

val visit :
  bool -> 'a1 list -> (row list -> row list ->
  (Big_int_Z.big_int * Big_int_Z.big_int list list) option) ->
  (Big_int_Z.big_int * bool) list -> node -> record -> node list option

val dens_ok : layer list -> bool

val pull : Big_int_Z.big_int -> row list -> row -> row

val unit_rows : 'a1 list -> row list

val drop_at : Big_int_Z.big_int list -> 'a1 list -> 'a1 list

val entry_at :
  Big_int_Z.big_int list -> Big_int_Z.big_int list -> Big_int_Z.big_int

val pivot : Big_int_Z.big_int list -> Big_int_Z.big_int list option

val substituted : Big_int_Z.big_int list -> row -> row -> row

val primitive : (row -> Big_int_Z.big_int) -> row -> row

val chart :
  (row -> Big_int_Z.big_int) -> row list -> 'a1 list -> Big_int_Z.big_int ->
  row list -> (('a1 list * Big_int_Z.big_int) * row list) option

type ends = Big_int_Z.big_int option * Big_int_Z.big_int option

type box = ends list

val p : Big_int_Z.big_int

val fdiv : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val least :
  Big_int_Z.big_int list -> box -> Big_int_Z.big_int -> Big_int_Z.big_int
  option

val lowest : row -> box -> Big_int_Z.big_int option

val end_rows : Big_int_Z.big_int list -> box -> row list

val total : Big_int_Z.big_int list -> Big_int_Z.big_int

val shown : cond list -> row -> bool

val bounded : 'a1 list -> cond list -> box -> bool

type info = { lo : Big_int_Z.big_int option; hi : Big_int_Z.big_int option;
              under : (row * Big_int_Z.big_int) option;
              over : (row * Big_int_Z.big_int) option }

val noinfo : info

val relaxed :
  Big_int_Z.big_int -> bool -> info ->
  (Big_int_Z.big_int * Big_int_Z.big_int) option

val relaxes :
  Big_int_Z.big_int list -> (bool * row) list -> info list -> row ->
  Big_int_Z.big_int -> (row * Big_int_Z.big_int) option

type stack = (layer * info list) list

val only_relus : stack -> bool

val down :
  Big_int_Z.big_int -> row list -> stack -> row -> Big_int_Z.big_int ->
  (row * Big_int_Z.big_int) option

val larger :
  Big_int_Z.big_int option -> Big_int_Z.big_int option -> Big_int_Z.big_int
  option

val smaller :
  Big_int_Z.big_int option -> Big_int_Z.big_int option -> Big_int_Z.big_int
  option

val end_of :
  (row * Big_int_Z.big_int) option -> box -> Big_int_Z.big_int option

val narrow : box -> info -> info

val fINE : Big_int_Z.big_int

val is_none : 'a1 option -> bool

val finite : box -> bool

val at_most : Big_int_Z.big_int option -> Big_int_Z.big_int -> bool

val at_least : Big_int_Z.big_int option -> Big_int_Z.big_int -> bool

val scaled : Big_int_Z.big_int -> row -> row

val bound1 :
  Big_int_Z.big_int -> row list -> stack -> box -> layer -> (bool * row) ->
  info -> info option

val bound_units :
  Big_int_Z.big_int -> row list -> stack -> box -> layer -> (bool * row) list
  -> info list -> info list option

type infos = info list list

val stacked : layer list -> infos -> stack -> stack

val anchored :
  Big_int_Z.big_int -> row list -> layer list -> infos -> stack -> box ->
  infos option

val narrowed : box -> infos -> infos

val settled_units : (bool * row) list -> info list -> (bool * row) list

val settled : layer list -> infos -> layer list

type line =
| Visit of record
| Cell of Big_int_Z.big_int * Big_int_Z.big_int list

val step :
  'a1 list -> (row list -> row list -> (Big_int_Z.big_int * Big_int_Z.big_int
  list list) option) -> (Big_int_Z.big_int * bool) list -> (node
  list * Big_int_Z.big_int) -> line -> (node list * Big_int_Z.big_int) option

val is_inside :
  'a1 list -> row list -> row list -> Big_int_Z.big_int -> Big_int_Z.big_int
  list -> bool

val conditions : row list -> Big_int_Z.big_int -> row list -> cond list

val placed :
  'a1 list -> (row -> Big_int_Z.big_int) -> row list -> row list -> layer
  list -> Big_int_Z.big_int -> Big_int_Z.big_int list -> (('a1
  list * Big_int_Z.big_int) * row list) option

val root : row list -> layer list -> Big_int_Z.big_int -> row list -> node

val pad : 'a1 list -> Big_int_Z.big_int list -> Big_int_Z.big_int list

val cut_at :
  'a1 list -> Big_int_Z.big_int list -> Big_int_Z.big_int
  list * Big_int_Z.big_int list

val strict_of : sense -> bool option

val base_rows : Big_int_Z.big_int -> row list -> system -> cond list

val case_row :
  'a1 list -> Big_int_Z.big_int -> row list -> (sense * row) -> bool
  option * (row * Big_int_Z.big_int list)

val weigh :
  (bool option * row) -> Big_int_Z.big_int -> (Big_int_Z.big_int * cond)
  option

val given : cond -> bool option * row

val weighed :
  (Big_int_Z.big_int -> (bool option * row) option) ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> (Big_int_Z.big_int * cond)
  list option

val over_both : 'a1 list -> (row * Big_int_Z.big_int list) -> row

val leaf_table :
  'a1 list -> 'a2 list -> Big_int_Z.big_int -> row list -> system -> system
  -> (bool option * row) list

val leaf_case :
  'a1 list -> 'a2 list -> Big_int_Z.big_int -> row list -> layer list ->
  layer -> system -> infos -> box -> system ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> bool

val scale_of : layer list -> Big_int_Z.big_int

val never_case :
  'a1 list -> Big_int_Z.big_int -> row list -> layer list -> layer -> node ->
  system -> (Big_int_Z.big_int * Big_int_Z.big_int) list -> bool

val forall2b : ('a1 -> 'a2 -> bool) -> 'a1 list -> 'a2 list -> bool

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

val part : unit list -> box -> Big_int_Z.big_int -> (box * box) option

val cells_root :
  Big_int_Z.big_int -> row list -> layer list -> system -> box -> infos ->
  node

val walk :
  'a1 list -> 'a2 list -> Big_int_Z.big_int -> row list -> (row list -> row
  list -> (Big_int_Z.big_int * Big_int_Z.big_int list list) option) -> layer
  list -> layer -> system -> system list -> item list -> bline -> item list
  option

val opened :
  'a1 list -> (row -> Big_int_Z.big_int) -> layer list -> layer -> system ->
  Big_int_Z.big_int -> Big_int_Z.big_int list -> (('a1
  list * Big_int_Z.big_int) * row list) option

val first_item :
  system -> 'a1 list -> Big_int_Z.big_int -> row list -> box -> item option

val zlayer :
  bool -> layer -> (Big_int_Z.big_int * Big_int_Z.big_int list) ->
  Big_int_Z.big_int * Big_int_Z.big_int list

val zeval :
  layer list -> layer -> (Big_int_Z.big_int * Big_int_Z.big_int list) ->
  Big_int_Z.big_int * Big_int_Z.big_int list

val zmeets :
  Big_int_Z.big_int -> Big_int_Z.big_int list -> (sense * row) -> bool

val point_ok :
  'a1 list -> layer list -> layer -> system -> system list ->
  Big_int_Z.big_int -> Big_int_Z.big_int list -> bool

type atom = row * row

val atoms_of : row list -> Big_int_Z.big_int list -> atom list option

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

val equal_rows : row -> row -> bool

val cond_of : atom list -> enode -> source -> cond option

val conds_of :
  atom list -> enode -> (Big_int_Z.big_int * source) list ->
  (Big_int_Z.big_int * cond) list option

val relu_row : atom list -> enode -> bool -> row -> hint -> row option

val pre_rows : layer -> row list -> Big_int_Z.big_int -> (bool * row) list

val relu_rows :
  atom list -> enode -> (bool * row) list -> hint list -> row list option

val thru :
  atom list -> enode -> layer list -> row list -> Big_int_Z.big_int -> hint
  list list -> (row list * Big_int_Z.big_int) option

val all_same :
  Big_int_Z.big_int -> Big_int_Z.big_int -> (bool * row) list -> (bool * row)
  list -> bool

val leaf_ok :
  Big_int_Z.big_int -> row list -> layer list -> layer -> layer list -> layer
  -> atom list -> enode -> hint list list -> hint list list -> bool

val estep :
  'a1 list -> Big_int_Z.big_int -> row list -> layer list -> layer -> layer
  list -> layer -> atom list -> enode list -> eline -> enode list option

val is_leaf : eline -> bool

val eopened :
  'a1 list -> (row -> Big_int_Z.big_int) -> layer list -> layer -> layer list
  -> layer -> system -> Big_int_Z.big_int -> Big_int_Z.big_int list -> row
  list -> (((Big_int_Z.big_int * row list) * atom list) * enode) option

val edims : 'a1 list -> (row -> Big_int_Z.big_int) -> system -> 'a1 list

val zclosed :
  Big_int_Z.big_int -> Big_int_Z.big_int list -> (sense * row) -> bool

val crossed :
  Big_int_Z.big_int -> Big_int_Z.big_int list -> Big_int_Z.big_int ->
  Big_int_Z.big_int list -> bool

val differ_ok :
  'a1 list -> layer list -> layer -> layer list -> layer -> system ->
  Big_int_Z.big_int -> Big_int_Z.big_int list -> bool

type proof_of = Big_int_Z.big_int * (Big_int_Z.big_int * source) list

type wline =
| WForms of eline
| WLeaf of hint list list * hint list list * (proof_of * proof_of) list

val beyond :
  (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> row -> row -> row

val never_beyond : atom list -> enode -> row -> proof_of -> bool

val all_near :
  atom list -> (Big_int_Z.big_int * Big_int_Z.big_int) -> enode ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> (bool * row) list -> (bool * row)
  list -> (proof_of * proof_of) list -> bool

val near_ok :
  Big_int_Z.big_int -> row list -> layer list -> layer -> layer list -> layer
  -> atom list -> (Big_int_Z.big_int * Big_int_Z.big_int) -> enode -> hint
  list list -> hint list list -> (proof_of * proof_of) list -> bool

val wstep :
  'a1 list -> Big_int_Z.big_int -> row list -> layer list -> layer -> layer
  list -> layer -> atom list -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
  enode list -> wline -> enode list option

val widened : unit list -> Big_int_Z.big_int -> row -> row

val multiplied : Big_int_Z.big_int -> row -> row

val join_layer : unit list -> layer -> layer -> layer option

val width : layer -> unit list

val join_nets :
  unit list -> layer list -> layer -> layer list -> layer -> (layer
  list * layer) option

val all_linear : layer -> layer

val identity : layer -> layer

val idle : unit list -> layer -> layer list * layer

val extend : unit list -> layer list -> layer -> layer list * layer

val joined : unit list -> network list -> (layer list * layer) option

val sharper : Big_int_Z.big_int -> Big_int_Z.big_int -> ends -> ends

val with_row :
  Big_int_Z.big_int -> Big_int_Z.big_int list -> ends list -> ends list

val coordinate_ends : Big_int_Z.big_int -> 'a1 list -> cond list -> ends list

val lower_end :
  Big_int_Z.big_int list -> ends list -> Big_int_Z.big_int ->
  Big_int_Z.big_int option

val row_ends : Big_int_Z.big_int -> ends list -> row -> ends

val passed_ends : (bool * row) -> ends -> ends

val sign_shown : ends -> info

val passed_all : (bool * row) list -> ends list -> ends list

val by_intervals : Big_int_Z.big_int -> layer list -> ends list -> infos

val intervals_of :
  'a1 list -> Big_int_Z.big_int -> row list -> cond list -> layer list ->
  Big_int_Z.big_int -> infos

val both1 : info -> info -> info

val both2 : info list -> info list -> info list

val both : infos -> infos -> infos

val shows : layer list -> infos -> Big_int_Z.big_int -> bool -> bool

val closed : Big_int_Z.big_int -> row list -> row list -> cond list

val bounds_of :
  'a1 list -> Big_int_Z.big_int -> row list -> row list -> layer list ->
  Big_int_Z.big_int -> box -> infos option

val all_shown : layer list -> infos -> (Big_int_Z.big_int * bool) list -> bool

val only_here :
  (Big_int_Z.big_int * bool) list -> Big_int_Z.big_int -> info list -> info
  list

val only :
  (Big_int_Z.big_int * bool) list -> Big_int_Z.big_int -> infos -> infos

type dline =
| Deeper of record
| Leaf

val shows_sign : (row * sign) -> bool -> bool

val shows_all :
  Big_int_Z.big_int -> node -> (Big_int_Z.big_int * bool) list -> bool

val dstep :
  'a1 list -> (row list -> row list -> (Big_int_Z.big_int * Big_int_Z.big_int
  list list) option) -> (Big_int_Z.big_int * bool) list -> Big_int_Z.big_int
  -> (Big_int_Z.big_int * bool) list -> node list -> dline -> node list option

val infos_here :
  (Big_int_Z.big_int * bool) list -> 'a1 list -> Big_int_Z.big_int -> info
  list

val infos_of :
  (Big_int_Z.big_int * bool) list -> layer list -> Big_int_Z.big_int -> infos

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

val longest : network list -> unit list

val side_by_side : network list -> (layer list * layer) option

val first_state :
  (row -> Big_int_Z.big_int) -> claim -> Big_int_Z.big_int ->
  Big_int_Z.big_int list -> state option

val count_units : layer list -> Big_int_Z.big_int

val settle_both :
  (row -> Big_int_Z.big_int) -> unit list -> layer list -> layer list ->
  system -> Big_int_Z.big_int -> box -> (Big_int_Z.big_int * bool) list ->
  (layer list * layer list) option

val next_state :
  (row -> Big_int_Z.big_int) -> (row list -> row list ->
  (Big_int_Z.big_int * Big_int_Z.big_int list list) option) -> claim -> state
  -> entry -> state option

val accepted : claim -> state -> bool

val zletter : bool -> Big_int_Z.big_int -> letter -> bool

val zletters :
  layer list -> (Big_int_Z.big_int * Big_int_Z.big_int list) -> letter list
  list -> bool

val same_vector : vector -> vector -> bool

val value_ok : network -> vector -> vector -> letter list list -> bool

val belongs :
  unit list -> system -> (Big_int_Z.big_int * Big_int_Z.big_int list) -> bool

val zpassed_on :
  unit list -> layer list -> layer -> (Big_int_Z.big_int * Big_int_Z.big_int
  list) -> Big_int_Z.big_int * Big_int_Z.big_int list

val zalone :
  unit list -> layer list -> layer -> (Big_int_Z.big_int * Big_int_Z.big_int
  list) -> Big_int_Z.big_int * Big_int_Z.big_int list

val zsilent :
  layer list -> (Big_int_Z.big_int * Big_int_Z.big_int list) -> bool

val witness_ok :
  statement -> (Big_int_Z.big_int * Big_int_Z.big_int list) list -> bool

val fused : unit list -> row -> row

val fused_layer : unit list -> layer -> layer

val paired : network -> network -> network option

val gap_row :
  unit list -> unit list -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int list -> row

val gaps :
  sense -> unit list -> unit list -> (Big_int_Z.big_int * Big_int_Z.big_int)
  -> system list

val closed_system : system -> system

val outs : network -> unit list

val pair_claim :
  bool -> sense -> network -> network -> network ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> system -> claim

val linear_row : row -> row

val linear_layer : layer -> layer

val ray_ok :
  network -> network -> system -> Big_int_Z.big_int -> Big_int_Z.big_int list
  -> Big_int_Z.big_int list -> bool

val zpattern :
  layer list -> (Big_int_Z.big_int * Big_int_Z.big_int list) -> bool list

val firm : layer list -> (Big_int_Z.big_int * Big_int_Z.big_int list) -> bool

val seen :
  network -> system -> Big_int_Z.big_int -> Big_int_Z.big_int list -> bool
  list list -> bool list list option

type aline =
| AVisit of record
| ALeaf

val active_unit : (row * sign) -> bool

val layers_active : layer list -> (row * sign) list list -> bool

val active_leaf : row list -> layer list -> node -> bool

val active_root :
  Big_int_Z.big_int -> row list -> layer list -> system -> node

val astep :
  'a1 list -> row list -> layer list -> (row list -> row list ->
  (Big_int_Z.big_int * Big_int_Z.big_int list list) option) -> node list ->
  aline -> node list option

val zmixed :
  Big_int_Z.big_int list -> Big_int_Z.big_int list list -> Big_int_Z.big_int
  list

val rank_ok :
  Big_int_Z.big_int list list -> Big_int_Z.big_int -> Big_int_Z.big_int list
  -> (Big_int_Z.big_int * Big_int_Z.big_int list) list -> Big_int_Z.big_int
  -> Big_int_Z.big_int list list -> bool

type rule =
| Turn
| Replace of unit list * unit list * network

val split_at : unit list -> layer list -> layer list * layer list

val plain : layer -> bool

val orthant : unit list -> system

val taken_in : unit list -> system -> layer list -> unit list * system

val apply_rule : rule -> claim -> claim list option

val nowhere : unit list -> network

val taken : unit list -> vector -> system

val pair_claims :
  network -> network -> (Big_int_Z.big_int * Big_int_Z.big_int) -> (network
  -> 'a1 list) -> 'a1 list option

type goal =
| Claim of claim
| Near of network * network * (Big_int_Z.big_int * Big_int_Z.big_int) * system
| Far of network * network * system
| Witness of statement * unit list * system
| Count of Big_int_Z.big_int * network * system
| Active of network * system
| Ranked of Big_int_Z.big_int list list * Big_int_Z.big_int

val parts : bool -> statement -> goal list option

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

val start_goal :
  (row -> Big_int_Z.big_int) -> goal -> Big_int_Z.big_int ->
  Big_int_Z.big_int list -> work option

val step_goal :
  (row -> Big_int_Z.big_int) -> (row list -> row list ->
  (Big_int_Z.big_int * Big_int_Z.big_int list list) option) -> goal -> work
  -> input -> work option

val end_goal : goal -> work -> bool

val rule_for : rule -> goal -> goal list option

val first_stage : bool -> statement -> stage option

val next_stage :
  (row -> Big_int_Z.big_int) -> (row list -> row list ->
  (Big_int_Z.big_int * Big_int_Z.big_int list list) option) -> stage -> move
  -> stage option

val complete : stage -> bool
