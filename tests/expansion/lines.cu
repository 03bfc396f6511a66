// Lines, joined lines and what counts as the start of one.
#define SPLI\
CED 1
SPL\
ICED; SPLI\
\
CED; "a\
b"; 'c' \
; // a comment \
that goes on SPLICED
SPLICED; /\
* a comment *\
/ SPLICED; /\
/ another
SPLICED
  #  define  INDENTED(x)  x+x
INDENTED(1); /* first */ # /* second */ define /* third */ COMMENTED /* fourth */ 2 /* fifth */
COMMENTED;
/* over
lines */ #define AFTER_COMMENT 3
AFTER_COMMENT;
#
# /* the empty directive */
#define LONG(a, \
             b) \
  a + \
  b
LONG(1,
     2);
#define TAB	(	1	)
TAB; TAB ;
x = a #b; x = a ## b;
#pragma unroll 4
#pragma once
int at_42; __LINE__;
#line 100
__LINE__; __LINE__
; __LINE__;
#define HERE __LINE__
HERE; HERE +
HERE;
#define NUMBER 7
#line NUMBER
__LINE__;
#undef NUMBER junk
NUMBER;
a+++++b; a-- -b; a<<=b>>=c; a>>>b; a->*b; a.*b; x...;
..1; 1..2; .5e+3-1; 0x1e+1; 1e+1; 1.e-3f; 1'000'000; 0b1'01; 1_km; 0x1p-3; 5.f; 08;
$dollar; a$b; `; @; \ x;
