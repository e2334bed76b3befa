#include <algorithm>

#include "experiments/exhibit/bundled.hpp"
#include "numeric/decimal.hpp"
#include "report/exhibit.hpp"
#include "report/figures.hpp"
#include "report/sha256.hpp"

namespace rmsnorm::report {
namespace {

using evidence::difference_decimals;
using numeric::shortest;

using Row = std::vector<std::string>;

// Columns as wide as their widest cell, two spaces apart, flush left, indented by two.
std::string table(const std::vector<Row>& rows) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += "  " + row[i] + std::string(widths[i] - row[i].size(), ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

// A number, with room for a sign before it.
std::string cell(double value) {
    const std::string text = shortest(value);
    return text[0] == '-' ? text : " " + text;
}

Row means(const std::string& norm, const experiments::MeanByOrder& mean) {
    return {"mean of " + norm, cell(mean.ascending), cell(mean.pairwise), cell(mean.two_lanes)};
}

std::string case_text(const experiments::ExhibitCase& one) {
    const experiments::Comparison& comparison = one.comparison;
    std::vector<Row> features{{"feature", " input", " LayerNorm", " RMSNorm"}};
    for (std::size_t i = 0; i < comparison.vector.size(); ++i) {
        features.push_back({std::to_string(i), cell(comparison.vector[i]),
                            cell(comparison.layer_norm[i]), cell(comparison.rms_norm[i])});
    }
    return "\nCase " + one.id + ": " + one.label + "\n" + one.note + "\n\n" + table(features) +
           "\n" +
           table({{"summed in order", " ascending", " pairwise", " two lanes"},
                  means("LayerNorm", comparison.layer_norm_mean),
                  means("RMSNorm", comparison.rms_norm_mean)});
}

std::string claims_text(const std::vector<experiments::Claim>& claims) {
    std::vector<Row> rows{{"verdict", "measured", "bound", "claim"}};
    for (const experiments::Claim& claim : claims) {
        rows.push_back({claim.check.passed ? "passed" : "failed", shortest(claim.check.measure),
                        shortest(claim.check.bound), claim.check.statement});
    }
    return "\nClaims\n\n" + table(rows);
}

std::string seeded_text(const experiments::SeededForward& seeded) {
    const std::size_t width = seeded.input.shape().back();
    std::vector<Row> rows{{"token", "feature", " input", " LayerNorm", " RMSNorm"}};
    for (std::size_t i = 0; i < seeded.input.size(); ++i) {
        const auto figure = [](double value) {
            return numeric::fixed(value, 6, numeric::Plus::shown);
        };
        rows.push_back({std::to_string(i / width), std::to_string(i % width),
                        figure(seeded.input[i]), figure(seeded.output[i]),
                        figure(seeded.output[seeded.input.size() + i])});
    }
    return "\nSeeded forward, binary32, seed " + std::to_string(seeded.seed) + ": " +
           shape_text(seeded.input.shape()) + " to " + shape_text(seeded.output.shape()) + "\n\n" +
           table(rows);
}

std::string graph_text(const experiments::Graph& graph) {
    std::vector<Row> rows{{"layer", "operation", "inside of", "line of model.py"}};
    for (const experiments::Layer& layer : graph.layers) {
        const auto line = experiments::line_of(layer.statement, experiments::model_py());
        rows.push_back({layer.id, layer.op, layer.parent.empty() ? "-" : layer.parent,
                        line && !layer.statement.empty() ? std::to_string(*line) : "-"});
    }
    std::vector<Row> ends{{"from", "to"}};
    for (const experiments::Connection& connection : graph.connections) {
        ends.push_back({connection.source, connection.target});
    }
    return "\nLayers\n\n" + table(rows) + "\nConnections\n\n" + table(ends);
}

std::string steps_text(const std::vector<experiments::Step>& steps) {
    std::string text = "\nSteps\n";
    for (const experiments::Step& step : steps) {
        text +=
            "\n  " + step.id + " (" + step.target + "): " + step.title + "\n  " + step.note + "\n";
    }
    return text;
}

std::string files_text(const std::vector<BundleFile>& files) {
    std::vector<Row> rows{{"file", "bytes", "SHA-256"}};
    for (const BundleFile& file : files) {
        rows.push_back({file.name, std::to_string(file.bytes.size()), sha256(file.bytes)});
    }
    return "\nFiles\n\n" + table(rows);
}

}  // namespace

std::string exhibit_text(const experiments::Exhibit& evidence) {
    std::string text = "exhibit=exhibit-rmsnorm\nLayerNorm against RMSNorm, epsilon " +
                       shortest(evidence.epsilon) + ", gains of 1, binary64\n";
    for (const experiments::ExhibitCase& one : evidence.cases) text += case_text(one);
    text += claims_text(evidence.claims);
    text += seeded_text(evidence.seeded);
    text += graph_text(evidence.graph);
    text += steps_text(evidence.steps);
    return text + files_text(exhibit_files(evidence));
}

}  // namespace rmsnorm::report
