//! What a scene needs besides its business: fault rules, and the seed of the console's journal.

use super::sample_business::BusinessState;
use super::scene::Scene;
use super::{past_market, past_orders, read_sample_marker, script, seed_stream};
use crate::domain::book::{Contact, Label, LabelSubject};
use crate::domain::draft::Withdrawal;
use crate::domain::saved_view::SavedView;
use crate::domain::watch::Watch;
use crate::domain::{
    AccountId, Amount, DemoSeed, Draft, Metadata, Sender, Text, Timestamp, TokenKey, UserId, WalletId,
};
use crate::service::http::FaultRule;
use crate::service::ledger::{Ledger, Paging, RequestError, WorkspaceNumber, render};
use crate::service::rng::Rng;

#[derive(Debug, Clone)]
pub struct SceneExtras {
    pub scene: Scene,
    /// Fault rules from the start.
    pub rules: Vec<FaultRule>,
    /// What the console begins with.
    pub seed: DemoSeed,
}

/// The setup for a ledger's scene; `None` without a scene.
pub fn load_scene_extras(ledger: &Ledger, now: Timestamp) -> Result<Option<SceneExtras>, RequestError> {
    let Some(marker) = read_sample_marker(ledger)? else { return Ok(None) };
    let Some(scene) = marker.scene else { return Ok(None) };
    let business = BusinessState::load(ledger, &marker)?;
    let contacts = business
        .scene_profile
        .known_contacts
        .iter()
        .map(|code| counterparty_as_contact(&business, code))
        .collect::<Result<_, _>>()?;
    let labels = address_labels(&business)?;
    let saved = business.scene_profile.saved_views.iter();
    let saved = saved.map(|(name, filter, sort)| SavedView {
        name: Text::clean(name),
        filter: (*filter).to_owned(),
        sort: *sort,
    });
    let unanswered = business.scene_profile.unanswered_payment;
    let workspace_number = WorkspaceNumber::from_i64(marker.workspace_number);
    let mut rng = Rng::new(business.seed, seed_stream::SCENE_SETUP);
    let payment_draft = unanswered
        .map(|paying| treasury_payment_draft(ledger, workspace_number, &business, paying, &mut rng))
        .transpose()?;
    let watches = business.scene_profile.watches.iter().map(|sentence| Watch::parse_sentence(sentence));
    let watches = watches.collect::<Result<_, _>>().map_err(RequestError::Internal)?;
    let mut seed = DemoSeed {
        contacts,
        labels,
        unresolved_payment: payment_draft,
        watches,
        views: saved.collect(),
        ..DemoSeed::default()
    };
    if business.scene_profile.remembered_payments > 0 {
        seed.past_orders =
            past_orders::past_orders(ledger, workspace_number, &business, Timestamp::from_millis(marker.start))?;
        seed.total_samples = past_market::hourly_business_values(ledger, workspace_number, &business, now)?;
        seed.daily_prices = past_market::daily_prices_per_coin(now);
        seed.rates = past_market::recent_rates_per_pair(now);
    }
    Ok(Some(SceneExtras { scene, rules: business.scene_profile.rules.to_vec(), seed }))
}

/// A counterparty as an address-book entry.
fn counterparty_as_contact(business: &BusinessState, code: &str) -> Result<Contact, RequestError> {
    let (wallet, counterparty) = (script::treasury_wallet(business)?, script::find_counterparty(business, code)?);
    Ok(Contact {
        name: Text::clean(counterparty.name),
        address: Text::clean(&counterparty.address(wallet.chain.family)),
        blockchain: Text::clean(wallet.chain.slug),
        tag: None,
        note: None,
    })
}

/// Names of counterparties at their addresses, on every chain on which the treasury could pay them.
fn address_labels(business: &BusinessState) -> Result<Vec<Label>, RequestError> {
    let mut labels = Vec::new();
    for code in business.scene_profile.named_addresses {
        let counterparty = script::find_counterparty(business, code)?;
        for wallet in &business.treasury {
            let address = Text::clean(&counterparty.address(wallet.chain.family));
            let subject = LabelSubject::Address { address, blockchain: Text::clean(wallet.chain.slug) };
            labels.push(Label { subject, name: Text::clean(counterparty.name) });
        }
    }
    Ok(labels)
}

/// A treasury payment as the console would submit it.
pub(super) fn treasury_payment_draft(
    ledger: &Ledger,
    workspace_number: WorkspaceNumber,
    business: &BusinessState,
    (code, symbol, amount): (&str, &str, &str),
    rng: &mut Rng,
) -> Result<(Draft, Sender), RequestError> {
    let (purse, to) = (script::treasury_wallet(business)?, script::find_counterparty(business, code)?);
    let token = script::find_listed_token_by_symbol(business, purse, symbol)?;
    let wallet = find_listed_wallet_by_address(ledger, workspace_number, &purse.address)?;
    let paid_amount =
        Amount::parse(amount, token.decimals).map_err(|error| RequestError::Internal(error.to_string()))?;
    let draft = Draft::Withdraw(Withdrawal {
        wallet: WalletId::from_text(&wallet.id),
        blockchain: Text::clean(script::CHAIN),
        token: Text::clean(&token.symbol),
        amount: Text::clean(amount),
        to: Text::clean(&to.address(purse.chain.family)),
        ref_id: Some(Text::clean(&to.reference(rng))),
        note: Some(Text::clean(&to.note())),
        metadata: Metadata::default(),
    });
    let sender = Sender {
        name: wallet.name.as_deref().map(Text::clean),
        address: Some(Text::clean(&wallet.address)),
        account: Some(AccountId::from_text(&wallet.account_id)),
        user: wallet.user_id.as_deref().map(UserId::from_text),
        token: TokenKey::new(script::CHAIN, token.contract.as_deref()),
        amount: paid_amount,
    };
    Ok((draft, sender))
}

/// The wallet at an address on [`script::CHAIN`], as it is listed.
fn find_listed_wallet_by_address(
    ledger: &Ledger,
    workspace_number: WorkspaceNumber,
    address: &str,
) -> Result<render::Wallet, RequestError> {
    for page in 1.. {
        let wallets = ledger.wallets(workspace_number, Paging { page, limit: Paging::MOST })?.data;
        if wallets.is_empty() {
            break;
        }
        let is_meant = |wallet: &render::Wallet| wallet.address == address && wallet.blockchain == script::CHAIN;
        if let Some(wallet) = wallets.into_iter().find(is_meant) {
            return Ok(wallet);
        }
    }
    Err(RequestError::Internal("the treasury's wallet is not listed".into()))
}
