// The .npy reader: whole files, and the header apart from the data.
#include <cstdint>
#include <vector>

#include "properties.hpp"

using namespace rmsnorm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    cli::Limits limits;
    limits.max_elements = 1 << 16;
    limits.empty_allowed = true;
    try {
        const tensor::Tensor values = test::npy_tensor("fuzz", bytes, limits);
        fuzz::require_sound(values, limits);
        const cli::NpyHeader header = cli::parse_npy_header("fuzz", bytes);
        fuzz::require(header.shape == values.shape(), "the header has the shape");
        const std::size_t width = header.element_size;
        fuzz::require(header.data_offset + header.elements * width == size, "takes every byte");
        // Element by element the same as in one go, where the order needs no change.
        std::vector<double> apart(header.elements);
        for (std::size_t index = 0; index < apart.size(); ++index) {
            cli::decode_npy(header, bytes.substr(header.data_offset + index * width, width),
                            std::span(apart).subspan(index, 1));
        }
        if (!cli::is_row_major(header)) apart = cli::row_major(apart, header.shape);
        fuzz::require_same(tensor::Tensor(header.shape, apart), values);
    } catch (const cli::InputError& error) {
        fuzz::require_clear(error);
    }
    return 0;
}
