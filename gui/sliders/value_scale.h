#pragma once
// Declares the mapping between values and positions of a slider.

namespace scanloupe::gui {

/// Rounds `value` to the nearest multiple of the largest power of ten that does not exceed `resolution`: few
/// digits keep a saved recipe readable.
double roundToResolution(double value, double resolution);

/// Maps positions 0 to `kSteps` to the values from `low` to `high`, linearly or logarithmically.
struct ValueScale {
    static constexpr int kSteps = 1000;

    double low = 0, high = 1;
    bool logarithmic = false; ///< `low` must be above 0
    bool zeroFirst = false;   ///< logarithmic, but position 0 stands for 0: "none" or "chosen by the stage"
    bool whole = false;       ///< values are whole numbers

    /// The nearest position; values beyond the ends are clamped.
    int position(double value) const;
    /// A rounded value within half a step of the exact one.
    double value(int position) const;

    bool operator==(const ValueScale&) const = default;
};

} // namespace scanloupe::gui
