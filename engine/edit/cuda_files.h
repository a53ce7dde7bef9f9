#pragma once
// Declares CUDA files on disk, and how they become actions of layers.
#include "kernels/core/vec3.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace scanloupe {

struct CudaFile;
struct CudaFileAction;
enum class CudaFunction : std::uint8_t;
class DeviceMemoryShort;
class KernelError;
class PointCloud;

constexpr std::size_t kMaxCudaFileBytes = 1 << 20; ///< of a source

/// The source in a file.
/// @throws EngineError when it can't be read, is larger than 1 MB, or is no text
std::string readCudaFile(const std::filesystem::path& path);
/// A template for new files: a valid function, with comments on its parameters.
/// @param cloud lists its attributes in the comments; null: none
std::string cudaFileTemplate(CudaFunction function, const PointCloud* cloud);

/// The actions of a file's source; `level` and `slope` are not set.
/// @throws EngineError when it has none of the functions, or more than one
CudaFileAction cudaFileAction(const std::filesystem::path& path, std::string source, Vec3d up);

/// @throws EngineError that names the file
[[noreturn]] void throwForFile(const CudaFile& file, const KernelError& error);
/// Returns the result of `compute()`; errors of the file's function get the file's name. @throws EngineError
/// in place of KernelError; DeviceMemoryShort; other exceptions of `compute`
template <class Compute>
auto namingFile(const CudaFile& file, Compute&& compute) {
    try {
        return compute();
    } catch (const DeviceMemoryShort&) {
        throw;
    } catch (const KernelError& error) {
        throwForFile(file, error);
    }
}

} // namespace scanloupe
