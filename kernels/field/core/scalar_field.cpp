// Copies scalar fields to the host.
#include "kernels/field/core/scalar_field.h"

namespace scanloupe {

ScalarField ScalarField::download(StreamView stream) const {
    ScalarField copy;
    copy.kind = kind;
    copy.insideBelow = insideBelow;
    copy.lattice = lattice;
    copy.brickDims = brickDims;
    copy.brickKeys = brickKeys.copyTo(MemorySpace::host, stream);
    copy.values = values.copyTo(MemorySpace::host, stream);
    copy.cellMask = cellMask.copyTo(MemorySpace::host, stream);
    copy.minValue = minValue;
    copy.maxValue = maxValue;
    copy.normalsGuessed = normalsGuessed;
    copy.cost = cost;
    return copy;
}

} // namespace scanloupe
