//! One evaluation of the profile's watches.

use std::time::Duration;

use serde_json::{Value, json};

use crate::app::session::watches;
use crate::domain::Timestamp;
use crate::domain::attention::AttentionItem;
use crate::domain::watch::{AlertState, ScopedReading, Watch, WatchCondition, WatchCrossing, WatchReading};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WatchStatus {
    pub(super) title: String,
    /// The watched figure, as displayed; absent where it is unknown or too old.
    pub(super) figure: Option<String>,
    pub(super) state: WatchState,
    /// What it raises, if anything.
    pub(super) attention: Option<AttentionItem>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WatchState {
    Raised,
    Clear,
    /// The figure is unknown, and why.
    Unknown(String),
    /// The figure is unknown until somebody corrects the configuration; why.
    NotFound(String),
}

/// Evaluates each watch once. A change needs two readings, so that only a console that stays open can detect one.
pub(super) fn evaluate_watches(
    watches: &[Watch],
    readings: &[ScopedReading],
    now: Timestamp,
    period: Duration,
) -> Vec<WatchStatus> {
    let one = |(watch, scoped): (&Watch, &ScopedReading)| {
        let mut alert_state = AlertState::default();
        let crossing = alert_state.update(watch, &scoped.reading, now, period);
        let watch_state = match (&scoped.reading, crossing, alert_state.unusable_reading_reason(), &watch.condition) {
            (WatchReading::NotFound(reason), ..) => WatchState::NotFound(reason.clone()),
            (_, Some(WatchCrossing::Raised), ..) => WatchState::Raised,
            (.., Some(reason), _) => WatchState::Unknown(reason.to_owned()),
            (.., WatchCondition::Change { .. }) => {
                WatchState::Unknown("only a console that stays open can see a change".into())
            }
            _ => WatchState::Clear,
        };
        WatchStatus {
            title: watch.title(),
            figure: alert_state.figure_text().map(str::to_owned),
            state: watch_state,
            attention: watches::attention_item(watch, &alert_state, &scoped.reading),
        }
    };
    watches.iter().zip(readings).map(one).collect()
}

impl WatchStatus {
    pub(super) fn status_line(&self) -> String {
        let figure = self.figure.as_deref().unwrap_or("—");
        match &self.state {
            WatchState::Raised => format!("  raised       {}: {figure}", self.title),
            WatchState::Clear => format!("  clear        {}: {figure}", self.title),
            WatchState::Unknown(reason) | WatchState::NotFound(reason) => {
                format!("  unknown      {}: {reason}", self.title)
            }
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let (word, reason) = match &self.state {
            WatchState::Raised => ("raised", None),
            WatchState::Clear => ("clear", None),
            WatchState::Unknown(reason) | WatchState::NotFound(reason) => ("cannot tell", Some(reason)),
        };
        json!({ "watch": self.title, "stands": word, "figure": self.figure, "why": reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::watch::{AlertChannels, WatchScope};
    use crate::domain::{Amount, Text};

    const NOW: Timestamp = Timestamp::from_millis(1_793_620_000_000);
    const PERIOD: Duration = Duration::from_secs(5);

    fn watch(condition: WatchCondition) -> Watch {
        let token = Some(Text::clean("USDC"));
        Watch {
            name: None,
            token,
            chain: None,
            scope: WatchScope::Everything,
            condition,
            max_age: None,
            alert: AlertChannels::default(),
            is_muted: false,
        }
    }

    fn amount(text: &str) -> Amount {
        Amount::parse(text, 6).unwrap()
    }

    fn measure_balance(text: &str, ago: Duration) -> ScopedReading {
        let as_of = Timestamp::from_millis(NOW.millis() - i64::try_from(ago.as_millis()).unwrap());
        ScopedReading { scope: None, reading: WatchReading::Balance { amount: amount(text), as_of }, users: 1 }
    }

    #[test]
    fn a_watch_that_is_raised_or_leads_nowhere_needs_a_person_and_one_that_cannot_tell_is_told_apart() {
        let below = watch(WatchCondition::Below { limit: amount("100"), margin: amount("1") });
        let change = watch(WatchCondition::Change { by: amount("1"), within: Duration::from_mins(10) });
        let nowhere = |reading| ScopedReading { scope: None, reading, users: 0 };
        let watches = [below.clone(), below.clone(), below.clone(), change, below.clone(), below];
        let fresh = Duration::from_secs(1);
        let readings = [
            measure_balance("99", fresh),
            measure_balance("101", fresh),
            measure_balance("99", Duration::from_hours(1)),
            measure_balance("5", fresh),
            nowhere(WatchReading::NotFound("no account is called so".into())),
            nowhere(WatchReading::Unknown("not all was read".into())),
        ];
        let evaluations = evaluate_watches(&watches, &readings, NOW, PERIOD);
        let needs: Vec<_> =
            evaluations.iter().filter_map(|evaluation| Some(evaluation.attention.as_ref()?.summary())).collect();
        assert_eq!(
            needs,
            ["watch raised: USDC below 100: 99", "watch unavailable: USDC below 100: no account is called so"]
        );
        assert_eq!(evaluations[1].state, WatchState::Clear);
        assert!(
            matches!(&evaluations[2].state, WatchState::Unknown(reason) if reason.contains("1 h ago")),
            "{:?}",
            evaluations[2]
        );
        assert!(
            matches!(&evaluations[3].state, WatchState::Unknown(reason) if reason.contains("stays open")),
            "{:?}",
            evaluations[3]
        );
        assert_eq!(evaluations[5].state, WatchState::Unknown("not all was read".into()));
    }
}
