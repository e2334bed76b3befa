// The text reader, in one piece and broken anywhere, and lists of the command line.
#include <cstdint>
#include <optional>

#include "cli/input/file_format.hpp"
#include "properties.hpp"

using namespace rmsnorm;

namespace {

struct Outcome {
    std::optional<tensor::Tensor> values;
    std::string message;
};

// The text in pieces of `piece` bytes.
Outcome read(std::string_view bytes, std::size_t piece, const cli::Limits& limits) {
    try {
        cli::TextReader reader("fuzz", limits);
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
            reader.feed(bytes.substr(at, piece));
        }
        return {reader.finish(), ""};
    } catch (const cli::InputError& error) {
        fuzz::require_clear(error);
        return {std::nullopt, error.what()};
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    cli::Limits limits;
    limits.max_elements = 1 << 10;
    const Outcome whole = read(bytes, size + 1, limits);
    for (const std::size_t piece : {1U, 2U, 3U, 7U}) {
        const Outcome broken = read(bytes, piece, limits);
        fuzz::require(broken.values.has_value() == whole.values.has_value(), "same verdict");
        fuzz::require(broken.message == whole.message, "same message");
        if (whole.values) fuzz::require_same(*broken.values, *whole.values);
    }
    if (whole.values) fuzz::require_sound(*whole.values, limits);
    try {
        const tensor::Tensor list = cli::parse_list("fuzz", bytes, limits);
        fuzz::require_sound(list, limits);
        // What is a list is also a text of one row, unless the text's limit of a number is in play.
        if (size <= 4096) {
            fuzz::require(whole.values.has_value(), "a list is a text");
            fuzz::require_same(list, *whole.values);
        }
    } catch (const cli::InputError& error) {
        fuzz::require_clear(error);
    }
    try {
        const auto shape = cli::parse_shape("fuzz", bytes);
        fuzz::require(!shape.empty() && cli::product_of_axes(shape).has_value(), "counts");
    } catch (const cli::InputError& error) {
        fuzz::require_clear(error);
    }
    try {
        cli::recognized_format("fuzz", bytes);
    } catch (const cli::InputError& error) {
        fuzz::require_clear(error);
    }
    return 0;
}
