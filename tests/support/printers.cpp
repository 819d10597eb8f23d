#include "support/printers.hpp"

namespace einmal {

std::string_view name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::executed:
            return "executed";
        case Outcome::replayed:
            return "replayed";
        case Outcome::in_progress:
            return "in_progress";
        case Outcome::payload_mismatch:
            return "payload_mismatch";
        case Outcome::not_found:
            return "not_found";
        case Outcome::precondition_failed:
            return "precondition_failed";
        case Outcome::precondition_required:
            return "precondition_required";
        case Outcome::invalid:
            return "invalid";
        case Outcome::read_only_member:
            return "read_only_member";
        case Outcome::conflict:
            return "conflict";
        case Outcome::unreadable:
            return "unreadable";
    }
    return "no outcome";
}

std::string_view name_of(Errc code) {
    switch (code) {
        case Errc::unavailable:
            return "unavailable";
        case Errc::outcome_unknown:
            return "outcome_unknown";
        case Errc::token_revoked:
            return "token_revoked";
        case Errc::configuration:
            return "configuration";
        case Errc::corrupt:
            return "corrupt";
    }
    return "no code";
}

void PrintTo(Outcome outcome, std::ostream* out) { *out << name_of(outcome); }
void PrintTo(Errc code, std::ostream* out) { *out << name_of(code); }
void PrintTo(const Error& error, std::ostream* out) { *out << name_of(error.code) << ": " << error.reason; }
void PrintTo(const Revision& revision, std::ostream* out) { *out << 'r' << revision.value; }
void PrintTo(const ResourceId& id, std::ostream* out) { *out << id.text; }

}  // namespace einmal
