//! An account or a wallet in full, opened from wherever one is named.

use std::time::Duration;

use bursar::service::ledger::DepositToken;

use super::guard_rules::rare_cases::gives;
use super::guard_rules::wallet;
use super::harness::{Session, Setup};

const MINUTE: Duration = Duration::from_mins(1);
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

#[test]
fn a_wallet_shows_every_field_of_the_service_its_balances_limits_and_newest_transactions() {
    let mut session = Session::with(Setup { size: (100, 60), ..Setup::default() });
    session.keys("Tab j I");
    session.settle();
    for name in [
        "Name",
        "Address",
        "Chain",
        "Protocol",
        "EVM-compatible",
        "Network",
        "Kind            smart_wallet",
        "Intent",
        "Custody         DEVELOPER",
        "State           LIVE",
        "Gasless",
        "Auto-sweep",
        "Decimals",
        "Account",
        "User",
        "Reference",
        "Created",
        "Updated",
        "Balances",
        "Limits",
        "Newest",
    ] {
        session.sees(name);
    }
    // From a wallet to its account.
    session.keys("I");
    session.settle();
    for name in ["EVM address     0x", "EVM reference", "Solana address", "Solana ref.", "Wallets", "Kind", "Updated"] {
        session.sees(name);
    }
    session.keys("Esc");
    session.sees("Accounts");
}

#[test]
fn a_transaction_leads_to_its_wallet_and_under_the_veil_the_page_names_nobody() {
    let mut session = Session::with(Setup { size: (100, 60), ..Setup::default() });
    session.keys("3 j Enter I");
    session.settle();
    session.sees("Custody         DEVELOPER");
    let name = session.line(" Name  ").replace("Name", "").trim().to_owned();
    assert!(name.len() > 3, "{name}");
    session.keys("p");
    session.sees("Custody");
    session.sees_no(&name);
}

#[test]
fn what_is_copied_from_a_record_is_of_the_record_and_not_of_the_row_below_it() {
    let mut session = Session::with(Setup { size: (100, 60), ..Setup::default() });
    session.keys("3 j Enter I");
    session.settle();
    session.sees("Custody         DEVELOPER");
    session.keys("y");
    session.sees("Wallet id");
    session.sees_no("Counterparty address");
}

#[test]
fn a_wallet_lists_its_balances_by_value_and_leaves_out_rows_that_deceive() {
    const FALSE: &str = "U\u{405}DT";
    let mut session = Session::with(Setup { size: (100, 80), poll_period: MINUTE, ..Setup::default() });
    let (ops, _) = wallet(&session, |name, _| name == "base-ops");
    let spoof = DepositToken::Unlisted {
        contract: STRANGER.into(),
        symbol: FALSE.into(),
        name: "Tether USD".into(),
        decimals: 6,
    };
    gives(&session, ops, spoof, 7_654_321_000_000, STRANGER);
    session.passes(5 * MINUTE);
    session.keys("Tab / 'base-ops' Enter j I");
    session.settle();
    session.sees("1 of the newest 12 are left out: they deceive");
    session.sees_no(FALSE);
    session.sees("1 more imitate listed tokens");
    // From the wallet to its account, which holds more tokens.
    for keys in ["", "I"] {
        session.keys(keys);
        session.settle();
        let screen = session.screen();
        let balances = screen.lines().skip_while(|line| !line.starts_with(" Balances"));
        let balances = balances.take_while(|line| !line.starts_with(" Limits") && !line.contains("imitate"));
        let values: Vec<Option<u64>> =
            balances.map(|line| line.split_once(" ≈ ").map(|(_, worth)| cents(worth))).collect();
        assert!(values.len() > 1 && values.is_sorted_by(|one, next| one >= next), "{values:?}\n{screen}");
    }
}

/// A short value such as `1.20M USDT`.
fn cents(worth: &str) -> u64 {
    let figure = worth.split(' ').next().unwrap();
    let (digits, scale) = match figure.chars().last().unwrap() {
        'k' => (&figure[..figure.len() - 1], 100_000),
        'M' => (&figure[..figure.len() - 1], 100_000_000),
        _ => (figure, 100),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction: u64 = format!("{fraction:0<2}")[..2].parse().unwrap();
    whole.replace(',', "").parse::<u64>().unwrap() * scale + fraction * scale / 100
}
