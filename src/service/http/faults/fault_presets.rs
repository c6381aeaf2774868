//! Named faults for `bursar demo --fault WORD`: those that are worth seeing by oneself or presenting.

use std::time::Duration;

use super::fault::{Fault, PaymentField};
use super::rule::FaultRule;

/// A fault, or several that act together.
#[derive(Debug, Clone, Copy)]
pub struct FaultPreset {
    pub word: &'static str,
    /// A description without its full stop.
    pub sentence: &'static str,
    pub rules: &'static [FaultRule],
}

impl Fault {
    /// Those of payments first.
    pub const ALL: &[FaultPreset] = ALL;

    pub fn by_name(word: &str) -> Option<&'static FaultPreset> {
        ALL.iter().find(|preset| preset.word == word)
    }
}

macro_rules! fault_presets {
    ($($word:literal $sentence:literal [$($rule:expr),+ $(,)?])+) => {
        &[$(FaultPreset { word: $word, sentence: $sentence, rules: &[$($rule),+] }),+]
    };
}

const ALL: &[FaultPreset] = fault_presets! {
    "answer-lost" "changes are executed and the connection is cut before the answer" [Fault::ConnectionCut.on_changes()]
    "answer-lost-rows-hidden" "changes are executed without an answer, and the history hides them for three reads" [
        Fault::ConnectionCut.on_changes(), Fault::RowsHidden.on_reads().times(3),
    ]
    "answer-late" "changes are executed at once and answered ten seconds later" [
        Fault::Delayed(Duration::from_secs(10)).on_changes(),
    ]
    "answer-cut" "changes are executed and the answer ends in its middle" [Fault::Truncated.on_changes()]
    "hang" "changes are executed and never answered" [Fault::NoAnswer { executed: true }.on_changes()]
    "error-after" "changes are executed and answered with 500" [Fault::executed_with_status(500).on_changes()]
    "error-before" "changes are not executed and answered with 500" [Fault::with_status(500).on_changes()]
    "too-many" "changes are rejected with 429 and a time to wait" [
        Fault::RateLimited { retry_after: Duration::from_secs(5) }.on_changes(),
    ]
    "unauthorized" "changes are answered with 401" [Fault::KeyRejected.on_changes()]
    "echo-address" "changes are executed and the answer names another recipient" [
        Fault::WrongEcho(PaymentField::Address).on_changes(),
    ]
    "swaps-less" "swaps bring one percent less than was quoted" [Fault::SwapPaysLess(100).always()]
    "no-paging" "every page of a list is its first, so that the history is partial" [Fault::PagingIgnored.on_reads()]
    "down" "the service accepts no connection" [Fault::Down.always()]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_names_one_fault_and_can_be_typed() {
        let mut words: Vec<_> = ALL.iter().map(|preset| preset.word).collect();
        assert!(
            words.iter().all(|word| word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'))
        );
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), ALL.len());
        for preset in ALL {
            assert_eq!(Fault::by_name(preset.word).unwrap().sentence, preset.sentence);
            assert!(!preset.rules.is_empty() && !preset.sentence.ends_with('.'), "{}", preset.word);
        }
        assert!(Fault::by_name("no such fault").is_none());
    }
}
