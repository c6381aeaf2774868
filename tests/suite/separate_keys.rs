//! Two API keys of one profile: one reads, and never signs a change; the other one pays, is asked of the keyring when a
//! review is opened, and reads nothing.

use std::fs;

use bursar::domain::Order;
use bursar::journal::{Journal, JournalLocation};
use bursar::secrets::ApiKey;
use bursar::service::{Credentials, NewKey, Permission};
use secrecy::ExposeSecret;

use super::crashes::{Business, STRANGER, confirms, fills_in};
use super::harness::{Session, Setup};
use super::keyring::{Desk, says};
use super::pty::PtySession;

/// The console's, which unlocks paying.
const PASSPHRASE: &str = "nine good words";

fn key(business: &Business, permissions: &[Permission]) -> Credentials {
    let permissions = permissions.iter().copied().collect();
    let new = NewKey { name: "apart".into(), permissions, trusted_addresses: Vec::new() };
    business.runtime.block_on(business.service().create_key(new)).unwrap()
}

fn expose(keys: &Credentials) -> (&str, &str) {
    (keys.api_key.expose_secret(), keys.wallet_secret.expose_secret())
}

/// What tells the key of an order from others.
fn mark(keys: &Credentials, business: &Business) -> String {
    ApiKey::parse(expose(keys).0.to_owned()).unwrap().mark(business.service().base_url())
}

#[test]
fn with_a_key_of_its_own_the_one_that_reads_never_signs_a_change() {
    let business = Business::new(Vec::new());
    let (reads, pays) = (key(&business, &[Permission::Read]), key(&business, &[Permission::Withdrawal]));
    let (api_key, _) = expose(&reads);
    let (paying, secret) = expose(&pays);

    let variables = [("BURSAR_API_KEY", api_key), ("BURSAR_PAYING_API_KEY", paying), ("BURSAR_WALLET_SECRET", secret)];
    let terminal = business.opens_with(&[], &variables);
    fills_in(&terminal).unwrap();
    terminal.types("\r");
    confirms(&terminal).unwrap();
    // It is found again under the key that reads.
    terminal.waits_for("settled");
    terminal.types("6");
    terminal.waits_for("accepted");
    assert!(!terminal.contents().contains("API key was changed"), "{}", terminal.contents());
    business.is_left(terminal);
    let orders = business.orders();
    let executed: Vec<&Order> = orders.iter().filter(|order| business.executions(order) == 1).collect();
    let [executed] = executed.as_slice() else { panic!("{orders:#?}") };
    assert_eq!(executed.drafted.destination.key_mark.as_str(), mark(&pays, &business));
}

#[test]
fn a_key_that_only_reads_is_turned_away_by_the_service_when_it_pays_alone() {
    let business = Business::new(Vec::new());
    let (reads, pays) = (key(&business, &[Permission::Read]), key(&business, &[Permission::Withdrawal]));
    let keys = [("BURSAR_API_KEY", expose(&reads).0), ("BURSAR_WALLET_SECRET", expose(&pays).1)];
    let terminal = business.opens_with(&[], &keys);
    fills_in(&terminal).unwrap();
    terminal.types("\r");
    confirms(&terminal).unwrap();
    terminal.waits_for("rejected");
    business.is_left(terminal);
    assert_eq!(business.execution_total(), 0);
}

/// A desk whose profile is this business, on a test network.
fn write_config(desk: &Desk, business: &Business) -> std::path::PathBuf {
    let file = desk.home().join(".config/bursar/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let base_url = business.service().base_url();
    fs::write(&file, format!("[profiles.harbour]\nbase_url = \"{base_url}\"\nenvironment = \"testnet\"\n")).unwrap();
    file
}

fn opens(desk: &Desk) -> PtySession {
    let home = desk.home().to_str().unwrap();
    let variables = [("HOME", home), ("XDG_RUNTIME_DIR", home), ("DBUS_SESSION_BUS_ADDRESS", desk.address())];
    PtySession::open_with(&[], &variables)
}

/// Fills in the same payment once more, in a console that has made one.
fn fills_in_again(terminal: &PtySession) {
    terminal.types("1w");
    terminal.waits_for("From wallet    base-ops");
    terminal.waits_for("633,9");
    terminal.types("USDC\t");
    terminal.waits_for("holds 633,9");
    terminal.types(&format!("{STRANGER}\t26.5\t\t"));
    terminal.waits_for("26.5");
    terminal.types("\r");
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn the_paying_key_is_asked_of_the_keyring_for_each_review_and_a_locked_one_is_said() {
    let mut desk = Desk::unlocked();
    let business = Business::new(Vec::new());
    let (reads, pays) = (key(&business, &[Permission::Read]), key(&business, &[Permission::Withdrawal]));
    let file = write_config(&desk, &business);
    let (api_key, _) = expose(&reads);
    let (paying, secret) = expose(&pays);
    assert_eq!(says(&desk, &["key", "set"], &format!("{api_key}\n{secret}\n")).0, 0);
    let (code, output) = says(&desk, &["key", "set", "paying-api-key"], &format!("{api_key}\n"));
    assert!(code == 1 && output.contains("this is the API key that reads"), "{output}");
    let (code, output) = says(&desk, &["key", "set", "paying-api-key"], &format!("{paying}\n"));
    assert!(code == 0 && output.contains("requests that change something use only this key from now on"), "{output}");
    assert!(fs::read_to_string(&file).unwrap().contains("separate_keys = true"));
    let (code, output) = says(&desk, &["key", "status"], "");
    assert!(code == 0 && output.matches("in the keyring (mark ").count() == 3, "{output}");

    let (code, output) = says(&desk, &["key", "lock", "set"], "short\n");
    assert!(code == 1 && output.contains("a passphrase has at least 8 characters"), "{output}");
    let (code, output) = says(&desk, &["key", "lock", "set"], &format!("{PASSPHRASE}\n"));
    assert!(
        code == 0 && output.contains("its hash is kept in the keyring") && !output.contains(PASSPHRASE),
        "{output}"
    );
    assert!(fs::read_to_string(&file).unwrap().contains("lock_passphrase = true"));
    let (_, output) = says(&desk, &["key", "status"], "");
    let status_text = output.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        status_text.contains("locked after 15m without a keypress; the console's passphrase unlocks it"),
        "{output}"
    );

    let mut terminal = opens(&desk);
    // The passphrase of the console is asked for at each start.
    terminal.waits_for("Passphrase (not shown)");
    terminal.types(&format!("{PASSPHRASE}\r"));
    terminal.waits_for("paying is unlocked");
    terminal.waits_for("live");
    terminal.types("L");
    terminal.waits_for("paying was locked");
    terminal.types("L");
    terminal.waits_for("Passphrase (not shown)");
    terminal.types(&format!("{PASSPHRASE}\r"));
    terminal.waits_for("paying is unlocked");
    fills_in(&terminal).unwrap();
    terminal.types("\r");
    confirms(&terminal).unwrap();
    terminal.waits_for("settled");
    assert_eq!(business.execution_total(), 1);

    // Somebody locks the keyring while the console is open: watching goes on, and paying says what to do.
    desk.stop_keyring();
    desk.start_keyring(Some("another password"));
    fills_in_again(&terminal);
    terminal.waits_for("the keyring is locked");
    terminal.waits_for("BURSAR_PAYING_API_KEY");
    terminal.waits_for("environment. Nothing was sent");
    terminal.waits_for("live");
    assert_eq!(business.tap.changes().len(), 1);
    // It is unlocked again, and the paying key is gone: the one that reads does not take its place.
    desk.stop_keyring();
    desk.start_keyring(Some("a password"));
    let (code, output) = says(&desk, &["key", "remove", "paying-api-key"], "");
    assert!(code == 0 && output.contains("no payment is possible without it"), "{output}");
    terminal.types("\r");
    terminal.waits_for("has no paying API key");
    assert_eq!(business.tap.changes().len(), 1);
    let (code, output) = says(&desk, &["key", "status"], "");
    assert!(code == 1 && output.contains("bursar key set paying-api-key --profile harbour"), "{output}");
    let (_, output) = says(&desk, &["doctor", "--offline"], "");
    assert!(output.contains("has no paying API key"), "{output}");
    terminal.types("\x1b");
    terminal.waits_for("the draft is kept");
    terminal.types("qy");
    assert!(terminal.ends().success());
    for planted in [api_key, paying, secret, PASSPHRASE] {
        terminal.never_showed(planted);
    }

    let by =
        bursar::domain::order::ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: uuid::Uuid::new_v4() };
    let folder = desk.home().join(".local/share/bursar/journal");
    let journal = Journal::open(&JournalLocation::Folder(folder), by).unwrap().journal;
    let orders = journal.orders(&business.destination(), 9).unwrap();
    assert!(orders.iter().all(|order| order.drafted.destination.key_mark.as_str() == mark(&pays, &business)));
}

#[test]
fn a_paying_key_that_was_changed_is_told_and_the_one_that_reads_is_not_taken_for_it() {
    let mut session = Session::with(Setup { transactions: 60, keys_apart: true, ..Setup::default() });
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.confirms();
    session.passes(std::time::Duration::from_mins(1));
    session.order().is("settled", "the paying key has leave to");
    session.keys("6");
    session.sees_no("API key was changed");
    session.rotates_keys();
    session.reviews("base-ops", "USDC", "26", STRANGER);
    session.keys("Esc Esc 6");
    session.sees("the paying API key was changed");
}
