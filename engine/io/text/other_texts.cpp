// Recognizes ESRI ASCII grids and molecules (the XYZ format of Open Babel), which have the same extensions as
// texts of points.
#include "engine/io/text/other_texts.h"

#include "engine/cloud/error.h"
#include "engine/io/text/text_tokens.h"

#include <algorithm>
#include <cctype>
#include <span>

namespace scanloupe {

namespace {

/// Returns whether the first two lines are the numbers of columns and rows of a grid, in any order.
bool isEsriGrid(std::span<const HeadLine> lines) {
    const auto begins = [](const HeadLine& line, std::string_view word) {
        return line.text.size() > word.size() && isTextBlank(line.text[word.size()]) &&
               std::equal(word.begin(), word.end(), line.text.begin(),
                          [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
    };
    return lines.size() > 1 && ((begins(lines[0], "ncols") && begins(lines[1], "nrows")) ||
                                (begins(lines[0], "nrows") && begins(lines[1], "ncols")));
}

/// Returns whether a line begins with the symbol of a chemical element and three numbers, as in H 0.76 0
/// -0.5.
bool isAtom(const HeadLine& line) {
    const auto values = splitTokens(line.text, ' ');
    const auto letter = [](char c, bool upper) {
        const auto code = static_cast<unsigned char>(c);
        return upper ? std::isupper(code) != 0 : std::islower(code) != 0;
    };
    if (values.size() < 4)
        return false;
    const std::string& symbol = values[0];
    const bool isElement =
        (symbol.size() == 1 || (symbol.size() == 2 && letter(symbol[1], false))) && letter(symbol[0], true);
    return isElement && std::all_of(values.begin() + 1, values.begin() + 4,
                                    [](const std::string& value) { return isNumber(value); });
}

/// Returns whether the lines are a molecule: the number of atoms, an optional line of text, and the atoms.
bool isMolecule(std::span<const HeadLine> lines) {
    return lines.size() > 1 && isCount(lines[0].text) &&
           (isAtom(lines[1]) || (lines.size() > 2 && isAtom(lines[2])));
}

} // namespace

void refuseOtherTexts(const InputFile& file, const TextHead& head) {
    if (isEsriGrid(head.lines))
        throw EngineError(
            "'" + file.name() + "' is an ESRI ASCII grid: a raster of values, not a list of points",
            "Convert it to points, for example with GDAL: gdal_translate -of XYZ GRID.asc POINTS.xyz");
    if (isMolecule(head.lines))
        throw EngineError("'" + file.name() + "' contains the atoms of a molecule, not a scan",
                          "Open it with a program for molecules. To read the atoms as points, use "
                          "--text-columns x=2,y=3,z=4.");
}

} // namespace scanloupe
