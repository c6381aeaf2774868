//! Whether the data belong to the profile's network: real money, or a test network.

use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::app::session::events::EventKind;
use crate::domain::history::HistoryRow;
use crate::domain::{Network, Text, Token, network_mismatch};

/// Checks rows from the service. One row of the other network raises an alarm until the console ends: nothing is paid
/// any more, because the payments may use the wrong money. The guard checks each payment more closely.
pub(in crate::app) fn check_network_of_rows(model: &mut Model, rows: &[HistoryRow]) {
    raise_network_alarm(model, |expected| network_mismatch::find_unexpected_network_word_in_rows(expected, rows));
}

/// Checks the chains of the listed tokens, which are reported before there is any transaction.
pub(in crate::app) fn check_network_of_tokens(model: &mut Model, tokens: &[Token]) {
    raise_network_alarm(model, |expected| network_mismatch::find_unexpected_network_word_in_chains(expected, tokens));
}

/// Raises the alarm once, if the profile names its network.
fn raise_network_alarm(model: &mut Model, look: impl FnOnce(Network) -> Option<Text>) {
    if model.data.network_mismatch.is_some() {
        return;
    }
    model.data.network_mismatch = model.console.identity.environment.and_then(look);
    if let (Some(alarm), Some(strange)) = (network_alarm(model), &model.data.network_mismatch) {
        let message = format!("{alarm} {}", network_mismatch::remedy_message(strange));
        model.record_event(EventKind::Console, Tone::Bad, message);
    }
}

pub(in crate::app) fn network_alarm(model: &Model) -> Option<String> {
    Some(network_mismatch::alarm_message(model.console.identity.environment?, model.data.network_mismatch.as_ref()?))
}
