#include "evidence/key_value_lines.hpp"

namespace rmsnorm::evidence {

Lines& Lines::line(std::string_view name) {
    if (!text_.empty()) text_ += "\n";
    text_.append(name).append("=");
    return *this;
}

Lines& Lines::text(std::string_view text) {
    text_.append(text);
    return *this;
}

Lines& Lines::part(std::string_view key, std::string_view value) {
    if (text_.back() != '=') text_ += " ";
    text_.append(key).append(":").append(value);
    return *this;
}

Lines& Lines::part(std::string_view key, double value, Decimals decimals) {
    return part(key, scalar_text(value, quoted(value, decimals, extent_)));
}

Lines& Lines::part(std::string_view key, Scalar figure) {
    return part(key, figure.value, figure.decimals);
}

Lines& Lines::part(std::string_view key, const tensor::Tensor& tensor) {
    return part(key, vector_text(tensor, extent_));
}

Lines& Lines::shaped(const tensor::Tensor& tensor) {
    return part("shape", shape_text(tensor.shape())).part("values", tensor);
}

Lines& Lines::vector(std::string_view name, const tensor::Tensor& tensor) {
    return line(name).text(vector_text(tensor, extent_));
}

}  // namespace rmsnorm::evidence
