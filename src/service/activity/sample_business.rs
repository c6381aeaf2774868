//! The sample business, Harbour Trading: its accounts, users and wallets.

use std::time::Duration;

use ruint::aliases::U256;
use uuid::Uuid;

use super::counterparties::{self, Counterparty};
use super::scene::{Scene, SceneProfile, scene_profile};
use super::timeline::Timeline;
use super::{SAMPLE_SETTING, SampleMarker, SamplePlan, customer_names, events, seed_stream};
use crate::domain::Timestamp;
use crate::service::ledger::{
    ChainToken, IdSource, Ledger, LedgerWallet, NewUser, NewWallet, NewWorkspace, RequestError, UnitOfWork,
    WorkspaceNumber, insert_workspace, store_setting,
};
use crate::service::rng::Rng;

/// Settlement wallets: chain, name.
const TREASURY_WALLETS: [(&str, &str); 5] = [
    ("ethereum", "eth-main"),
    ("base", "base-ops"),
    ("bsc", "bnb-main"),
    ("polygon", "polygon-ops"),
    ("solana", "sol-main"),
];

/// Settlement wallets that no customer pays into, which seldom move funds.
const VAULT_WALLETS: [(&str, &str); 3] = [("tron", "tron-main"), ("bitcoin", "btc-vault"), ("xrp", "xrp-main")];

/// Chains of a customer's wallets, with weights.
const CUSTOMER_CHAINS: [(&[&str], u64); 7] = [
    (&["ethereum"], 4),
    (&["ethereum", "base"], 5),
    (&["base", "polygon"], 3),
    (&["bsc"], 3),
    (&["solana"], 4),
    (&["ethereum", "solana"], 4),
    (&["bsc", "polygon", "solana"], 3),
];

/// Time between the founding and the first transaction.
const FOUNDING_TO_FIRST_TRANSACTION: Duration = Duration::from_hours(50);

/// Creates the workspace with accounts, users and wallets, and the marker of a history still to come.
pub(super) fn found_business(
    ledger: &Ledger,
    plan: SamplePlan,
    scene: Option<Scene>,
    present: Timestamp,
) -> Result<SampleMarker, RequestError> {
    let simulation_settings = ledger.simulation_settings();
    ledger.write(move |connection| {
        let mut rng = Rng::new(plan.seed, seed_stream::BUSINESS);
        let span = Timeline::history_span(plan.transactions, &scene_profile(scene).history);
        let past = span + FOUNDING_TO_FIRST_TRANSACTION;
        let past = i64::try_from(past.as_millis()).unwrap_or(0);
        let founded = Timestamp::from_millis(present.millis().saturating_sub(past));
        let workspace = NewWorkspace {
            id: rng.uuid(),
            name: "Harbour Trading".into(),
            environment: "testnet".into(),
            address_secret: rng.bytes(),
        };
        let workspace_number = insert_workspace(connection, &workspace, founded)?;
        let ids = IdSource::Seeded(Rng::new(plan.seed, seed_stream::BUSINESS + 1000));
        let mut books = UnitOfWork::open(connection, workspace_number, founded, ids, simulation_settings)?;
        create_accounts_users_and_wallets(
            &mut books,
            &mut rng,
            plan.transactions / scene_profile(scene).transactions_per_customer,
            founded,
        )?;
        books.close()?;
        let marker = SampleMarker {
            workspace_number: workspace_number.to_i64(),
            seed: plan.seed,
            scene,
            start: present.millis(),
            transactions: plan.transactions,
            next_event: 0,
            next_line: 0,
            done: plan.transactions == 0,
        };
        store_setting(connection, SAMPLE_SETTING, &marker.to_json()?)?;
        Ok(marker)
    })
}

impl SampleMarker {
    pub(super) fn to_json(self) -> Result<String, RequestError> {
        serde_json::to_string(&self).map_err(|error| RequestError::Internal(error.to_string()))
    }
}

fn create_accounts_users_and_wallets(
    books: &mut UnitOfWork<'_>,
    rng: &mut Rng,
    customers: u64,
    founded: Timestamp,
) -> Result<(), RequestError> {
    let settlement = parse_id(&books.create_account("Treasury")?.id)?;
    let customers_account = parse_id(&books.create_account("Customers")?.id)?;
    let treasury = books.create_user(&NewUser {
        email: Some("treasury@harbour-trading.example".into()),
        display_name: Some("Treasury".into()),
        ref_id: Some("treasury".into()),
    })?;
    let treasury = parse_id(&treasury.id)?;
    for (chain, name) in TREASURY_WALLETS {
        create_named_wallet(books, settlement, treasury, chain, name, "treasury")?;
    }
    let count = customers.clamp(12, 10_000);
    let weights: [u64; CUSTOMER_CHAINS.len()] = CUSTOMER_CHAINS.map(|(_, weight)| weight);
    let step_millis = u64::try_from(FOUNDING_TO_FIRST_TRANSACTION.as_millis()).unwrap_or(0) / (count + 1);
    for n in 1..=count {
        books.advance_to(founded.plus(Duration::from_millis(step_millis * n)));
        let name = customer_names::sample_customer_name(rng, n);
        let reference = format!("cust-{:05}", 10_000 + n);
        let user = books.create_user(&NewUser {
            email: Some(name.mail),
            display_name: Some(name.display_name),
            ref_id: Some(reference.clone()),
        })?;
        let user = parse_id(&user.id)?;
        let (chains, _) = CUSTOMER_CHAINS[rng.weighted(&weights).min(CUSTOMER_CHAINS.len() - 1)];
        for chain in chains {
            create_named_wallet(books, customers_account, user, chain, &format!("{reference} {chain}"), &reference)?;
        }
    }
    for (chain, name) in VAULT_WALLETS {
        create_named_wallet(books, settlement, treasury, chain, name, "treasury")?;
    }
    Ok(())
}

fn create_named_wallet(
    books: &mut UnitOfWork<'_>,
    account: Uuid,
    user: Uuid,
    chain: &str,
    name: &str,
    reference: &str,
) -> Result<(), RequestError> {
    books.create_wallet(&NewWallet {
        account,
        user: Some(user),
        blockchain: chain.into(),
        name: Some(name.into()),
        ref_id: Some(reference.into()),
        auto_sweep: false,
    })?;
    Ok(())
}

fn parse_id(text: &str) -> Result<Uuid, RequestError> {
    Uuid::try_parse(text).map_err(|error| RequestError::Internal(error.to_string()))
}

/// A customer's wallet, and the external address that pays into it.
#[derive(Debug)]
pub(super) struct CustomerWallet {
    pub(super) wallet: LedgerWallet,
    pub(super) outside_address: String,
}

/// What events act on.
#[derive(Debug)]
pub(super) struct BusinessState {
    pub(super) seed: u64,
    pub(super) scene_profile: &'static SceneProfile,
    pub(super) treasury: Vec<LedgerWallet>,
    pub(super) customers: Vec<CustomerWallet>,
    /// Indexes into `treasury` and `tokens`, and the initial amount.
    pub(super) working_funds: Vec<(usize, usize, U256)>,
    pub(super) tokens: Vec<ChainToken>,
    pub(super) counterparties: Vec<Counterparty>,
    /// Paid for the first time by the script of a scene, and by nothing else.
    pub(super) first_time_supplier: Counterparty,
}

impl BusinessState {
    /// Loads the business. Wallets created later take no part.
    pub(super) fn load(ledger: &Ledger, marker: &SampleMarker) -> Result<Self, RequestError> {
        let (workspace_number, seed) = (WorkspaceNumber::from_i64(marker.workspace_number), marker.seed);
        let (wallets, tokens) = ledger.read(|connection| {
            Ok((LedgerWallet::load_all(connection, workspace_number)?, ChainToken::load_all_listed(connection)?))
        })?;
        let is_customers =
            |wallet: &LedgerWallet| wallet.ref_id().is_some_and(|reference| reference.starts_with("cust-"));
        let is_treasury = |wallet: &LedgerWallet| wallet.ref_id() == Some("treasury");
        let treasury: Vec<_> = wallets.iter().filter(|wallet| is_treasury(wallet)).cloned().collect();
        let customers = wallets.into_iter().filter(is_customers).map(|wallet| CustomerWallet {
            outside_address: counterparties::customer_outside_address(
                seed,
                wallet.user.unwrap_or(0),
                wallet.chain.family,
            ),
            wallet,
        });
        Ok(Self {
            seed,
            scene_profile: scene_profile(marker.scene),
            customers: customers.collect(),
            working_funds: events::list_working_funds(&treasury, &tokens),
            treasury,
            tokens,
            counterparties: counterparties::sample_counterparties(seed),
            first_time_supplier: counterparties::first_time_supplier(seed),
        })
    }

    /// A listed token on a wallet's chain.
    pub(super) fn token(&self, wallet: &LedgerWallet, symbol: &str) -> Option<&ChainToken> {
        self.tokens.iter().find(|token| token.chain.slug == wallet.chain.slug && token.symbol == symbol)
    }
}
