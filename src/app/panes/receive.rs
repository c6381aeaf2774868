//! Receive: a wallet's address to be read, compared, copied and scanned, with what may be sent there.

mod settling;
pub mod view;

use super::Tone;
use crate::app::model::Mode;
use crate::app::msg::Effect;
use crate::app::screen::Pane;
use crate::app::{Model, forms};
use crate::domain::address::{Family, in_groups};
use crate::domain::chain::{Chain, display_name};
use crate::domain::history::{Fact, Known};
use crate::domain::{Operation, State, Text, Wallet, Withheld};
pub(in crate::app) use settling::{alarm, contradicted, refresh, settled, takes, typed};

/// Shows the address of the selected wallet. Where none is, the first is selected, and the key pressed again shows it:
/// an address is only given away of a wallet that the person could see to be the one.
pub fn open(model: &mut Model) -> Vec<Effect> {
    let Some(wallet) = model.wallets.selected().cloned() else {
        model.set_focus(Pane::Wallets);
        let chosen = model.wallets.select_visible();
        model.notice = Some(if chosen {
            "this wallet? a again shows its address; j and k choose another".into()
        } else {
            "no wallet is known here yet".to_owned()
        });
        return if chosen { crate::app::ask::scoped(model) } else { Vec::new() };
    };
    if let Err(why @ Withheld::NotTold) = handed_out(model, &wallet) {
        model.notice = Some(why.to_string());
        return Vec::new();
    }
    model.settling.clear();
    model.mode = Mode::Receive(Box::new(wallet));
    Vec::new()
}

/// The address of a wallet, where it may be given to whoever pays.
pub fn handed_out<'a>(model: &Model, wallet: &'a Known<Wallet>) -> Result<&'a Text, Withheld> {
    wallet.handed_out(forms::family_on(model, &wallet.entry.blockchain))
}

/// Whether a deposit may be simulated here: at a test service alone, by a console that does more than read.
pub fn may_simulate(model: &Model) -> bool {
    model.read_only.is_none() && Operation::SimulateDeposit.has_place_on(model.identity.environment.as_deref())
}

/// Why no deposit can be simulated at this service, if so.
pub fn refusal(model: &Model) -> Option<&'static str> {
    let has_place = Operation::SimulateDeposit.has_place_on(model.identity.environment.as_deref());
    (!has_place).then_some("deposits are simulated on a test network alone; this profile does not say testnet")
}

/// Opens the form of a simulated deposit to the wallet whose address is shown.
pub fn simulate(model: &mut Model) -> Vec<Effect> {
    let Mode::Receive(wallet) = &model.mode else { return Vec::new() };
    if let Some(why) = refusal(model) {
        model.notice = Some(why.into());
        return Vec::new();
    }
    let wallet = wallet.entry.clone();
    forms::simulate(model, wallet)
}

/// What is said beside the code.
pub fn words(model: &Model, wallet: &Known<Wallet>) -> Vec<(String, Tone)> {
    if let Err(why) = handed_out(model, wallet) {
        return settling::words(model, wallet, &why);
    }
    let entry = &wallet.entry;
    let address = entry.address.as_deref().unwrap_or("—");
    let chain = display_name(&entry.blockchain);
    let network = entry.network.as_ref().map_or(String::new(), |network| format!(" {network}"));
    let name = entry.name.as_ref().map_or("without a name", |name| name.as_str());
    let mut words = vec![
        (format!("{chain}{network}"), Tone::Accent),
        (format!("wallet {name}"), Tone::Text),
        (String::new(), Tone::Text),
        (in_groups(address), Tone::Text),
        (String::new(), Tone::Text),
    ];
    let mut say = |said: String, tone| words.push((said, tone));
    if model.identity.demo {
        say("DEMO: this address is made up. Send nothing real to it.".into(), Tone::Bad);
    } else if entry.network.as_deref().or(model.identity.environment.as_deref()) == Some("testnet") {
        say("Test network: real coins sent here are lost.".into(), Tone::Bad);
    }
    if wallet.imported.has(Fact::Address) {
        say("The address is as imported, not told by the service. Compare it there first.".into(), Tone::Bad);
    }
    if may_simulate(model) {
        say("d has the service pretend a deposit here.".into(), Tone::Text);
    }
    say(format!("Only what is sent on {chain} arrives here. What is sent on another chain may be lost."), Tone::Warn);
    if Chain::find(&entry.blockchain).is_some_and(|chain| chain.family == Family::Evm) {
        say("Other EVM chains have addresses of the same look: name the chain to whoever pays.".into(), Tone::Text);
    }
    if let Some(state) = entry.state.as_ref().filter(|state| **state != State::Live) {
        say(format!("This wallet is {}; ask the service before you use it.", state.word()), Tone::Bad);
    }
    words
}
