// How arguments are split, and what may stand in them.
#define TWO(a, b) <a|b>
#define ONE(a) <a>
#define ANY(...) <__VA_ARGS__>
TWO((1, 2), [3); TWO(], {(4, 5)}) };
TWO(,); TWO( , x); TWO(x, /* nothing */); ONE(); ONE( /* nothing */ ); ANY(); ANY(,); ANY(a,,b);
TWO("a,b)", ','); TWO('(', "\")");
TWO(ONE(1), ONE(TWO(2, 3)));
TWO(ONE, (1));
ONE(TWO)(4, 5);
TWO(
  over, // a comment, with a comma
  lines /* and ( another */
);
ONE(#no directive#);
ONE(
#define INSIDE 7
INSIDE
#undef INSIDE
INSIDE
#if 0
  left out, (
#else
  kept
#endif
);
#define COMMA ,
#define PAIR 1, 2
ONE(COMMA); ONE(PAIR); ANY(PAIR COMMA PAIR);
#define APPLY(m, x) m x
APPLY(ANY, (PAIR, 3));
APPLY(ONE, ((PAIR)));
APPLY(TWO, (PAIR));
#define CAT_LIST(x, ...) x (__VA_ARGS__)
CAT_LIST(1); CAT_LIST(1, ); CAT_LIST(1, 2, 3);
#define NESTED(a) ONE(a) TWO(a, ONE(a))
NESTED(NESTED(x));
#define EMPTY
ONE(EMPTY); TWO(EMPTY, EMPTY 1 EMPTY); ONE EMPTY (2);
