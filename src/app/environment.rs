//! Whether the data are of the network that the profile is for: real money, or a test.

use super::events::Kind;
use super::model::Model;
use super::panes::Tone;
use crate::domain::chain::is_test;
use crate::domain::history::HistoryRow;

/// Looks through rows that came. One row of the other network is an alarm for as long as the console runs: nothing is
/// paid any more, since nobody knows with whose money. The guard looks at each payment more closely.
pub(super) fn check(model: &mut Model, rows: &[HistoryRow]) {
    let Some(expected) = model.identity.environment.as_deref().and_then(is_test) else { return };
    if model.strange_network.is_some() {
        return;
    }
    let words = rows.iter().flat_map(|row| [&row.transaction.environment, &row.transaction.network]).flatten();
    if let Some(word) = words.into_iter().find(|word| is_test(word).is_some_and(|test| test != expected)).cloned() {
        model.strange_network = Some(word);
        if let Some(said) = alarm(model) {
            model.note(Kind::Console, Tone::Bad, said);
        }
    }
}

/// What is said where the data are of another network than the profile.
pub(super) fn alarm(model: &Model) -> Option<String> {
    let strange = model.strange_network.as_ref()?;
    let expected = model.identity.environment.as_ref()?;
    Some(format!("ALARM: profile for {expected}, data of {strange}. Nothing can be paid from here."))
}
