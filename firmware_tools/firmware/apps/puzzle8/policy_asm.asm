; SPDX-License-Identifier: 0BSD
; Solves the 8-puzzle by walking down the policy table, as policy.c with hub_tables.c does and with
; the same answers, in a quarter of the cycles. README.md explains states, tables and candidates.
;
; The path is written by blocks of code, one for each way round a corner and direction of writing,
; at the end of code memory. A block looks up the next state's policy byte, that byte says through
; an action page where in a page of jump slots to continue, and the slot leads to the next block.
;
; While walking:  R1 next byte of the path   R5 coset   R6 element   DPL 0
; While choosing: R3 1 if mirrored   R4 edge of the blank   R5 coset   R6 element   R7 policy byte

	.module	policy_asm
	.include "puzzle8_tables.inc"
	.globl	_solve
	.globl	_start, _goal, _moves, _first_move

LONGEST		= 31
UNSOLVABLE	= 255
NO_MOVE		= 255
IN_CORNER	= 0x10		; added to the ring index of a blank
IN_CENTRE	= 0x20

FORWARDS	= 0x79		; pages of jump slots, just behind the tables
BACKWARDS	= 0x7A
BLOCKS		= 0x7B00

	.area	DSEG	(DATA)
from:		.ds	9	; addresses in `places` of the letters clockwise, then the centre's
to:		.ds	9
from_blank:	.ds	1	; ring index, with the class in the upper half
to_blank:	.ds	1
one_hot:	.ds	5	; ring indices of labels 2 to 6
frame:		.ds	1	; edge of `to` that is the goal, 0 to 3
first:		.ds	1	; number of the move out of a corner, or NO_MOVE
last:		.ds	1	; number of the move that remains after the goal's edge, or NO_MOVE
distance:	.ds	1
best_goal:	.ds	9	; best candidate so far: R3 to R7, frame, first, last, distance
near_start:	.ds	9	; the same, within one frame
out:		.ds	4	; letters of the moves from the centre to edge 0 to 3
half_turn:	.ds	1	; 2 when written backwards: every move is the opposite one
jump_page:	.ds	1

	.area	ISEG	(DATA)
places:		.ds	15	; ring index by letter, a to o

	.area	CSEG	(CODE)

letters:	.ascii	"urdlurdlu"

; Reads one cell of a board.
	.macro	READ	cells, ring, blank, index, cell, class, ?filled
	mov	a,cells+cell
	cjne	a,#0x6F,filled		; o
	mov	blank,#(class + index)
filled:	add	a,#(places - 0x61)	; a
	mov	ring+index,a
	.endm

	.macro	READ_BOARD	cells, ring, blank
	READ	cells, ring, blank, 0, 1, 0
	READ	cells, ring, blank, 1, 2, IN_CORNER
	READ	cells, ring, blank, 2, 5, 0
	READ	cells, ring, blank, 3, 8, IN_CORNER
	READ	cells, ring, blank, 4, 7, 0
	READ	cells, ring, blank, 5, 6, IN_CORNER
	READ	cells, ring, blank, 6, 3, 0
	READ	cells, ring, blank, 7, 0, IN_CORNER
	READ	cells, ring, blank, 8, 4, IN_CENTRE
	.endm

	.macro	EXCHANGE	one, other
	mov	a,one
	xch	a,other
	mov	one,a
	.endm

_solve:
	READ_BOARD	_start, from, from_blank
	READ_BOARD	_goal, to, to_blank
	mov	_first_move,#(_moves + 1)
	mov	jump_page,#FORWARDS
	mov	half_turn,#0
	mov	a,from_blank
	orl	a,#0x0F
	clr	c
	subb	a,to_blank
	jnc	in_order
	; The goal's blank is nearer to the centre: search from there.
	mov	jump_page,#BACKWARDS
	mov	half_turn,#2
	EXCHANGE	from, to
	EXCHANGE	from+1, to+1
	EXCHANGE	from+2, to+2
	EXCHANGE	from+3, to+3
	EXCHANGE	from+4, to+4
	EXCHANGE	from+5, to+5
	EXCHANGE	from+6, to+6
	EXCHANGE	from+7, to+7
	EXCHANGE	from+8, to+8
	EXCHANGE	from_blank, to_blank
in_order:
	mov	first,#NO_MOVE
	mov	last,#NO_MOVE
	mov	a,from_blank
	jb	acc.5,blank_is_in
	jb	acc.4,blank_in_corner
	add	a,#from
	mov	r0,a
	mov	@r0,from+8
	sjmp	blank_is_in
blank_in_corner:
	lcall	same_boards
	mov	a,from_blank
	inc	a
	anl	a,#7
	add	a,#from
	mov	r1,a
	mov	a,from_blank
	add	a,#(from - IN_CORNER)
	mov	r0,a
	mov	a,@r1
	mov	@r0,a
	mov	@r1,from+8
blank_is_in:

	.macro	NOTE	index
	mov	r0,from+index
	mov	@r0,#index
	.endm
	NOTE	0
	NOTE	1
	NOTE	2
	NOTE	3
	NOTE	4
	NOTE	5
	NOTE	6
	NOTE	7

	mov	a,to_blank
	jb	acc.5,goal_in_centre
	jb	acc.4,goal_in_corner

; The goal's blank is on an edge: one candidate.
	add	a,#to
	mov	r0,a
	mov	@r0,to+8
	mov	a,to_blank
	rr	a
	mov	frame,a
	lcall	locate
	mov	a,from_blank
	jb	acc.5,leave_centre
	lcall	find_edge
	ljmp	open_path
leave_centre:
	mov	r4,#0
	ljmp	open_path

; The goal's blank is in a corner: it may come over the edge before or the edge after.
goal_in_corner:
	mov	a,to_blank
	dec	a
	lcall	slide_over
	mov	last,#1
	lcall	try
	lcall	keep_goal
	mov	a,to_blank		; back again, and over the other edge
	add	a,#(to - IN_CORNER)
	mov	r0,a
	mov	a,to_blank
	dec	a
	anl	a,#7
	add	a,#to
	mov	r1,a
	mov	a,@r0
	mov	@r1,a
	mov	a,to_blank
	inc	a
	lcall	slide_over
	mov	last,#3
	lcall	try
	lcall	compare_goals
	ljmp	open_path

; Slides the blank of `to` out of its corner, over the edge cell A, into the centre.
slide_over:
	anl	a,#7
	mov	r1,a
	rr	a
	mov	frame,a
	mov	a,to_blank
	add	a,#(to - IN_CORNER)
	mov	r0,a
	mov	a,r1
	add	a,#to
	mov	r1,a
	mov	a,@r1
	mov	@r0,a
	mov	@r1,to+8
	ret

; The goal's blank is in the centre, and so is the start's: it may come over any edge.
goal_in_centre:
	lcall	same_boards
	mov	last,#2
	mov	frame,#0
	lcall	try
	lcall	keep_goal
	mov	frame,#1
	lcall	try
	lcall	compare_goals
	lcall	keep_goal
	mov	frame,#2
	lcall	try
	lcall	compare_goals
	lcall	keep_goal
	mov	frame,#3
	lcall	try
	lcall	compare_goals
	ljmp	open_path

; Leaves `solve` with 0 moves if the boards are the same. Called where their blanks are not on edges.
same_boards:
	mov	a,from_blank
	cjne	a,to_blank,different
	.macro	SAME	index
	mov	a,from+index
	cjne	a,to+index,different
	.endm
	SAME	0
	SAME	1
	SAME	2
	SAME	3
	SAME	4
	SAME	5
	SAME	6
	SAME	7
	dec	sp			; over the return address, to the caller of `solve`
	dec	sp
	mov	dpl,#0
different:
	ret

; Finds the candidate of `frame` and its distance.
try:
	lcall	locate
	mov	a,from_blank
	jb	acc.5,try_centre
	lcall	find_edge
	ret
try_centre:
	mov	r4,#0
	mov	dptr,#(HUB_DISTANCE_PAGE << 8)
	mov	a,r7
	movc	a,@a+dptr
	mov	distance,a
	ret

; Keeps the candidate in nine bytes.
	.macro	KEEP	place
	mov	place,r3
	mov	place+1,r4
	mov	place+2,r5
	mov	place+3,r6
	mov	place+4,r7
	mov	place+5,frame
	mov	place+6,first
	mov	place+7,last
	mov	place+8,distance
	ret
	.endm

; Goes back to the kept candidate unless the new one is closer, which its distance is by 2 plies.
	.macro	COMPARE	place, ?not_one, ?recall
	mov	a,distance
	clr	c
	subb	a,place+8
	cjne	a,#1,not_one
	ret
not_one:
	cjne	a,#0xFE,recall		; 0 - 2, mod 3 also 1
	ret
recall:
	mov	r3,place
	mov	r4,place+1
	mov	r5,place+2
	mov	r6,place+3
	mov	r7,place+4
	mov	frame,place+5
	mov	first,place+6
	mov	last,place+7
	mov	distance,place+8
	ret
	.endm

keep_goal:
	KEEP	best_goal
compare_goals:
	COMPARE	best_goal
keep_start:
	KEEP	near_start
compare_starts:
	COMPARE	near_start

; Finds the edge that the blank of `from` starts at, as seen from the frame, in R4. From a corner
; there are two: takes the closer one, and its distance.
find_edge:
	mov	a,from_blank
	jb	acc.4,find_closer_edge
	rr	a
	clr	c
	subb	a,frame
	anl	a,#3
	mov	r4,a
	mov	a,r3
	jz	edge_found
	clr	c
	clr	a
	subb	a,r4
	anl	a,#3
	mov	r4,a
edge_found:
	ret

find_closer_edge:
	inc	a			; IN_CORNER does not reach the two bits that count
	rr	a
	clr	c
	subb	a,frame
	anl	a,#3
	mov	r4,a
	inc	a
	anl	a,#3
	mov	first,a
	mov	a,r3
	jz	upright
	clr	c
	clr	a
	subb	a,r4
	anl	a,#3
	mov	r4,a
upright:
	mov	a,r4
	add	a,#DISTANCE_PAGE
	mov	dph,a
	mov	dpl,#0
	mov	a,r7
	movc	a,@a+dptr
	mov	distance,a
	lcall	keep_start
	; Round the corner to the edge before; mirrored, to the edge after.
	mov	a,r3
	jnz	after
	mov	a,r4
	dec	a
	anl	a,#3
	mov	r4,a
	rl	a
	rl	a
	add	a,#(TURN_PAGE + 2)
	sjmp	turn
after:
	mov	a,r4
	mov	r2,a
	inc	a
	anl	a,#3
	mov	r4,a
	mov	a,r2
	rl	a
	rl	a
	add	a,#TURN_PAGE
turn:
	mov	dph,a
	mov	a,r5
	movc	a,@a+dptr
	xch	a,r5
	inc	dph
	movc	a,@a+dptr
	jnb	acc.7,turned
	clr	acc.7
	mov	dph,a
	mov	a,r3
	xrl	a,#1
	mov	r3,a
	clr	c
	clr	a
	subb	a,r4
	anl	a,#3
	mov	r4,a
	sjmp	multiply
turned:
	mov	dph,a
multiply:
	mov	a,r6
	movc	a,@a+dptr
	mov	r6,a
	mov	a,r5
	mov	c,acc.7
	clr	acc.7
	mov	dph,a
	mov	a,r6
	mov	acc.7,c
	movc	a,@a+dptr
	mov	r7,a
	mov	a,r4
	add	a,#DISTANCE_PAGE
	mov	dph,a
	mov	a,r7
	movc	a,@a+dptr
	mov	distance,a
	mov	a,first			; to the edge before, the move is one further round
	inc	a
	anl	a,#3
	mov	first,a
	ljmp	compare_starts

; Sets R3, R5, R6 and R7 to the hub state as seen from `frame`. Leaves `solve` if it is odd.
	.macro	FRAME	g, ?next
	mov	a,frame
	cjne	a,#(g / 2),next
	mov	dptr,#((ROWS_PAGE << 8) + ONE_HOT + 8 - g)
	mov	r0,to+((g + 2) & 7)
	mov	a,@r0
	movc	a,@a+dptr
	mov	one_hot,a
	mov	r0,to+((g + 3) & 7)
	mov	a,@r0
	movc	a,@a+dptr
	mov	one_hot+1,a
	mov	r0,to+((g + 4) & 7)
	mov	a,@r0
	movc	a,@a+dptr
	mov	one_hot+2,a
	mov	r0,to+((g + 5) & 7)
	mov	a,@r0
	movc	a,@a+dptr
	mov	one_hot+3,a
	mov	r0,to+((g + 6) & 7)
	mov	a,@r0
	movc	a,@a+dptr
	mov	one_hot+4,a
	mov	r0,to+((g + 1) & 7)
	mov	a,@r0
	add	a,#(8 - g)
	anl	a,#7
	swap	a
	mov	r7,a
	mov	r0,to+((g + 7) & 7)
	mov	a,@r0
	add	a,#(8 - g)
	anl	a,#7
	orl	a,r7
	mov	r7,a			; 16 * place of label 1 + place of label 7
	mov	r0,to+((g + 0) & 7)
	mov	a,@r0
	add	a,#(8 - g)
	anl	a,#7
	ljmp	rank
next:
	.endm

locate:
	FRAME	0
	FRAME	2
	FRAME	4
	FRAME	6
rank:
	mov	r0,a			; place of label 0
	mov	dptr,#(PAIR_PAGE << 8)
	mov	a,r7
	movc	a,@a+dptr
	mov	r4,a			; bit 0: label 1 stands before label 7
	clr	acc.0
	orl	a,r0
	mov	r7,a			; number of the shape
	; Factorial number of the places of labels 2 to 5: each counted among those of the later ones.
	mov	dph,#COUNT_PAGE
	mov	a,one_hot+4
	orl	a,one_hot+3
	mov	r2,a
	orl	a,one_hot+2
	mov	r3,a
	orl	a,one_hot+1
	mov	r0,a
	mov	a,one_hot
	dec	a
	anl	a,r0
	movc	a,@a+dptr
	rl	a
	rl	a
	mov	r6,a
	mov	a,one_hot+1
	dec	a
	anl	a,r3
	movc	a,@a+dptr
	add	a,r6
	mov	r6,a
	rl	a
	add	a,r6
	mov	r6,a
	mov	a,one_hot+2
	dec	a
	anl	a,r2
	movc	a,@a+dptr
	add	a,r6
	rl	a
	mov	r6,a
	mov	a,one_hot+3
	dec	a
	anl	a,one_hot+4
	movc	a,@a+dptr
	add	a,r6
	mov	r6,a
	; The order of labels 1 and 7 has to be the one that makes the permutation even.
	mov	r3,#0
	mov	dph,#UPRIGHT_PAGE
	mov	a,r7
	movc	a,@a+dptr
	mov	r2,a
	rl	a
	xrl	a,r4
	mov	r4,a
	mov	dph,#PAIR_PAGE
	mov	a,r6
	orl	a,#ODD_ELEMENT
	movc	a,@a+dptr
	xrl	a,r4
	jb	acc.0,odd
	mov	a,r2
	clr	acc.7
	jz	is_upright
	mov	dph,a
	mov	a,r6
	movc	a,@a+dptr
	mov	r6,a
	inc	r3
is_upright:
	mov	dph,#SHAPE_PAGE
	mov	a,r7
	movc	a,@a+dptr
	mov	r5,a
	mov	c,acc.7
	clr	acc.7
	mov	dph,a
	mov	a,r6
	mov	acc.7,c
	movc	a,@a+dptr
	mov	r7,a
	ret
; Straight back to the caller of `solve`. Only the first candidate can be odd.
odd:
	mov	a,to_blank
	anl	a,#0x30
	jz	leave			; called from `solve`; from `try` otherwise
	dec	sp
	dec	sp
leave:
	dec	sp
	dec	sp
	mov	dpl,#UNSOLVABLE
	ret

; Sets the letters and starts to walk.
open_path:
	mov	r1,#(_moves + 1)
	mov	a,half_turn
	jz	towards
	mov	r1,#(_moves + LONGEST)
towards:
	mov	dptr,#letters
	add	a,frame
	mov	r2,a
	movc	a,@a+dptr
	mov	out,a
	inc	r2
	mov	a,r2
	movc	a,@a+dptr
	mov	out+1,a
	inc	r2
	mov	a,r2
	movc	a,@a+dptr
	mov	out+2,a
	inc	r2
	mov	a,r2
	movc	a,@a+dptr
	mov	out+3,a
	mov	a,last
	cjne	a,#NO_MOVE,has_last
	mov	last,#0
	sjmp	set_first
has_last:
	add	a,#out
	mov	r0,a
	mov	a,@r0
	mov	last,a
set_first:
	mov	a,first
	cjne	a,#NO_MOVE,has_first
	sjmp	set_mirror
has_first:
	add	a,#out
	mov	r0,a
	mov	a,@r0
	lcall	write
set_mirror:
	mov	a,r3
	jz	set_centre
	EXCHANGE	out+1, out+3
set_centre:
	mov	a,from_blank
	jnb	acc.5,set_out
	; From the centre: as if the blank came from edge 0. The move in falls into the byte to spare
	; before the path; or edge 0 is where the blank goes.
	mov	dptr,#(ACTION_PAGE << 8)
	mov	a,r7
	movc	a,@a+dptr
	anl	a,#0x30
	jnz	move_in
	mov	a,out
	lcall	write
	sjmp	set_out
move_in:
	mov	a,half_turn
	dec	a
	add	a,r1			; r1 - 1, or r1 + 1 backwards
	mov	r1,a
set_out:
	mov	dpl,#0
	mov	a,r4
	add	a,#ACTION_PAGE
	mov	dph,a
	mov	a,r7
	movc	a,@a+dptr
	mov	dph,jump_page
	jmp	@a+dptr

; Writes A and steps on.
write:
	mov	@r1,a
	inc	r1
	mov	a,half_turn
	jz	written
	dec	r1
	dec	r1
written:
	ret

; ---- Walking --------------------------------------------------------------------------------

	.macro	PUT	letter, advance
	mov	@r1,letter
	advance	r1
	.endm

; Looks up the policy byte of (R5, R6) and continues from an edge.
	.macro	GO_ON	edge
	mov	a,r5
	mov	c,acc.7
	clr	acc.7
	mov	dph,a
	mov	a,r6
	mov	acc.7,c
	movc	a,@a+dptr
	mov	dph,#(ACTION_PAGE + edge)
	movc	a,@a+dptr
	mov	dph,jump_page
	jmp	@a+dptr
	.endm

; Round a corner, to `edge`. Mirrored cosets continue elsewhere, as they are rarer.
	.macro	ROUND	advance, one, two, turn, edge, flipped, ?flip
	PUT	one, advance
	PUT	two, advance
	mov	dph,#(TURN_PAGE + 2 * turn)
	mov	a,r5
	movc	a,@a+dptr
	xch	a,r5
	inc	dph
	movc	a,@a+dptr
	jb	acc.7,flip
	mov	dph,a
	mov	a,r6
	movc	a,@a+dptr
	mov	r6,a
	GO_ON	edge
flip:	ajmp	flipped
	.endm

; The edge has turned into `edge` by mirroring.
	.macro	MIRROR	edge
	clr	acc.7
	mov	dph,a
	mov	a,r6
	movc	a,@a+dptr
	mov	r6,a
	EXCHANGE	out+1, out+3
	GO_ON	edge
	.endm

; A slot has 8 bytes, and each edge 8 slots: 64 * edge + 16 * target + 8 * direction.
	.macro	CROSS	advance, edge, target, block
	PUT	out+((edge+2)&3), advance
	PUT	out+target, advance
	ajmp	block
	.endm

; The two slots of an edge itself. In the first, behind its jump: from this edge to the goal.
	.macro	STAY	advance, edge, clockwise, counter, goal
	ajmp	clockwise
	PUT	out+((edge+2)&3), advance
	ajmp	goal
	.ds	1
	ajmp	counter
	.ds	6
	.endm

	.area	WALK	(ABS,CODE)

	.org	FORWARDS << 8
	ajmp	f0_cw
	ajmp	f_end
	.ds	4
	ajmp	f0_ccw
	.ds	6
	CROSS	inc, 0, 1, f1_cw
	CROSS	inc, 0, 1, f1_ccw
	CROSS	inc, 0, 2, f2_cw
	CROSS	inc, 0, 2, f2_ccw
	CROSS	inc, 0, 3, f3_cw
	CROSS	inc, 0, 3, f3_ccw
	CROSS	inc, 1, 0, f0_cw
	CROSS	inc, 1, 0, f0_ccw
	STAY	inc, 1, f1_cw, f1_ccw, f_goal
	CROSS	inc, 1, 2, f2_cw
	CROSS	inc, 1, 2, f2_ccw
	CROSS	inc, 1, 3, f3_cw
	CROSS	inc, 1, 3, f3_ccw
	CROSS	inc, 2, 0, f0_cw
	CROSS	inc, 2, 0, f0_ccw
	CROSS	inc, 2, 1, f1_cw
	CROSS	inc, 2, 1, f1_ccw
	STAY	inc, 2, f2_cw, f2_ccw, f_goal
	CROSS	inc, 2, 3, f3_cw
	CROSS	inc, 2, 3, f3_ccw
	CROSS	inc, 3, 0, f0_cw
	CROSS	inc, 3, 0, f0_ccw
	CROSS	inc, 3, 1, f1_cw
	CROSS	inc, 3, 1, f1_ccw
	CROSS	inc, 3, 2, f2_cw
	CROSS	inc, 3, 2, f2_ccw
	STAY	inc, 3, f3_cw, f3_ccw, f_goal

	.org	BACKWARDS << 8
	ajmp	b0_cw
	ajmp	b_end
	.ds	4
	ajmp	b0_ccw
	.ds	6
	CROSS	dec, 0, 1, b1_cw
	CROSS	dec, 0, 1, b1_ccw
	CROSS	dec, 0, 2, b2_cw
	CROSS	dec, 0, 2, b2_ccw
	CROSS	dec, 0, 3, b3_cw
	CROSS	dec, 0, 3, b3_ccw
	CROSS	dec, 1, 0, b0_cw
	CROSS	dec, 1, 0, b0_ccw
	STAY	dec, 1, b1_cw, b1_ccw, b_goal
	CROSS	dec, 1, 2, b2_cw
	CROSS	dec, 1, 2, b2_ccw
	CROSS	dec, 1, 3, b3_cw
	CROSS	dec, 1, 3, b3_ccw
	CROSS	dec, 2, 0, b0_cw
	CROSS	dec, 2, 0, b0_ccw
	CROSS	dec, 2, 1, b1_cw
	CROSS	dec, 2, 1, b1_ccw
	STAY	dec, 2, b2_cw, b2_ccw, b_goal
	CROSS	dec, 2, 3, b3_cw
	CROSS	dec, 2, 3, b3_ccw
	CROSS	dec, 3, 0, b0_cw
	CROSS	dec, 3, 0, b0_ccw
	CROSS	dec, 3, 1, b1_cw
	CROSS	dec, 3, 1, b1_ccw
	CROSS	dec, 3, 2, b2_cw
	CROSS	dec, 3, 2, b2_ccw
	STAY	dec, 3, b3_cw, b3_ccw, b_goal

	.org	BLOCKS
f0_cw:	ROUND	inc, out+1, out+2, 0, 1, mirror_3
f1_cw:	ROUND	inc, out+2, out+3, 2, 2, mirror_2
f2_cw:	ROUND	inc, out+3, out+0, 4, 3, mirror_1
f3_cw:	ROUND	inc, out+0, out+1, 6, 0, mirror_0
f0_ccw:	ROUND	inc, out+3, out+2, 7, 3, mirror_1
f1_ccw:	ROUND	inc, out+0, out+3, 1, 0, mirror_0
f2_ccw:	ROUND	inc, out+1, out+0, 3, 1, mirror_3
f3_ccw:	ROUND	inc, out+2, out+1, 5, 2, mirror_2
b0_cw:	ROUND	dec, out+1, out+2, 0, 1, mirror_3
b1_cw:	ROUND	dec, out+2, out+3, 2, 2, mirror_2
b2_cw:	ROUND	dec, out+3, out+0, 4, 3, mirror_1
b3_cw:	ROUND	dec, out+0, out+1, 6, 0, mirror_0
b0_ccw:	ROUND	dec, out+3, out+2, 7, 3, mirror_1
b1_ccw:	ROUND	dec, out+0, out+3, 1, 0, mirror_0
b2_ccw:	ROUND	dec, out+1, out+0, 3, 1, mirror_3
b3_ccw:	ROUND	dec, out+2, out+1, 5, 2, mirror_2
mirror_0:
	MIRROR	0
mirror_1:
	MIRROR	1
mirror_2:
	MIRROR	2
mirror_3:
	MIRROR	3

f_goal:	PUT	out, inc
f_end:	mov	a,last
	jz	f_count
	mov	@r1,a
	inc	r1
f_count:
	mov	a,r1
	clr	c
	subb	a,#(_moves + 1)
	mov	dpl,a
	ret

b_goal:	PUT	out, dec
b_end:	mov	a,last
	jz	b_count
	mov	@r1,a
	dec	r1
b_count:
	mov	a,#(_moves + LONGEST)
	clr	c
	subb	a,r1
	mov	dpl,a
	inc	r1
	mov	_first_move,r1
	ret
