#include "engine/io/write_ending.h"
#include "engine/io/writers.h"

#include <csetjmp>
#include <png.h>

namespace scanloupe {

namespace {

/// What libpng's callbacks share. Exceptions must not pass through libpng, so one that the stream throws
/// waits here.
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

void keepMessage(png_structp png, png_const_charp message) {
    static_cast<PngJob*>(png_get_error_ptr(png))->message = message;
    std::longjmp(png_jmpbuf(png), 1);
}

void ignoreWarning(png_structp, png_const_charp) {}

/// False when libpng gave up. Holds nothing that needs a destructor: libpng jumps out of here.
bool encode(png_structp png, png_infop info, PngJob* job, const Image* image) {
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_write_fn(png, job, writeBytes, flushBytes);
    png_set_compression_level(png, 3); // three times as fast as the usual 6, hardly larger for drawn pictures
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(png, info, static_cast<png_uint_32>(image->width), static_cast<png_uint_32>(image->height),
                 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < image->height; ++y)
        png_write_row(png, reinterpret_cast<png_const_bytep>(image->pixels.data() +
                                                             std::size_t(y) * std::size_t(image->width)));
    png_write_end(png, info);
    return true;
}

} // namespace

void writeImage(const std::filesystem::path& target, const Image& image) {
    requireEnding(target, {".png"}, "an image");
    if (image.width < 1 || image.height < 1 ||
        image.pixels.size() != std::size_t(image.width) * std::size_t(image.height))
        throw EngineError("the image has no pixels", "Draw it first.");
    writeAtomically(target, [&](std::ostream& stream) {
        PngJob job{stream, nullptr, {}};
        png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, keepMessage, ignoreWarning);
        png_infop info = png ? png_create_info_struct(png) : nullptr;
        const bool done = info && encode(png, info, &job, &image);
        png_destroy_write_struct(&png, &info);
        if (job.failure)
            std::rethrow_exception(job.failure);
        if (!done)
            throw EngineError("the image can't be written: " +
                                  (job.message.empty() ? "no memory" : job.message),
                              "Choose a smaller size.");
    });
}

} // namespace scanloupe
