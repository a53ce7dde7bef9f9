#include "tests/bench/io_read_once.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/input_file.h"
#include "engine/io/common/read_options.h"
#include "engine/io/scan_reader.h"
#include "kernels/core/cost.h"
#include "kernels/core/parallel.h"
#include "tests/bench/ask_program.h"

#include <cstdio>

#ifdef SCANLOUPE_BENCH_LASZIP
#include <laszip/laszip_api.h>
#endif

namespace scanloupe::bench {

namespace {

struct Result {
    std::uint64_t points = 0, cloud = 0;
};

Result byScanloupe(const std::string& path) {
    const auto cloud = readScan(path, {}, {});
    return {cloud->size(), cloud->bytes()};
}

Result byBytes(const std::string& path) {
    const InputFile file(path);
    std::vector<char> block(std::size_t{1} << 20);
    std::uint64_t sum = 0;
    for (std::uint64_t at = 0; at < file.size(); at += block.size()) {
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), file.size() - at));
        file.read(at, std::span(block).first(size));
        sum += static_cast<unsigned char>(block[0]);
    }
    return {sum > 0 ? 1u : 0u, 0};
}

bool byLaszip([[maybe_unused]] const std::string& path, [[maybe_unused]] Result& result) {
#ifdef SCANLOUPE_BENCH_LASZIP
    laszip_POINTER laszip = nullptr;
    laszip_BOOL compressed = 0;
    laszip_point* point = nullptr;
    laszip_I64 count = 0;
    if (laszip_create(&laszip) != 0 || laszip_open_reader(laszip, path.c_str(), &compressed) != 0 ||
        laszip_get_point_pointer(laszip, &point) != 0 || laszip_get_point_count(laszip, &count) != 0)
        return false;
    std::int64_t sum = 0;
    laszip_header* header = nullptr;
    laszip_get_header_pointer(laszip, &header);
    const std::uint64_t points =
        std::max<std::uint64_t>(header->number_of_point_records, header->extended_number_of_point_records);
    for (; result.points < points && laszip_read_point(laszip) == 0; ++result.points)
        sum += point->X;
    laszip_close_reader(laszip);
    laszip_destroy(laszip);
    return result.points == points && sum != 1;
#else
    return false;
#endif
}

} // namespace

int ioReadOnce(const std::string& path, const std::string& way) {
    parallelFor(64, 1, {}, [](std::size_t, std::size_t) {}); // starts the worker threads before the timing
    const std::uint64_t before = statusBytes("VmRSS");
    const WallTimer timer;
    Result result;
    if (way == "laszip") {
        if (!byLaszip(path, result))
            return 1;
    } else {
        result = way == "bytes" ? byBytes(path) : byScanloupe(path);
    }
    const double ms = timer.elapsedMs();
    std::printf("{\"ms\": %.3f, \"points\": %llu, \"cloud\": %llu, \"peak\": %llu}\n", ms,
                static_cast<unsigned long long>(result.points), static_cast<unsigned long long>(result.cloud),
                static_cast<unsigned long long>(statusBytes("VmHWM") - before));
    return 0;
}

} // namespace scanloupe::bench
