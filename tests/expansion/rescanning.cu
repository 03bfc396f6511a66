// What is expanded again, and what never again.
#define SELF SELF + 1
SELF;
#define PING PONG + ping
#define PONG PING + pong
PING; PONG;
#define f(x) f(x) * f
f(f)(f(1))(2);
#define NIL(x) x
#define G_0(x) NIL(G_1)(x)
#define G_1(x) NIL(G_0)(x) + x
G_0(9); G_0(G_1(8));
// Deferred: the call is complete only after another scan.
#define EMPTY()
#define DEFER(x) x EMPTY()
#define OBSTRUCT(...) __VA_ARGS__ DEFER(EMPTY)()
#define EXPAND(...) __VA_ARGS__
#define A() 123
DEFER(A)(); EXPAND(DEFER(A)()); OBSTRUCT(A)(); EXPAND(OBSTRUCT(A)()); EXPAND(EXPAND(OBSTRUCT(A)()));
#define REPEAT_LATER() REPEAT
#define REPEAT(n) n DEFER(REPEAT_LATER)()(n + 1)
REPEAT(0); EXPAND(REPEAT(0)); EXPAND(EXPAND(REPEAT(0)));
// A name that ends a replacement takes the parenthesis behind it, over lines and other replacements.
#define TWICE(x) ((x) + (x))
#define CALL TWICE
#define NO_ARGUMENTS CALL
CALL (1); NO_ARGUMENTS
  /* between */
  (2); (CALL)(3); CALL;
#define OPEN (
#define CLOSE )
TWICE OPEN 1 CLOSE; EXPAND(TWICE OPEN 1 CLOSE);
#define h(x) x h
h(1)(2)(h)(3);
#define q(x) x q(x
q(1)); q(q(2)));
// The examples that the standard leaves open: painted at once, or when the replacement has ended.
#define foo() bar
foo()(); foo
();
#define AA BB
#define BB AA BB
AA; BB;
// Redefined between the collection of an argument and its use.
#define LATER first
#define USE(x) x LATER
USE(LATER)
#undef LATER
#define LATER second
USE(LATER);
// A directive between a name and its parenthesis keeps them apart.
TWICE
#define BETWEEN
(1);
TWICE /* no directive */
# /* the empty one */
(2);
