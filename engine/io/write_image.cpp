// Writes PNG images through libpng, a few rows at a time.
#include "engine/cloud/error.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/common/output_target.h"
#include "engine/io/writers.h"

#include <algorithm>
#include <csetjmp>
#include <fmt/format.h>
#include <png.h>

namespace scanloupe {

namespace {

/// The shared state of libpng's callbacks. Exceptions must not propagate through libpng, so an exception of
/// the stream is stored here and rethrown later.
struct PngJob {
    std::ostream& stream;
    std::exception_ptr failure;
    std::string message;
};

void writeBytes(png_structp png, png_bytep bytes, png_size_t count) {
    auto* job = static_cast<PngJob*>(png_get_io_ptr(png));
    try {
        job->stream.write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(count));
    } catch (...) {
        job->failure = std::current_exception();
    }
    if (job->failure)
        png_error(png, "the stream failed");
}

void flushBytes(png_structp) {}

void onError(png_structp png, png_const_charp message) {
    static_cast<PngJob*>(png_get_error_ptr(png))->message = message;
    std::longjmp(png_jmpbuf(png), 1);
}

void onWarning(png_structp, png_const_charp) {}

// The functions begin(), addRows() and end() return false if libpng fails. libpng leaves them by longjmp, so
// they must not contain objects with destructors. Rows are requested outside of them, since a RowSource may
// throw.

bool begin(png_structp png, png_infop info, PngJob* job, int width, int height) {
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_write_fn(png, job, writeBytes, flushBytes);
    png_set_compression_level(
        png, 3); // three times as fast as the default of 6; rendered images are hardly larger
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 8,
                 PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    return true;
}

bool addRows(png_structp png, const std::uint32_t* pixels, std::size_t width, std::size_t rows) {
    if (setjmp(png_jmpbuf(png)))
        return false;
    for (std::size_t row = 0; row < rows; ++row)
        png_write_row(png, reinterpret_cast<png_const_bytep>(pixels + row * width));
    return true;
}

bool end(png_structp png) {
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_write_end(png, nullptr);
    return true;
}

/// Owner of libpng's structures for a file.
struct Png {
    explicit Png(PngJob& job)
        : png(png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, onError, onWarning)),
          info(png ? png_create_info_struct(png) : nullptr) {}
    ~Png() { png_destroy_write_struct(&png, &info); }
    Png(const Png&) = delete;
    Png& operator=(const Png&) = delete;
    png_structp png;
    png_infop info;
};

} // namespace

void writePng(std::ostream& stream, int width, int height, const RowSource& rowsFrom) {
    if (width < 1 || height < 1)
        throw EngineError(fmt::format("the image has no pixels ({} x {})", width, height),
                          "Choose a size of at least 1 x 1.");
    PngJob job{stream, nullptr, {}};
    Png file(job);
    const auto require = [&job](bool done) {
        if (job.failure)
            std::rethrow_exception(job.failure);
        if (!done)
            throw EngineError("the PNG image can't be encoded: " +
                                  (job.message.empty() ? "out of memory" : job.message),
                              "Choose a smaller size.");
    };
    require(file.info && begin(file.png, file.info, &job, width, height));
    const auto rowPixels = std::size_t(width);
    for (int row = 0; row < height;) {
        const std::span<const std::uint32_t> pixels = rowsFrom(row);
        const std::size_t rows = std::min(pixels.size() / rowPixels, std::size_t(height - row));
        if (rows == 0 || pixels.size() % rowPixels != 0)
            throw EngineError(
                fmt::format(
                    "the image has {} pixels from row {} on, which is not a whole number of rows of {}",
                    pixels.size(), row, width),
                "Render the image again.");
        require(addRows(file.png, pixels.data(), rowPixels, rows));
        row += int(rows);
    }
    require(end(file.png));
}

void writeImage(const std::filesystem::path& target, int width, int height, const RowSource& rowsFrom,
                const std::stop_token& stop) {
    if (!isDescriptor(target))
        requireEnding(target, {".png"}, "an image");
    writeAtomically(
        target, [&](std::ostream& stream) { writePng(stream, width, height, rowsFrom); }, stop);
}

void writeImage(const std::filesystem::path& target, const Image& image, const std::stop_token& stop) {
    if (image.width < 1 || image.height < 1 ||
        image.pixels.size() != std::size_t(image.width) * std::size_t(image.height))
        throw EngineError(
            fmt::format("the image of {} x {} has {} pixels", image.width, image.height, image.pixels.size()),
            "Render the image first.");
    writeImage(
        target, image.width, image.height, [&image](int) { return image.pixels.span(); }, stop);
}

} // namespace scanloupe
