#pragma once
// Declares columns of point values as arguments of kernels that NVRTC compiles.
#include "kernels/formula/formula_cuda.h"

#include <span>

namespace scanloupe::cuda {

/// Arguments of kernels that read columns of points; kColumnsSource must declare the same structure.
struct ColumnArguments {
    const Vec3f* positions;
    unsigned long long count;
    double origin[3], up[3];
    struct Column {
        const void* data;
        int type; ///< a ScalarType; or -1, -2, -3, -4 for x, y, z, height
    } columns[kMaxFormulaColumns];
};

/// Source code for NVRTC: declares ColumnArguments, and read(arguments, column, point, position), which
/// returns the value of a point as a double.
inline constexpr const char* kColumnsSource = R"(struct Column {
    const void* data;
    int type;
};
struct ColumnArguments {
    const float* positions;
    unsigned long long count;
    double origin[3], up[3];
    Column columns[32];
};
__device__ inline double read(const ColumnArguments& a, int k, unsigned long long i, const double* p) {
    const Column& c = a.columns[k];
    switch (c.type) {
    case -1: return p[0];
    case -2: return p[1];
    case -3: return p[2];
    case -4: return a.up[0] * p[0] + a.up[1] * p[1] + a.up[2] * p[2];
    case 0: return ((const signed char*)c.data)[i];
    case 1: return ((const unsigned char*)c.data)[i];
    case 2: return ((const short*)c.data)[i];
    case 3: return ((const unsigned short*)c.data)[i];
    case 4: return ((const int*)c.data)[i];
    case 5: return ((const unsigned int*)c.data)[i];
    case 6: return (double)((const long long*)c.data)[i];
    case 7: return (double)((const unsigned long long*)c.data)[i];
    case 8: return ((const float*)c.data)[i];
    default: return ((const double*)c.data)[i];
    }
}
)";

inline ColumnArguments argumentsOf(const FormulaPoints& points, std::span<const FormulaColumn> columns) {
    ColumnArguments arguments{};
    arguments.positions = points.positions.data();
    arguments.count = points.positions.size();
    for (int axis = 0; axis < 3; ++axis) {
        arguments.origin[axis] = points.origin[axis];
        arguments.up[axis] = points.up[axis];
    }
    for (std::size_t k = 0; k < columns.size(); ++k)
        arguments.columns[k] = {columns[k].data,
                                columns[k].data ? int(columns[k].type) : -1 - columns[k].coordinate};
    return arguments;
}

} // namespace scanloupe::cuda
