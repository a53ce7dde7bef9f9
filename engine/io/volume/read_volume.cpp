// Reads raw volumes, and converts their values to float.
#include "engine/io/volume/read_volume.h"

#include "engine/cloud/attribute.h"
#include "engine/compute/backend.h"
#include "engine/compute/memory.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/common/progress_meter.h"
#include "engine/io/common/read_options.h"
#include "engine/io/volume/volume_shape.h"
#include "kernels/core/parallel.h"
#include "kernels/core/scalar_type.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace scanloupe {

namespace {

/// Returns the largest value of an 8 or 16-bit integer type; 1 for other types.
template <class T>
constexpr float divisorOf() {
    constexpr bool isScaled = std::is_integral_v<T> && sizeof(T) <= 2;
    return isScaled ? static_cast<float>(std::numeric_limits<T>::max()) : 1.0f;
}

/// Converts `count` values of type T to float, and divides them by divisorOf<T>().
template <class T>
void convert(const std::byte* from, std::size_t count, float* to) {
    for (std::size_t i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, from + i * sizeof(T), sizeof(T));
        to[i] = static_cast<float>(value) / divisorOf<T>();
    }
}

} // namespace

bool isVolumeFile(const std::filesystem::path& path) {
    return lowerEnding(path) == ".raw";
}

Volume readVolume(const std::filesystem::path& path, const ReadOptions& options,
                  const std::stop_token& stop) {
    const InputFile file(path);
    const VolumeShape shape = volumeShape(file);
    const std::string dims = std::to_string(shape.dims.x) + " x " + std::to_string(shape.dims.y) + " x " +
                             std::to_string(shape.dims.z);
    Volume volume;
    volume.path = path.string();
    volume.lattice = {Vec3f{}, shape.spacing, shape.dims};
    if (shape.isEmpty) {
        volume.format = "empty grid " + dims;
        return volume;
    }
    const std::size_t size = sizeOf(shape.type);
    const std::uint64_t count =
        std::uint64_t(shape.dims.x) * std::uint64_t(shape.dims.y) * std::uint64_t(shape.dims.z);
    if (count > file.size() / size)
        throw EngineError("'" + file.name() + "' has " + std::to_string(file.size()) + " bytes, but " + dims +
                              " values of " + std::to_string(size) + " bytes need " +
                              std::to_string(count * size),
                          "The file is truncated, or its name or sidecar specifies the wrong size.");
    if (std::endian::native != std::endian::little && size > 1)
        throw EngineError("raw volumes are little endian, but this computer is big endian",
                          "Convert the volume to uint8.");
    requireMemory({"Reading '" + file.name() + "' with " + std::to_string(count) + " values",
                   count * sizeof(float), "Close other scans and programs, or cut the volume into parts."},
                  availableHostMemory());
    volume.format = "raw volume " + dims + " " + nameOf(shape.type);
    visitScalar(shape.type, [&]<class T>(std::type_identity<T>) { volume.divisor = divisorOf<T>(); });
    if (volume.divisor > 1)
        volume.format += ", divided by " + std::to_string(std::lround(volume.divisor));
    volume.values = Buffer<float>::host(static_cast<std::size_t>(count));
    ProgressMeter meter(options.progress, count);
    constexpr std::size_t grain = std::size_t{1} << 17;
    parallelFor(volume.values.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
        std::vector<std::byte> piece((end - begin) * size);
        file.read(begin * size, piece);
        visitScalar(shape.type, [&]<class T>(std::type_identity<T>) {
            convert<T>(piece.data(), end - begin, volume.values.data() + begin);
        });
        meter.add(end - begin);
    });
    return volume;
}

} // namespace scanloupe
