//! Events of the sample business: one payment each.

use ruint::aliases::U256;

use super::counterparties::{self, Counterparty, CounterpartyKind};
use super::sample_business::{BusinessState, CustomerWallet};
use super::timeline::Timeline;
use super::{SAMPLE_SETTING, SampleMarker, amounts, script, seed_stream};
use crate::domain::{Amount, MemoUsage, Timestamp};
use crate::service::ledger::{
    ChainToken, LedgerWallet, PaymentReferences, RequestError, UnitOfWork, end_bulk_insert, store_setting,
};
use crate::service::rng::Rng;

/// The treasury's initial funds: chain, symbol, amount. SHIB exceeds 2^96 smallest units and is never moved again.
const INITIAL_FUNDS: [(&str, &str, &str); 22] = [
    ("ethereum", "USDT", "1204331.204512"),
    ("ethereum", "ETH", "210.000412"),
    ("base", "USDC", "640000"),
    ("base", "ETH", "38.5"),
    ("bsc", "USDT", "415200.5"),
    ("bsc", "BNB", "880"),
    ("polygon", "USDC", "232000"),
    ("polygon", "POL", "310000"),
    ("solana", "USDC", "505000"),
    ("solana", "SOL", "5900"),
    ("ethereum", "USDC", "720000"),
    ("ethereum", "DAI", "118000"),
    ("ethereum", "LINK", "14250"),
    ("ethereum", "WBTC", "3.21"),
    ("bsc", "USDC", "96000"),
    ("polygon", "USDT", "88000"),
    ("solana", "USDT", "104000"),
    ("ethereum", "SHIB", "589500000000000.123456789012345678"),
    ("tron", "USDT", "364000"),
    ("tron", "TRX", "92000"),
    ("bitcoin", "BTC", "6.75"),
    ("xrp", "XRP", "185000"),
];

/// Tokens that the treasury pays and is paid in.
const TREASURY_TOKENS: [&str; 8] = ["USDT", "USDC", "ETH", "BNB", "POL", "SOL", "DAI", "LINK"];

/// Tokens moved in and out of the vaults, with weights.
const VAULT_TOKENS: [(&str, &str, u64); 4] =
    [("tron", "USDT", 4), ("tron", "TRX", 1), ("bitcoin", "BTC", 3), ("xrp", "XRP", 3)];

/// Tokens that customers deposit, with weights.
const CUSTOMER_TOKENS: [(&str, u64); 6] = [("USDT", 10), ("USDC", 10), ("ETH", 4), ("BNB", 3), ("POL", 2), ("SOL", 4)];

/// Plays history events until about `batch` rows exist or the history is complete. Returns the marker for the next
/// batch, which is stored in the same commit, and the rows so far.
pub(super) fn play_history_batch(
    books: &mut UnitOfWork<'_>,
    business: &BusinessState,
    mut marker: SampleMarker,
    batch: u64,
) -> Result<(SampleMarker, u64), RequestError> {
    let present = Timestamp::from_millis(marker.start);
    let script = business.scene_profile.script_unless_history_too_short(marker.transactions);
    let scripted_rows = |lines: &[script::ScriptEvent]| lines.iter().map(script::ScriptEvent::row_count).sum::<u64>();
    let before = marker.transactions - scripted_rows(script);
    let timeline = Timeline::new(before, present, &business.scene_profile.history);
    books.settle_at_once_until(present);
    let until = (books.workspace().transaction_count() + batch).min(marker.transactions);
    while books.workspace().transaction_count() < until {
        let event = marker.next_event;
        let mut rng = Rng::new(business.seed, seed_stream::HISTORY_EVENTS + event);
        books.draw_ids_from(Rng::new(business.seed, seed_stream::HISTORY_IDS + event));
        let (lines_before, lines) = script.split_at(usize::try_from(marker.next_line).unwrap_or(0).min(script.len()));
        // Rows beyond those of the script, so far.
        let rows = books.workspace().transaction_count() - scripted_rows(lines_before);
        let time = (rows < before).then(|| timeline.event_time(rows, rng.draw()));
        match (lines.first(), time) {
            (Some(line), time) if time.is_none_or(|time| line.time(present) <= time) => {
                books.advance_to(line.time(present));
                line.play(books, business, &mut Rng::new(business.seed, seed_stream::HISTORY_EVENTS + event))?;
                marker.next_line += 1;
            }
            (_, time) => {
                books.advance_to(time.unwrap_or(present));
                // A payment between two wallets of the business makes two rows; at the end there may be room for one only.
                let room = before.saturating_sub(rows);
                play_event(books, business, &mut rng, event, room)?;
            }
        }
        marker.next_event += 1;
    }
    let rows = books.workspace().transaction_count();
    marker.done = rows >= marker.transactions;
    if marker.done {
        end_bulk_insert(books.connection)?;
    }
    store_setting(books.connection, SAMPLE_SETTING, &marker.to_json()?)?;
    Ok((marker, rows))
}

/// Plays one event, which adds at least one row and at most `room`.
pub(super) fn play_event(
    books: &mut UnitOfWork<'_>,
    business: &BusinessState,
    rng: &mut Rng,
    event: u64,
    room: u64,
) -> Result<(), RequestError> {
    if let Some((chain, symbol, amount)) = usize::try_from(event).ok().and_then(|event| INITIAL_FUNDS.get(event)) {
        return receive_initial_funds(books, business, chain, symbol, amount);
    }
    if let Some(attacks) = &business.scene_profile.attacks {
        match event % attacks.every_events {
            nth if nth == attacks.imitation_remainder => return receive_phishing_dust(books, business, rng),
            nth if nth == attacks.dust_remainder => return poison_history(books, business, rng),
            _ => {}
        }
    }
    if event % 97 == 71 {
        return transfer_between_vault_and_exchange(books, business, rng);
    }
    match rng.weighted(&[46, 24, 11, 12, 7]) {
        0 => customer_pays_in(books, business, rng),
        1 => treasury_pays(books, business, rng),
        2 => treasury_receives(books, business, rng),
        3 if room > 1 => customer_buys(books, business, rng),
        _ => customer_withdraws(books, business, rng),
    }
}

fn receive_initial_funds(
    books: &mut UnitOfWork<'_>,
    business: &BusinessState,
    chain: &str,
    symbol: &str,
    amount: &str,
) -> Result<(), RequestError> {
    let broken = || RequestError::Internal(format!("the sample cannot be funded with {amount} {symbol} on {chain}"));
    let wallet = business.treasury.iter().find(|wallet| wallet.chain.slug == chain).ok_or_else(broken)?;
    let token = business.token(wallet, symbol).ok_or_else(broken)?;
    let raw = Amount::parse(amount, token.decimals).map_err(|_| broken())?.raw();
    let from = nth_exchange(business, 0).ok_or_else(broken)?.address(wallet.chain.family);
    // A chain may drop a payment; the founders would pay again, so initial funds always arrive.
    books.receive_payment_that_succeeds(wallet, token, raw, &from)?;
    Ok(())
}

fn nth_exchange(business: &BusinessState, n: u64) -> Option<&Counterparty> {
    let exchanges: Vec<_> =
        business.counterparties.iter().filter(|counterparty| counterparty.kind == CounterpartyKind::Exchange).collect();
    let index = usize::try_from(n % exchanges.len().max(1) as u64).ok()?;
    exchanges.get(index).copied()
}

fn no_exchange_error() -> RequestError {
    RequestError::Internal("the sample business knows no exchange".into())
}

/// A random customer: a few are busy, most are not.
fn random_customer<'a>(business: &'a BusinessState, rng: &mut Rng) -> Result<&'a CustomerWallet, RequestError> {
    let count = business.customers.len() as u64;
    let index = rng.below(count).min(rng.below(count));
    let customer = usize::try_from(index).ok().and_then(|index| business.customers.get(index));
    customer.ok_or_else(|| RequestError::Internal("the sample business has no customers".into()))
}

fn random_customer_token<'a>(
    business: &'a BusinessState,
    wallet: &LedgerWallet,
    rng: &mut Rng,
) -> Result<&'a ChainToken, RequestError> {
    let tokens: Vec<_> = CUSTOMER_TOKENS
        .iter()
        .filter_map(|(symbol, weight)| business.token(wallet, symbol).map(|token| (token, *weight)))
        .collect();
    let weights: Vec<u64> = tokens.iter().map(|(_, weight)| *weight).collect();
    let chosen = tokens.get(rng.weighted(&weights)).map(|(token, _)| *token);
    chosen.ok_or_else(|| RequestError::Internal("a wallet's chain has no customary token".into()))
}

fn customer_pays_in(books: &mut UnitOfWork<'_>, business: &BusinessState, rng: &mut Rng) -> Result<(), RequestError> {
    let CustomerWallet { wallet, outside_address } = random_customer(business, rng)?;
    let token = random_customer_token(business, wallet, rng)?;
    let raw = amounts::cents_to_token_units(&token.symbol, token.decimals, amounts::random_payment_cents(rng));
    books.receive_payment(wallet, token, raw, outside_address)?;
    Ok(())
}

/// A customer's wallet with a balance, its token, and a part of the balance to spend.
fn find_customer_with_balance<'a>(
    books: &mut UnitOfWork<'_>,
    business: &'a BusinessState,
    rng: &mut Rng,
) -> Result<Option<(&'a CustomerWallet, &'a ChainToken, U256)>, RequestError> {
    for _ in 0..6 {
        let customer = random_customer(business, rng)?;
        let wallet = &customer.wallet;
        let token = random_customer_token(business, wallet, rng)?;
        let has = books.spendable_balance(wallet.no, token.no)?;
        if has.is_zero() {
            continue;
        }
        let free = has.saturating_sub(wallet.withdrawal_fee(token));
        let part = amounts::truncate_fraction_digits(
            amounts::percent_of(free, rng.in_range(25, 95)),
            token.decimals,
            token.decimals.min(6),
        );
        if !part.is_zero() {
            return Ok(Some((customer, token, part)));
        }
    }
    Ok(None)
}

/// A customer pays the business from one wallet of the service to another.
fn customer_buys(books: &mut UnitOfWork<'_>, business: &BusinessState, rng: &mut Rng) -> Result<(), RequestError> {
    let Some((CustomerWallet { wallet, .. }, token, raw)) = find_customer_with_balance(books, business, rng)? else {
        return customer_pays_in(books, business, rng);
    };
    let Some(shop) = business.treasury.iter().find(|shop| shop.chain.slug == wallet.chain.slug) else {
        return customer_pays_in(books, business, rng);
    };
    let order = format!("ORD-{}", 40_000 + rng.below(60_000));
    let references = PaymentReferences { ref_id: Some(&order), note: None, key: Some(books.new_id()), tag: None };
    books.insert_payment(wallet, token, &shop.address, raw, &references)?;
    Ok(())
}

fn customer_withdraws(books: &mut UnitOfWork<'_>, business: &BusinessState, rng: &mut Rng) -> Result<(), RequestError> {
    let Some((CustomerWallet { wallet, outside_address }, token, raw)) =
        find_customer_with_balance(books, business, rng)?
    else {
        return customer_pays_in(books, business, rng);
    };
    let references =
        PaymentReferences { ref_id: None, note: Some("customer withdrawal"), key: Some(books.new_id()), tag: None };
    books.insert_payment(wallet, token, outside_address, raw, &references)?;
    Ok(())
}

/// A treasury wallet, a working token on it, and the initial amount.
fn random_working_funds<'a>(
    business: &'a BusinessState,
    rng: &mut Rng,
) -> Result<(&'a LedgerWallet, &'a ChainToken, U256), RequestError> {
    let chosen = rng.pick(&business.working_funds);
    let funds = chosen.and_then(|(wallet, token, initial_amount)| {
        Some((business.treasury.get(*wallet)?, business.tokens.get(*token)?, *initial_amount))
    });
    funds.ok_or_else(|| RequestError::Internal("the sample business has no treasury".into()))
}

/// Indexes of treasury wallets and their working tokens, with the initial amounts.
pub(super) fn list_working_funds(treasury: &[LedgerWallet], tokens: &[ChainToken]) -> Vec<(usize, usize, U256)> {
    let is_vaulted = |chain: &str| VAULT_TOKENS.iter().any(|(vault, ..)| *vault == chain);
    INITIAL_FUNDS
        .iter()
        .filter(|(chain, symbol, _)| TREASURY_TOKENS.contains(symbol) && !is_vaulted(chain))
        .filter_map(|(chain, symbol, amount)| {
            let wallet = treasury.iter().position(|wallet| wallet.chain.slug == *chain)?;
            let token = tokens.iter().position(|token| token.chain.slug == *chain && token.symbol == *symbol)?;
            let initial_amount = Amount::parse(amount, tokens.get(token)?.decimals).ok()?.raw();
            Some((wallet, token, initial_amount))
        })
        .collect()
}

/// The treasury pays a supplier, its staff or an exchange. Below half of its initial funds an exchange pays it instead,
/// so that it never runs dry.
fn treasury_pays(books: &mut UnitOfWork<'_>, business: &BusinessState, rng: &mut Rng) -> Result<(), RequestError> {
    let (wallet, token, initial_amount) = random_working_funds(business, rng)?;
    let has = books.spendable_balance(wallet.no, token.no)?;
    if has < amounts::percent_of(initial_amount, 50) {
        return receive_from_exchange(books, business, rng, wallet, token, amounts::percent_of(initial_amount, 40));
    }
    let Some(to) = rng.pick(&business.counterparties) else {
        return customer_pays_in(books, business, rng);
    };
    let usual = amounts::cents_to_token_units(
        &token.symbol,
        token.decimals,
        amounts::random_payment_cents(rng).saturating_mul(6),
    );
    // Surplus goes to an exchange; any other payment is a small part of the balance.
    let raw = if to.kind == CounterpartyKind::Exchange && has > amounts::percent_of(initial_amount, 150) {
        amounts::truncate_fraction_digits(amounts::percent_of(has, 30), token.decimals, 2)
    } else {
        usual.min(amounts::truncate_fraction_digits(amounts::percent_of(has, 8), token.decimals, token.decimals.min(6)))
    };
    if raw.is_zero() {
        return customer_pays_in(books, business, rng);
    }
    let (reference, note) = (to.reference(rng), to.note());
    let references =
        PaymentReferences { ref_id: Some(&reference), note: Some(&note), key: Some(books.new_id()), tag: None };
    books.insert_payment(wallet, token, &to.address(wallet.chain.family), raw, &references)?;
    Ok(())
}

/// An exchange pays the treasury; above twice its initial funds the treasury pays instead.
fn treasury_receives(books: &mut UnitOfWork<'_>, business: &BusinessState, rng: &mut Rng) -> Result<(), RequestError> {
    let (wallet, token, initial_amount) = random_working_funds(business, rng)?;
    if books.spendable_balance(wallet.no, token.no)? > amounts::percent_of(initial_amount, 200) {
        return treasury_pays(books, business, rng);
    }
    let usual = amounts::cents_to_token_units(
        &token.symbol,
        token.decimals,
        amounts::random_payment_cents(rng).saturating_mul(9),
    );
    receive_from_exchange(books, business, rng, wallet, token, usual)
}

fn receive_from_exchange(
    books: &mut UnitOfWork<'_>,
    business: &BusinessState,
    rng: &mut Rng,
    wallet: &LedgerWallet,
    token: &ChainToken,
    raw: U256,
) -> Result<(), RequestError> {
    let from = nth_exchange(business, rng.draw()).ok_or_else(no_exchange_error)?;
    books.receive_payment(wallet, token, raw, &from.address(wallet.chain.family))?;
    Ok(())
}

/// An exchange pays into a vault, or a vault pays an exchange a tenth of its balance.
fn transfer_between_vault_and_exchange(
    books: &mut UnitOfWork<'_>,
    business: &BusinessState,
    rng: &mut Rng,
) -> Result<(), RequestError> {
    let weights = VAULT_TOKENS.map(|(.., weight)| weight);
    let (chain, symbol, _) = VAULT_TOKENS[rng.weighted(&weights).min(VAULT_TOKENS.len() - 1)];
    let vault = business.treasury.iter().find(|wallet| wallet.chain.slug == chain);
    let Some((vault, token)) = vault.and_then(|vault| Some((vault, business.token(vault, symbol)?))) else {
        return customer_pays_in(books, business, rng);
    };
    let tenth = amounts::truncate_fraction_digits(
        amounts::percent_of(books.spendable_balance(vault.no, token.no)?, 10),
        token.decimals,
        4,
    );
    if tenth.is_zero() || rng.one_in(2) {
        let usual = amounts::cents_to_token_units(
            &token.symbol,
            token.decimals,
            amounts::random_payment_cents(rng).saturating_mul(40),
        );
        return receive_from_exchange(books, business, rng, vault, token, usual);
    }
    let to = nth_exchange(business, rng.draw()).ok_or_else(no_exchange_error)?;
    // On chains with tags, an exchange has one address for all its customers.
    let tag = (vault.chain.memo == MemoUsage::Common).then(|| to.tag());
    let references = PaymentReferences {
        ref_id: None,
        note: Some("out of the vault"),
        key: Some(books.new_id()),
        tag: tag.as_deref(),
    };
    books.insert_payment(vault, token, &to.address(vault.chain.family), tenth, &references)?;
    Ok(())
}

/// Dust of an unlisted token whose name is a phishing link.
fn receive_phishing_dust(
    books: &mut UnitOfWork<'_>,
    business: &BusinessState,
    rng: &mut Rng,
) -> Result<(), RequestError> {
    let (_, sender) = counterparties::imitation_contract_and_sender(business.seed);
    let on_ethereum = |wallet: &&LedgerWallet| wallet.chain.slug == "ethereum";
    let wallet = match business.treasury.iter().find(on_ethereum) {
        Some(treasury) if rng.one_in(2) => treasury,
        Some(treasury) => {
            let customers: Vec<_> =
                business.customers.iter().map(|customer| &customer.wallet).filter(on_ethereum).take(200).collect();
            rng.pick(&customers).copied().unwrap_or(treasury)
        }
        None => return customer_pays_in(books, business, rng),
    };
    let token = script::ensure_imitation_token(books, business, wallet)?;
    books.receive_payment(wallet, &token, U256::from(rng.in_range(1, 9)), &sender)?;
    Ok(())
}

/// Address poisoning: a zero or tiny payment from an address that looks like one that is paid often, for an operator
/// who copies addresses from the history.
fn poison_history(books: &mut UnitOfWork<'_>, business: &BusinessState, rng: &mut Rng) -> Result<(), RequestError> {
    let victim = business.counterparties.first();
    let treasury = business.treasury.iter().find(|wallet| wallet.chain.slug == "ethereum");
    let (Some(victim), Some(wallet)) = (victim, treasury) else {
        return customer_pays_in(books, business, rng);
    };
    let Some(token) = business.token(wallet, "USDT") else { return customer_pays_in(books, business, rng) };
    books.receive_payment(wallet, token, U256::from(rng.below(3)), &victim.look_alike_address(business.seed))?;
    Ok(())
}
