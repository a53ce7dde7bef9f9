#pragma once
// Declares CUDA files on disk, and how they become actions of layers.
#include "engine/edit/edits.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace scanloupe {

constexpr std::size_t kMaxCudaFileBytes = 1 << 20; ///< of a source

/// The source that a file holds.
/// @throws EngineError when it can't be read, is larger than 1 MB, or is no text
std::string readCudaFile(const std::filesystem::path& path);
/// A file to begin with: a function that works, and in comments what it is given.
/// @param cloud whose attributes it lists; null: none
std::string cudaFileTemplate(CudaFunction function, const PointCloud* cloud);

/// What a file's source does; its `level` and `slope` are still those of no field.
/// @throws EngineError when it has none of the functions, or more than one
CudaFileAction cudaFileAction(const std::filesystem::path& path, std::string source, Vec3d up);

/// @throws EngineError that names the file
[[noreturn]] void throwForFile(const CudaFile& file, const KernelError& error);
/// What `compute()` gives; errors of the file's function name it.
/// @throws EngineError in place of KernelError; DeviceMemoryShort; what else `compute` throws
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
