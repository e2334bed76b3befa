#include "report/svg.hpp"

#include "numeric/decimal.hpp"

namespace rmsnorm::report {

std::string svg_number(double value) {
    std::string text = numeric::fixed(value, 1);
    if (text.compare(text.size() - 2, 2, ".0") == 0) text.resize(text.size() - 2);
    return text == "-0" ? "0" : text;
}

}  // namespace rmsnorm::report
