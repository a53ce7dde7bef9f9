#pragma once
// Where on a slider a value lies.

namespace scanloupe::gui {

/// The multiple of a power of ten, no larger than `resolution`, that is nearest to `value`: few digits, so
/// that a saved recipe stays readable.
double roundToResolution(double value, double resolution);

/// Positions 0 to `kSteps` over the values from `low` to `high`, linear or by decades.
struct ValueScale {
    static constexpr int kSteps = 1000;

    double low = 0, high = 1;
    bool logarithmic = false; ///< `low` must be above 0
    bool zeroFirst = false;   ///< logarithmic, but position 0 stands for 0: "none" or "chosen by the stage"
    bool whole = false;       ///< values are whole numbers

    /// The nearest position; values beyond the ends take the end.
    int position(double value) const;
    /// A tidy value within half a step of the exact one.
    double value(int position) const;

    bool operator==(const ValueScale&) const = default;
};

} // namespace scanloupe::gui
