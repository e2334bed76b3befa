#include "experiments/normalization/depth.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "evidence/log_plot.hpp"
#include "nn/vector_norm.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

constexpr float probe = 1e-3F;

struct StackState {
    Vector values;
    float mean_square = 0;  // of the last vector that was normalized
};

Vector sublayer(const Vector& values) {
    Vector result;
    result.reserve(values.size());
    for (const float value : values) {
        const float half = 0.5F * value;
        result.push_back(half + 0.1F);
    }
    return result;
}

Vector added(const Vector& a, const Vector& b) {
    Vector result;
    result.reserve(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] + b[i]);
    return result;
}

StackState normalized(const Vector& values, float epsilon) {
    const float square = nn::mean_square<float, float>(values);
    const float stabilized = square + epsilon;
    nn::require_mean_square("RMSNorm", static_cast<double>(stabilized));
    const float root = std::sqrt(stabilized);
    StackState state{{}, square};
    state.values.reserve(values.size());
    for (const float value : values) state.values.push_back(value / root);
    return state;
}

StackState layer(const StackState& state, Placement placement, float epsilon) {
    if (placement == Placement::post_norm) {
        return normalized(added(state.values, sublayer(state.values)), epsilon);
    }
    StackState next = normalized(state.values, epsilon);
    next.values = added(state.values, sublayer(next.values));
    return next;
}

using StatesByDepth = std::map<std::size_t, StackState>;

// The states of one stack after each of the depths.
StatesByDepth states(const Vector& input, const std::vector<std::size_t>& depths,
                     Placement placement, float epsilon) {
    nn::require_vector("RMSNorm", input.size(), static_cast<double>(epsilon));
    StatesByDepth kept;
    for (const std::size_t depth : depths) kept[depth];
    StackState state{input, 0};
    std::size_t done = 0;
    for (auto& [depth, place] : kept) {
        for (; done < depth; ++done) state = layer(state, placement, epsilon);
        place = state;
    }
    return kept;
}

float norm(const Vector& values) {
    float sum = 0;
    for (const float value : values) {
        const float square = value * value;
        sum = sum + square;
    }
    const float root = std::sqrt(sum);
    nn::require_finite("The stack's norm", 0, static_cast<double>(root));
    return root;
}

float sensitivity(const Vector& base, const Vector& moved) {
    Vector slopes;
    slopes.reserve(base.size());
    for (std::size_t i = 0; i < base.size(); ++i) slopes.push_back((moved[i] - base[i]) / probe);
    return norm(slopes);
}

Vector moved_input(Vector input) {
    const float before = input[0];
    input[0] = before + probe;
    // The difference of two neighbours is exact.
    const float moved_by = input[0] - before;
    if (!(std::fabs(moved_by - probe) <= 0.01F * probe)) {
        throw InputRejection(
            {"input"},
            "found " + numeric::shortest(static_cast<double>(before)) +
                " as the first value, which moves by " +
                numeric::shortest(static_cast<double>(moved_by)) +
                " in binary32 where 0.001 is meant",
            "a first value that moves by 0.001 to within one percent, as all below 256 do");
    }
    return input;
}

}  // namespace

std::vector<Input> DepthInputs::declared() {
    return {vector_input("input", input, "the input of the stacks", {1}),
            {"depths",
             &depths,
             "how many layers the stacks have, each from 1 to 10000",
             {.least = 1, .most = 10000}},
            epsilon_input(epsilon),
            {"final_norm", &final_norm, "end the pre-norm stacks with one more normalization"}};
}

Depth depth(const DepthInputs& inputs) {
    const auto& [input, depths, epsilon, final_norm] = inputs;
    nn::require_vector("RMSNorm", input.size(), static_cast<double>(epsilon));
    const Vector moved = moved_input(input);
    const StatesByDepth post = states(input, depths, Placement::post_norm, epsilon);
    const StatesByDepth post_moved = states(moved, depths, Placement::post_norm, epsilon);
    StatesByDepth pre = states(input, depths, Placement::pre_norm, epsilon);
    StatesByDepth pre_moved = states(moved, depths, Placement::pre_norm, epsilon);
    if (final_norm) {
        for (StatesByDepth* all : {&pre, &pre_moved}) {
            for (auto& [depth, state] : *all) state = normalized(state.values, epsilon);
        }
    }
    Depth evidence{inputs, {}, {}};
    for (const std::size_t depth : depths) {
        const StackState& last = post.at(depth);
        evidence.rows.push_back({depth, norm(last.values),
                                 sensitivity(last.values, post_moved.at(depth).values),
                                 norm(pre.at(depth).values),
                                 sensitivity(pre.at(depth).values, pre_moved.at(depth).values),
                                 last.mean_square, pre.at(depth).mean_square});
    }
    evidence.checks = output_norm_checks(evidence);
    return evidence;
}

Record results(const Depth& evidence) {
    return Record().add(
        "depth", array_of(evidence.rows, [](const DepthRow& row) {
            return Record()
                .add("depth", row.depth)
                .add("post_norm_output_norm", figure(row.post_norm_output_norm, {3}))
                .add("post_norm_sensitivity", figure(row.post_norm_sensitivity, {5}))
                .add("pre_norm_output_norm", figure(row.pre_norm_output_norm, {3}))
                .add("pre_norm_sensitivity", figure(row.pre_norm_sensitivity, {3}));
        }));
}

std::string text(const Depth& evidence, Extent extent) {
    const Record results_of_run = results(evidence);
    std::string lines;
    for (const Datum& row : array_field(results_of_run, "depth").items) {
        lines += record_line("stack", std::get<Record>(row.value), extent);
    }
    std::vector<std::string> labels;
    PlotSeries post{'o', "post-norm", {}};
    PlotSeries pre{'+', "pre-norm", {}};
    for (const DepthRow& row : evidence.rows) {
        labels.push_back(std::to_string(row.depth));
        post.values.push_back(static_cast<double>(row.post_norm_sensitivity));
        pre.values.push_back(static_cast<double>(row.pre_norm_sensitivity));
    }
    return lines + log_plot("sensitivity to the first input by depth", labels, {post, pre});
}

std::vector<Check> output_norm_checks(const Depth& evidence) {
    const auto width = static_cast<double>(evidence.inputs.input.size());
    const auto epsilon = static_cast<double>(evidence.inputs.epsilon);
    Worst post;
    Worst pre;
    const auto consider = [&](Worst& worst, float mean_square, float norm) {
        const auto square = static_cast<double>(mean_square);
        const double expected = std::sqrt(width * square / (square + epsilon));
        // In units: a binary32 sum of squares is off by the width, and half of that enters a root,
        // once in the layer and once in the norm; two quotients, two roots, a sum and the division
        // of each value add less than five, and one is left for second order. Squares below the
        // normal numbers lose 2^-150 each, in the layer before and in the norm after the division,
        // and so does a value that is divided: a root is off by no more than the root of that.
        const double underflow =
            std::sqrt(width) * (std::sqrt(0x1p-149 / (square + epsilon)) + 0x1p-75);
        worst.consider(std::fabs(static_cast<double>(norm) - expected),
                       (width + 6) * binary32_unit * expected + underflow);
    };
    for (const DepthRow& row : evidence.rows) {
        consider(post, row.post_norm_mean_square, row.post_norm_output_norm);
        consider(pre, row.pre_norm_mean_square, row.pre_norm_output_norm);
    }
    const auto check = [](const Worst& worst, const std::string& placement) {
        return worst.check(placement + "-output-norm",
                           "the " + placement +
                               " output norm is sqrt(width * mean_square / (mean_square + "
                               "epsilon)) at every depth");
    };
    std::vector<Check> checks{check(post, "post-norm")};
    if (evidence.inputs.final_norm) checks.push_back(check(pre, "pre-norm"));
    return checks;
}

Vector stack_output(const Vector& input, std::size_t depth, Placement placement, float epsilon) {
    return states(input, {depth}, placement, epsilon).at(depth).values;
}

}  // namespace rmsnorm::experiments::normalization
