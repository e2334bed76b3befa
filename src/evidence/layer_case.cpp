#include "evidence/layer_case.hpp"

namespace rmsnorm::evidence {

nn::RmsNorm layer(const LayerCase& layer_case) {
    return nn::RmsNorm(nn::NamedParameter(layer_case.gain_name, layer_case.gain),
                       layer_case.epsilon);
}

nn::RmsNorm unit_gain_layer(std::size_t feature_width, double epsilon) {
    return nn::RmsNorm("unit.gain", feature_width, epsilon);
}

}  // namespace rmsnorm::evidence
