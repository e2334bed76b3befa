// The evidence of the fixture 23-normalization as the lines of its text report.
#pragma once

#include <string>

#include "evidence/book/book.hpp"
#include "report/figures.hpp"

namespace rmsnorm::report {

/// The whole report of the fixture 23-normalization.
std::string text(const evidence::book::Book& evidence);

/// One experiment's part of that report, for any values.
std::string text(const evidence::book::Stats& evidence, Extent extent);
std::string text(const evidence::book::LayerNorm& evidence, Extent extent);
std::string text(const evidence::book::RmsNorm& evidence, Extent extent);
std::string text(const evidence::book::Compare& evidence, Extent extent);
std::string text(const evidence::book::Depth& evidence, Extent extent);
std::string text(const evidence::book::LayerNormBackward& evidence, Extent extent);
std::string text(const evidence::book::Constant& evidence, Extent extent);
std::string text(const evidence::book::RmsNormBackward& evidence, Extent extent);
std::string text(const evidence::book::DenseStack& evidence, Extent extent);
std::string text(const evidence::book::Cost& evidence, Extent extent);
std::string text(const evidence::book::ClosedForm& evidence, Extent extent);
std::string text(const evidence::book::Latent& evidence, Extent extent);

}  // namespace rmsnorm::report
