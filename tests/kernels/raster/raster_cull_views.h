#pragma once
// Inputs for tests of conservative culling: a reciprocal with the maximum permitted error, and views of all
// kinds.
#include "tests/kernels/raster/test_raster_support.h"

namespace scanloupe::test {

/// A reciprocal that is off by up to two units in the last place, in either direction.
struct RoughReciprocal {
    float operator()(float v) const {
        const float inverse = 1.0f / v;
        const auto bits = std::bit_cast<std::uint32_t>(inverse);
        return std::isnormal(inverse)
                   ? std::bit_cast<float>(bits + (std::bit_cast<std::uint32_t>(v) * 2654435761u >> 30) - 2)
                   : inverse;
    }
};

inline void addViews() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<double>("fov");
    QTest::addColumn<bool>("orthographic");
    QTest::addColumn<double>("offset");
    // edge of the whole picture that this view is a part of; 0: the view is not a part
    QTest::addColumn<int>("whole");
    QTest::newRow("usual") << 1920 << 1080 << 1.0 << false << 0.0 << 0;
    QTest::newRow("small") << 64 << 48 << 1.0 << false << 0.0 << 0;
    QTest::newRow("largest") << 16384 << 16384 << 1.0 << false << 0.0 << 0;
    QTest::newRow("wide") << 800 << 600 << 3.0 << false << 0.0 << 0;
    QTest::newRow("telephoto") << 800 << 600 << 1e-3 << false << 0.0 << 0;
    QTest::newRow("far away") << 800 << 600 << 1.0 << false << 1e5 << 0;
    QTest::newRow("orthographic") << 1920 << 1080 << 1.0 << true << 0.0 << 0;
    QTest::newRow("orthographic, far away") << 1920 << 1080 << 1.0 << true << 1e5 << 0;
    QTest::newRow("part") << 500 << 300 << 1.0 << false << 0.0 << 16384;
    QTest::newRow("part, wide") << 500 << 300 << 3.0 << false << 0.0 << 16384;
    QTest::newRow("part, orthographic") << 500 << 300 << 1.0 << true << 0.0 << 16384;
}

inline Projection viewOf(int width, int height, double fov, bool orthographic, double offset, int whole) {
    const Vec3d away{offset, -offset, offset / 4};
    Camera camera = cameraAt(Vec3d{0.25, -0.5, 0.125} + away, Vec3d{0.3, 3, 0.4} + away, orthographic, 3);
    camera.verticalFov = fov;
    if (whole > 0)
        return Projection(camera, whole, whole)
            .part(whole - width - 7, 5, width, height)
            .sampledAt(0.3125f, -0.25f);
    return Projection(camera, width, height);
}
/// The view that a row of addViews() describes.
inline Projection viewOfRow() {
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(double, fov);
    QFETCH(bool, orthographic);
    QFETCH(double, offset);
    QFETCH(int, whole);
    return viewOf(width, height, fov, orthographic, offset, whole);
}

} // namespace scanloupe::test
