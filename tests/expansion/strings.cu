// # and the spelling of its operand.
#define STR(x) #x
#define XSTR(x) STR(x)
#define VSTR(...) #__VA_ARGS__
#define TILE (16 * 2)
STR(TILE); XSTR(TILE); STR(  a   +	b  ); STR(a/* comment */b); STR(a // to the end
b);
STR(); XSTR(); STR("text"); STR("a\"b\\c\n"); STR('"'); STR('\''); STR(\); STR(\n); STR("\\" \ '\\');
VSTR(a,b ,  c); VSTR(); VSTR(,); XSTR(XSTR(TILE));
STR(L"wide" u8"text" 'c'); STR(a.b->c[d]<<e); STR( - - ); STR(-- ); STR(+ ++);
STR(#x); STR(##); STR(STR(1));
#define SPACED(x) #x # x
SPACED( a  b );
#define BOTH(x) #x x
BOTH(TILE); BOTH(BOTH(TILE));
STR(
  one
  two
);
#define ASSERT(c) if (!(c)) printf("%s: %s\n", "failed", #c)
ASSERT(a[i] == "x" && TILE > 3);
#define UNROLL(n) _Pragma(STR(unroll n)) for
UNROLL(4) (;;);
auto raw = R"(a "b" \n, // no comment
# no directive
)"; auto other = R"x(a)" )y" )x"; TILE;
R"(TILE)" TILE; u8R"(x)" LR"-(y)-"; R "(TILE)";
