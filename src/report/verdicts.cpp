#include "report/verdicts.hpp"

#include <nlohmann/json.hpp>

#include "evidence/words.hpp"
#include "report/json.hpp"
#include "report/schema_words.hpp"
#include "report/version.hpp"

namespace rmsnorm::report {
namespace {

constexpr Outcome outcomes[] = {Outcome::same,      Outcome::updated,      Outcome::respelled,
                                Outcome::differs,   Outcome::check_failed, Outcome::refused,
                                Outcome::unreadable};

const char* name(Outcome outcome) {
    switch (outcome) {
        case Outcome::same: return "same";
        case Outcome::updated: return "updated";
        case Outcome::respelled: return "respelled";
        case Outcome::differs: return "differs";
        case Outcome::check_failed: return "check-failed";
        case Outcome::refused: return "refused";
        case Outcome::unreadable: return "unreadable";
    }
    return "unknown";
}

Json json_of(const Verdict& verdict) {
    Json json = {{"file", verdict.file}, {"outcome", name(verdict.outcome)}};
    const auto add = [&](const char* key, const std::string& text) {
        if (!text.empty()) json[key] = text;
    };
    add("subject", verdict.subject);
    add("format", verdict.format);
    if (!verdict.spelling.empty()) json["spelling"] = verdict.spelling;
    if (verdict.place) {
        json["line"] = verdict.place->line;
        json["column"] = verdict.place->column;
    }
    add("difference", verdict.difference);
    add("message", verdict.message);
    return json;
}

}  // namespace

std::string text(const Verdict& verdict) {
    if (!verdict.message.empty()) return verdict.message;
    const std::string what = " (" + verdict.subject + " " + verdict.format + ")";
    std::string line = verdict.file + ": ";
    switch (verdict.outcome) {
        case Outcome::same:
        case Outcome::check_failed: return line + "same" + what;
        case Outcome::updated: return line + "updated" + what;
        default: break;
    }
    line += "differs" + what;
    if (verdict.place) {
        line += " from line " + std::to_string(verdict.place->line) + ", column " +
                std::to_string(verdict.place->column) + " on";
    }
    if (verdict.outcome == Outcome::respelled) {
        line += ": the same values, spelled otherwise: " + evidence::listed(verdict.spelling) +
                "; to mend it: rmsnorm-fixture verify --update, and in .gitattributes -text";
    } else if (!verdict.spelling.empty()) {
        line += ", and is spelled otherwise: " + evidence::listed(verdict.spelling);
    }
    return line;
}

std::string json(const Verdicts& verdicts) {
    Json files = Json::array();
    for (const Verdict& verdict : verdicts.files) files.push_back(json_of(verdict));
    const Json json = {{"schema_version", json_schema_version},
                       {"document", "verify"},
                       {"generator", {{"name", program_name}, {"version", program_version()}}},
                       {"passed", verdicts.exit_code == 0},
                       {"exit_code", verdicts.exit_code},
                       {"files", std::move(files)},
                       {"passed_over", verdicts.passed_over},
                       {"missing", verdicts.missing}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string verdicts_schema() {
    const Json text = schema_text();
    const Json texts = schema_list(text);
    const Json count = schema_whole(1);
    Json names = Json::array();
    for (const Outcome outcome : outcomes) names.push_back(name(outcome));
    const Json file = schema_object({{"file", text},
                                     {"outcome", {{"enum", std::move(names)}}},
                                     {"subject", text},
                                     {"format", {{"enum", {"text", "trace", "json", "html"}}}},
                                     {"spelling", texts},
                                     {"line", count},
                                     {"column", count},
                                     {"difference", text},
                                     {"message", text}},
                                    {"file", "outcome"});
    Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Verdicts written by rmsnorm-fixture verify"}};
    json.update(schema_object(
        {{"schema_version", {{"const", json_schema_version}}},
         {"document", {{"const", "verify"}}},
         {"generator", schema_object({{"name", {{"const", program_name}}}, {"version", text}},
                                     {"name", "version"})},
         {"passed", {{"type", "boolean"}}},
         {"exit_code", {{"type", "integer"}, {"minimum", 0}, {"maximum", 3}}},
         {"files", schema_list(file)},
         {"passed_over", texts},
         {"missing", texts}},
        {"schema_version", "document", "generator", "passed", "exit_code", "files", "passed_over",
         "missing"}));
    return json.dump(2) + "\n";
}

}  // namespace rmsnorm::report
