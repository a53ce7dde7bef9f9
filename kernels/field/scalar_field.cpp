// Copies scalar fields between host and device.
#include "kernels/field/scalar_field.h"

namespace scanloupe {

namespace {
ScalarField copyIn(MemorySpace space, const ScalarField& field, StreamView stream) {
    ScalarField copy;
    copy.kind = field.kind;
    copy.insideBelow = field.insideBelow;
    copy.lattice = field.lattice;
    copy.brickDims = field.brickDims;
    copy.brickKeys = field.brickKeys.copyTo(space, stream);
    copy.values = field.values.copyTo(space, stream);
    copy.cellMask = field.cellMask.copyTo(space, stream);
    copy.minValue = field.minValue;
    copy.maxValue = field.maxValue;
    copy.normalsGuessed = field.normalsGuessed;
    copy.cost = field.cost;
    return copy;
}
} // namespace

ScalarField ScalarField::download(StreamView stream) const {
    return copyIn(MemorySpace::host, *this, stream);
}

ScalarField ScalarField::upload(StreamView stream) const {
    return copyIn(MemorySpace::device, *this, stream);
}

} // namespace scanloupe
