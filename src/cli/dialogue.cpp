#include "cli/dialogue.hpp"

#include <unistd.h>

#include <optional>
#include <string>

#include "cli/error.hpp"
#include "cli/input/byte_stream.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "experiments/predict/grading.hpp"
#include "experiments/predict/predictions_text.hpp"

namespace rmsnorm::cli {
namespace {

constexpr std::size_t indent = 2;
constexpr std::size_t longest_line = 65536;

void say(const std::string& text) { write_output("-", text); }

class Dialogue {
  public:
    // Whether to go on to the next prediction.
    bool ask(experiments::AskedPrediction& asked) {
        say("\n" + experiments::question_text(asked));
        while (true) {
            const auto line = answer();
            if (!line || *line == "q" || *line == "Q") return false;
            if (line->empty()) {
                say(experiments::paragraph("Skipped.", indent));
                return true;
            }
            if (*line == "?") {
                say(experiments::paragraph(asked.prediction.hint, indent));
            } else if (graded(asked, *line)) {
                return true;
            }
        }
    }

  private:
    // The next line without the spaces around it.
    std::optional<std::string> answer() {
        say("> ");
        const bool shown = ::isatty(STDIN_FILENO) == 1;
        const auto line = input_.line(longest_line);
        if (!line) {
            say("\n");
            return std::nullopt;
        }
        if (!shown) say(printable(*line) + "\n");
        constexpr const char* spaces = " \t\r";
        const std::size_t start = line->find_first_not_of(spaces);
        if (start == std::string::npos) return "";
        return line->substr(start, line->find_last_not_of(spaces) - start + 1);
    }

    static bool graded(experiments::AskedPrediction& asked, const std::string& line) {
        try {
            asked.verdict = experiments::grade(asked.prediction, line);
        } catch (const experiments::AnswerError& error) {
            say(experiments::paragraph(
                "Please answer again (? gives a hint): " + printable(error.what()), indent));
            return false;
        }
        const bool right = asked.verdict->correct;
        say("  " +
            styled(Stream::output, right ? Style::green : Style::red, right ? "Right." : "Wrong.") +
            "\n" + experiments::paragraph(asked.verdict->explanation, indent));
        return true;
    }

    ByteStream input_{"standard input", "-"};
};

}  // namespace

void hold_dialogue(std::vector<experiments::AskedPrediction>& predictions) {
    say("Predict before you look; the answers are computed. Numbers are right to three\n"
        "significant digits. ? gives a hint, an empty line skips, q stops.\n");
    Dialogue dialogue;
    for (experiments::AskedPrediction& asked : predictions) {
        if (!dialogue.ask(asked)) break;
    }
    say("\nPredictions: " + experiments::score_text(experiments::score_of(predictions)) + "\n");
}

}  // namespace rmsnorm::cli
