#include "cli/input/npy.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "evidence/number_text.hpp"
#include "numeric/bits.hpp"

namespace rmsnorm::cli {
namespace {

constexpr std::size_t piece_size = std::size_t{1} << 16;

std::uint8_t swapped(std::uint8_t pattern) { return pattern; }
std::uint16_t swapped(std::uint16_t pattern) { return __builtin_bswap16(pattern); }
std::uint32_t swapped(std::uint32_t pattern) { return __builtin_bswap32(pattern); }
std::uint64_t swapped(std::uint64_t pattern) { return __builtin_bswap64(pattern); }

template <typename Pattern>
Pattern load(const char* bytes, std::endian order) {
    Pattern pattern = 0;
    std::memcpy(&pattern, bytes, sizeof pattern);
    return order == std::endian::native ? pattern : swapped(pattern);
}

// IEEE 754 binary16: 5 bits of exponent with bias 15, 10 bits of fraction.
double from_binary16(std::uint16_t half) {
    const std::uint64_t sign = std::uint64_t{half} >> 15 << 63;
    const std::uint64_t exponent = half >> 10 & 0x1f;
    const std::uint64_t fraction = half & 0x3ff;
    if (exponent == 0) {
        // Subnormal or zero: fraction times 2^-24, exact in binary64.
        const double magnitude = static_cast<double>(fraction) * 0x1p-24;
        return numeric::binary64(sign | numeric::bits(magnitude));
    }
    const std::uint64_t wide_exponent = exponent == 0x1f ? 0x7ff : exponent + 1023 - 15;
    return numeric::binary64(sign | wide_exponent << 52 | fraction << 42);
}

constexpr std::uint64_t exponent_mask = 0x7ff0000000000000;

// A sum whose highest bit is set exactly when the exponent is all ones.
std::uint64_t non_finite_mark(double value) {
    return (numeric::bits(value) & exponent_mask) + 0x0010000000000000;
}

// A magnitude of at most 53 bits from its highest to its lowest set one, with its sign.
double exact_or_nan(std::uint64_t magnitude, bool negative) {
    if (magnitude != 0 && magnitude >> std::countr_zero(magnitude) >> 53 != 0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
}

template <typename Pattern>
double number_of(Pattern pattern, NpyKind kind) {
    switch (kind) {
        case NpyKind::boolean: return pattern == 0 ? 0 : 1;
        case NpyKind::natural: return exact_or_nan(pattern, false);
        case NpyKind::whole: {
            const bool negative = pattern >> (8 * sizeof pattern - 1) != 0;
            return exact_or_nan(static_cast<Pattern>(negative ? 0 - pattern : pattern), negative);
        }
        case NpyKind::floating: break;
    }
    if constexpr (sizeof pattern == 8) return numeric::binary64(pattern);
    if constexpr (sizeof pattern == 4) return numeric::binary32(pattern);
    if constexpr (sizeof pattern == 2) return from_binary16(pattern);
    return 0;  // there is no floating-point number of one byte
}

template <typename Pattern>
void decode(const NpyHeader& header, const char* from, std::span<double> elements) {
    for (double& element : elements) {
        element = number_of(load<Pattern>(from, header.byte_order), header.kind);
        from += sizeof(Pattern);
    }
}

bool is_native(const NpyHeader& header) {
    return header.kind == NpyKind::floating && header.element_size == 8 &&
           header.byte_order == std::endian::native;
}

// `index` counts as the file has its elements; the message counts in row-major order.
[[noreturn]] void refuse_non_finite(std::string_view origin, const NpyHeader& header,
                                    std::size_t index, double value) {
    const tensor::Shape& shape = header.shape;
    std::vector<std::size_t> indices(shape.size());
    for (std::size_t step = 0; step < shape.size(); ++step) {
        // From the axis that runs fastest in the file.
        const std::size_t axis = header.fortran_order ? step : shape.size() - 1 - step;
        indices[axis] = index % shape[axis];
        index /= shape[axis];
    }
    std::size_t flat = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        flat = flat * shape[axis] + indices[axis];
    }
    refuse(origin,
           "element " + tensor::to_text(indices) + " (flat index " + std::to_string(flat) + ")",
           header.kind != NpyKind::floating ? "an integer of more than 53 bits"
           : std::isnan(value)              ? "nan"
           : value < 0                      ? "-inf"
                                            : "inf",
           header.kind != NpyKind::floating ? "integers that binary64 holds, such as those to 2^53"
                                            : "finite numbers");
}

[[noreturn]] void refuse_truncated(std::string_view origin, const NpyHeader& header,
                                   std::size_t elements_found) {
    refuse(origin, "data", "an end after " + evidence::counted(elements_found, "value"),
           "the " + evidence::counted(header.elements, "value") + " of the shape " +
               tensor::to_text(header.shape));
}

[[noreturn]] void refuse_trailing(std::string_view origin, const NpyHeader& header) {
    refuse(origin, "data", "bytes after the last value",
           "the " + evidence::counted(header.elements, "value") + " of the shape " +
               tensor::to_text(header.shape) + " and no more");
}

}  // namespace

NpyStream::NpyStream(ByteStream stream) : stream_(std::move(stream)) {
    const std::size_t offset = npy_data_offset(origin(), stream_.peek(npy_preamble_size));
    header_ = parse_npy_header(origin(), stream_.peek(offset));
    stream_.skip(offset);
    if (stream_.remaining()) {
        const std::uint64_t bytes = *stream_.remaining();
        const std::uint64_t size = header_.element_size;
        if (bytes / size < header_.elements) {
            refuse_truncated(origin(), header_, static_cast<std::size_t>(bytes / size));
        }
        if (bytes > header_.elements * size) refuse_trailing(origin(), header_);
    }
}

std::size_t NpyStream::read_block(std::span<double> block) {
    const std::size_t count = std::min(block.size(), header_.elements - read_);
    const std::size_t size = header_.element_size;
    const std::span<double> elements = block.first(count);
    const auto require = [&](std::size_t bytes, std::size_t wanted, std::size_t before) {
        if (bytes < wanted) refuse_truncated(origin(), header_, read_ + before + bytes / size);
    };
    if (is_native(header_)) {
        // The caller's memory takes the bytes as they are.
        const std::span<char> bytes(reinterpret_cast<char*>(elements.data()),
                                    elements.size_bytes());
        require(stream_.read(bytes), bytes.size(), 0);
    } else {
        buffer_.resize(piece_size);
        for (std::size_t done = 0; done < count;) {
            const std::size_t part = std::min(count - done, piece_size / size);
            const std::span<char> bytes = std::span(buffer_).first(part * size);
            require(stream_.read(bytes), bytes.size(), done);
            decode_npy(header_, {bytes.data(), bytes.size()}, elements.subspan(done, part));
            done += part;
        }
    }
    const std::size_t bad = first_non_finite(elements);
    if (bad < count) refuse_non_finite(origin(), header_, read_ + bad, elements[bad]);
    read_ += count;
    if (read_ == header_.elements && !stream_.peek(1).empty()) refuse_trailing(origin(), header_);
    return count;
}

tensor::Tensor read_all(NpyStream stream, const Limits& limits) {
    const NpyHeader header = stream.header();
    require_within(stream.origin(), header, limits);
    std::vector<double> elements;
    // A pipe may promise more than it has: memory grows with what has come.
    constexpr std::size_t block = std::size_t{1} << 17;
    while (true) {
        const std::size_t before = elements.size();
        const std::size_t wanted = std::min(block, header.elements - before);
        elements.resize(before + wanted);
        stream.read_block(std::span(elements).subspan(before));
        if (before + wanted == header.elements) break;
    }
    if (!is_row_major(header)) elements = row_major(elements, header.shape);
    return tensor::Tensor(header.shape, std::move(elements));
}

void decode_npy(const NpyHeader& header, std::string_view bytes, std::span<double> elements) {
    if (is_native(header)) {
        if (!elements.empty()) std::memcpy(elements.data(), bytes.data(), elements.size_bytes());
        return;
    }
    switch (header.element_size) {
        case 1: decode<std::uint8_t>(header, bytes.data(), elements); return;
        case 2: decode<std::uint16_t>(header, bytes.data(), elements); return;
        case 4: decode<std::uint32_t>(header, bytes.data(), elements); return;
        default: decode<std::uint64_t>(header, bytes.data(), elements);
    }
}

std::size_t first_non_finite(std::span<const double> elements) {
    // Whole groups are judged by one bit, so that the loop over a group becomes vector code.
    constexpr std::size_t group = 64;
    std::size_t at = 0;
    for (; elements.size() - at >= group; at += group) {
        const double* const from = elements.data() + at;
        std::uint64_t marks = 0;
        for (std::size_t index = 0; index < group; ++index) marks |= non_finite_mark(from[index]);
        if (marks >> 63 != 0) break;
    }
    while (at < elements.size() && non_finite_mark(elements[at]) >> 63 == 0) ++at;
    return at;
}

std::vector<double> row_major(std::span<const double> fortran, const tensor::Shape& shape) {
    std::vector<double> result(fortran.size());
    // Steps through the elements as they lie, and keeps the place of each in row-major order.
    std::vector<std::size_t> strides(shape.size());
    std::size_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        strides[axis] = stride;
        stride *= shape[axis];
    }
    std::vector<std::size_t> index(shape.size());
    std::size_t place = 0;
    for (const double element : fortran) {
        result[place] = element;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            place += strides[axis];
            if (++index[axis] < shape[axis]) break;
            place -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    return result;
}

std::string_view npy_bytes(std::span<const double> elements, std::string& scratch) {
    if constexpr (std::endian::native == std::endian::little) {
        return {reinterpret_cast<const char*>(elements.data()), elements.size_bytes()};
    }
    scratch.resize(elements.size_bytes());
    char* to = scratch.data();
    for (const double element : elements) {
        const std::uint64_t pattern = numeric::bits(element);
        for (unsigned shift = 0; shift < 64; shift += 8) {
            *to++ = static_cast<char>(pattern >> shift & 0xff);
        }
    }
    return scratch;
}

}  // namespace rmsnorm::cli
