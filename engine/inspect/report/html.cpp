// Writes text and table rows as HTML.
#include "engine/inspect/report/html.h"

#include "engine/io/common/text/utf8.h"

#include <fmt/format.h>
#include <iterator>

namespace scanloupe {

std::string htmlEscaped(const std::string& text) {
    std::string out;
    for (const char c : printableText(text))
        switch (c) {
        case '&':
            out.append("&amp;");
            break;
        case '<':
            out.append("&lt;");
            break;
        case '>':
            out.append("&gt;");
            break;
        case '"':
            out.append("&quot;");
            break;
        default:
            out.push_back(c);
        }
    return out;
}

void addHtmlRow(std::string& html, const char* name, const std::string& value) {
    fmt::format_to(std::back_inserter(html), "<tr><th>{}</th><td>{}</td></tr>\n", name, value);
}

} // namespace scanloupe
