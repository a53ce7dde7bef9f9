#pragma once
// Declares the pages of the manual: their order, their text, and the anchors of their headings.
#include <QString>
#include <vector>

namespace scanloupe::gui {

/// File names of the first page, which lists all others, and of the page with the list of parameters.
inline constexpr char kFirstManualPage[] = "manual.md";
inline constexpr char kParameterManualPage[] = "parameters.md";

/// A page of the manual as Markdown, with the list of parameters generated from their declarations and
/// without comments. Empty if there is no such page.
QString manualPage(const QString& fileName);

/// A page in the list of all pages.
struct ManualPage {
    QString fileName;
    QString title; ///< its first heading
};
/// All pages: the first one, then the others in the order of its links.
std::vector<ManualPage> manualPages();

/// The text of a page without its markup, for the search.
QString manualPlainText(const QString& fileName);

/// The anchor of a heading, as in "page.md#anchor": in lower case, spaces as hyphens, without other
/// punctuation.
QString headingAnchor(const QString& heading);

} // namespace scanloupe::gui
