//! The way of a newcomer, at 80×24 and with only the screen to go by: from a service that was just started to a payment
//! that is settled.

use bursar::service::{self, Options, Pace, ServiceClock};
use secrecy::ExposeSecret;

use super::crashes::{STRANGER, confirms};
use super::pty::PtySession;

#[test]
fn from_a_fresh_service_to_a_settled_payment_with_only_the_screen_to_go_by() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let options =
        Options { clock: ServiceClock::System, pace: Pace::per_mille(10_000).unwrap(), ..Options::temporary() };
    let service = runtime.block_on(service::start(options)).unwrap();
    let tap = service.record_requests();
    let keys = service.credentials().unwrap();
    let home = tempfile::tempdir().unwrap();
    let bus_address = format!("unix:path={}", home.path().join("no-bus").display());
    let variables = [("HOME", home.path().to_str().unwrap()), ("DBUS_SESSION_BUS_ADDRESS", bus_address.as_str())];
    let mut terminal = PtySession::open_with(&[], &variables);

    // The set-up: an address, a network, a place for the keys, and the keys.
    terminal.waits_for("s  set up a service of your own");
    terminal.types("s");
    terminal.waits_for("base address");
    terminal.types("\r\x15http://127.0.0.1:1\r\x1b[C\r");
    terminal.waits_for("f  store the keys in an encrypted file");
    let (api_key, wallet_secret) = (keys.api_key.expose_secret(), keys.wallet_secret.expose_secret());
    let types_keys = |first: &str, second: &str| {
        terminal.types("f");
        terminal.waits_for("passphrase");
        terminal.types(&format!("{first}\r{second}\rcorrect horse\rcorrect horse\r"));
    };
    types_keys(api_key, wallet_secret);
    terminal.waits_for("service unreachable");
    terminal.waits_for("goes back to the address");
    // A wrong address is put right, and so are two secrets in each other's place.
    terminal.types("\x1b");
    terminal.waits_for("http://127.0.0.1:1");
    terminal.waits_for("environment");
    terminal.types(&format!("\r\x15{}\r\r", service.base_url()));
    terminal.waits_for("f  store the keys in an encrypted file");
    types_keys(wallet_secret, api_key);
    terminal.waits_for("the service rejected this API key");
    terminal.types("\x1b");
    terminal.waits_for("A service of your own");
    terminal.types("\r\r\r");
    terminal.waits_for("f  store the keys in an encrypted file");
    types_keys(api_key, wallet_secret);
    terminal.waits_for("the keys are stored");
    terminal.types("\r");

    // An account, and a wallet in it.
    terminal.waits_for("no accounts known yet; n creates one");
    terminal.types("n");
    terminal.waits_for("a New account");
    terminal.types("a");
    terminal.waits_for("the account's name");
    terminal.types("Till\r\r");
    terminal.waits_for("─ Ready ─");
    terminal.types("\r");
    terminal.waits_for("account Till created");
    // The wallet's form opens with the account that is listed and selected.
    terminal.waits_for_no("no accounts known yet");
    terminal.types("nw");
    terminal.waits_for("cannot be changed later");
    terminal.types("base\rdesk\r\r\r\r");
    terminal.waits_for("desk");
    terminal.types("\r");
    terminal.waits_for("─ Ready ─");
    terminal.types("\r");
    terminal.waits_for("wallet desk created on Base");
    terminal.waits_for("desk                     Base       0x");

    // Money to pay with, which only a test service can pretend.
    terminal.types("a");
    terminal.waits_for("d deposit");
    terminal.types("d");
    terminal.waits_for("arrives in desk on Base");
    terminal.types("usd");
    terminal.waits_for("USD Coin");
    terminal.types("\r1000\r");
    terminal.waits_for("1,000 USDC");
    terminal.types("\r");
    terminal.waits_for("─ Ready ─");
    assert_eq!(tap.count("POST", "/v1/sandbox/sub-wallet/deposit"), 0, "it is sent by Enter alone");
    terminal.types("\r");
    terminal.waits_for("the service simulated the deposit; press w to pay from it");
    terminal.waits_for("+1,000 USDC");

    // The payment.
    terminal.types("w");
    terminal.waits_for("From wallet    desk");
    terminal.waits_for("USDC  1,000");
    terminal.types("USDC\t");
    terminal.waits_for("holds 1,000 USDC");
    terminal.types(&format!("{STRANGER}\t25.5\t\t\r"));
    confirms(&terminal).unwrap();
    terminal.waits_for("4 Orders");
    // One payment in eighty fails on its chain.
    assert!(terminal.shows_one_of(&["✓ settled", "✗ failed"]), "{}", terminal.contents());
    terminal.waits_for("1,000 USDC to desk");
    let paths_sent: Vec<String> = tap.changes().into_iter().map(|request| request.path).collect();
    let expected_paths = ["/v2/accounts", "/v2/wallets", "/v1/sandbox/sub-wallet/deposit", "/v2/transactions/withdraw"];
    assert_eq!(paths_sent, expected_paths, "each was asked once");
    terminal.types("q");
    assert!(terminal.ends().success());
    terminal.is_whole();
    runtime.block_on(service.stop()).unwrap();
}
