// Translates exceptions into sentences for people.
#include "engine/cloud/error_message.h"

#include "kernels/core/error.h"

#include <filesystem>
#include <new>

namespace scanloupe {

ErrorMessage errorMessage(const std::exception_ptr& error, const ErrorAdvice& advice) {
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
                ? std::string("A file can't be used: ") + refusal.what()
                : "'" + refusal.path1().string() + "' can't be used: " + refusal.code().message();
        return {Kind::mendable, what + ".", "Look whether the path is right and you may use it."};
    } catch (const std::bad_alloc&) {
        return {Kind::mendable, "There is not enough memory for this.", advice.whenShort};
    } catch (const std::exception& fault) {
        return {Kind::fault, std::string("Something went wrong: ") + fault.what(), advice.whenFault};
    } catch (...) {
        return {Kind::fault, "Something went wrong.", advice.whenFault};
    }
}

} // namespace scanloupe
