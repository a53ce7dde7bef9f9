#pragma once
// Declares a brush that changes a dense field in place, frame after frame: dense_brush.cu, or
// variants_unavailable.cpp in a build without nvcc.
#include "kernels/field/sculpt/sculpt.h"

#include <memory>

namespace scanloupe::cuda {

/// Paints as `sculpt` does, but into the field itself, which has all of its bricks: no copy, no search, and
/// no read-back.
class DenseBrush {
public:
    /// @param field dense, on the device; it outlives this
    DenseBrush(ScalarField& field, StreamView stream);
    ~DenseBrush();
    DenseBrush(const DenseBrush&) = delete;
    DenseBrush& operator=(const DenseBrush&) = delete;

    /// Asynchronous. @throws KernelError
    void apply(const SculptDab& dab, StreamView stream);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace scanloupe::cuda
