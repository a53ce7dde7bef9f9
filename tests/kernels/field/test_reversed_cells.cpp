// Cells in which the signed distance decreases along the normal of their surface carry no surface.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/scalar_field.h"
#include "tests/kernels/field/field_backends.h"
#include "tests/kernels/field/field_test_support.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <limits>
#include <optional>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// The index of the brick that contains a node or cell; none without such a brick.
std::optional<std::size_t> brickAt(const ScalarField& field, Vec3i at) {
    const std::uint64_t key = brickKey({at.x / 8, at.y / 8, at.z / 8}, field.brickDims);
    const auto keys = field.brickKeys.span();
    const auto found = std::lower_bound(keys.begin(), keys.end(), key);
    return found != keys.end() && *found == key ? std::optional(std::size_t(found - keys.begin()))
                                                : std::nullopt;
}

double nodeValue(const ScalarField& field, Vec3i node) {
    const auto brick = brickAt(field, node);
    return brick ? double(field.values[*brick * kBrickNodes +
                                       std::size_t((node.z % 8 * 8 + node.y % 8) * 8 + node.x % 8)])
                 : std::numeric_limits<double>::quiet_NaN();
}

bool mayCarrySurface(const ScalarField& field, Vec3i cell) {
    const auto brick = brickAt(field, cell);
    return brick &&
           (field.cellMask[*brick * kBrickEdge + std::size_t(cell.z % 8)] >> (cell.x % 8 + 8 * (cell.y % 8)) &
            1) != 0;
}

/// Cosine of the angle between two directions.
double cosineOf(Vec3d a, Vec3d b) {
    return dot(a, b) / (norm(a) * norm(b));
}

} // namespace

class TestReversedCells : public QObject {
    Q_OBJECT
private slots:
    ON_EACH_FIELD_BACKEND(reversedCellsOfUnevenVoxels)

private:
    /// A rough floor with random normals, compared with a plain loop in double precision.
    void reversedCellsOfUnevenVoxelsOn(const QString& backend) {
        auto random = seededRandom("reversedCellsOfUnevenVoxels");
        std::uniform_real_distribution<float> part(0.1f, 0.9f);
        std::normal_distribution<float> along;
        const GridShape shape{{0, 0, 0}, {0.1f, 0.2f, 0.05f}, {64, 64, 24}};
        constexpr int edge = 56; // edge of the floor in voxels
        std::vector<Vec3f> points;
        std::vector<std::vector<float>> columns(3);
        const auto add = [&](Vec3i cell, Vec3f normal) {
            const Vec3f within{part(random), part(random), part(random)};
            points.push_back((cell.as<float>() + within) * shape.voxelSize);
            for (int axis = 0; axis < 3; ++axis)
                columns[std::size_t(axis)].push_back(normal[axis]);
        };
        for (int y = 0; y < edge; ++y)
            for (int x = 0; x < edge; ++x)
                add({x, y, 4}, normalized(Vec3f{along(random), along(random), along(random)}));
        add({62, 62, 20}, {0, 0, 1}); // this voxel is far from the floor
        const auto fieldOf = [&] {
            const VoxelGrid grid = binPoints(points, shape, columns);
            FieldParams params{FieldKind::signedDistance, 0, {}};
            params.normals.normals = vectorsFrom(grid, 3);
            return fieldOn(backend, grid, params);
        };
        const ScalarField all = fieldOf(); // with all normals known, no cell counts as reversed
        QCOMPARE(all.normalsGuessed, std::uint64_t{0});
        columns[2].back() = 0;
        const ScalarField field = fieldOf();
        QCOMPARE(field.normalsGuessed, std::uint64_t{1});
        const Vec3d size = shape.voxelSize.as<double>();
        int reversed = 0, otherwise = 0; // counts with the actual slope, and with the slope of cubic voxels
        for (int y = 0; y < edge; ++y)
            for (int x = 0; x < edge; ++x) {
                const Vec3i cell{x, y, 4};
                const std::size_t row = std::size_t(y) * edge + std::size_t(x);
                const Vec3d normal{columns[0][row], columns[1][row], columns[2][row]};
                int inside = 0;
                // differences between the upper and the lower corners of the cell, along each axis
                Vec3d differences;
                bool isKnown = true;
                for (int i = 0; i < 8; ++i) {
                    const double value = nodeValue(all, cell + Vec3i{i & 1, i >> 1 & 1, i >> 2});
                    isKnown = isKnown && !std::isnan(value);
                    inside += value < 0;
                    for (int axis = 0; axis < 3; ++axis)
                        differences[axis] += (i >> axis & 1) ? value : -value;
                }
                const bool isCrossed = isKnown && inside > 0 && inside < 8;
                const double cosine = cosineOf(differences / size, normal);
                if (isCrossed && std::abs(cosine + 0.5) < 1e-3)
                    continue; // too close to zero to decide in single precision
                const bool isReversed = isCrossed && cosine < -0.5;
                QCOMPARE(mayCarrySurface(field, cell), mayCarrySurface(all, cell) && !isReversed);
                reversed += isReversed;
                otherwise += isCrossed && (cosineOf(differences, normal) < -0.5) != isReversed;
            }
        QVERIFY2(reversed > 30 && otherwise > 10, qPrintable(QString("%1, %2").arg(reversed).arg(otherwise)));
    }
};

SCANLOUPE_TEST(TestReversedCells)
#include "test_reversed_cells.moc"
