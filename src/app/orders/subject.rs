//! What an order is about, in a few words.

use std::borrow::Cow;

use super::new_user_name;
use crate::domain::address_names::AddressFormatter;
use crate::domain::chain::chain_display_name;
use crate::domain::{Amount, Batch, Draft, Text, address};

/// The number of a batch's recipients, or a single one.
pub fn recipients_text(batch: &Batch, parties: &AddressFormatter<'_>) -> String {
    match batch.to.as_slice() {
        [only] => parties.format(&only.address, &batch.blockchain),
        several => format!("{} recipients", several.len()),
    }
}

/// The subject of an order: the recipient, or the requested name.
pub fn order_subject<'a>(draft: &'a Draft, parties: &AddressFormatter<'_>) -> Cow<'a, str> {
    Cow::Borrowed(match draft {
        Draft::Withdraw(withdrawal) => {
            return Cow::Owned(parties.format(&withdrawal.to, &withdrawal.blockchain));
        }
        Draft::Payment(payment) => {
            return Cow::Owned(parties.format(&payment.withdrawal.to, &payment.withdrawal.blockchain));
        }
        Draft::CreateUser(user) => new_user_name(user).map_or("—", Text::as_str),
        Draft::CreateAccount(account) => &account.name,
        Draft::CreateWallet(wallet) => {
            let name = wallet.name.as_ref().map_or("—", |name| name.as_str());
            return Cow::Owned(format!("{name} on {}", chain_display_name(&wallet.blockchain)));
        }
        // The changed object, not its new name: that may be the name of another one.
        Draft::UpdateWallet(change) => {
            let was = parties.names.wallet_name(&change.wallet);
            return Cow::Owned(rename_text(was, change.wallet.as_str(), change.name.as_ref()));
        }
        Draft::UpdateUser(change) => {
            let was = parties.names.user_name(&change.user);
            return Cow::Owned(rename_text(was, change.user.as_str(), new_user_name(&change.to)));
        }
        Draft::CreateSubWallet(new) => new_user_name(&new.user).map_or("—", Text::as_str),
        Draft::CreateAddress(new) => {
            let short = || address::shorten_address(new.sub_wallet.as_str());
            let owner = parties.names.user_name(&new.sub_wallet).map_or_else(short, ToString::to_string);
            return Cow::Owned(format!("{} on {} for {owner}", new.coin, chain_display_name(&new.chain)));
        }
        Draft::Batch(batch) => return Cow::Owned(recipients_text(batch, parties)),
        Draft::CreateSandboxAddress(new) => {
            return Cow::Owned(format!("{} on {} in the sandbox", new.coin, chain_display_name(&new.chain)));
        }
        Draft::SimulateDeposit(deposit) => {
            let to = parties.format(&deposit.to, &deposit.blockchain);
            return Cow::Owned(format!("{} {} to {to}", group_typed_amount(&deposit.amount), deposit.token));
        }
        Draft::Swap(_) | Draft::InstantSwap(_) => {
            let exchange = draft.exchange().map(|swap| (group_typed_amount(swap.amount), swap.from, swap.to));
            return Cow::Owned(
                exchange.map_or_else(String::new, |(amount, from, to)| format!("{amount} {from} for {to}")),
            );
        }
    })
}

/// The changed object by its name or identifier, and its new name.
fn rename_text(was: Option<&Text>, id: &str, name: Option<&Text>) -> String {
    let id = was.map_or_else(|| address::shorten_address(id), ToString::to_string);
    name.map_or_else(|| id.clone(), |name| format!("{id} → {name}"))
}

/// A typed amount, grouped for display.
pub fn group_typed_amount(amount: &str) -> String {
    Amount::parse_as_written(amount, Amount::MAX_DECIMALS).map_or_else(|_| amount.to_owned(), Amount::format_grouped)
}
