// Translates exceptions into messages for users.
#include "engine/cloud/error_message.h"

#include "kernels/core/error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>

namespace scanloupe {

namespace {

/// Replaces the middle of a text by "…" if it is too long. @param most maximum length in bytes; 3/4 of it is
/// kept at the beginning, 1/4 at the end
std::string withoutMiddle(std::string_view text, std::size_t most) {
    if (text.size() <= most)
        return std::string(text);
    const auto continues = [&](std::size_t at) { return (std::uint8_t(text[at]) & 0xc0) == 0x80; };
    std::size_t head = most / 4 * 3, tail = text.size() - most / 4;
    for (int i = 0; i < 3 && continues(head); ++i) // do not split a UTF-8 character
        --head;
    for (int i = 0; i < 3 && continues(tail); ++i)
        ++tail;
    return std::string(text.substr(0, head)) + "…" + std::string(text.substr(tail));
}

ErrorMessage messageOf(const std::exception_ptr& error, const ErrorAdvice& advice) {
    using Kind = ErrorMessage::Kind;
    try {
        std::rethrow_exception(error);
    } catch (const Cancelled&) {
        return {};
    } catch (const Error& mendable) {
        return {Kind::mendable, mendable.what(), mendable.nextStep()};
    } catch (const std::filesystem::filesystem_error& refusal) {
        const std::string what =
            refusal.path1().empty()
                ? std::string("Cannot access a file: ") + refusal.what()
                : "Cannot access '" + refusal.path1().string() + "': " + refusal.code().message();
        return {Kind::mendable, what + ".", "Check the path and your permissions."};
    } catch (const std::bad_alloc&) {
        return {Kind::mendable, "Out of memory.", advice.whenShort};
    } catch (const std::exception& fault) {
        return {Kind::fault, std::string("Internal error: ") + fault.what(), advice.whenFault};
    } catch (...) {
        return {Kind::fault, "Internal error of unknown type.", advice.whenFault};
    }
}

} // namespace

std::string shortenedMessage(std::string_view text) {
    constexpr std::size_t maxWordBytes = 1000, maxBytes = 16'000; // bytes
    constexpr std::string_view blanks = " \t\n";
    std::string shortened;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
        shortened += withoutMiddle(text.substr(at, end - at), maxWordBytes);
        at = std::min(text.find_first_not_of(blanks, end), text.size());
        shortened += text.substr(end, at - end);
    }
    return withoutMiddle(shortened, maxBytes);
}

ErrorMessage errorMessage(const std::exception_ptr& error, const ErrorAdvice& advice) {
    ErrorMessage message = messageOf(error, advice);
    message.sentence = shortenedMessage(message.sentence);
    message.nextStep = shortenedMessage(message.nextStep);
    return message;
}

} // namespace scanloupe
