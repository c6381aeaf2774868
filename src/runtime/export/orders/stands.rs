//! How an order stands, in the words of exports.

use crate::domain::Outcome;
use crate::domain::intent::State;

pub(super) fn state_word(state: State) -> &'static str {
    match state {
        State::Drafted => "drafted",
        State::Confirmed => "confirmed",
        State::Sending => "sending",
        State::NotSent => "not sent",
        State::Unknown => "unknown",
        State::ProbablyRefused => "probably refused",
        State::Refused => "refused",
        State::Accepted => "accepted",
        State::Settled => "settled",
        State::PartlySettled => "partly settled",
        State::Failed => "failed",
        State::Abandoned => "given up",
        State::WrittenOff => "written off",
    }
}

pub(super) fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NotSent => "not sent",
        Outcome::Accepted => "accepted",
        Outcome::Refused => "refused",
        Outcome::ProbablyRefused { .. } => "probably refused",
        Outcome::Unknown => "unknown",
    }
}
