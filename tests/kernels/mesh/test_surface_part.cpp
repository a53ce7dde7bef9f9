// Parts of surfaces: together they equal the whole surface, and the checksums of their bricks don't depend on
// how the surface is split.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/mesh/operators.h"
#include "tests/kernels/mesh/mesh_backends.h"
#include "tests/kernels/mesh/mesh_test_support.h"
#include "tests/support/uploaded_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr Vec3i kNodes{37, 29, 33};

/// Two waves with noise, which give bricks of all kinds.
ScalarField bumpyField() {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<float> unit(-1, 1);
    return denseField(kNodes,
                      [&](int x, int y, int z) {
                          return std::sin(0.31f * float(x)) + std::cos(0.27f * float(y)) +
                                 std::sin(0.23f * float(z)) + 0.2f * unit(random);
                      },
                      false, {}, {0.5f, 0.5f, 0.5f});
}

std::vector<float> numbersOf(std::size_t count) {
    std::vector<float> numbers(count);
    for (std::size_t i = 0; i < count; ++i)
        numbers[i] = float(i % 1009) * 0.25f;
    return numbers;
}

/// Extracts parts of surfaces on one backend.
class Cutter {
public:
    explicit Cutter(const QString& backend) : m_field(bumpyField()) {
        if (backend == "cuda") {
            m_stream.emplace();
            m_field = uploaded(m_field, *m_stream);
        }
        m_surface = extractBricks(m_field, 0, on());
        m_values = numbersOf(m_surface.mesh.vertexCount());
        m_whole = onDevice() ? m_surface.mesh.download(*m_stream) : TriangleMesh();
    }
    Execution on() const { return {m_stream ? std::optional(m_stream->view()) : std::nullopt, {}}; }
    bool onDevice() const { return m_stream.has_value(); }
    SurfacePart cut(const IndexBox& box, bool withValues) const {
        std::vector<VertexColumn> columns;
        if (withValues)
            columns.assign(2, std::as_bytes(std::span(m_values)));
        return cutSurface(m_surface, columns, dims(), box, on());
    }
    Vec3i dims() const { return m_field.brickDims; }
    const SurfaceBricks& bricks() const { return m_surface.bricks; }
    const TriangleMesh& whole() const { return onDevice() ? m_whole : m_surface.mesh; }

private:
    std::optional<Stream> m_stream;
    ScalarField m_field;
    BrickedSurface m_surface;
    std::vector<float> m_values;
    TriangleMesh m_whole;
};

/// Boxes of `edge` bricks along each axis that cover all bricks.
std::vector<IndexBox> boxesOf(Vec3i dims, int edge) {
    std::vector<IndexBox> boxes;
    for (int z = 0; z < dims.z; z += edge)
        for (int y = 0; y < dims.y; y += edge)
            for (int x = 0; x < dims.x; x += edge)
                boxes.push_back(
                    {{x, y, z},
                     {std::min(x + edge, dims.x), std::min(y + edge, dims.y), std::min(z + edge, dims.z)}});
    return boxes;
}

using Corner = std::array<float, 6>; // position and normal

Corner cornerOf(const TriangleMesh& mesh, std::size_t index) {
    const Vec3f p = mesh.positions[mesh.indices[index]], n = mesh.normals[mesh.indices[index]];
    return {p.x, p.y, p.z, n.x, n.y, n.z};
}

/// The checksum according to the part's documentation, from the whole mesh.
Sha256Digest plainDigest(const Cutter& cutter, std::size_t brick, const std::vector<float>& values) {
    const SurfaceBricks& bricks = cutter.bricks();
    const TriangleMesh& mesh = cutter.whole();
    const auto span = [&](const auto& buffer) {
        return buffer.span().subspan(bricks.firstVertex[brick],
                                     bricks.firstVertex[brick + 1] - bricks.firstVertex[brick]);
    };
    Sha256 sum;
    sum.add(std::span<const std::uint64_t>(&bricks.keys[brick], 1));
    sum.add(span(mesh.positions));
    sum.add(span(mesh.normals));
    if (!values.empty())
        for (int column = 0; column < 2; ++column)
            sum.add(std::span(values).subspan(bricks.firstVertex[brick],
                                              bricks.firstVertex[brick + 1] - bricks.firstVertex[brick]));
    const Vec3i at = brickOf(bricks.keys[brick], cutter.dims());
    std::vector<std::uint16_t> codes;
    for (std::uint64_t i = 3 * bricks.firstTriangle[brick]; i < 3 * bricks.firstTriangle[brick + 1]; ++i) {
        const std::uint32_t vertex = mesh.indices[i];
        const auto owner =
            std::size_t(std::ranges::upper_bound(bricks.firstVertex, vertex) - bricks.firstVertex.begin()) -
            1;
        const Vec3i offset = brickOf(bricks.keys[owner], cutter.dims()) - at;
        const int bits = offset.x + 2 * offset.y + 4 * offset.z;
        codes.push_back(std::uint16_t(bits * 2048 + int(vertex - bricks.firstVertex[owner])));
    }
    sum.add(std::span<const std::uint16_t>(codes));
    return sum.digest();
}

} // namespace

class TestSurfacePart : public QObject {
    Q_OBJECT
private slots:
    void partsAreTheWhole_data() { addCpuAndCuda(); }
    void partsAreTheWhole() {
        QFETCH(QString, backend);
        if (const std::string why = whyNot(backend); !why.empty())
            QSKIP(why.c_str());
        const Cutter cutter(backend);
        const TriangleMesh& whole = cutter.whole();
        std::vector<Corner> expected;
        for (std::size_t i = 0; i < whole.indices.size(); ++i)
            expected.push_back(cornerOf(whole, i));
        std::ranges::sort(expected);
        std::size_t withSeams = 0;
        for (const int edge : {1, 2, 3, 100}) {
            std::vector<Corner> found;
            std::uint64_t vertices = 0;
            std::map<std::uint64_t, PartBrick> bricks;
            for (const IndexBox& box : boxesOf(cutter.dims(), edge)) {
                const SurfacePart part = cutter.cut(box, false);
                QCOMPARE(part.mesh.vertexCount(), part.ownVertices + part.seams.size());
                for (std::size_t i = 0; i < part.mesh.indices.size(); ++i)
                    found.push_back(cornerOf(part.mesh, i));
                for (std::size_t s = 0; s < part.seams.size(); ++s) {
                    const SeamVertex& seam = part.seams[s];
                    QVERIFY(!box.contains(brickOf(seam.brick, cutter.dims())));
                    const auto at = std::size_t(std::ranges::lower_bound(cutter.bricks().keys, seam.brick) -
                                                cutter.bricks().keys.begin());
                    const Vec3f there = whole.positions[cutter.bricks().firstVertex[at] + seam.number],
                                here = part.mesh.positions[part.ownVertices + s];
                    QVERIFY(there.x == here.x && there.y == here.y && there.z == here.z);
                }
                withSeams += part.seams.size();
                vertices += part.ownVertices;
                for (const PartBrick& brick : part.bricks)
                    bricks[brick.key] = brick;
            }
            std::ranges::sort(found);
            QVERIFY(found == expected);
            QCOMPARE(vertices, std::uint64_t(whole.vertexCount()));
            QCOMPARE(bricks.size(), cutter.bricks().size());
        }
        QVERIFY(withSeams > 1000);
    }

    void checksumsAreThoseOfThePlainMessage_data() { addCpuAndCuda(); }
    void checksumsAreThoseOfThePlainMessage() {
        QFETCH(QString, backend);
        if (const std::string why = whyNot(backend); !why.empty())
            QSKIP(why.c_str());
        const Cutter cutter(backend);
        for (const bool withValues : {false, true}) {
            const std::vector<float> values =
                withValues ? numbersOf(cutter.whole().vertexCount()) : std::vector<float>();
            std::set<std::size_t> lengths; // lengths of the hashed messages, modulo the hash's block size
            for (const int edge : {2, 100})
                for (const IndexBox& box : boxesOf(cutter.dims(), edge))
                    for (const PartBrick& brick : cutter.cut(box, withValues).bricks) {
                        const auto at =
                            std::size_t(std::ranges::lower_bound(cutter.bricks().keys, brick.key) -
                                        cutter.bricks().keys.begin());
                        QVERIFY(brick.digest == plainDigest(cutter, at, values));
                        lengths.insert((8 + (withValues ? 32 : 24) * brick.vertices + 6 * brick.triangles) %
                                       64);
                    }
            QVERIFY2(lengths.size() > 10, "messages end at many places of a block");
        }
    }

    void devicesCutTheSame() {
        SCANLOUPE_NEEDS_CUDA();
        const Cutter host("cpu"), device("cuda");
        for (const int edge : {1, 2, 100})
            for (const IndexBox& box : boxesOf(host.dims(), edge)) {
                const SurfacePart a = host.cut(box, true), b = device.cut(box, true);
                QCOMPARE(difference(a.mesh, b.mesh), std::string());
                QVERIFY(a.seams == b.seams);
                QCOMPARE(a.ownVertices, b.ownVertices);
            }
    }

    void emptyPartsAreEmpty_data() { addCpuAndCuda(); }
    void emptyPartsAreEmpty() {
        QFETCH(QString, backend);
        if (const std::string why = whyNot(backend); !why.empty())
            QSKIP(why.c_str());
        const Cutter cutter(backend);
        const SurfacePart part = cutter.cut({cutter.dims(), cutter.dims() + Vec3i{1, 1, 1}}, true);
        QVERIFY(part.bricks.empty() && part.seams.empty() && part.mesh.vertexCount() == 0);
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestSurfacePart)
#include "test_surface_part.moc"
