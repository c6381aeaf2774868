//! Scenes: variants of the sample business for demonstrations. The same seed and scene make the same business.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::script::{ScriptEvent, ScriptedAction};
use super::timeline::{HistoryShape, RecentEvents};
use crate::domain::history::Sort;
use crate::service::chain::FailurePolicy;
use crate::service::http::{Fault, FaultRule};
use crate::service::ledger::Ledger;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scene {
    /// What `bursar demo` opens on without any other scene: a bit of everything.
    Showcase,
    /// Few events, and none fails.
    Calm,
    /// Many events at once.
    Busy,
    /// The answer to a payment was lost; its outcome is not yet known.
    Incident,
    /// Address poisoning and an imitation token.
    Poisoning,
    /// Every payment needs a second person.
    #[serde(rename = "four-eyes")]
    FourEyes,
}

/// What a scene changes in the history and in the live events.
#[derive(Debug)]
pub(super) struct SceneProfile {
    pub(super) history: HistoryShape,
    /// Transactions per customer.
    pub(super) transactions_per_customer: u64,
    /// The shortest and the longest time between live events at the usual pace, in milliseconds.
    pub(super) event_gaps_millis: (u64, u64),
    /// `None` for no attacks.
    pub(super) attacks: Option<AttackRates>,
    /// Which transactions fail; `None` leaves that to the operator of the service.
    failures: Option<FailurePolicy>,
    /// Events of the history that happen in any case, in order.
    pub(super) script: &'static [ScriptEvent],
    /// Fault rules of the service.
    pub(super) rules: &'static [FaultRule],
    /// Codes of the counterparties in the address book.
    pub(super) known_contacts: &'static [&'static str],
    /// Codes of the counterparties whose addresses have names, on every chain.
    pub(super) named_addresses: &'static [&'static str],
    /// Saved views: name, filter, sort order.
    pub(super) saved_views: &'static [(&'static str, &'static str, Sort)],
    /// Watches of the console, as sentences.
    pub(super) watches: &'static [&'static str],
    /// How many payments of the history the console's journal remembers as orders, beside those of the script; 0 for
    /// none at all.
    pub(super) remembered_payments: usize,
    /// A payment sent in advance whose answer is lost: recipient's code, token, amount.
    pub(super) unanswered_payment: Option<(&'static str, &'static str, &'static str)>,
}

/// Of each `every` events, one is an imitation of a token and one is dust from a look-alike.
#[derive(Debug)]
pub(super) struct AttackRates {
    pub(super) every_events: u64,
    pub(super) imitation_remainder: u64,
    pub(super) dust_remainder: u64,
}

const USUAL_HISTORY: HistoryShape = HistoryShape {
    shortest_days: 45,
    half_within_days: None,
    recent_events: RecentEvents { events: 5, gap: Duration::from_millis(3_500) },
};

/// Without a scene.
const USUAL: SceneProfile = SceneProfile {
    history: USUAL_HISTORY,
    transactions_per_customer: 100,
    event_gaps_millis: (1_500, 6_500),
    attacks: Some(AttackRates { every_events: 97, imitation_remainder: 31, dust_remainder: 53 }),
    failures: None,
    script: &[],
    rules: &[],
    known_contacts: &[],
    named_addresses: &[],
    saved_views: &[],
    watches: &[],
    remembered_payments: 0,
    unanswered_payment: None,
};

/// How long the history of the showcase lags behind a payment whose answer was lost.
const SHORT_HISTORY_LAG: Duration = Duration::from_secs(45);

const fn script_event(ago: Duration, action: ScriptedAction) -> ScriptEvent {
    ScriptEvent { ago, action }
}

const SHOWCASE: SceneProfile = SceneProfile {
    history: HistoryShape { shortest_days: 365, half_within_days: Some(30), ..USUAL_HISTORY },
    script: &[
        script_event(
            Duration::from_hours(24 * 131),
            ScriptedAction::PaysButFails { code: "WHS", token: "USDT", amount: "23880.5" },
        ),
        script_event(Duration::from_hours(24 * 37), ScriptedAction::Swaps { from: "USDC", amount: "25000", to: "ETH" }),
        script_event(
            Duration::from_hours(24 * 24 + 5),
            ScriptedAction::PaysBatch {
                to: &[("OPS", "18250"), ("ENG", "41300.5"), ("SAL", "12980"), ("CON", "9400")],
                token: "USDC",
                dropped: 1,
            },
        ),
        script_event(Duration::from_hours(49), ScriptedAction::Pays { code: "NOR", token: "USDT", amount: "18400" }),
        script_event(Duration::from_mins(49 * 60 - 3), ScriptedAction::Dust),
        script_event(Duration::from_mins(49 * 60 - 4), ScriptedAction::Imitation { amount: "18400" }),
        script_event(Duration::from_mins(58), ScriptedAction::Pays { code: "LMS", token: "USDC", amount: "100" }),
        script_event(Duration::from_mins(51), ScriptedAction::Pays { code: "LMS", token: "USDC", amount: "7250" }),
        script_event(Duration::from_secs(9), ScriptedAction::Pays { code: "QAL", token: "USDC", amount: "6200" }),
    ],
    rules: &[Fault::ConnectionCut.on_changes().times(1), Fault::HistoryLags.on_reads().lasting(SHORT_HISTORY_LAG)],
    known_contacts: &["NOR", "CAS", "BLA", "QAL", "SCS", "MRX", "OPS", "ENG", "WHS", "SAL", "CON"],
    named_addresses: &[
        "NOR", "PEL", "CAS", "BLA", "SCS", "QAL", "MRX", "PAL", "OTC", "OPS", "ENG", "WHS", "SAL", "CON",
    ],
    saved_views: &[
        ("Payroll this month", "dir:out note:payroll this month", Sort::Newest),
        ("Above 10,000 USDT in 90 days", "value:>10k internal:no -90d", Sort::Largest),
    ],
    watches: &["ETH below 50", "USDC sent above 50000 within 24h", "stuck"],
    remembered_payments: 9,
    unanswered_payment: Some(("CAS", "USDC", "48250")),
    ..USUAL
};

/// No events in the last two minutes.
const QUIET_AT_LAST: HistoryShape =
    HistoryShape { recent_events: RecentEvents { events: 0, gap: Duration::ZERO }, ..USUAL_HISTORY };

const CALM: SceneProfile = SceneProfile {
    history: QUIET_AT_LAST,
    event_gaps_millis: (9_000, 26_000),
    attacks: None,
    failures: Some(FailurePolicy::Never),
    ..USUAL
};

const BUSY: SceneProfile = SceneProfile {
    history: HistoryShape {
        recent_events: RecentEvents { events: 36, gap: Duration::from_millis(900) },
        ..USUAL_HISTORY
    },
    transactions_per_customer: 4,
    event_gaps_millis: (150, 900),
    ..USUAL
};

/// How long the history lags behind a payment whose answer was lost.
const HISTORY_LAG: Duration = Duration::from_secs(90);

/// Delay of a slow answer.
const ANSWER_DELAY: Duration = Duration::from_secs(4);

const INCIDENT: SceneProfile = SceneProfile {
    history: QUIET_AT_LAST,
    script: &[
        ScriptEvent {
            ago: Duration::from_secs(104),
            action: ScriptedAction::Pays { code: "NOR", token: "USDC", amount: "12750" },
        },
        ScriptEvent {
            ago: Duration::from_secs(71),
            action: ScriptedAction::PaysButFails { code: "WHS", token: "USDT", amount: "23880.5" },
        },
    ],
    rules: &[
        Fault::ConnectionCut.on_changes().times(1),
        Fault::HistoryLags.on_reads().lasting(HISTORY_LAG),
        Fault::Delayed(ANSWER_DELAY).on_reads().every_nth(13),
    ],
    unanswered_payment: Some(("CAS", "USDC", "48250")),
    ..USUAL
};

const POISONING: SceneProfile = SceneProfile {
    history: QUIET_AT_LAST,
    attacks: Some(AttackRates { every_events: 8, imitation_remainder: 2, dust_remainder: 5 }),
    script: &[
        ScriptEvent {
            ago: Duration::from_secs(107),
            action: ScriptedAction::Pays { code: "NOR", token: "USDT", amount: "18400" },
        },
        ScriptEvent { ago: Duration::from_secs(68), action: ScriptedAction::Dust },
        ScriptEvent { ago: Duration::from_secs(61), action: ScriptedAction::Imitation { amount: "18400" } },
    ],
    known_contacts: &["NOR"],
    ..USUAL
};

const FOUR_EYES: SceneProfile = SceneProfile { rules: &[], unanswered_payment: None, ..SHOWCASE };

impl Scene {
    pub const ALL: [Self; 5] = [Self::Calm, Self::Busy, Self::Incident, Self::Poisoning, Self::FourEyes];

    /// Limits on the transactions of a scene's business, which is complete before the console opens.
    pub const TRANSACTIONS: std::ops::RangeInclusive<u64> = 100..=5_000;

    pub fn name(self) -> &'static str {
        match self {
            Self::Showcase => "showcase",
            Self::Calm => "calm",
            Self::Busy => "busy",
            Self::Incident => "incident",
            Self::Poisoning => "poisoning",
            Self::FourEyes => "four-eyes",
        }
    }

    pub fn from_name(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scene| scene.name() == word)
    }

    /// Whether the console's journal must be seeded for this scene.
    pub fn needs_journal(self) -> bool {
        let staging = scene_profile(Some(self));
        staging.unanswered_payment.is_some() || !staging.known_contacts.is_empty()
    }

    /// A description without its full stop.
    pub fn description(self) -> &'static str {
        match self {
            Self::Showcase => {
                "a bit of everything: a year of payments, one of them unresolved, and a poisoning attempt"
            }
            Self::Calm => "a calm morning: little comes in, and everything has settled",
            Self::Busy => "a busy day: a hundred customers, two events a second, dozens of payments on their way",
            Self::Incident => {
                "an incident: the answer to a payment was lost, another one failed, the service is slow at times"
            }
            Self::Poisoning => "a poisoning attempt: dust from an address that looks like one that was just paid",
            Self::FourEyes => "four eyes: no payment leaves before a second person has signed it; both keys are here",
        }
    }

    /// Cues for the presenter, one line each, in order. They contain no names and no amounts, since they are shown
    /// while the screen is masked, too.
    pub fn presenter_cues(self) -> &'static [&'static str] {
        match self {
            Self::Showcase => &["three keys to try: / filters, w pays, 4 shows the orders"],
            Self::Calm => &[
                "scene calm: everything has settled, and little comes in",
                "page 3: each new payment goes from pending to done",
                "w pays, a shows a deposit address, p veils it all",
            ],
            Self::Busy => &[
                "scene busy: two events a second, to be seen on page 3",
                "/ and f find one payment among many; t shows the flows",
                "k stops following while rows come in, g follows them again",
            ],
            Self::Incident => &[
                "scene incident: page 4 has a payment unresolved",
                "pay the same again with w: rejected while it is unresolved",
                "in 90 seconds the history shows that the payment was made",
                "from then on w asks for typed words before it is paid again",
                "page 3, /status:failed finds wages that were not paid",
            ],
            Self::Poisoning => &[
                "scene poisoning: page 3 hides some dust; h shows it",
                "its sender looks like the recipient, who is on page 7",
                "y copies it, w pays it: the review shows where they differ",
                "h on page 1 shows the token that imitates USDT",
            ],
            Self::FourEyes => &[
                "scene four-eyes: w proposes a payment, and sends nothing",
                "& lists what waits; Enter opens it, to be signed by another",
                "& and Enter again: now it is sent, and cannot be taken back",
                "x in that list refuses, with a reason, and ends it",
            ],
        }
    }
}

pub(super) fn scene_profile(scene: Option<Scene>) -> &'static SceneProfile {
    match scene {
        None => &USUAL,
        Some(Scene::Showcase) => &SHOWCASE,
        Some(Scene::Calm) => &CALM,
        Some(Scene::Busy) => &BUSY,
        Some(Scene::Incident) => &INCIDENT,
        Some(Scene::Poisoning) => &POISONING,
        Some(Scene::FourEyes) => &FOUR_EYES,
    }
}

impl SceneProfile {
    /// Applies the scene's failure policy to a ledger's chains.
    pub(super) fn apply_failure_policy(&self, ledger: &Ledger) {
        if let Some(failures) = self.failures {
            ledger.set_failure_policy(failures);
        }
    }

    /// The last events of a history; none in one too short to have room for the rest.
    pub(super) fn script_unless_history_too_short(&self, transactions: u64) -> &'static [ScriptEvent] {
        if transactions < *Scene::TRANSACTIONS.start() { &[] } else { self.script }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_has_a_word_a_sentence_and_cues_that_fit_a_line() {
        for scene in Scene::ALL {
            assert_eq!(Scene::from_name(scene.name()), Some(scene));
            assert!(!scene.description().ends_with('.'));
            assert!(scene.presenter_cues()[0].starts_with(&format!("scene {}: ", scene.name())));
            // So much of an event is seen in eighty columns.
            assert!(scene.presenter_cues().iter().all(|cue| (30..=60).contains(&cue.len())), "{scene:?}");
            assert_eq!(serde_json::to_string(&scene).unwrap(), format!("\"{}\"", scene.name()));
        }
        assert_eq!(Scene::from_name("storm"), None);
    }
}
