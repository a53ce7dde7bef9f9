// Draws the triangles of a mesh on the CPU.
#include "kernels/raster/triangles/triangles_cpu.h"
#include "kernels/core/parallel.h"
#include "kernels/raster/core/raster_checks.h"
#include "kernels/raster/core/raster_target.h"
#include "kernels/raster/triangles/triangle_clip.h"
#include "kernels/raster/triangles/triangle_coverage.h"
#include "kernels/raster/triangles/triangle_setup.h"

#include <algorithm>
#include <vector>

namespace scanloupe::cpu {

namespace {

struct LargeTriangle {
    TriangleSetup setup;
    std::uint32_t id;
};

void cover(const RasterTarget& target, const TriangleSetup& setup, std::uint32_t id, int firstRow,
           int lastRow) {
    const bool orthographic = target.view.orthographic;
    const auto take = [&](int x, int y, float depth) {
        target.draw(x, y, fragment(depthKey(depth, orthographic), id));
    };
    if (isNarrow(setup))
        coverTriangle<std::int32_t>(setup, firstRow, lastRow, take);
    else
        coverTriangle<std::int64_t>(setup, firstRow, lastRow, take);
}

Buffer<ScreenVertex> projectVertices(const RasterView& view, const TriangleMesh& mesh,
                                     const std::stop_token& stop) {
    auto screen = Buffer<ScreenVertex>::host(mesh.vertexCount());
    parallelFor(mesh.vertexCount(), 1 << 14, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            screen[i] = projectVertex(view, mesh.positions[i]);
    });
    return screen;
}

/// Draws the triangles of one chunk.
class TriangleDrawer {
public:
    TriangleDrawer(const RasterTarget& target, const TriangleMesh& mesh, const Buffer<ScreenVertex>& screen,
                   bool backFaces, std::vector<LargeTriangle>& large)
        : m_target(target), m_mesh(mesh), m_screen(screen), m_backFaces(backFaces), m_large(large) {}

    /// Draws a triangle. @returns false if a corner is not finite
    bool draw(std::size_t triangle) {
        const std::uint32_t* index = corners(triangle);
        const ScreenVertex &a = m_screen[index[0]], &b = m_screen[index[1]], &c = m_screen[index[2]];
        const std::uint32_t id = primitiveId(PrimitiveKind::triangle, static_cast<std::uint32_t>(triangle));
        if ((a.state | b.state | c.state) == ScreenVertex::drawable) {
            drawProjected(a, b, c, id);
            return true;
        }
        if ((a.state | b.state | c.state) & ScreenVertex::notFinite)
            return false;
        const Vec3f positions[3] = {m_mesh.positions[index[0]], m_mesh.positions[index[1]],
                                    m_mesh.positions[index[2]]};
        const ScreenVertex corners[3] = {a, b, c};
        ScreenVertex fan[kClipVertices];
        const int count = clipTriangle(m_target.view, positions, corners, fan);
        for (int i = 2; i < count; ++i)
            drawProjected(fan[0], fan[i - 1], fan[i], id);
        return true;
    }

    /// Draws a triangle that may have pixels in a box. @returns false if a corner is not finite
    bool drawWithin(std::size_t triangle, const PixelBox& box) {
        const std::uint32_t* index = corners(triangle);
        const ScreenVertex &a = m_screen[index[0]], &b = m_screen[index[1]], &c = m_screen[index[2]];
        const bool isDrawable = (a.state | b.state | c.state) == ScreenVertex::drawable;
        return (isDrawable && !doMeet(centresOf({a.x, a.y}, {b.x, b.y}, {c.x, c.y}), box)) || draw(triangle);
    }
    /// Extends `box` by the pixels of each triangle that is drawn from now on.
    void noteBoxes(PixelBox* box) { m_noted = box; }

private:
    const std::uint32_t* corners(std::size_t triangle) const {
        const std::uint32_t* index = m_mesh.indices.data() + 3 * triangle;
        const std::size_t vertices = m_screen.size();
        if (index[0] >= vertices || index[1] >= vertices || index[2] >= vertices)
            failMissingVertex(triangle);
        return index;
    }
    void drawProjected(const ScreenVertex& a, const ScreenVertex& b, const ScreenVertex& c,
                       std::uint32_t id) {
        TriangleSetup setup;
        if (!setupTriangle(a, b, c, m_target.view.width, m_target.view.height, m_backFaces, setup))
            return;
        if (m_noted)
            *m_noted = around(*m_noted, setup.box);
        if (setup.box.count() > kLargePixels)
            m_large.push_back({setup, id});
        else
            cover(m_target, setup, id, setup.box.minY, setup.box.maxY);
    }

    const RasterTarget& m_target;
    const TriangleMesh& m_mesh;
    const Buffer<ScreenVertex>& m_screen;
    bool m_backFaces;
    std::vector<LargeTriangle>& m_large;
    PixelBox* m_noted = nullptr;
};

void drawLarge(const RasterTarget& target, const std::vector<LargeTriangle>& large,
               const std::stop_token& stop) {
    const auto height = static_cast<std::size_t>(target.view.height);
    parallelFor(height, kBandRows, stop, [&](std::size_t begin, std::size_t end) {
        for (const LargeTriangle& triangle : large) {
            const int first = std::max(triangle.setup.box.minY, static_cast<int>(begin));
            const int last = std::min(triangle.setup.box.maxY, static_cast<int>(end) - 1);
            if (first > last)
                continue;
            if (stop.stop_requested())
                return;
            cover(target, triangle.setup, triangle.id, first, last);
        }
    });
}

/// Calls `draw(drawer, chunk, begin, end)` for each chunk of triangles. `draw` must return the number of
/// triangles with corners that are not finite.
template <class Draw>
std::uint64_t drawChunks(const RasterTarget& target, const RasterScene& scene, std::size_t grain, Draw&& draw,
                         const std::stop_token& stop) {
    const TriangleMesh& mesh = *scene.mesh;
    const auto screen = projectVertices(target.view, mesh, stop);
    const std::size_t chunks = chunkCount(mesh.triangleCount(), grain);
    std::vector<std::vector<LargeTriangle>> waiting(chunks);
    std::vector<std::uint64_t> rejected(chunks);
    parallelChunks(mesh.triangleCount(), grain, stop,
                   [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                       TriangleDrawer drawer(target, mesh, screen, scene.backFaces, waiting[chunk]);
                       rejected[chunk] = draw(drawer, chunk, begin, end);
                   });
    std::vector<LargeTriangle> large;
    for (const auto& part : waiting)
        large.insert(large.end(), part.begin(), part.end());
    if (!large.empty())
        drawLarge(target, large, stop);
    std::uint64_t sum = 0;
    for (const std::uint64_t n : rejected)
        sum += n;
    return sum;
}

constexpr std::size_t kTrianglesGrain = 1024; // number of triangles per chunk

} // namespace

std::uint64_t drawTriangles(const RasterTarget& target, const RasterScene& scene,
                            const std::stop_token& stop) {
    const auto all = [](TriangleDrawer& drawer, std::size_t, std::size_t begin, std::size_t end) {
        std::uint64_t bad = 0;
        for (std::size_t i = begin; i < end; ++i)
            bad += drawer.draw(i) ? 0 : 1;
        return bad;
    };
    return drawChunks(target, scene, kTrianglesGrain, all, stop);
}

std::uint64_t drawTrianglesAgain(const RasterTarget& target, const RasterScene& scene,
                                 const TrianglesAgain& again, const std::stop_token& stop) {
    std::vector<PixelBox> boxes(chunkCount(scene.mesh->triangleCount(), kTrianglesGrain), kNoPixels);
    const auto some = [&](TriangleDrawer& drawer, std::size_t chunk, std::size_t begin, std::size_t end) {
        std::uint64_t bad = 0;
        auto run = std::ranges::lower_bound(again.shared, std::uint32_t(begin), {},
                                            [](const SharedRun& r) { return r.now + r.count - 1; });
        for (std::size_t i = begin; i < end;) {
            const bool hasRun = run != again.shared.end();
            const std::size_t from = hasRun ? std::min<std::size_t>(run->now, end) : end;
            drawer.noteBoxes(&boxes[chunk]);
            for (; i < from; ++i)
                bad += drawer.draw(i) ? 0 : 1;
            drawer.noteBoxes(nullptr);
            const std::size_t last = hasRun ? std::min<std::size_t>(run->now + run->count, end) : end;
            for (; i < last; ++i)
                bad += drawer.drawWithin(i, again.lost) ? 0 : 1;
            if (hasRun)
                ++run;
        }
        return bad;
    };
    const std::uint64_t bad = drawChunks(target, scene, kTrianglesGrain, some, stop);
    for (const PixelBox& box : boxes)
        again.added = around(again.added, box);
    return bad;
}

} // namespace scanloupe::cpu
