//! Invented transactions, all from a number.

use std::path::Path;

use ruint::aliases::U256;

use crate::domain::{
    AccountId, Amount, Direction, ReportedAmount, Status, SubType, Text, Timestamp, TokenKey, Transaction,
    TransactionId, UserId, WalletId,
};
use crate::store::{CacheLocation, Store};

/// A cheap, even mixer of bits (`SplitMix64`).
pub(super) fn mix_bits(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

pub(super) fn hex(seed: u64, digits: usize) -> String {
    let bytes: Vec<u8> =
        (0..5).flat_map(|block| mix_bits(seed.wrapping_mul(31).wrapping_add(block)).to_be_bytes()).collect();
    let mut text = ::hex::encode(bytes);
    text.truncate(digits);
    text
}

pub(super) fn uuid(seed: u64) -> String {
    let hex = hex(seed, 32);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

pub(super) fn amount(raw: u64, decimals: u8) -> Option<ReportedAmount> {
    Amount::new(U256::from(raw), decimals).map(ReportedAmount::Exact)
}

/// A transaction; the same number gives the same one.
pub(in crate::store) fn transaction(number: u64, direction: &Direction, time: Option<i64>) -> Transaction {
    let dice = |sides: u64, salt: u64| mix_bits(number.wrapping_mul(977).wrapping_add(salt)) % sides;
    let symbols = [("USDT", "Tether USD", "ethereum", 6), ("ETH", "Ether", "base", 18), ("SOL", "Solana", "solana", 9)];
    let (symbol, name, chain, decimals) = symbols[usize::try_from(dice(3, 1)).unwrap()];
    let wallet = dice(7, 2) + 10 * dice(3, 1);
    let pending = dice(5, 3) == 0;
    let text = |text: String| Some(Text::clean(&text));
    let own = text(format!("0x{}", hex(wallet, 40)));
    let other = match dice(4, 4) {
        0 => text(format!("0xAb{}", hex(number + 5, 38))),
        1 => None,
        2 => text(format!("7Xk{}pQ", hex(number + 6, 30))),
        _ => text(format!("0x{}", hex(number + 7, 40))),
    };
    let outgoing = *direction == Direction::Outgoing;
    let (from_address, to_address) = if outgoing { (own, other) } else { (other, own) };
    let raw = 1 + dice(5_000_000_000, 5);
    Transaction {
        id: TransactionId::from_text(&uuid(number)),
        direction: direction.clone(),
        sub_type: Some(if outgoing { SubType::Withdraw } else { SubType::Deposit }),
        status: Some(if pending { Status::Pending } else { Status::Success }),
        token: TokenKey {
            blockchain: Text::clean(chain),
            contract: (symbol == "USDT").then(|| Text::clean("0xdac17f958d2ee523a2206206994597c13d831ec7")),
        },
        symbol: Text::clean(symbol),
        token_name: (dice(9, 6) > 0).then(|| Text::clean(name)),
        standard: Some(Text::clean("ERC20")),
        amount: if dice(20, 7) == 0 { None } else { amount(raw, decimals) },
        total_amount: amount(raw + 10, decimals),
        total_fee: amount(10, decimals),
        fee_token: Some(Text::clean(symbol)),
        fee_level: Some(Text::clean("normal")),
        protocol: Some(Text::clean("EVM")),
        environment: Some(Text::clean("mainnet")),
        network: Some(Text::clean("mainnet")),
        from_address,
        to_address,
        tx_hash: (dice(6, 8) > 0).then(|| Text::clean(&format!("0x{}", hex(number + 9, 64)))),
        confirmation: Some(dice(12, 9)),
        confirmed: Some(!pending),
        confirmed_at: None,
        created_at: time.map(Timestamp::from_millis),
        is_batch: Some(dice(50, 10) == 0),
        ref_id: (dice(3, 11) == 0).then(|| Text::clean(&format!("order-{}", dice(1000, 12)))),
        idempotency_key: outgoing.then(|| Text::clean(&uuid(number + 1_000_000))),
        note: (dice(4, 13) == 0).then(|| {
            Text::clean(["Rückzahlung Ärger", "café", "salary 2026", "x"][usize::try_from(dice(4, 14)).unwrap()])
        }),
        trigger_origin: None,
        group: None,
        user: Some(UserId::from_text(&uuid(wallet + 500))),
        wallet: Some(WalletId::from_text(&uuid(wallet + 600))),
        account: Some(AccountId::from_text(&uuid(wallet % 2 + 700))),
        unreadable: Vec::new(),
    }
}

/// A transaction of which every third one is between two wallets of the same chain, or is a sweep.
pub(super) fn transaction_maybe_internal(number: u64, direction: &Direction, time: Option<i64>) -> Transaction {
    let mut row = transaction(number, direction, time);
    let chain = ["ethereum", "base", "solana"].iter().position(|chain| *chain == &*row.token.blockchain).unwrap_or(0);
    let address = format!("0x{}", hex(10 * chain as u64 + mix_bits(number + 3) % 7, 40));
    let address = if number.is_multiple_of(2) { address.to_uppercase().replacen("0X", "0x", 1) } else { address };
    let other = if *direction == Direction::Outgoing { &mut row.to_address } else { &mut row.from_address };
    match mix_bits(number + 4) % 6 {
        0 | 1 => *other = Some(Text::clean(&address)),
        2 => row.sub_type = Some(SubType::Sweep),
        _ => {}
    }
    row
}

/// Whether a transaction is between wallets that these transactions name.
pub(super) fn is_between_own_wallets(transaction: &Transaction, all: &[Transaction]) -> bool {
    let is_own = |other: &Text| {
        all.iter().any(|other_row| {
            other_row.token.blockchain == transaction.token.blockchain
                && other_row.own_wallet_address().is_some_and(|own| own.eq_ignore_ascii_case(other))
        })
    };
    transaction.sub_type == Some(SubType::Sweep) || transaction.counterparty().is_some_and(is_own)
}

pub(super) fn temporary_store() -> Store {
    Store::open(&CacheLocation::Temporary).unwrap().store
}

pub(super) fn store_in_folder(folder: &Path) -> Store {
    Store::open(&CacheLocation::Folder(folder.to_owned())).unwrap().store
}

pub(super) fn now(minute: i64) -> Timestamp {
    Timestamp::from_millis(1_790_000_000_000 + minute * 60_000)
}
