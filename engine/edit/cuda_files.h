#pragma once
// Declares reading CUDA files, and converting them to actions of layers.
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

constexpr std::size_t kMaxCudaFileBytes = 1 << 20; ///< maximum size of a source

/// Returns the source in a file.
/// @throws EngineError if it can't be read, is larger than 1 MB, or is not text
std::string readCudaFile(const std::filesystem::path& path);
/// Returns a template for new files: a valid function, with comments on its parameters.
/// @param cloud its attributes are listed in the comments; null: none
std::string cudaFileTemplate(CudaFunction function, const PointCloud* cloud);

/// Returns the action for a file's source, without `level` and `slope`. @param up unit vector of the up axis
/// @throws EngineError if the source does not define exactly one of the functions
CudaFileAction cudaFileAction(const std::filesystem::path& path, std::string source, Vec3d up);

/// Rethrows a kernel error with the file's name. @throws EngineError always
[[noreturn]] void throwForFile(const CudaFile& file, const KernelError& error);
/// Returns the result of `compute()`. A KernelError from the file's function is rethrown as EngineError with
/// the file's name; DeviceMemoryShort and other exceptions pass through.
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
