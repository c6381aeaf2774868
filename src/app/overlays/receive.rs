//! Receive: a wallet's address to read, compare, copy and scan, and what may be sent there.

mod address_conflict;
pub mod view;

use crate::app::forms;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::pages::Tone;
use crate::app::screen::Pane;
use crate::domain::address::{Family, format_grouped};
use crate::domain::chain::{Chain, chain_display_name};
use crate::domain::entry_source::{EntryField, Sourced};
use crate::domain::{AddressUnavailable, Network, Operation, State, Text, Wallet};
pub(in crate::app) use address_conflict::{
    apply_conflicts, apply_resolution, conflict_alarm, edit_answer, is_answer_key, refresh_wallet,
};

/// Shows the address of the selected wallet. Where none is selected, selects the first one instead, and the same key
/// pressed again shows it: an address is only given out for a wallet that the operator could see to be the right one.
pub fn open_receive(model: &mut Model) -> Vec<Effect> {
    let Some(wallet) = model.pages.overview.wallets.selected().cloned() else {
        model.set_focus(Pane::Wallets);
        let chosen = model.pages.overview.wallets.select_first_visible();
        model.notice = Some(if chosen {
            "press a again to show this wallet's address; j and k choose another".into()
        } else {
            "no wallet is known here yet".to_owned()
        });
        return if chosen { crate::app::data::queries::query_for_selected_scope(model) } else { Vec::new() };
    };
    if let Err(reason @ AddressUnavailable::Unknown) = payable_address(model, &wallet) {
        model.notice = Some(reason.to_string());
        return Vec::new();
    }
    model.overlays.conflict_input.clear();
    model.show_mode(Mode::Receive(Box::new(wallet)));
    Vec::new()
}

/// The address of a wallet, if it may be given to a payer.
pub fn payable_address<'a>(model: &Model, wallet: &'a Sourced<Wallet>) -> Result<&'a Text, AddressUnavailable> {
    wallet.deposit_address(forms::chain_address_family(model, &wallet.entry.blockchain))
}

/// Whether a deposit may be simulated: at a test service only, and not in a read-only console.
pub fn can_simulate_deposit(model: &Model) -> bool {
    model.console.read_only.is_none() && Operation::SimulateDeposit.is_allowed_on(model.console.identity.environment)
}

pub fn simulation_refusal(model: &Model) -> Option<&'static str> {
    let has_place = Operation::SimulateDeposit.is_allowed_on(model.console.identity.environment);
    (!has_place).then_some("deposits can be simulated on a test network only; this profile is not set to testnet")
}

pub fn open_simulated_deposit(model: &mut Model) -> Vec<Effect> {
    let Mode::Receive(wallet) = &model.mode else { return Vec::new() };
    if let Some(reason) = simulation_refusal(model) {
        model.notice = Some(reason.into());
        return Vec::new();
    }
    let wallet = wallet.entry.clone();
    forms::open_simulated_deposit(model, wallet)
}

pub fn address_lines(model: &Model, wallet: &Sourced<Wallet>) -> Vec<(String, Tone)> {
    if let Err(reason) = payable_address(model, wallet) {
        return address_conflict::conflict_text(model, wallet, &reason);
    }
    let entry = &wallet.entry;
    let address = entry.address.as_deref().unwrap_or("—");
    let chain = chain_display_name(&entry.blockchain);
    let network = entry.network.as_ref().map_or(String::new(), |network| format!(" {network}"));
    let name = entry.name.as_ref().map_or("without a name", |name| name.as_str());
    let mut lines = vec![
        (format!("{chain}{network}"), Tone::Accent),
        (format!("wallet {name}"), Tone::Text),
        (String::new(), Tone::Text),
        (format_grouped(address), Tone::Text),
        (String::new(), Tone::Text),
    ];
    let mut say = |text: String, tone| lines.push((text, tone));
    if model.console.identity.demo {
        say("DEMO: this address is made up. Send nothing real to it.".into(), Tone::Bad);
    } else if entry.network.as_deref().map_or(model.console.identity.environment, Network::of_word)
        == Some(Network::Testnet)
    {
        say("Test network: real coins sent here are lost.".into(), Tone::Bad);
    }
    if wallet.imported_fields.has(EntryField::Address) {
        say(
            "This address was imported, not reported by the service. Compare it with the service first.".into(),
            Tone::Bad,
        );
    }
    if can_simulate_deposit(model) {
        say("d asks the service to simulate a deposit here.".into(), Tone::Text);
    }
    say(format!("Only what is sent on {chain} arrives here. What is sent on another chain may be lost."), Tone::Warn);
    if Chain::find(&entry.blockchain).is_some_and(|chain| chain.family == Family::Evm) {
        say("Addresses on other EVM chains look the same: tell the payer which chain to use.".into(), Tone::Text);
    }
    if let Some(state) = entry.state.as_ref().filter(|state| **state != State::Live) {
        say(format!("This wallet is {}; ask the service before you use it.", state.word()), Tone::Bad);
    }
    lines
}
