#pragma once
// Declares how CUDA files become actions of layers.
#include "engine/edit/edits.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace scanloupe {

/// What a file's source does; its `level` and `slope` are still those of no field.
/// @throws EngineError when it has none of the functions, or more than one
CudaFileAction cudaFileAction(const std::filesystem::path& path, std::string source, Vec3d up);

/// The text of a file. @throws EngineError when it can't be read, or is larger than a source is
std::string readCudaFile(const std::filesystem::path& path);

/// A file for people to begin with. @param cloud whose attributes it names; null: a field's
std::string cudaFileTemplate(CudaFunction function, const PointCloud* cloud);

/// What `compute()` gives; errors of a file's functions name it.
/// @throws EngineError in place of KernelError; DeviceMemoryShort; what else `compute` throws
[[noreturn]] void throwForFile(const CudaFile& file, const KernelError& error);
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
