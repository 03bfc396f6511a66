#include "fold.h"

template void fold_rows<int>(int *, int);
