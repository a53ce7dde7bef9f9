// Available memory as read from the system's files.
#include "engine/cloud/point_cloud.h"
#include "engine/compute/memory.h"
#include "engine/io/common/write/write_options.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_export.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/allocation_watch.h"
#include "tests/support/pipeline_run.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Resident memory of this process.
[[maybe_unused]] std::uint64_t residentBytes() {
    std::ifstream file("/proc/self/status");
    std::string word;
    std::uint64_t kibibytes = 0;
    while (file >> word)
        if (word == "VmRSS:")
            file >> kibibytes;
    return kibibytes << 10;
}

} // namespace

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
        // pages of a scan in the page cache count as used until they are reclaimed
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
    /// Nested groups as systemd and container engines create them: the limit is not set at the root.
    void limitsOfNestedGroupsCount() {
        const Scratch scratch;
        const auto left = [&](const char* groups) {
            return availableCgroupMemory(scratch.folder(), scratch.file("groups", groups));
        };
        const auto folder = [&](const char* name) { std::filesystem::create_directories(scratch / name); };
        folder("user.slice/job.scope");
        scratch.file("user.slice/memory.max", "1000000\n"); // the root group has no limit
        scratch.file("user.slice/memory.current", "400000\n");
        // what the parent group has left
        QCOMPARE(left("0::/user.slice/job.scope\n"), std::uint64_t{600'000});
        scratch.file("user.slice/job.scope/memory.max", "500000\n");
        scratch.file("user.slice/job.scope/memory.current", "200000\n");
        QCOMPARE(left("0::/user.slice/job.scope\n"), std::uint64_t{300'000});
        scratch.file("user.slice/memory.current", "950000\n"); // includes memory of the group's other members
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
    /// The points of voxels, padded to a table with rows of equal length, are mostly zeros.
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
        QVERIFY(watch.peak() < std::filesystem::file_size(target) / 2); // the peak is 0 under sanitizers
        std::filesystem::remove(target);
    }
    /// Trimming the heap returns freed memory below an array in use to the system.
    void trimmedHeapsAreSmaller() {
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        // bytes; small enough for the heap, as larger blocks are mapped separately
        constexpr std::size_t blocks = 1000, size = 64 << 10;
        std::vector<std::vector<char>> heap(blocks, std::vector<char>(size, 1));
        std::ranges::sort(heap, std::greater<>(),
                          [](const std::vector<char>& block) { return block.data(); });
        // keeps the block at the end of the heap, so that the C library does not return the freed memory
        // below it by itself
        heap.resize(1);
        const std::uint64_t before = residentBytes();
        trimHeap();
        const std::uint64_t after = residentBytes();
        QVERIFY2(after + blocks * size / 2 < before,
                 qPrintable(QString("%1 bytes, then %2").arg(before).arg(after)));
        QVERIFY(std::ranges::all_of(heap.front(), [](char value) { return value == 1; }));
#else
        QSKIP("the C library has no heap to trim");
#endif
    }
    void needsAreHeldAgainstIt() {
        QVERIFY(availableHostMemory() > 0);
        requireMemory({"A thing", 100, "Do."}, 100);
        QVERIFY(says(errorOf([] { requireMemory({"A thing", 101, "Do."}, 100); }), "needs 101 B"));
    }
};

SCANLOUPE_TEST(TestMemory)
#include "test_memory.moc"
