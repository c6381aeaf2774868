//! An account or a wallet in full, opened from wherever one is named.

use super::harness::{Session, Setup};

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
