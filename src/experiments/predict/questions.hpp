// What the nine predictions ask: the row that they are about, and the questions by what they are
// of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/predict/predictions.hpp"
#include "experiments/rmsnorm/forward.hpp"

namespace rmsnorm::experiments {

/// What most predictions are about.
struct Subject {
    tensor::Tensor row;  // [d]
    std::string row_text;
    double mean_square;
    double epsilon;
    // The row alone, with a unit gain; nothing where the layer would divide zero by zero.
    std::optional<Forward> pass;
    tensor::Tensor vivid_row;  // the row, or the chapter's where the row's mean square is zero
    std::string vivid_text;
};

/// Throws nn::RmsNormError for a row that overflows.
Subject subject_of(const LayerCase& layer_case);

/// The first five, of the row's way through the layer, and the last four, of what a layer is.
std::vector<Prediction> row_questions(const Subject& subject, const LayerCase& layer_case);
std::vector<Prediction> layer_questions(const Subject& subject, const LayerCase& layer_case);

tensor::Tensor ones(tensor::Shape shape);
LayerCase unit_gain_case(const tensor::Tensor& input, double epsilon);

/// Whether a layer with a unit gain gives a result.
bool accepts(const tensor::Tensor& input, double epsilon);

tensor::Tensor row_of(const tensor::Tensor& input, std::size_t row);

/// Of at most `most_predicted` values: numbers that were given, and such that were computed.
std::string text_of(const tensor::Tensor& values);
std::string figures_of(const tensor::Tensor& values);

}  // namespace rmsnorm::experiments
