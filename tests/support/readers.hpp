// The readers of values on bytes that are at hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/input/npy.hpp"
#include "cli/input/tensor_json.hpp"
#include "cli/input/text.hpp"

namespace rmsnorm::test {

inline std::vector<double> elements(const tensor::Tensor& tensor) {
    return {tensor.values().begin(), tensor.values().end()};
}

inline tensor::Tensor text_tensor(std::string_view origin, std::string_view bytes,
                                  const cli::Limits& limits = {}) {
    cli::TextReader reader(std::string(origin), limits);
    reader.feed(bytes);
    return reader.finish();
}

inline cli::NpyStream npy_stream(std::string_view origin, std::string_view bytes) {
    return cli::NpyStream(cli::ByteStream::holding(std::string(origin), std::string(bytes)));
}

inline tensor::Tensor npy_tensor(std::string_view origin, std::string_view bytes,
                                 const cli::Limits& limits = {}) {
    return cli::read_all(npy_stream(origin, bytes), limits);
}

inline cli::JsonNode json(std::string_view origin, std::string_view bytes,
                          const char* accepted = cli::accepted_tensor) {
    return cli::parse_json(std::string(origin), bytes, {accepted, 1 << 20});
}

inline tensor::Tensor json_tensor(std::string_view origin, std::string_view bytes,
                                  const cli::Limits& limits = {}) {
    return cli::tensor_of(json(origin, bytes), limits);
}

}  // namespace rmsnorm::test
