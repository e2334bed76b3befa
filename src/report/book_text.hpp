// The evidence of the fixture 23-normalization as the lines of its text report.
#pragma once

#include <string>

#include "experiments/normalization/book.hpp"
#include "report/figures.hpp"

namespace rmsnorm::report {

/// The whole report of the fixture 23-normalization.
std::string text(const experiments::normalization::Book& evidence);

/// One experiment's part of that report, for any values.
std::string text(const experiments::normalization::Stats& evidence, Extent extent);
std::string text(const experiments::normalization::LayerNorm& evidence, Extent extent);
std::string text(const experiments::normalization::RmsNorm& evidence, Extent extent);
std::string text(const experiments::normalization::Depth& evidence, Extent extent);
std::string text(const experiments::normalization::LayerNormBackward& evidence, Extent extent);
std::string text(const experiments::normalization::Constant& evidence, Extent extent);
std::string text(const experiments::normalization::RmsNormBackward& evidence, Extent extent);
std::string text(const experiments::normalization::DenseStack& evidence, Extent extent);
std::string text(const experiments::normalization::Cost& evidence, Extent extent);
std::string text(const experiments::normalization::ClosedForm& evidence, Extent extent);

}  // namespace rmsnorm::report
