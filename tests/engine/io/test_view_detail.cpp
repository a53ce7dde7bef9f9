// Selection of levels of detail for a view: finest where points would be farthest apart on the screen.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/view_detail.h"
#include "engine/io/scan_reader.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cmath>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr int kLevels = 6;
constexpr std::uint64_t kPoints = 1000; // number of points in each node
constexpr double kEdge = 64;            // metres, edge of the square

/// A quadtree over a square: each node has `kPoints` points; the spacing halves from level to level.
std::vector<DetailNode> quadtree(DetailRefinement refinement) {
    std::vector<DetailNode> nodes;
    std::vector<std::uint32_t> above{DetailNode::kNoParent};
    for (int level = 0; level < kLevels; ++level) {
        const int across = 1 << level;
        const double edge = kEdge / across;
        std::vector<std::uint32_t> here;
        for (int y = 0; y < across; ++y)
            for (int x = 0; x < across; ++x) {
                DetailNode node;
                node.box = {{x * edge, y * edge, 0}, {(x + 1) * edge, (y + 1) * edge, 1}};
                node.spacing = level + 1 < kLevels ? std::ldexp(2.0, -level) : 0;
                node.points = kPoints;
                node.refinement = refinement;
                if (level > 0)
                    node.parent = above[std::size_t(y / 2) * std::size_t(across / 2) + std::size_t(x / 2)];
                here.push_back(std::uint32_t(nodes.size()));
                nodes.push_back(node);
            }
        above = std::move(here);
    }
    return nodes;
}

ViewDetail viewFrom(Vec3d eye, Vec3d target) {
    ViewDetail view;
    view.camera.eye = eye;
    view.camera.target = target;
    view.camera.up = {0, 1, 0};
    view.height = 1000;
    view.maxPoints = 40'000;
    return view;
}

} // namespace

class TestViewDetail : public QObject {
    Q_OBJECT
private slots:
    void nearPlacesAreFiner() {
        for (const DetailRefinement refinement : {DetailRefinement::add, DetailRefinement::replace}) {
            const auto nodes = quadtree(refinement);
            const ViewNodes chosen = nodesForView(nodes, viewFrom({8, 8, 6}, {40, 40, 0}));
            QVERIFY(!chosen.isWhole);
            QVERIFY(chosen.nodes.size() * kPoints <= 40'000);
            QVERIFY(std::ranges::is_sorted(chosen.nodes));
            const auto finestAt = [&](double x, double y) {
                double spacing = HUGE_VAL;
                for (const std::size_t n : chosen.nodes)
                    if (nodes[n].box.min.x <= x && x < nodes[n].box.max.x && nodes[n].box.min.y <= y &&
                        y < nodes[n].box.max.y)
                        spacing = std::min(spacing, nodes[n].spacing);
                return spacing;
            };
            QVERIFY(finestAt(15, 15) < finestAt(55, 55));
            QVERIFY(finestAt(60, 2) < HUGE_VAL); // at the edge of the view, but still visible
        }
    }

    void cutsCoverAll() {
        const auto nodes = quadtree(DetailRefinement::replace);
        const auto adding = quadtree(DetailRefinement::add);
        auto random = seededRandom("cuts");
        for (int round = 0; round < 50; ++round) {
            const auto at = [&] { return double(random() % 640) / 10; };
            ViewDetail view = viewFrom({at(), at(), 1 + at()}, {at(), at(), 0});
            view.maxPoints = 1000 * (1 + random() % 200);
            view.camera.orthographic = round % 3 == 0;
            view.camera.orthographicHeight = 1 + at();
            const ViewNodes replaced = nodesForView(nodes, view);
            for (int i = 0; i < 30; ++i) { // each position is covered by exactly one node
                const double x = at(), y = at();
                const auto count = std::ranges::count_if(replaced.nodes, [&](std::size_t n) {
                    const Bounds& box = nodes[n].box;
                    return box.min.x <= x && x < box.max.x && box.min.y <= y && y < box.max.y;
                });
                QCOMPARE(count, std::ptrdiff_t(1));
            }
            const ViewNodes added = nodesForView(adding, view);
            for (const std::size_t n : added.nodes) // nodes are chosen together with all their ancestors
                QVERIFY(nodes[n].parent == DetailNode::kNoParent ||
                        std::ranges::binary_search(added.nodes, std::size_t{nodes[n].parent}));
        }
    }

    /// The nodes chosen from a chain of three: `outer` is the refinement of the first node, `inner` that of
    /// the second.
    void refinementBelongsToEachNode() {
        constexpr auto add = DetailRefinement::add, replace = DetailRefinement::replace;
        using Nodes = std::vector<std::size_t>;
        const auto chosen = [](DetailRefinement outer, DetailRefinement inner, std::uint64_t maxPoints) {
            const Bounds box{{0, 0, 0}, {1, 1, 1}};
            const std::vector<DetailNode> nodes{{box, 0.2, 10, DetailNode::kNoParent, outer},
                                                {box, 0.1, 20, 0, inner},
                                                {box, 0, 40, 1, replace}};
            ViewDetail view = viewFrom({0.5, 0.5, 2}, {0.5, 0.5, 0.5});
            view.maxPoints = maxPoints;
            return nodesForView(nodes, view);
        };
        QCOMPARE(chosen(add, replace, 50).nodes, (Nodes{0, 2}));
        QVERIFY(chosen(add, replace, 50).isWhole);
        QCOMPARE(chosen(replace, add, 60).nodes, (Nodes{1, 2}));
        QCOMPARE(chosen(add, replace, 49).nodes, (Nodes{0, 1}));
        QCOMPARE(chosen(add, replace, 49).spacing, 0.1);
        QCOMPARE(chosen(replace, add, 59).nodes, (Nodes{1}));
        QCOMPARE(chosen(replace, add, 59).spacing, 0.1);
    }

    void rangesAreWholeWhereTheyFit() {
        const auto nodes = quadtree(DetailRefinement::replace);
        ViewDetail view = viewFrom({32, 32, 90}, {32, 32, 0});
        view.range = Bounds{{4.1, 4.1, 0}, {7.9, 7.9, 1}};
        const ViewNodes chosen = nodesForView(nodes, view);
        QVERIFY(chosen.isWhole);
        QCOMPARE(chosen.nodes.size(), std::size_t(4)); // four leaves with an edge of 2 m
        view.range = Bounds{{100, 100, 0}, {110, 110, 1}};
        QVERIFY(nodesForView(nodes, view).nodes.empty());
        view.range = std::nullopt;
        view.maxPoints = 10'000'000;
        QVERIFY(nodesForView(quadtree(DetailRefinement::add), view).isWhole);
    }

    void octreesAreReadByView() {
        SCANLOUPE_REAL_SCAN(file, "las/laspy_simple_with_page.copc.laz");
        const auto all = readScan(file, {}, {});
        QVERIFY(hasLevels(file));
        ViewDetail view;
        const Bounds& box = all->bounds();
        view.camera = Camera::fit(box.min, box.max, {0, 0.3, -1}, 1);
        view.height = 1000;
        view.maxPoints = all->size() / 3;
        ReadOptions options;
        options.octree = OctreeReading{.range = {}, .resolution = 0, .view = view};
        const auto part = readScan(file, options, {});
        QVERIFY(part->size() > 0 && part->size() < all->size());
        QVERIFY(part->isChosenForView);
        QCOMPARE(part->subsampledFrom, std::uint64_t(all->size()));
        options.octree->view->maxPoints = all->size();
        const auto whole = readScan(file, options, {});
        QCOMPARE(whole->size(), all->size());
        QVERIFY(!whole->isChosenForView && whole->subsampledFrom == 0);
    }
};

SCANLOUPE_TEST(TestViewDetail)
#include "test_view_detail.moc"
