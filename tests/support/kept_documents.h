#pragma once
// Keeps documents that tests make, to be checked against their schemas.
#include <filesystem>
#include <fstream>
#include <string>

#include <QtGlobal>

namespace scanloupe::test {

/// Writes a document into $SCANLOUPE_KEEP_DOCUMENTS, where that is set.
inline void keepDocument(const char* name, const std::string& text) {
    const QString folder = qEnvironmentVariable("SCANLOUPE_KEEP_DOCUMENTS");
    if (!folder.isEmpty())
        std::ofstream(std::filesystem::path(folder.toStdString()) / name) << text;
}

} // namespace scanloupe::test
