//! Whether the data are of the network that the profile is for: real money, or a test.

use super::events::Kind;
use super::model::Model;
use super::panes::Tone;
use crate::domain::chain::is_test;
use crate::domain::history::HistoryRow;
use crate::domain::{Text, Token, network};

/// Looks through rows that came. One row of the other network is an alarm for as long as the console runs: nothing is
/// paid any more, since nobody knows with whose money. The guard looks at each payment more closely.
pub(super) fn check(model: &mut Model, rows: &[HistoryRow]) {
    raise(model, |expects_test| network::strange_row(expects_test, rows));
}

/// Looks through the chains on which the service has tokens, which are told before there is any transaction.
pub(super) fn check_chains(model: &mut Model, tokens: &[Token]) {
    raise(model, |expects_test| network::strange_chains(expects_test, tokens));
}

/// Raises the alarm once, where the profile says of which network it is.
fn raise(model: &mut Model, look: impl FnOnce(bool) -> Option<Text>) {
    let expects_test = model.identity.environment.as_deref().and_then(is_test);
    if model.strange_network.is_some() {
        return;
    }
    model.strange_network = expects_test.and_then(look);
    if let (Some(said), Some(strange)) = (alarm(model), &model.strange_network) {
        let said = format!("{said} {}", network::remedy(strange));
        model.note(Kind::Console, Tone::Bad, said);
    }
}

/// What is said where the data are of another network than the profile.
pub(super) fn alarm(model: &Model) -> Option<String> {
    Some(network::alarm(model.identity.environment.as_ref()?, model.strange_network.as_ref()?))
}
