// Parses any text as a formula, and evaluates it. Invalid formulas must be rejected by the documented
// exceptions.
#include "engine/cloud/error.h"
#include "engine/edit/expression/expression.h"

#include <cstdint>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace scanloupe;
    static const std::vector<std::string> names{"a", "b", "height", "intensity"};
    try {
        const Expression expression({reinterpret_cast<const char*>(data), size}, names);
        static_cast<void>(expression.deviceText());
        const std::vector<double> column{0, 1, -2.5, 1e300};
        const std::vector<const double*> columns(expression.used().size(), column.data());
        std::vector<double> results(column.size());
        expression.evaluate(columns, results);
    } catch (const EngineError&) {
    }
    return 0;
}
