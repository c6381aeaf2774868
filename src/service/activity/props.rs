//! What a scene needs beside its business: how the service goes wrong, and with what the journal of whoever watches it
//! begins.

use super::business::Cast;
use super::scene::Scene;
use super::{read_marker, script, strand};
use crate::domain::book::Contact;
use crate::domain::draft::Withdrawal;
use crate::domain::{AccountId, Amount, Draft, Sender, Text, TokenKey, UserId, WalletId};
use crate::service::dice::Dice;
use crate::service::http::Rule;
use crate::service::ledger::{Ledger, Paging, Refusal, Tenant, render};

/// What a scene needs beside its business.
#[derive(Debug, Clone)]
pub struct Props {
    /// Which scene.
    pub scene: Scene,
    /// How the service goes wrong from its opening on.
    pub rules: Vec<Rule>,
    /// Whom the address book knows.
    pub known: Vec<Contact>,
    /// A payment that is sent before anybody looks.
    pub sent: Option<(Draft, Sender)>,
}

/// What the scene of a ledger's sample business needs; `None` where it was made without one.
pub fn props(ledger: &Ledger) -> Result<Option<Props>, Refusal> {
    let Some(marker) = read_marker(ledger)? else { return Ok(None) };
    let Some(scene) = marker.scene else { return Ok(None) };
    let cast = Cast::load(ledger, &marker)?;
    let known = cast.staging.known.iter().map(|code| contact(&cast, code)).collect::<Result<_, _>>()?;
    let unanswered = cast.staging.unanswered;
    let sent = unanswered.map(|paid| payment(ledger, Tenant::of_number(marker.tenant), &cast, paid)).transpose()?;
    Ok(Some(Props { scene, rules: cast.staging.rules.to_vec(), known, sent }))
}

/// A counterparty, as an address book has it.
fn contact(cast: &Cast, code: &str) -> Result<Contact, Refusal> {
    let (wallet, known) = (script::treasury(cast)?, script::counterparty(cast, code)?);
    Ok(Contact {
        name: Text::clean(known.name),
        address: Text::clean(&known.address(wallet.chain.family)),
        blockchain: Text::clean(wallet.chain.slug),
        tag: None,
        note: None,
    })
}

/// A payment of the treasury, as a console asks for it.
fn payment(
    ledger: &Ledger,
    tenant: Tenant,
    cast: &Cast,
    (code, symbol, amount): (&str, &str, &str),
) -> Result<(Draft, Sender), Refusal> {
    let (purse, to) = (script::treasury(cast)?, script::counterparty(cast, code)?);
    let token = script::token(cast, purse, symbol)?;
    let wallet = listed(ledger, tenant, &purse.address)?;
    let mut dice = Dice::new(cast.seed, strand::PROPS);
    let paid = Amount::parse(amount, token.decimals).map_err(|error| Refusal::Broken(error.to_string()))?;
    let draft = Draft::Withdraw(Withdrawal {
        wallet: WalletId::read(&wallet.id),
        blockchain: Text::clean(script::CHAIN),
        token: Text::clean(&token.symbol),
        amount: Text::clean(amount),
        to: Text::clean(&to.address(purse.chain.family)),
        ref_id: Some(Text::clean(&to.reference(&mut dice))),
        note: Some(Text::clean(&to.note())),
    });
    let sender = Sender {
        name: wallet.name.as_deref().map(Text::clean),
        address: Some(Text::clean(&wallet.address)),
        account: Some(AccountId::read(&wallet.account_id)),
        user: wallet.user_id.as_deref().map(UserId::read),
        token: TokenKey::new(script::CHAIN, token.contract.as_deref()),
        amount: paid,
    };
    Ok((draft, sender))
}

/// The wallet at an address on the chain on which scenes play, as it is listed.
fn listed(ledger: &Ledger, tenant: Tenant, address: &str) -> Result<render::Wallet, Refusal> {
    for page in 1.. {
        let wallets = ledger.wallets(tenant, Paging { page, limit: Paging::MOST })?.data;
        if wallets.is_empty() {
            break;
        }
        let is_meant = |wallet: &render::Wallet| wallet.address == address && wallet.blockchain == script::CHAIN;
        if let Some(wallet) = wallets.into_iter().find(is_meant) {
            return Ok(wallet);
        }
    }
    Err(Refusal::Broken("the treasury's wallet is not listed".into()))
}
