#include "tests/bench/bench_raster.h"

namespace scanloupe::bench {

void addRasterOptions(CLI::App& app, RasterOptions& options) {
    app.add_option("--triangles", options.triangles, "of the bumpy sphere, e.g. 100000,10000000")
        ->delimiter(',');
    app.add_option("--points", options.points, "of the same surface; several sizes")->delimiter(',');
    app.add_option("--point-size", options.pointSize, "pixels across; above 1, rows of graphs only")
        ->check(CLI::Range(1, 64));
    app.add_option("--picture", options.pictures, "sizes of the picture")
        ->delimiter(',')
        ->check(CLI::IsMember({"1080p", "1440p", "4k"}));
    app.add_option("--scene", options.scenes, "what is drawn")
        ->delimiter(',')
        ->check(CLI::IsMember({"bumpy", "bumpy-shuffled", "large", "points", "voxels", "painter"}));
    app.add_option("--only", options.only,
                   "rows whose names begin so: graph, build, stream, cooperative, demo, "
                   "whole, batches, curve")
        ->delimiter(',');
    app.add_option("--few-triangles", options.smallMeshTriangles,
                   "up to how many the vertices are not placed once for all triangles");
    app.add_option("--small-pixels", options.smallPixels, "where the first tier of triangles ends");
    app.add_option("--medium-pixels", options.mediumPixels, "where the second tier ends");
    app.add_option("--repeats", options.repeats, "timed frames of each row; 20 at most above 10 ms")
        ->check(CLI::PositiveNumber);
    app.add_option("--limit-seconds", options.seconds, "starts no more scenes after this time");
    app.add_flag("--quick", options.quick, "1080p only, up to 10 million of anything, 20 repeats");
    app.add_option("--json", options.json, "writes the figures to this file");
    app.add_option("--compare", options.compare, "compares with figures that --json wrote");
}

} // namespace scanloupe::bench
