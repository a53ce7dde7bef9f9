#pragma once
// Stores documents that tests write, to check them against their schemas.
#include <filesystem>
#include <fstream>
#include <string>

#include <QtGlobal>

namespace scanloupe::test {

/// Writes a document into the folder $SCANLOUPE_KEEP_DOCUMENTS, if it is set.
inline void keepDocument(const char* name, const std::string& text) {
    const QString folder = qEnvironmentVariable("SCANLOUPE_KEEP_DOCUMENTS");
    if (!folder.isEmpty())
        std::ofstream(std::filesystem::path(folder.toStdString()) / name) << text;
}

} // namespace scanloupe::test
