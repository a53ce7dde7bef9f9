// A libFuzzer target for the readers: $SCANLOUPE_FUZZ_ENDING selects one by its extension. "fuzz_reader
// --endings" lists them. Invalid input must cause an EngineError.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/reference.h"
#include "engine/io/common/read_options.h"
#include "engine/io/formats.h"
#include "engine/io/mesh_reader.h"
#include "engine/io/scan_reader.h"
#include "engine/io/volume/read_volume.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace {

const char* ending() {
    static const char* const chosen = std::getenv("SCANLOUPE_FUZZ_ENDING");
    if (!chosen) {
        std::fputs("set SCANLOUPE_FUZZ_ENDING to one of fuzz_reader --endings\n", stderr);
        std::exit(2);
    }
    return chosen;
}

/// The file that each input is written to, in memory if the system has such a folder.
const std::filesystem::path& inputPath() {
    static const std::filesystem::path path = [] {
        const char* shared = "/dev/shm";
        const auto folder = std::filesystem::is_directory(shared) ? std::filesystem::path(shared)
                                                                  : std::filesystem::temp_directory_path();
        return folder / ("scanloupe_fuzz_" + std::to_string(::getpid()) + ending());
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

/// Whether meshes can be read from files with the selected extension.
bool hasFaces() {
    return std::ranges::any_of(scanloupe::fileFormats(), [](const scanloupe::FileFormat& format) {
        return format.readFaces && std::ranges::find(format.endings, ending()) != format.endings.end();
    });
}

/// Reads a mesh or a scan as a reference; all its triangles have corners.
void readReference() {
    using namespace scanloupe;
    const MeshFile mesh = readMeshOrScan(inputPath(), {}, {});
    for (const std::uint32_t vertex : mesh.faces.indices)
        if (vertex >= mesh.vertices->size())
            std::abort();
    makeReference(mesh, "input", 1, mesh.vertices->origin(), {});
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
    if (*count == 2 && std::strcmp((*arguments)[1], "--endings") == 0) {
        for (const std::string& known : scanloupe::scanEndings())
            std::puts(known.c_str());
        std::puts(".json"); // the ending of tilesets
        std::puts(".raw");  // the ending of volumes
        std::exit(0);
    }
    std::atexit(removeInput);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace scanloupe;
    write(data, size);
    try {
        if (std::strcmp(ending(), ".raw") == 0) {
            readVolume(inputPath(), {}, {});
        } else {
            const auto part = readScanSubsample(inputPath(), 100, {}, {});
            if (part && part->size() > part->subsampledFrom)
                std::abort();
            const auto cloud = readScan(inputPath(), {}, {});
            if (cloud->floatView({}).size() != cloud->size())
                std::abort();
            if (hasFaces())
                readReference();
        }
    } catch (const EngineError& error) {
        if (std::strlen(error.what()) == 0 || error.nextStep().empty())
            std::abort();
    }
    return 0;
}
