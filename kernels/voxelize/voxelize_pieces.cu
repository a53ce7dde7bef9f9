// Voxelizes a cloud in pieces, with uploads that overlap the kernels (double buffering).
#include "kernels/voxelize/voxelize_pieces.h"

#include "kernels/core/parallel.h"
#include "kernels/voxelize/strategies/cuda_voxel_hash.cuh"

#include <cstring>

namespace scanloupe::cuda {

namespace {

class Event {
public:
    Event() { check(cudaEventCreate(&m_event), "cudaEventCreate"); }
    ~Event() { checkNoThrow(cudaEventDestroy(m_event)); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record(StreamView stream) const {
        check(cudaEventRecord(m_event, ownStream(stream)), "cudaEventRecord");
    }
    void enqueueWait(StreamView stream) const {
        check(cudaStreamWaitEvent(ownStream(stream), m_event, 0), "cudaStreamWaitEvent");
    }
    void synchronize() const { check(cudaEventSynchronize(m_event), "cudaEventSynchronize"); }
    double since(const Event& earlier) const {
        float ms = 0;
        check(cudaEventElapsedTime(&ms, earlier.m_event, m_event), "cudaEventElapsedTime");
        return static_cast<double>(ms);
    }

private:
    cudaEvent_t m_event = nullptr;
};

/// Positions and features of one piece, in pinned and in device memory.
struct StagingBuffer {
    Buffer<std::byte> pinned, device;
    std::vector<FeatureView> features;
    Event uploadStart, uploaded, computeStart, computed;
    PointsView view{};

    /// Returns the offsets in bytes, aligned to 256, of the columns: positions, then each feature. @param
    /// most maximum number of points of a piece
    static std::vector<std::size_t> columns(const PointsView& points, std::size_t most) {
        std::vector<std::size_t> starts{0};
        const auto next = [&](std::size_t bytes) {
            starts.push_back(starts.back() + (bytes + 255) / 256 * 256);
        };
        next(most * sizeof(Vec3f));
        for (const FeatureView& feature : points.features)
            next(most * sizeOf(feature.type));
        return starts;
    }
};

/// Returns the total time in which intervals of both lists overlap. Each list must be sorted, and its
/// intervals disjoint.
double overlappingTime(const std::vector<std::pair<double, double>>& a,
                       const std::vector<std::pair<double, double>>& b) {
    double sum = 0;
    for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        sum += std::max(0.0, std::min(a[i].second, b[k].second) - std::max(a[i].first, b[k].first));
        if (a[i].second < b[k].second)
            ++i;
        else
            ++k;
    }
    return sum;
}

/// Uploads the pieces one after another: while `work` processes one piece, the next is uploaded.
class Pieces {
public:
    Pieces(const PointsView& points, std::size_t size, const std::stop_token& stop, StreamView stream)
        : m_points(points), m_size(std::min(size, std::max<std::size_t>(points.count, 1))), m_stop(stop),
          m_stream(stream), m_columns(StagingBuffer::columns(points, m_size)) {
        for (StagingBuffer& staging : m_stagingBuffers) {
            staging.pinned = Buffer<std::byte>::in(MemorySpace::pinned, m_columns.back(), stream);
            staging.device = Buffer<std::byte>::in(MemorySpace::device, m_columns.back(), stream);
        }
        stream.synchronize(); // makes the buffers usable by the upload stream
    }
    /// Waits for an upload that may still access the staging buffers after another error.
    ~Pieces() { checkNoThrow(cudaStreamSynchronize(m_upload.view().handle())); }
    Pieces(const Pieces&) = delete;
    Pieces& operator=(const Pieces&) = delete;

    /// Calls `work(view, first)` with each piece on the device and the index of its first point. When `work`
    /// returns, the stream must be idle, or must not use the piece's memory any more.
    template <class Work>
    PieceTimes forEach(Work&& work) {
        const std::size_t pieces = chunkCount(m_points.count, m_size);
        std::vector<std::pair<double, double>> uploads, computes;
        m_start.record(m_upload);
        if (pieces > 0)
            upload(0);
        for (std::size_t i = 0; i < pieces; ++i) {
            if (i + 1 < pieces)
                upload(i + 1);
            StagingBuffer& staging = m_stagingBuffers[i % 2];
            staging.uploaded.enqueueWait(m_stream);
            staging.computeStart.record(m_stream);
            work(staging.view, i * m_size);
            staging.computed.record(m_stream);
            staging.computed.synchronize();
            uploads.emplace_back(staging.uploadStart.since(m_start), staging.uploaded.since(m_start));
            computes.emplace_back(staging.computeStart.since(m_start), staging.computed.since(m_start));
        }
        PieceTimes times;
        times.pieces = pieces;
        for (const auto& [from, to] : uploads)
            times.uploadMs += to - from;
        for (const auto& [from, to] : computes)
            times.computeMs += to - from;
        times.bothMs = overlappingTime(uploads, computes);
        times.totalMs = pieces == 0 ? 0 : computes.back().second - uploads.front().first;
        return times;
    }

private:
    /// Copies piece `i` into pinned memory on all cores, and queues its upload.
    void upload(std::size_t i) {
        StagingBuffer& staging = m_stagingBuffers[i % 2];
        const std::size_t first = i * m_size, count = std::min(m_size, m_points.count - first);
        staging.features.assign(m_points.features.begin(), m_points.features.end());
        stage(staging, 0, m_points.positions + first, count * sizeof(Vec3f));
        for (std::size_t f = 0; f < staging.features.size(); ++f) {
            const std::size_t bytes = sizeOf(staging.features[f].type);
            stage(staging, f + 1, static_cast<const std::byte*>(staging.features[f].data) + first * bytes,
                  count * bytes);
            staging.features[f].data = staging.device.data() + m_columns[f + 1];
        }
        staging.uploadStart.record(m_upload);
        for (std::size_t c = 0; c + 1 < m_columns.size(); ++c) {
            const std::size_t bytes = c == 0 ? sizeof(Vec3f) : sizeOf(m_points.features[c - 1].type);
            detail::copyBytes(staging.device.data() + m_columns[c], MemorySpace::device,
                              staging.pinned.data() + m_columns[c], MemorySpace::pinned, count * bytes,
                              m_upload);
        }
        staging.uploaded.record(m_upload);
        staging.view = {reinterpret_cast<const Vec3f*>(staging.device.data()), count, staging.features};
    }
    void stage(StagingBuffer& staging, std::size_t column, const void* from, std::size_t bytes) {
        constexpr std::size_t grain = std::size_t{1} << 20;
        std::byte* to = staging.pinned.data() + m_columns[column];
        parallelFor(bytes, grain, m_stop, [&](std::size_t begin, std::size_t end) {
            std::memcpy(to + begin, static_cast<const std::byte*>(from) + begin, end - begin);
        });
    }

    const PointsView& m_points;
    const std::size_t m_size;
    const std::stop_token& m_stop;
    const StreamView m_stream;
    const std::vector<std::size_t> m_columns;
    StagingBuffer m_stagingBuffers[2];
    const Stream m_upload;
    const Event m_start;
};

} // namespace

VoxelGrid voxelizeInPieces(const PointsView& points, const VoxelizeParams& params, std::size_t pieceSize,
                           const std::stop_token& stop, StreamView stream, PieceTimes* times) {
    const WallTimer timer;
    VoxelGrid grid;
    grid.shape = gridShape(params); // the whole grid, since a hash table accepts all its keys
    if (params.maxPointsPerVoxel != 0)
        throw KernelError(
            "the first points of each voxel cannot be determined if a cloud is processed in pieces",
            "Omit the limit of points per voxel, or use the CPU backend.");
    if (pieceSize == 0)
        throw Fault("a cloud was asked for in pieces of no points");
    grid.strategy = {VoxelizeStrategy::hash, "the points come in pieces"};
    if (params.strategy != VoxelizeStrategy::automatic && params.strategy != VoxelizeStrategy::hash)
        grid.strategy.why += std::string(", which ") + name(params.strategy) + " cannot process";
    grid.featureCount = points.features.size();
    const Job job{points, params, {grid.shape, params.rangeMax}, checkPoints(points), stop, stream};
    Pieces pieces(points, pieceSize, stop, stream);

    VoxelHashTable table(job, initialSlots(points.count, 1u << 20));
    const auto inPiece = [&](const PointsView& piece) {
        const Job part{piece, params, job.cells, job.scales, stop, stream};
        return pointsIn(part);
    };
    const PieceTimes first =
        pieces.forEach([&](const PointsView& piece, std::size_t) { table.add(inPiece(piece)); });
    if (times)
        *times = first;
    grid.cost.deviceMs = first.totalMs;
    Counts found = table.finish(grid);

    const auto fused = std::min<std::size_t>(job.scales.size(), kFusedFeatures);
    // The table also contains dropped voxels, whose non-finite values must not be counted.
    const bool again = found.featuresNotFinite > 0 && found.voxels > grid.size();
    const std::size_t begin = again ? 0 : fused, more = job.scales.size() - begin;
    if (again)
        found.featuresNotFinite = 0;
    if (more > 0 || params.pointVoxels) {
        grid.pointVoxel = Buffer<std::uint32_t>::host(params.pointVoxels ? points.count : 0);
        auto pointVoxel = job.buffer<std::uint32_t>(std::min(pieceSize, points.count));
        auto sums = job.zeros<std::uint64_t>(more * grid.size());
        auto counts = job.zeros<Counts>(1);
        pieces.forEach([&](const PointsView& piece, std::size_t firstPoint) {
            table.lookUp(inPiece(piece), pointVoxel.data());
            for (std::size_t m = 0; m < more; ++m) {
                const std::size_t f = m + begin;
                addFeature(piece.features[f], job.scales[f], piece.count, pointVoxel.data(),
                           sums.data() + m * grid.size(), counts.data(), stream);
            }
            if (params.pointVoxels)
                detail::copyBytes(grid.pointVoxel.data() + firstPoint, MemorySpace::host, pointVoxel.data(),
                                  MemorySpace::device, piece.count * sizeof(std::uint32_t), stream);
            stream.synchronize();
            job.throwIfStopped();
        });
        const VoxelsOut out = outputOf(job, grid);
        for (std::size_t f = fused; f < job.scales.size(); ++f)
            finishFeature(job.scales[f], sums.data() + (f - begin) * grid.size(), grid.size(), out.counts,
                          out.means.column(3 + f), nullptr, stream);
        found.featuresNotFinite += job.read(counts).featuresNotFinite;
    }
    fillStats(job, found, grid.size(), grid);
    stream.synchronize();
    grid.cost.wallMs = timer.elapsedMs();
    grid.cost.bytes = grid.bytes();
    return grid;
}

} // namespace scanloupe::cuda
