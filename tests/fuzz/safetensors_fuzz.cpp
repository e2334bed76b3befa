// The reader of safetensors files: what it takes accounts for every byte, and can be read.
#include <cmath>
#include <cstdint>
#include <vector>

#include "cli/error.hpp"
#include "cli/tensor_file.hpp"
#include "properties.hpp"

using namespace rmsnorm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    try {
        const std::vector<cli::StoredTensor> tensors = cli::parse_safetensors("fuzz", bytes);
        const char* end = nullptr;
        for (const cli::StoredTensor& tensor : tensors) {
            const char* const begin = tensor.bytes.data();
            fuzz::require(
                begin >= bytes.data() && begin + tensor.bytes.size() <= bytes.data() + bytes.size(),
                "lies in the file");
            fuzz::require(end == nullptr || begin == end, "follows the one before it");
            end = begin + tensor.bytes.size();
            if (tensor.size == 0) continue;
            fuzz::require(tensor.bytes.size() == tensor.elements * tensor.size, "has its bytes");
            std::vector<double> values(tensor.elements);
            tensor.read(0, 1, values);
            for (const double value : values) {
                fuzz::require(std::isnan(value) || numeric::is_in(tensor.format, value),
                              "is of the format");
            }
        }
        fuzz::require(end == nullptr || end == bytes.data() + bytes.size(), "fills the file");
    } catch (const cli::InputError& error) {
        const std::string_view text = error.what();
        fuzz::require(text.starts_with("fuzz: "), "names the origin");
        fuzz::require(text.find("; accepted: ") != std::string_view::npos, "says what is accepted");
        fuzz::require(cli::printable(text) == text, "is one printable line");
    }
    return 0;
}
