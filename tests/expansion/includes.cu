// A file that includes itself, with other macros each time.
#ifndef DEPTH
#define DEPTH 0
#define LIST(X) X(alpha, 1) X(beta, 2) X(gamma, (3, 4))
#define DECLARE(name, value) int name[] = { value };
#define NAME(name, ...) #name,
LIST(DECLARE)
const char *names[] = { LIST(NAME) 0 };
#define SAME "includes.cu"
#include SAME
#define ITSELF(name) <name.cu>
#include "includes.cu" // a comment
between DEPTH;
end DEPTH;
#undef DEPTH
#elif DEPTH == 0
#undef DEPTH
#define DEPTH 1
first_inclusion DEPTH;
#include "includes.cu"
#elif DEPTH == 1
nested DEPTH; __INCLUDE_LEVEL__;
#undef DEPTH
#define DEPTH 2
#else
last DEPTH;
#endif
__COUNTER__;
