#pragma once
// Declares the sizes of what a run reads and makes, and what follows from them for a stage: memory and work.
#include <cstdint>
#include <string>

namespace scanloupe {

struct MeshSize {
    std::uint64_t vertices = 0, triangles = 0;
    std::uint64_t bytes() const; ///< of positions, normals and indices
};

/// The attributes that voxels get means or classes of.
struct AttributeCounts {
    std::uint64_t numbers = 0, categories = 0;
};

/// Numbers of what a run reads and makes.
struct RunSize {
    double points = 0; ///< all that are looked at, in range or not
    double pointsInRange = 0;
    double voxels = 0;
    double bricks = 0;            ///< of the field, as brushes leave it
    MeshSize extracted;           ///< before clean-up
    bool extractedBySycl = false; ///< on a processor: it lists crossed edges and triangles first
    double triangles = 0;         ///< after clean-up
    AttributeCounts attributes;
};

/// Bytes that a stage takes on top of what it reads.
struct StageMemory {
    std::uint64_t result = 0; ///< that it leaves
    std::uint64_t peak = 0;   ///< at most while it runs, with its result
};

/// What a stage has to do, in units of about the same duration.
struct StageWork {
    std::string variant; ///< stages of other variants take other times a unit; may be empty
    double units = 0;
    double nanoseconds = 0; ///< a unit, on two cores of 2023 (EPYC), before anything was learned
};

} // namespace scanloupe
