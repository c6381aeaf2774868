//! Named faults for `bursar demo --fault WORD`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use super::fault::{Fault, FaultBody, PaymentField, RowDamage};
use super::rule::FaultRule;

/// A fault, or several that act together.
#[derive(Debug, Clone, Copy)]
pub struct Named {
    pub word: &'static str,
    /// A description without its full stop.
    pub sentence: &'static str,
    pub rules: &'static [FaultRule],
}

/// Target of redirects in the demo: this machine's discard port, where nothing listens.
const REDIRECT_TARGET: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9);

/// The demo's `Retry-After`.
const RETRY_AFTER: Duration = Duration::from_secs(5);

const fn status_on_changes(status: u16, told: FaultBody, executed: bool) -> FaultRule {
    Fault::Status { status, body: told, executed }.on_changes()
}

const fn redirect_on_changes(status: u16) -> FaultRule {
    Fault::Redirect { status, to: REDIRECT_TARGET, executed: false }.on_changes()
}

impl Fault {
    /// Those of payments first.
    pub const ALL: &[Named] = ALL;

    pub fn by_name(word: &str) -> Option<&'static Named> {
        ALL.iter().find(|named| named.word == word)
    }
}

macro_rules! named {
    ($($word:literal $sentence:literal [$($rule:expr),+ $(,)?])+) => {
        &[$(Named { word: $word, sentence: $sentence, rules: &[$($rule),+] }),+]
    };
}

const ALL: &[Named] = named! {
    "answer-lost" "changes are executed and the connection is cut before the answer" [Fault::ConnectionCut.on_changes()]
    "answer-lost-rows-hidden" "changes are executed without an answer, and the history hides them for three reads" [
        Fault::ConnectionCut.on_changes(), Fault::RowsHidden.on_reads().times(3),
    ]
    "answer-lost-then-refused" "the first change is executed without an answer, the next is refused with 400" [
        Fault::ConnectionCut.on_changes().times(1), status_on_changes(400, FaultBody::ErrorBody, false).times(1),
    ]
    "answer-late" "changes are executed at once and answered ten seconds later" [
        Fault::Delayed(Duration::from_secs(10)).on_changes(),
    ]
    "answer-cut" "changes are executed and the answer ends in its middle" [Fault::Truncated.on_changes()]
    "answer-drips" "changes are executed and the answer comes byte by byte" [
        Fault::SlowBody(Duration::from_millis(20)).on_changes(),
    ]
    "hang" "changes are executed and never answered" [Fault::NoAnswer { executed: true }.on_changes()]
    "hang-before" "changes are neither executed nor answered" [Fault::NoAnswer { executed: false }.on_changes()]
    "error-after" "changes are executed and answered with 500" [status_on_changes(500, FaultBody::ErrorBody, true)]
    "error-before" "changes are not executed and answered with 500" [status_on_changes(500, FaultBody::ErrorBody, false)]
    "gateway-after" "changes are executed and a gateway answers 502 in HTML" [status_on_changes(502, FaultBody::HtmlPage, true)]
    "busy-after" "changes are executed and answered with 503" [status_on_changes(503, FaultBody::ErrorBody, true)]
    "busy-before" "changes are not executed and answered with 503" [Fault::Busy { retry_after: RETRY_AFTER }.on_changes()]
    "too-many" "changes are rejected with 429 and a time to wait" [
        Fault::RateLimited { retry_after: RETRY_AFTER }.on_changes(),
    ]
    "too-many-for-now" "changes are rejected with 429 without a time to wait" [
        status_on_changes(429, FaultBody::ErrorBody, false),
    ]
    "too-many-until" "changes are rejected with 429 and a time to retry at" [
        Fault::RateLimitedUntil { retry_after: RETRY_AFTER }.on_changes(),
    ]
    "html" "changes are answered with 200 and a page for people" [Fault::Html.on_changes()]
    "says-no" "changes are executed and answered with 200 and success: false" [
        status_on_changes(200, FaultBody::SuccessFalse, true),
    ]
    "unauthorized" "changes are answered with 401" [Fault::KeyRejected.on_changes()]
    "forbidden" "changes are answered with 403" [Fault::Forbidden.on_changes()]
    "refused-400" "changes are refused with 400 and the error body" [status_on_changes(400, FaultBody::ErrorBody, false)]
    "refused-404" "changes are refused with 404 and the error body" [status_on_changes(404, FaultBody::ErrorBody, false)]
    "refused-422" "changes are refused with 422 and the error body" [status_on_changes(422, FaultBody::ErrorBody, false)]
    "refused-silently" "changes are refused with 400 and no body" [status_on_changes(400, FaultBody::Empty, false)]
    "refused-oddly" "changes are refused with 400 and a body that names another status" [
        status_on_changes(400, FaultBody::OtherStatus, false),
    ]
    "timeout" "changes are executed and answered with 408" [status_on_changes(408, FaultBody::ErrorBody, true)]
    "conflict" "changes are executed and answered with 409" [status_on_changes(409, FaultBody::ErrorBody, true)]
    "too-early" "changes are executed and answered with 425" [status_on_changes(425, FaultBody::ErrorBody, true)]
    "redirect-302" "changes are sent elsewhere with 302" [redirect_on_changes(302)]
    "redirect-307" "changes are sent elsewhere with 307" [redirect_on_changes(307)]
    "redirect-308" "changes are sent elsewhere with 308" [redirect_on_changes(308)]
    "old-answer" "changes after the first are not executed and get the answer of an earlier one" [
        Fault::StaleAnswer { executed: false }.on_changes(),
    ]
    "echo-amount" "changes are executed and the answer names another amount" [Fault::WrongEcho(PaymentField::Amount).on_changes()]
    "echo-address" "changes are executed and the answer names another recipient" [
        Fault::WrongEcho(PaymentField::Address).on_changes(),
    ]
    "echo-contract" "changes are executed and the answer names another token's contract" [
        Fault::WrongEcho(PaymentField::Contract).on_changes(),
    ]
    "echo-incoming" "changes are executed and the answer calls them incoming" [
        Fault::WrongEcho(PaymentField::Direction).on_changes(),
    ]
    "echo-fee" "changes are executed and the answer says that all of the amount went as a fee" [
        Fault::WrongEcho(PaymentField::Fee).on_changes(),
    ]
    "rows-hidden" "new payments do not appear in the history for half a minute" [
        Fault::RowsHidden.on_reads().lasting(Duration::from_secs(30)),
    ]
    "failed-confirmed" "outgoing transactions are failed and confirmed at once" [Fault::FailedYetConfirmed.always()]
    "quotes-other" "quotes speak of another coin" [Fault::QuoteForOtherCoin.on_reads()]
    "swaps-less" "swaps bring one percent less than was quoted" [Fault::SwapPaysLess(100).always()]
    "no-paging" "every page of a list is its first" [Fault::PagingIgnored.on_reads()]
    "reversed" "the pages of lists stand in the opposite order" [Fault::RowsReversed.on_reads()]
    "shuffled" "the pages of lists stand in no order" [Fault::RowsShuffled.on_reads()]
    "shifting" "lists move on while their pages are read" [Fault::PagesOverlap.on_reads()]
    "repeating" "the pages of lists hold a row twice" [Fault::FirstRowRepeated.on_reads()]
    "endless" "lists have no end" [Fault::EndlessList.on_reads()]
    "null-rows" "the rows of lists are null" [Fault::RowsDamaged(RowDamage::AllNull).on_reads()]
    "scrambled-rows" "the values of a row are swapped between fields" [
        Fault::RowsDamaged(RowDamage::ValuesSwapped).on_reads(),
    ]
    "half-rows" "rows of lists lack half of their fields" [Fault::RowsDamaged(RowDamage::HalfMissing).on_reads()]
    "nameless-rows" "rows of lists have no identifiers" [Fault::RowsDamaged(RowDamage::NoIdentifier).on_reads()]
    "unknown-words" "rows of lists use unknown words" [
        Fault::RowsDamaged(RowDamage::UnknownWords).on_reads(),
    ]
    "odd-types" "every value of an answer has another type" [Fault::WrongTypes.always()]
    "escape-sequences" "every text of an answer carries escape sequences" [Fault::EscapeSequences.always()]
    "huge" "answers are 256 MiB long" [Fault::HugeBody.on_reads()]
    "bomb" "answers unpack to 157 MiB" [Fault::CompressionBomb.on_reads()]
    "deep" "answers are nested a million times" [Fault::DeepNesting.on_reads()]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_names_one_fault_and_can_be_typed() {
        let mut words: Vec<_> = ALL.iter().map(|named| named.word).collect();
        assert!(
            words.iter().all(|word| word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'))
        );
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), ALL.len());
        for named in ALL {
            assert_eq!(Fault::by_name(named.word).unwrap().sentence, named.sentence);
            assert!(!named.rules.is_empty() && !named.sentence.ends_with('.'), "{}", named.word);
        }
        assert!(Fault::by_name("no such fault").is_none());
    }
}
