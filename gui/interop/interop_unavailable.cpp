// Stands in for gl_write_cuda.cu in a build without nvcc: the probe links, and says that there is no CUDA.
#include "gui/interop/gl_write.h"

namespace scanloupe::gui {

GlWrite writeToGl(const GlTargets&, std::span<const std::uint8_t>) {
    GlWrite result;
    result.problem = "this build has no CUDA backend";
    return result;
}

} // namespace scanloupe::gui
