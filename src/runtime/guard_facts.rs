//! Gathers the guard's facts about a payment, from the cache and the console's orders. Blocks on the disk.

mod coverage_gaps;
mod fees;
mod known_addresses;
mod paid_recipients;
mod payments;
mod simulated_deposit;
mod swaps;
#[cfg(test)]
pub(super) mod tests;

use std::time::Duration;

use coverage_gaps::CoverageGaps;
use known_addresses::read_own_addresses;
use payments::PaymentUnderReview;

use crate::app::data::connection::{CLOCK_STEP, stale_after};
use crate::domain::address::is_same_address;
use crate::domain::history::Scope;
use crate::domain::imitation::TokenCandidate;
use crate::domain::network::network_suffix;
use crate::domain::payables::{Payable, ReferencedPayment};
use crate::domain::{
    Account, AddressBook, Amount, Batch, Blockchain, Draft, FinalStatuses, Holding, Network, Order, OrderId, Policy,
    ReportedAmount, Sender, Skew, Text, Timestamp, Token, TokenKey, Transaction, Wallet, WalletId, Withdrawal, chain,
};
use crate::guard::{self, ExpectedFee, Funds, GuardFacts, LimitUsage, RecipientFacts};
use crate::store::{OutgoingRows, Store, StoreError};

pub use known_addresses::read_own_and_paid_addresses;
pub(super) use known_addresses::{read_paid_addresses, visit_own_addresses};
pub use simulated_deposit::find_mainnet_evidence_for_deposit;

/// How many of the newest rows of the history are searched for earlier payments and their fees.
const ROWS_SEARCHED_FOR_PAYMENTS: u32 = 5_000;

#[derive(Clone, Copy)]
pub struct FactSources<'a> {
    pub store: &'a Store,
    /// The profile's orders, newest first: all that are open, and as many closed ones as the journal has, since
    /// recipients of this console's payments are trusted.
    pub orders: &'a [Order],
    pub final_statuses: &'a FinalStatuses,
    pub expected_network: Option<Network>,
    pub policy: &'a Policy,
    pub book: &'a AddressBook,
    pub skew: Skew,
    /// The refresh period; a balance older than two periods is stale.
    pub period: Duration,
}

/// The guard's facts about a draft, except a swap's quote; `None` if the draft moves no money.
pub fn gather_facts_for_draft(
    sources: &FactSources<'_>,
    draft: &Draft,
    sender: &Sender,
    now: Timestamp,
) -> Result<Option<GuardFacts>, StoreError> {
    if let Draft::Batch(request) = draft {
        return gather_facts_for_batch(sources, request, sender, now).map(Some);
    }
    let request = draft.single_payment().cloned().or_else(|| draft.sale_as_withdrawal(sender));
    request.map(|request| gather_facts_for_payment(sources, &request, sender, now)).transpose()
}

pub fn gather_facts_for_payment(
    sources: &FactSources<'_>,
    withdrawal: &Withdrawal,
    sender: &Sender,
    now: Timestamp,
) -> Result<GuardFacts, StoreError> {
    let payment = PaymentUnderReview::from_withdrawal(withdrawal, sender);
    let mut facts = gather_facts_for_recipients(sources, withdrawal, &payment, &[&withdrawal.to], sender, now)?;
    let RecipientFacts { other_payments: others, earlier_amounts: before } =
        std::mem::take(&mut facts.per_recipient).into_iter().next().unwrap_or_default();
    Ok(GuardFacts { other_payments: others, earlier_amounts: before, ..facts })
}

pub fn gather_facts_for_batch(
    sources: &FactSources<'_>,
    batch: &Batch,
    sender: &Sender,
    now: Timestamp,
) -> Result<GuardFacts, StoreError> {
    let to: Vec<&Text> = batch.to.iter().map(|to| &to.address).collect();
    gather_facts_for_recipients(
        sources,
        &batch.as_withdrawal_of_total(sender.amount),
        &PaymentUnderReview::from_batch(batch, sender),
        &to,
        sender,
        now,
    )
}

/// The facts about a payment, with those about each recipient in `per_recipient`.
fn gather_facts_for_recipients(
    sources: &FactSources<'_>,
    withdrawal: &Withdrawal,
    payment: &PaymentUnderReview<'_>,
    to: &[&Text],
    sender: &Sender,
    now: Timestamp,
) -> Result<GuardFacts, StoreError> {
    let store = sources.store;
    let withdrawal = &Withdrawal { wallet: find_paying_wallet(store, withdrawal, sender)?, ..withdrawal.clone() };
    let wallets = store.wallets(&Scope::Wallet(withdrawal.wallet.clone()), "", 0, 1)?;
    let wallet = wallets.rows.into_iter().next().map(|wallet| wallet.entry);
    let holdings = store.holdings(&Scope::Wallet(withdrawal.wallet.clone()))?;
    let tokens = store.tokens()?.map(|(tokens, _)| tokens).unwrap_or_default();
    let outgoing_rows = store.newest_outgoing_rows(ROWS_SEARCHED_FOR_PAYMENTS)?;
    let chain = listed_chain_of_payment(&tokens, withdrawal);
    let fees = fees::fees_of_similar_payments(&outgoing_rows, withdrawal, sender);
    let payments = payments::gather_payment_facts(sources, &outgoing_rows, payment, now);
    let gaps = CoverageGaps::find(sources, &outgoing_rows, now)?;
    let mut contracts = Vec::new();
    for address in to {
        contracts.extend(store.tokens_with_contract(address)?);
    }
    Ok(GuardFacts {
        expected_network: sources.expected_network,
        network_claims: collect_network_claims(store, withdrawal, sender, wallet.as_ref(), chain, &outgoing_rows)?,
        own_addresses: read_own_addresses(store)?,
        contracts,
        same_symbol: same_symbol_tokens(&holdings, withdrawal, sender),
        is_imitation: is_imitation_token(&holdings, &tokens, withdrawal, sender),
        funds: wallet_funds(sources, withdrawal, &holdings, sender, now)?,
        fee: fees.estimate,
        fee_elsewhere: fees.other_fee_token,
        payees: payments.payees,
        paid_by_history: paid_recipients::settled_recipients(&outgoing_rows, sources.final_statuses, &tokens),
        per_recipient: payments.facts_per_recipient,
        same_file_orders: payments.same_file,
        recent_payments: payments.recent,
        history_gap: gaps.comparison_gap(payments.payments_without_recipient),
        outflow_gap: gaps.counting_gap(payments.payments_without_amount),
        // If these are all rows, all of time was read.
        outflows_known_from: if outgoing_rows.is_all {
            Some(Timestamp::from_millis(i64::MIN))
        } else {
            outgoing_rows.since
        },
        outflows: payments.outflows,
        quote: None,
        recent_swaps: swaps::recent_swaps(sources, &outgoing_rows, now),
        policy: sources.policy.clone(),
        book: sources.book.clone(),
        skew: sources.skew,
        chain: chain.cloned(),
        account: paying_account(store, sender, wallet.as_ref())?,
        usual_amount: payments.usual_amount,
        wallet,
        ..GuardFacts::default()
    })
}

/// How many of the newest rows of the history are searched for payments of payables.
const ROWS_SEARCHED_FOR_PAYABLES: u32 = 500_000;

/// The payments with the reference of each payable, and whether all of the history was searched.
pub fn find_payments_of_payables(
    sources: &FactSources<'_>,
    payables: &[Payable],
    now: Timestamp,
) -> Result<(Vec<Vec<ReferencedPayment>>, bool), StoreError> {
    let outgoing_rows = sources.store.newest_outgoing_rows(ROWS_SEARCHED_FOR_PAYABLES)?;
    Ok((payments::payments_of_payables(sources, &outgoing_rows, payables, now), outgoing_rows.is_all))
}

/// The wallet that the request names; if that is a sub-wallet or unknown, the wallet at the sender's address.
fn find_paying_wallet(store: &Store, withdrawal: &Withdrawal, sender: &Sender) -> Result<WalletId, StoreError> {
    let named_wallets = store.wallets(&Scope::Wallet(withdrawal.wallet.clone()), "", 0, 1)?;
    let Some(address) = sender.address.as_ref().filter(|_| named_wallets.rows.is_empty()) else {
        return Ok(withdrawal.wallet.clone());
    };
    let at = store.wallet_addresses()?.into_iter().find(|wallet| {
        is_same_address(&wallet.address, address) && chain::is_same_chain(&wallet.blockchain, &withdrawal.blockchain)
    });
    Ok(at.map_or_else(|| withdrawal.wallet.clone(), |wallet| wallet.id))
}

/// The guard's facts about an address before it is entered into the address book.
pub fn gather_facts_for_contact(
    sources: &FactSources<'_>,
    address: &str,
    now: Timestamp,
) -> Result<GuardFacts, StoreError> {
    let (own, paid_by_history) = read_own_and_paid_addresses(sources.store, sources.final_statuses)?;
    Ok(GuardFacts {
        expected_network: sources.expected_network,
        own_addresses: own,
        contracts: sources.store.tokens_with_contract(address)?,
        payees: payments::payees_of_orders(sources.orders, sources.final_statuses, now),
        paid_by_history,
        policy: sources.policy.clone(),
        book: sources.book.clone(),
        skew: sources.skew,
        served_chains: read_served_chains(sources.store)?,
        ..GuardFacts::default()
    })
}

/// The chains that the service serves: those of its listed tokens, and those of its reported wallets.
fn read_served_chains(store: &Store) -> Result<Vec<Text>, StoreError> {
    let tokens = store.tokens()?.map(|(tokens, _)| tokens).unwrap_or_default();
    let listed_chains = tokens.into_iter().flat_map(|token| token.blockchains).map(|chain| chain.slug);
    let reported_wallets = store.wallet_addresses()?.into_iter().filter(|wallet| wallet.is_reported);
    let mut served: Vec<Text> = listed_chains.chain(reported_wallets.map(|wallet| wallet.blockchain)).collect();
    served.sort_by(|one, other| one.as_str().cmp(other.as_str()));
    served.dedup();
    Ok(served)
}

/// The expected fee of a payment of this token, before there is a payment.
pub fn estimate_fee_of_token(
    store: &Store,
    symbol: &Text,
    token: &TokenKey,
) -> Result<Option<ExpectedFee>, StoreError> {
    Ok(fees::past_fee_summary(&store.newest_outgoing_rows(ROWS_SEARCHED_FOR_PAYMENTS)?, symbol, token).estimate)
}

/// The highest fee expected of each order, from the payments that were read before it was drafted; zero where the
/// service sponsors the wallet's fees.
pub fn find_usual_fees_of_orders(
    store: &Store,
    orders: &[Order],
) -> Result<Vec<(OrderId, Option<Amount>)>, StoreError> {
    let outgoing_rows = store.newest_outgoing_rows(ROWS_SEARCHED_FOR_PAYMENTS)?;
    let usual = |order: &Order| -> Result<Option<Amount>, StoreError> {
        let draft = &order.drafted.draft;
        let Some(sender) = &order.drafted.sender else { return Ok(None) };
        let whole =
            if let Draft::Batch(batch) = draft { Some(batch.as_withdrawal_of_total(sender.amount)) } else { None };
        let Some(request) = whole.or_else(|| draft.single_payment().cloned()) else { return Ok(None) };
        let wallets = store.wallets(&Scope::Wallet(find_paying_wallet(store, &request, sender)?), "", 0, 1)?;
        let is_sponsored = wallets.rows.first().is_some_and(|wallet| wallet.entry.gasless_withdraw == Some(true));
        let nothing = is_sponsored.then(|| Amount::zero(sender.amount.decimals()));
        Ok(nothing.or_else(|| fees::usual_fee_before(&outgoing_rows, &request, sender, order.created.at)))
    };
    orders.iter().map(|order| Ok((order.id, usual(order)?))).collect()
}

/// How much of each limit of the policy was used.
pub fn compute_limit_usage(sources: &FactSources<'_>, now: Timestamp) -> Result<Vec<LimitUsage>, StoreError> {
    let outgoing_rows = sources.store.newest_outgoing_rows(ROWS_SEARCHED_FOR_PAYMENTS)?;
    let (request, sender) =
        guard::empty_payment(&Text::default(), TokenKey { blockchain: Text::default(), contract: None });
    let payment = PaymentUnderReview::from_withdrawal(&request, &sender);
    let payments = payments::gather_payment_facts(sources, &outgoing_rows, &payment, now);
    let facts = GuardFacts {
        outflow_gap: CoverageGaps::find(sources, &outgoing_rows, now)?.counting_gap(payments.payments_without_amount),
        outflows: payments.outflows,
        policy: sources.policy.clone(),
        skew: sources.skew,
        ..GuardFacts::default()
    };
    let holdings = sources.store.holdings(&Scope::All)?;
    let payable = holdings.into_iter().filter(|holding| !holding.suspicious);
    let tokens: Vec<(Text, TokenKey)> = payable.map(|holding| (holding.symbol, holding.token)).collect();
    Ok(guard::limit_usage(&facts, &tokens, now))
}

/// The payment's chain in the service's list, under its token if listed there.
fn listed_chain_of_payment<'a>(tokens: &'a [Token], withdrawal: &Withdrawal) -> Option<&'a Blockchain> {
    let on_chain =
        |token: &'a Token| token.blockchains.iter().find(|on| chain::is_same_chain(&on.slug, &withdrawal.blockchain));
    let of_token = tokens.iter().filter(|token| token.symbol == withdrawal.token).find_map(on_chain);
    of_token.or_else(|| tokens.iter().find_map(on_chain))
}

/// Tokens with the payment's symbol in the wallet on its chain; other tokens with a balance of zero do not count.
fn same_symbol_tokens(holdings: &[Holding], withdrawal: &Withdrawal, sender: &Sender) -> Vec<TokenKey> {
    let is_gone = |holding: &Holding| {
        holding.amount.as_ref().and_then(ReportedAmount::exact).is_some_and(Amount::is_zero)
            && holding.token != sender.token
    };
    let of_symbol = holdings.iter().filter(|holding| {
        holding.symbol.eq_ignore_ascii_case(&withdrawal.token)
            && chain::is_same_chain(&holding.token.blockchain, &withdrawal.blockchain)
    });
    of_symbol.filter(|holding| !is_gone(holding)).map(|holding| holding.token.clone()).collect()
}

fn is_imitation_token(holdings: &[Holding], tokens: &[Token], withdrawal: &Withdrawal, sender: &Sender) -> bool {
    let name = holdings.iter().find(|holding| holding.token == sender.token).and_then(|holding| holding.name.as_ref());
    let decimals = Some(sender.amount.decimals());
    TokenCandidate { token: &sender.token, symbol: &withdrawal.token, name, decimals }.imitates(tokens)
}

fn wallet_funds(
    sources: &FactSources<'_>,
    withdrawal: &Withdrawal,
    holdings: &[Holding],
    sender: &Sender,
    now: Timestamp,
) -> Result<Option<Funds>, StoreError> {
    let Some(holding) = holdings.iter().find(|holding| holding.token == sender.token) else { return Ok(None) };
    let is_old = |as_of: Option<Timestamp>| as_of.is_none_or(|as_of| is_balance_stale(as_of, now, sources.period));
    let amount = holding.amount.as_ref().and_then(ReportedAmount::exact);
    // Readings of different moments may agree by chance; the polls are independent, so two periods may lie between.
    let head_at = sources.store.newest_rows_synced_at()?;
    let apart = stale_after(sources.period);
    let are_of_one_time = head_at
        .zip(holding.as_of)
        .is_some_and(|(head, balance)| balance.age(head) <= apart && head.age(balance) <= apart);
    let history = if is_old(head_at) || !are_of_one_time {
        None
    } else {
        sources.store.wallet_balance_from_history(&withdrawal.wallet, &sender.token)?
    };
    let adds_up = amount.zip(history).is_some_and(|(reported_balance, sum)| reported_balance.cmp_value(sum).is_eq());
    Ok(Some(Funds {
        amount,
        basis: holding.basis,
        as_of: holding.as_of,
        is_stale: is_old(holding.as_of),
        matches_history: adds_up,
    }))
}

/// A time in the future comes from a clock that was ahead, and proves nothing about age.
fn is_balance_stale(as_of: Timestamp, now: Timestamp, period: Duration) -> bool {
    as_of.age(now) > stale_after(period) || now.age(as_of) > CLOCK_STEP
}

fn paying_account(store: &Store, sender: &Sender, wallet: Option<&Wallet>) -> Result<Option<Account>, StoreError> {
    let id = sender.account.as_ref().or_else(|| wallet.and_then(|wallet| wallet.account.as_ref()));
    let Some(id) = id else { return Ok(None) };
    Ok(store.accounts()?.into_iter().map(|account| account.entry).find(|account| account.id == *id))
}

/// Every network name in the data around the payment, each with its source.
fn collect_network_claims(
    store: &Store,
    withdrawal: &Withdrawal,
    sender: &Sender,
    wallet: Option<&Wallet>,
    blockchain: Option<&Blockchain>,
    outgoing_rows: &OutgoingRows,
) -> Result<Vec<(String, Text)>, StoreError> {
    let mut claims: Vec<(String, Text)> = Vec::new();
    if let Some(network) = network_suffix(&withdrawal.blockchain) {
        claims.push((format!("chain {}", withdrawal.blockchain), network.into()));
    }
    if let Some(is_testnet) = blockchain.and_then(|chain| chain.is_testnet) {
        let network = if is_testnet { "testnet" } else { "mainnet" };
        claims.push((format!("chain {}", withdrawal.blockchain), network.into()));
    }
    if let Some(network) = wallet.and_then(|wallet| wallet.network.as_ref()) {
        claims.push(("the wallet".into(), network.clone()));
    }
    let network = paying_account(store, sender, wallet)?.and_then(|account| account.network);
    claims.extend(network.map(|network| ("the account".to_owned(), network)));
    let user = sender.user.as_ref().or_else(|| wallet.and_then(|wallet| wallet.user.as_ref()));
    if let Some((balances, _)) = user.map(|user| store.balances_of_user(user)).transpose()?.flatten() {
        let balance = balances.into_iter().find(|balance| balance.token == sender.token);
        let network = balance.and_then(|balance| balance.environment);
        claims.extend(network.map(|network| ("the balance".to_owned(), network)));
    }
    let newest = outgoing_rows.outgoing.iter().find(|(_, row)| row.wallet.as_ref() == Some(&withdrawal.wallet));
    if let Some((_, Transaction { network, environment, .. })) = newest {
        let payment_networks = [network, environment].into_iter().flatten();
        claims.extend(payment_networks.map(|network| ("the wallet's last payment".to_owned(), network.clone())));
    }
    Ok(claims)
}
