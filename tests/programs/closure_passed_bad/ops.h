#include <functional>

void with_array(std::function<void(int *, int *)> f);
