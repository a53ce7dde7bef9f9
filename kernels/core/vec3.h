#pragma once
// Declares vectors of three components, for both backends.
#include "kernels/core/hd.h"
#include "kernels/core/square_root.h"

#include <cmath>
#include <cstdint>

namespace scanloupe {

/// Three components of a point, a direction or an extent along x, y, z. The caller defines the unit (metres
/// unless documented otherwise).
template <class T>
struct Vec3 {
    T x{}, y{}, z{};

    HD constexpr T& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    HD constexpr const T& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
    HD friend constexpr bool operator==(const Vec3& a, const Vec3& b) {
        return a.x == b.x && a.y == b.y && a.z == b.z;
    }
    HD friend constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    HD friend constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    HD friend constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
    /// Multiplies component by component.
    HD friend constexpr Vec3 operator*(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
    HD friend constexpr Vec3 operator/(Vec3 a, Vec3 b) { return {a.x / b.x, a.y / b.y, a.z / b.z}; }
    HD friend constexpr Vec3 operator*(Vec3 a, T s) { return {a.x * s, a.y * s, a.z * s}; }
    HD friend constexpr Vec3 operator*(T s, Vec3 a) { return a * s; }
    HD friend constexpr Vec3 operator/(Vec3 a, T s) { return {a.x / s, a.y / s, a.z / s}; }
    HD constexpr Vec3& operator+=(Vec3 b) { return *this = *this + b; }
    HD constexpr Vec3& operator-=(Vec3 b) { return *this = *this - b; }
    HD constexpr Vec3& operator*=(T s) { return *this = *this * s; }

    template <class U>
    HD constexpr Vec3<U> as() const {
        return {static_cast<U>(x), static_cast<U>(y), static_cast<U>(z)};
    }
};

using Vec3f = Vec3<float>;
using Vec3d = Vec3<double>;
using Vec3i = Vec3<std::int32_t>;

template <class T>
HD constexpr T dot(Vec3<T> a, Vec3<T> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
HD constexpr Vec3<T> cross(Vec3<T> a, Vec3<T> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
HD constexpr T squaredNorm(Vec3<T> a) {
    return dot(a, a);
}
template <class T>
HD inline T norm(Vec3<T> a) {
    return squareRoot(squaredNorm(a));
}
/// Returns the unit vector along `a`, or `a` itself if its length is zero.
template <class T>
HD inline Vec3<T> normalized(Vec3<T> a) {
    const T length = norm(a);
    return length > T(0) ? a / length : a;
}
template <class T>
HD constexpr Vec3<T> min(Vec3<T> a, Vec3<T> b) {
    return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}
template <class T>
HD constexpr Vec3<T> max(Vec3<T> a, Vec3<T> b) {
    return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}
/// Returns whether all components are finite.
template <class T>
HD inline bool isFinite(Vec3<T> a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

} // namespace scanloupe
