// Copies scalar fields to the host.
#include "kernels/field/core/scalar_field.h"

namespace scanloupe {

ScalarField ScalarField::withoutBricks() const {
    ScalarField like;
    like.kind = kind;
    like.insideBelow = insideBelow;
    like.lattice = lattice;
    like.brickDims = brickDims;
    like.normalsGuessed = normalsGuessed;
    return like;
}

ScalarField ScalarField::download(StreamView stream) const {
    ScalarField copy = withoutBricks();
    copy.brickKeys = brickKeys.copyTo(MemorySpace::host, stream);
    copy.values = values.copyTo(MemorySpace::host, stream);
    copy.cellMask = cellMask.copyTo(MemorySpace::host, stream);
    copy.minValue = minValue;
    copy.maxValue = maxValue;
    copy.cost = cost;
    return copy;
}

} // namespace scanloupe
