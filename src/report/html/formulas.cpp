#include "report/html/formulas.hpp"

#include "report/html/escape.hpp"

namespace rmsnorm::report::html {
namespace {

std::string element(const char* name, const std::string& content) {
    return std::string("<") + name + ">" + content + "</" + name + ">";
}

const char* const epsilon = "\xce\xb5";

std::string sum_over_i() { return "<munder>" + mo("\xe2\x88\x91") + mi("i") + "</munder>"; }

std::string mean_of_squares() {
    return fraction(mn("1"), mi("d")) + sum_over_i() + "<msubsup>" + mi("x") + mi("i") + mn("2") +
           "</msubsup>";
}

}  // namespace

std::string formula(const std::vector<std::string>& parts, const std::string& plain) {
    std::string text = "<div class=\"formula\"><div class=\"parts\">";
    for (const std::string& part : parts) {
        text += "<math display=\"block\" aria-hidden=\"true\">" + part + "</math>";
    }
    return text + "</div>\n<p class=\"plain\">" + escaped(plain) + "</p></div>\n";
}

std::string inline_formula(const std::string& mathml, const std::string& plain) {
    return "<math aria-hidden=\"true\">" + mathml + "</math><span class=\"spoken\">" +
           escaped(plain) + "</span>";
}

std::string mi(const std::string& text) { return element("mi", text); }
std::string mn(const std::string& text) { return element("mn", text); }
std::string mo(const std::string& text) {
    // Around one letter a fence is as high as the letter.
    if (text == "(" || text == ")") return "<mo stretchy=\"false\">" + text + "</mo>";
    return element("mo", text);
}
std::string mrow(const std::string& content) { return element("mrow", content); }

std::string fraction(const std::string& above, const std::string& below) {
    return element("mfrac", mrow(above) + mrow(below));
}

std::string root(const std::string& content) { return element("msqrt", content); }

std::string index(const std::string& base, const std::string& below) {
    return element("msub", base + mrow(below));
}

std::string power(const std::string& base, const std::string& above) {
    return element("msup", base + mrow(above));
}

std::string hat(const std::string& base) {
    return "<mover accent=\"true\">" + base + "<mo stretchy=\"false\">^</mo></mover>";
}

std::string rms_norm_formula() {
    return formula({mi("y") + mo("=") + mi("g") + mo("\xe2\x8a\x99") + hat(mi("x")) + mo(","),
                    hat(mi("x")) + mo("=") +
                        fraction(mi("x"), root(mean_of_squares() + mo("+") + mi(epsilon)))},
                   "y = g * normalized,  normalized = x / sqrt(mean(x^2) + epsilon)");
}

std::string scale_formula() {
    return formula(
        {fraction(mi("a") + mi("x"),
                  root(power(mi("a"), mn("2")) + "<mspace width=\"0.15em\"></mspace>" + mi("m") +
                       mo("+") + mi(epsilon))) +
             mo("=") +
             fraction(mi("x"),
                      root(mi("m") + mo("+") + mi(epsilon) + mo("/") + power(mi("a"), mn("2")))) +
             mo(","),
         mi("a") + mo("&gt;") + mn("0")},
        "a*x / sqrt(a^2*m + epsilon) = x / sqrt(m + epsilon/a^2),  m = mean(x^2), a > 0");
}

std::string mean_square_formula() {
    return formula({mi("mean") + "<mo stretchy=\"false\">(</mo>" + power(hat(mi("x")), mn("2")) +
                    "<mo stretchy=\"false\">)</mo>" + mo("=") +
                    fraction(mi("m"), mi("m") + mo("+") + mi(epsilon))},
                   "mean(normalized^2) = m / (m + epsilon),  m = mean(x^2)");
}

std::string layer_norm_formula() {
    return formula(
        {mi("LayerNorm") + mo("(") + mi("x") + mo(")") + mo("=") +
             fraction(mi("x") + mo("\xe2\x88\x92") + mi("\xce\xbc"),
                      root(power(mi("\xcf\x83"), mn("2")) + mo("+") + mi(epsilon))) +
             mo(","),
         mi("RMSNorm") + mo("(") + mi("x") + mo(")") + mo("=") +
             fraction(mi("x"), root(mi("m") + mo("+") + mi(epsilon)))},
        "LayerNorm(x) = (x - mean) / sqrt(variance + epsilon),  RMSNorm(x) = x / sqrt(mean(x^2) + "
        "epsilon)");
}

std::string input_gradient_formula() {
    return formula(
        {index("<mover>" + mi("x") + mo("\xc2\xaf") + "</mover>", mi("i")) + mo("=") + mi("r") +
             mo("(") + index(mi("u"), mi("i")) + mo("\xe2\x88\x92") +
             fraction(index(hat(mi("x")), mi("i")), mi("d")) + "<munder>" + mo("\xe2\x88\x91") +
             mi("j") + "</munder>" + index(mi("u"), mi("j")) + index(hat(mi("x")), mi("j")) +
             mo(")") + mo(","),
         mi("u") + mo("=") + mi("g") + mo("\xe2\x8a\x99") + "<mover>" + mi("y") + mo("\xc2\xaf") +
             "</mover>"},
        "input_gradient[i] = r * (u[i] - normalized[i] * mean(u * normalized)),  u = gain * "
        "upstream,  r = 1 / sqrt(mean(x^2) + epsilon)");
}

}  // namespace rmsnorm::report::html
