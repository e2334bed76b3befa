#include "cli/tensor_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "cli/error.hpp"
#include "cli/input/byte_stream.hpp"
#include "cli/input/file_format.hpp"
#include "cli/input/json.hpp"
#include "cli/input/npy_header.hpp"
#include "cli/input/tensor_json.hpp"
#include "evidence/number_text.hpp"

namespace rmsnorm::cli {
namespace {

using numeric::NumberFormat;

constexpr const char* accepted_npy_types =
    "'<f8', '<f4' or '<f2', or two-byte elements ('|V2', '<u2') and --dtype bf16";

constexpr std::size_t most_header_bytes = std::size_t{16} << 20;

std::uint64_t pattern_at(std::string_view bytes, std::size_t size, bool big_endian) {
    std::uint64_t pattern = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const std::size_t at = big_endian ? i : size - 1 - i;
        pattern = pattern << 8 | static_cast<unsigned char>(bytes[at]);
    }
    return pattern;
}

// What safetensors files hold besides numbers that can be judged; 0 for what is not known here.
std::size_t other_size(const std::string& dtype) {
    if (dtype == "I64" || dtype == "U64" || dtype == "C64") return 8;
    if (dtype == "I32" || dtype == "U32") return 4;
    if (dtype == "I16" || dtype == "U16") return 2;
    const bool byte = dtype == "BOOL" || dtype == "I8" || dtype == "U8" || dtype == "F8_E4M3" ||
                      dtype == "F8_E5M2" || dtype == "F8_E8M0";
    return byte ? 1 : 0;
}

constexpr const char* accepted_entry =
    R"({"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]})";

std::vector<std::size_t> whole_numbers(const JsonNode& node) {
    if (!node.is(JsonKind::array)) throw node.refusal(accepted_entry);
    std::vector<std::size_t> numbers;
    for (const JsonNode& item : node.items()) {
        const auto number = item.is(JsonKind::number) ? item.whole() : std::nullopt;
        if (!number || *number > std::numeric_limits<std::size_t>::max()) {
            throw item.refusal("a whole number from 0");
        }
        numbers.push_back(static_cast<std::size_t>(*number));
    }
    return numbers;
}

std::optional<std::size_t> counted(const std::vector<std::size_t>& shape) {
    const auto product = product_of_axes(shape);
    if (!product) return std::nullopt;
    return std::find(shape.begin(), shape.end(), 0U) == shape.end() ? *product : 0;
}

StoredTensor tensor_of(const std::string& origin, const std::string& name, const JsonNode& node,
                       std::string_view data, std::size_t& begin) {
    const std::string place = "tensor " + quoted(name);
    const JsonNode dtype = required_member(node, "dtype", accepted_entry);
    if (!dtype.is(JsonKind::text)) throw dtype.refusal("a dtype such as \"F32\"");
    const std::vector<std::size_t> offsets =
        whole_numbers(required_member(node, "data_offsets", accepted_entry));
    if (offsets.size() != 2) throw node.refusal(accepted_entry);
    StoredTensor tensor;
    tensor.name = name;
    tensor.dtype = dtype.text();
    tensor.shape = whole_numbers(required_member(node, "shape", accepted_entry));
    for (const NumberFormat format : numeric::number_formats) {
        if (numeric::safetensors_name(format) != tensor.dtype) continue;
        tensor.format = format;
        tensor.size = numeric::byte_size(format);
    }
    const std::size_t size = tensor.size != 0 ? tensor.size : other_size(tensor.dtype);
    const auto count = counted(tensor.shape);
    if (!count ||
        *count > std::numeric_limits<std::size_t>::max() / std::max<std::size_t>(size, 1)) {
        refuse(origin, place, "a shape with more elements than memory has", "a shape that fits");
    }
    tensor.elements = *count;
    const std::size_t from = offsets[0];
    const std::size_t to = offsets[1];
    const bool known = size != 0;
    const std::size_t bytes = to - from;
    if (from > to || to > data.size() ||
        (known ? bytes != tensor.elements * size : (bytes == 0) != (tensor.elements == 0))) {
        const std::string accepted = known ? evidence::counted(tensor.elements * size, "byte")
                                     : tensor.elements == 0 ? "no bytes"
                                                            : "some bytes";
        refuse(origin, place, "data_offsets " + std::to_string(from) + " to " + std::to_string(to),
               accepted + " within the " + std::to_string(data.size()) + " after the header");
    }
    tensor.bytes = data.substr(from, to - from);
    begin = from;
    return tensor;
}

}  // namespace

FileBytes::FileBytes(const std::string& origin, const std::string& path) {
    ByteStream stream(origin, path);
    struct stat status {};
    if (path != "-" && ::fstat(stream.descriptor(), &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size > 0) {
        const auto size = static_cast<std::size_t>(status.st_size);
        void* const mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, stream.descriptor(), 0);
        if (mapping != MAP_FAILED) {
            mapping_ = mapping;
            bytes_ = {static_cast<const char*>(mapping), size};
            return;
        }
    }
    read_ = stream.take(std::numeric_limits<std::size_t>::max());
    bytes_ = read_;
}

FileBytes::~FileBytes() {
    if (mapping_ != nullptr) ::munmap(mapping_, bytes_.size());
}

void StoredTensor::read(std::size_t first, std::size_t stride, std::span<double> values) const {
    // Row-major index to column-major place: only for two axes or fewer that count.
    const std::size_t columns = shape.empty() ? 1 : shape.back();
    const std::size_t rows = columns == 0 ? 0 : elements / columns;
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::size_t at = first + i * stride;
        if (column_major) at = at % columns * rows + at / columns;
        const char* const source = bytes.data() + at * size;
        if (size == 4 && !big_endian && std::endian::native == std::endian::little) {
            float value = 0;
            std::memcpy(&value, source, sizeof value);
            values[i] = value;
        } else if (size == 8 && !big_endian && std::endian::native == std::endian::little) {
            std::memcpy(&values[i], source, sizeof(double));
        } else {
            values[i] = numeric::decode(format, pattern_at({source, size}, size, big_endian));
        }
    }
}

std::vector<StoredTensor> parse_safetensors(const std::string& origin, std::string_view bytes) {
    constexpr std::size_t length_bytes = 8;
    if (bytes.size() < length_bytes) {
        refuse(origin, "", "a file of " + evidence::counted(bytes.size(), "byte"),
               "a safetensors file");
    }
    const std::uint64_t length = pattern_at(bytes, length_bytes, false);
    if (length > bytes.size() - length_bytes || length > most_header_bytes) {
        const char* kind = kind_beside_safetensors(bytes.substr(0, 4096));
        if (*kind != '\0') {
            refuse(origin, "byte 1", kind,
                   "a safetensors file; tensors of other files are given by --input and --result");
        }
        const std::string bytes_of_it = std::to_string(length) + (length == 1 ? " byte" : " bytes");
        const std::size_t most = std::min(bytes.size() - length_bytes, most_header_bytes);
        refuse(origin, "bytes 1 to 8", "a header of " + bytes_of_it,
               "at most " + std::to_string(most));
    }
    const auto header_size = static_cast<std::size_t>(length);
    const JsonNode header = parse_json(origin, bytes.substr(length_bytes, header_size),
                                       {"a safetensors header", std::uint64_t{1} << 18, ""});
    if (!header.is(JsonKind::object)) throw header.refusal("a safetensors header");
    const std::string_view data = bytes.substr(length_bytes + header_size);
    std::vector<std::pair<std::size_t, StoredTensor>> found;
    for (const JsonMember& stored : header.members()) {
        const std::string name(stored.key);
        if (name == "__metadata__") continue;
        std::size_t begin = 0;
        StoredTensor tensor = tensor_of(origin, name, stored.value, data, begin);
        found.emplace_back(begin, std::move(tensor));
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first < b.first ||
               (a.first == b.first && a.second.bytes.size() < b.second.bytes.size());
    });
    std::size_t end = 0;
    std::vector<StoredTensor> tensors;
    for (auto& [begin, tensor] : found) {
        if (begin != end) {
            refuse(origin, "tensor " + quoted(tensor.name),
                   (begin < end ? "an overlap at byte " : "a gap before byte ") +
                       std::to_string(begin),
                   "tensors one after the other");
        }
        end = begin + tensor.bytes.size();
        tensors.push_back(std::move(tensor));
    }
    if (end != data.size()) {
        refuse(origin, "", evidence::counted(data.size() - end, "byte") + " after the last tensor",
               "none");
    }
    return tensors;
}

StoredTensor parse_npy_tensor(const std::string& origin, std::string_view bytes,
                              std::optional<NumberFormat> two_bytes) {
    const std::size_t data_offset = npy_data_offset(origin, bytes.substr(0, npy_preamble_size));
    if (data_offset > bytes.size()) {
        refuse(origin, "", "a file that ends inside its header", "a .npy file");
    }
    std::string head(bytes.substr(0, data_offset));
    // numpy has no bfloat16: its bytes stand there without a type, or as whole numbers.
    for (const char* const untyped : {"'|V2'", "'<V2'"}) {
        const auto at = head.find(untyped);
        if (at != std::string::npos) head.replace(at, 5, "'<u2'");
    }
    const NpyHeader header = parse_npy_header(origin, head, accepted_npy_types);
    const bool bytes_alone = header.kind == NpyKind::natural && header.element_size == 2;
    if (bytes_alone ? !two_bytes : header.kind != NpyKind::floating) {
        refuse(origin, "header",
               bytes_alone                       ? "two-byte elements without a format"
               : header.kind == NpyKind::boolean ? "booleans"
                                                 : "whole numbers",
               accepted_npy_types);
    }
    StoredTensor tensor;
    tensor.shape = header.shape;
    tensor.elements = header.elements;
    tensor.size = header.element_size;
    tensor.format = bytes_alone        ? *two_bytes
                    : tensor.size == 8 ? NumberFormat::binary64
                    : tensor.size == 4 ? NumberFormat::binary32
                                       : NumberFormat::binary16;
    if (numeric::byte_size(tensor.format) != tensor.size) {
        refuse(origin, "header", "two-byte elements", "--dtype bf16 or f16");
    }
    tensor.big_endian = header.byte_order == std::endian::big;
    tensor.column_major = header.fortran_order && !is_row_major(header);
    if (tensor.column_major && tensor.shape.size() > 2) {
        refuse(origin, "header", "Fortran order with more than two axes", "C order");
    }
    tensor.bytes = bytes.substr(data_offset);
    if (tensor.bytes.size() != tensor.elements * tensor.size) {
        refuse(origin, "", evidence::counted(tensor.bytes.size(), "byte") + " of elements",
               std::to_string(tensor.elements * tensor.size));
    }
    return tensor;
}

}  // namespace rmsnorm::cli
