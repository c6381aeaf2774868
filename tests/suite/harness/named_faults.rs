//! Faults by a short name, for tables and trails: those of `bursar demo --fault`, and more that only tests need.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use bursar::service::{Fault, FaultBody, FaultRule, PaymentField, RowFieldDamage};

/// The rules of a fault by its name.
pub(crate) fn fault_rules(name: &str) -> Vec<FaultRule> {
    let fault = named_faults().into_iter().find(|(name_of, _)| *name_of == name);
    fault.unwrap_or_else(|| panic!("no fault is called {name}")).1
}

/// Every named fault, with its rules.
pub(crate) fn named_faults() -> Vec<(&'static str, Vec<FaultRule>)> {
    let changes = [
        ("answer-drips", Fault::SlowBody(Duration::from_millis(20))),
        ("hang-before", Fault::NoAnswer { executed: false }),
        ("gateway-after", Fault::Status { status: 502, body: FaultBody::HtmlPage, executed: true }),
        ("busy-after", Fault::executed_with_status(503)),
        ("busy-before", Fault::Busy { retry_after: RETRY_AFTER }),
        ("too-many-for-now", Fault::with_status(429)),
        ("too-many-until", Fault::RateLimitedUntil { retry_after: RETRY_AFTER }),
        ("html", Fault::Html),
        ("says-no", Fault::Status { status: 200, body: FaultBody::SuccessFalse, executed: true }),
        ("forbidden", Fault::Forbidden),
        ("refused-400", Fault::with_status(400)),
        ("refused-404", Fault::with_status(404)),
        ("refused-422", Fault::with_status(422)),
        ("refused-silently", Fault::Status { status: 400, body: FaultBody::Empty, executed: false }),
        ("refused-oddly", Fault::Status { status: 400, body: FaultBody::OtherStatus, executed: false }),
        ("timeout", Fault::executed_with_status(408)),
        ("conflict", Fault::executed_with_status(409)),
        ("too-early", Fault::executed_with_status(425)),
        ("redirect-302", redirect(302)),
        ("redirect-307", redirect(307)),
        ("redirect-308", redirect(308)),
        ("old-answer", Fault::StaleAnswer { executed: false }),
        ("echo-amount", Fault::WrongEcho(PaymentField::Amount)),
        ("echo-contract", Fault::WrongEcho(PaymentField::Contract)),
        ("echo-incoming", Fault::WrongEcho(PaymentField::Direction)),
        ("echo-fee", Fault::WrongEcho(PaymentField::Fee)),
    ];
    let reads = [
        ("quotes-other", Fault::QuoteForOtherCoin),
        ("reversed", Fault::RowsReversed),
        ("shuffled", Fault::RowsShuffled),
        ("shifting", Fault::PagesOverlap),
        ("repeating", Fault::FirstRowRepeated),
        ("endless", Fault::EndlessList),
        ("null-rows", Fault::RowsDamaged(RowFieldDamage::AllNull)),
        ("scrambled-rows", Fault::RowsDamaged(RowFieldDamage::ValuesSwapped)),
        ("half-rows", Fault::RowsDamaged(RowFieldDamage::HalfMissing)),
        ("nameless-rows", Fault::RowsDamaged(RowFieldDamage::NoIdentifier)),
        ("unknown-words", Fault::RowsDamaged(RowFieldDamage::UnknownWords)),
        ("huge", Fault::HugeBody),
        ("bomb", Fault::CompressionBomb),
        ("deep", Fault::DeepNesting),
    ];
    let others = [
        (
            "answer-lost-then-refused",
            vec![Fault::ConnectionCut.on_changes().times(1), Fault::with_status(400).on_changes().times(1)],
        ),
        ("rows-hidden", vec![Fault::RowsHidden.on_reads().lasting(Duration::from_secs(30))]),
        ("failed-confirmed", vec![Fault::FailedYetConfirmed.always()]),
        ("odd-types", vec![Fault::WrongTypes.always()]),
        ("escape-sequences", vec![Fault::EscapeSequences.always()]),
    ];
    let for_people = Fault::ALL.iter().map(|fault| (fault.word, fault.rules.to_vec()));
    for_people
        .chain(changes.map(|(name, fault)| (name, vec![fault.on_changes()])))
        .chain(reads.map(|(name, fault)| (name, vec![fault.on_reads()])))
        .chain(others)
        .collect()
}

const RETRY_AFTER: Duration = Duration::from_secs(5);

/// To this machine's discard port, where nothing listens.
const fn redirect(status: u16) -> Fault {
    Fault::Redirect { status, to: SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 9), executed: false }
}
