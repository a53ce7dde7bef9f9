// What memory there is, as the system's files tell it.
#include "engine/compute/memory.h"
#include "engine/results/voxel_export.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/allocation_watch.h"
#include "tests/support/pipeline_run.h"

#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

class TestMemory : public QObject {
    Q_OBJECT
private slots:
    void pagesOfFilesMakeRoom() {
        const Scratch scratch;
        constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
        QCOMPARE(availableCgroupMemory(scratch.folder(), scratch / "none"), none);
        scratch.file("memory.max", "1000000\n");
        scratch.file("memory.current", "900000\n");
        QCOMPARE(availableCgroupMemory(scratch.folder(), scratch / "none"), std::uint64_t{100'000});
        // a scan that was read lies in the cache of files, and counts as used until somebody wants the room
        scratch.file("memory.stat", "anon 200000\nfile 700000\ninactive_file 400000\nactive_file 250000\n");
        QCOMPARE(availableCgroupMemory(scratch.folder(), scratch / "none"), std::uint64_t{750'000});
        scratch.file("memory.current", "1600000\n");
        QCOMPARE(availableCgroupMemory(scratch.folder(), scratch / "none"), std::uint64_t{50'000});
        scratch.file("memory.current", "100\n");
        QCOMPARE(availableCgroupMemory(scratch.folder(), scratch / "none"), std::uint64_t{1'000'000});
        scratch.file("memory.max", "max\n");
        QCOMPARE(availableCgroupMemory(scratch.folder(), scratch / "none"), none);
    }
    void versionOneIsRead() {
        const Scratch scratch;
        std::filesystem::create_directory(scratch / "memory");
        scratch.file("memory/memory.limit_in_bytes", "1000000\n");
        scratch.file("memory/memory.usage_in_bytes", "900000\n");
        scratch.file("memory/memory.stat",
                     "inactive_file 1\ntotal_inactive_file 300000\ntotal_active_file 5\n");
        QCOMPARE(availableCgroupMemory(scratch.folder(), scratch / "none"), std::uint64_t{400'005});
    }
    /// As systemd and container engines nest them: the limit is not at the root.
    void limitsOfNestedGroupsCount() {
        const Scratch scratch;
        const auto left = [&](const char* groups) {
            return availableCgroupMemory(scratch.folder(), scratch.file("groups", groups));
        };
        const auto folder = [&](const char* name) { std::filesystem::create_directories(scratch / name); };
        folder("user.slice/job.scope");
        scratch.file("user.slice/memory.max", "1000000\n"); // the root has none
        scratch.file("user.slice/memory.current", "400000\n");
        QCOMPARE(left("0::/user.slice/job.scope\n"), std::uint64_t{600'000}); // of the group above
        scratch.file("user.slice/job.scope/memory.max", "500000\n");
        scratch.file("user.slice/job.scope/memory.current", "200000\n");
        QCOMPARE(left("0::/user.slice/job.scope\n"), std::uint64_t{300'000});
        scratch.file("user.slice/memory.current", "950000\n"); // by its other members
        QCOMPARE(left("0::/user.slice/job.scope\n"), std::uint64_t{50'000});
        constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
        for (const char* other : {"0::/\n", "", "0::/docker/1f\n", "0::/../../user.slice\n", "nonsense\n"})
            QCOMPARE(left(other), none);
        folder("memory/docker/1f");
        scratch.file("memory/docker/1f/memory.limit_in_bytes", "2000000\n");
        scratch.file("memory/docker/1f/memory.usage_in_bytes", "1500000\n");
        QCOMPARE(left("9:cpuset:/other\n4:cpu,memory:/docker/1f\n0::/\n"), std::uint64_t{500'000});
        QCOMPARE(left("4:memory:/docker\n"), none);
    }
    /// The points of voxels, padded to a table of equal rows, are mostly zeros.
    void pointsOfVoxelsAreWrittenInPieces() {
        const Scratch scratch;
        Run run(bumpyCloud(20'000));
        run.set("voxel_size", "0.2");
        run.set("max_points_per_voxel", "20000");
        const Snapshot snapshot = run({.end = RunEnd::voxels});
        const std::filesystem::path target = scratch / "voxels.npz";
        const AllocationWatch watch;
        writeVoxelsOf(snapshot, target, {}, {});
        QVERIFY(std::filesystem::file_size(target) > snapshot.voxels->size() * 20'000 * 3 * sizeof(float));
        QVERIFY(watch.peak() < std::filesystem::file_size(target) / 2); // 0 under sanitizers
        std::filesystem::remove(target);
    }
    void needsAreHeldAgainstIt() {
        QVERIFY(availableHostMemory() > 0);
        requireMemory({"A thing", 100, "Do."}, 100);
        QVERIFY(says(errorOf([] { requireMemory({"A thing", 101, "Do."}, 100); }), "needs 101 B"));
    }
};

SCANLOUPE_TEST(TestMemory)
#include "test_memory.moc"
