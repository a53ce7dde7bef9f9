// Checks the numbers of bricks.
#include "kernels/field/core/brick_neighbours.h"

#include <string>

namespace scanloupe {

void requireIndexableBricks(std::size_t bricks) {
    if (bricks >= kNoBrick)
        throw KernelError("the field would have " + std::to_string(bricks) +
                              " bricks, more than 32-bit indices can name",
                          "Take a larger voxel size or a smaller range.");
}

} // namespace scanloupe
