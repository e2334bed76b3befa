// The formulas of the pages as MathML, each with the same in plain text.
#pragma once

#include <string>
#include <vector>

namespace rmsnorm::report::html {

/// A formula on a line of its own, its plain text under it. On a narrow screen each part stands on
/// a line of its own.
std::string formula(const std::vector<std::string>& parts, const std::string& plain);

/// A formula within a sentence; `plain` is what a screen reader says.
std::string inline_formula(const std::string& mathml, const std::string& plain);

/// Presentation MathML: an identifier, a number, an operator, a row, a fraction, a root, an index,
/// a power, a hat.
std::string mi(const std::string& text);
std::string mn(const std::string& text);
std::string mo(const std::string& text);
std::string mrow(const std::string& content);
std::string fraction(const std::string& above, const std::string& below);
std::string root(const std::string& content);
std::string index(const std::string& base, const std::string& below);
std::string power(const std::string& base, const std::string& above);
std::string hat(const std::string& base);

std::string rms_norm_formula();     // the layer
std::string scale_formula();        // the epsilon-zero layer under a positive factor
std::string mean_square_formula();  // mean(normalized^2)
std::string layer_norm_formula();   // LayerNorm without learned parameters
std::string input_gradient_formula();

}  // namespace rmsnorm::report::html
