#include "tests/support/laz_position_layers.h"

#include "engine/cloud/error.h"
#include "engine/io/las/laz/laz_layer_source.h"
#include "kernels/core/parallel.h"

#include <fmt/format.h>

namespace scanloupe::test {

OpenLaz::OpenLaz(const std::filesystem::path& path) : file(path), header(readLasHeader(file)) {
    if (!header.compressed || header.pointFormat < 6)
        throw EngineError(fmt::format("'{}' is not a LAZ file of point format 6 to 10", file.name()),
                          "Take one of LAS 1.4 that holds layers.");
    vlr = readLaszipVlr(file, header);
    found = findLazChunks(file, header, vlr, {});
}

LazPositionLayers readLazPositionLayers(const OpenLaz& laz, MemorySpace space, StreamView stream) {
    const LazLayerSource source(laz.file, laz.header, laz.vlr, laz.found.chunks, false, {}, {});
    LazPositionLayers layers;
    layers.chunks = source.chunks();
    layers.points = source.points();
    layers.words = Buffer<std::uint32_t>::in(space, source.words(), stream);
    parallelFor(source.words(), std::size_t{1} << 17, {}, [&](std::size_t begin, std::size_t end) {
        source.read(begin, std::span(layers.words.data() + begin, end - begin));
    });
    return layers;
}

} // namespace scanloupe::test
