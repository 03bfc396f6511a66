#pragma once
namespace rows {
inline int width() {
    return 2;
}
}
