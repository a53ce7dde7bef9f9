#pragma once
// Declares the sizes of a run's inputs and results, from which stages forecast their memory and work.
#include <cstdint>
#include <string>

namespace scanloupe {

struct MeshSize {
    std::uint64_t vertices = 0, triangles = 0;
    std::uint64_t bytes() const; ///< of positions, normals and indices
};

/// Numbers of attributes for which voxels have means, or classes.
struct AttributeCounts {
    std::uint64_t numbers = 0, categories = 0;
};

/// Sizes of a run's input and results.
struct RunSize {
    double points = 0; ///< all points that are used, in range or not
    double pointsInRange = 0;
    double voxels = 0;
    double bricks = 0;            ///< bricks of the field after edits with brushes
    MeshSize extracted;           ///< size of the mesh before clean-up
    bool extractedBySycl = false; ///< extraction with SYCL on a CPU lists crossed edges and triangles first
    double triangles = 0;         ///< number of triangles after clean-up
    AttributeCounts attributes;
};

/// Memory of a stage in addition to its inputs, bytes.
struct StageMemory {
    std::uint64_t result = 0; ///< memory of the result
    std::uint64_t peak = 0;   ///< maximum while the stage runs, including its result
};

/// Work of a stage, in units that take about the same time each.
struct StageWork {
    std::string variant; ///< variants of a stage have different times per unit; may be empty
    double units = 0;
    double nanoseconds = 0; ///< initial estimate per unit, for two cores of a 2023 CPU (EPYC), before any
                            ///< measurement
};

} // namespace scanloupe
