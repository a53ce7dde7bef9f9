// A libFuzzer target for one reader: SCANLOUPE_FUZZ_ENDING says which. What is no cloud has to be an
// EngineError.
#include "engine/io/scan_reader.h"
#include "engine/io/volume/read_volume.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace {

/// A file in memory, where there is such a place, that each input is written to.
const std::filesystem::path& inputPath() {
    static const std::filesystem::path path = [] {
        const char* shared = "/dev/shm";
        const auto folder = std::filesystem::is_directory(shared) ? std::filesystem::path(shared)
                                                                  : std::filesystem::temp_directory_path();
        return folder / ("scanloupe_fuzz_" + std::to_string(::getpid()) + SCANLOUPE_FUZZ_ENDING);
    }();
    return path;
}

void removeInput() {
    std::error_code ignored;
    std::filesystem::remove(inputPath(), ignored);
}

void write(const std::uint8_t* data, std::size_t size) {
    std::FILE* file = std::fopen(inputPath().c_str(), "wb");
    if (!file || std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0) {
        std::perror("the input can't be written");
        std::exit(1);
    }
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    std::atexit(removeInput);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace scanloupe;
    write(data, size);
    try {
        if (std::strcmp(SCANLOUPE_FUZZ_ENDING, ".raw") == 0) {
            readVolume(inputPath(), {}, {});
        } else {
            const auto cloud = readScan(inputPath(), {}, {});
            if (cloud->floatView({}).size() != cloud->size())
                std::abort();
        }
    } catch (const EngineError& error) {
        if (std::strlen(error.what()) == 0 || error.nextStep().empty())
            std::abort();
    }
    return 0;
}
