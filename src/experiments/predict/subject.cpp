#include "autodiff/error.hpp"
#include "evidence/number_text.hpp"
#include "experiments/predict/questions.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "nn/rms_norm.hpp"

namespace rmsnorm::experiments {

tensor::Tensor ones(tensor::Shape shape) { return tensor::Tensor::filled(std::move(shape), 1.0); }

LayerCase unit_gain_case(const tensor::Tensor& input, double epsilon) {
    return {input, ones({input.shape().back()}), ones(input.shape()), epsilon,
            chapter_values::gain_name};
}

bool accepts(const tensor::Tensor& input, double epsilon) {
    try {
        forward(unit_gain_case(input, epsilon));
        return true;
    } catch (const nn::RmsNormError&) {
        return false;
    } catch (const autodiff::AutodiffError&) {
        return false;
    }
}

tensor::Tensor row_of(const tensor::Tensor& input, std::size_t row) {
    const std::size_t width = input.shape().back();
    const auto values = input.values().subspan(row * width, width);
    return tensor::Tensor::vector({values.begin(), values.end()});
}

std::string text_of(const tensor::Tensor& values) {
    return given_list(values.values(), most_predicted);
}

std::string figures_of(const tensor::Tensor& values) {
    return figure_list(values.values(), most_predicted);
}

Subject subject_of(const LayerCase& layer_case) {
    Subject subject;
    subject.row = row_of(layer_case.input, 0);
    const bool alone = subject.row.size() == layer_case.input.size();
    subject.row_text = (alone ? "the row " : "the input's first row ") + text_of(subject.row);
    // Any positive epsilon leaves the mean square as it is and keeps a row of zeros acceptable.
    subject.mean_square =
        forward(unit_gain_case(subject.row, chapter_values::epsilon)).mean_square[0];
    subject.epsilon = layer_case.epsilon;
    const bool rejected = subject.mean_square == 0 && subject.epsilon == 0;
    if (!rejected) subject.pass = forward(unit_gain_case(subject.row, subject.epsilon));
    const bool vivid = subject.mean_square > 0;
    subject.vivid_row = vivid ? subject.row : chapter_values::input();
    subject.vivid_text = vivid ? subject.row_text
                               : "the row " + text_of(subject.vivid_row) + " (" + subject.row_text +
                                     " has no energy to scale)";
    return subject;
}

}  // namespace rmsnorm::experiments
