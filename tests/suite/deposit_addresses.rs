//! Addresses that money is sent to: those that the business hands out, and those that a history knows.

use std::time::Duration;

use bursar::domain::directory::DirectoryEntry;
use bursar::domain::entry_source::{EntrySource, Sourced};
use bursar::domain::history::Scope;
use bursar::domain::order::{ConsoleIdentity, ServiceDestination};
use bursar::domain::{Direction, DirectoryImport, Text, Timestamp, Wallet, WalletId};
use bursar::guard::{Rule, Severity};
use bursar::journal::{self, Journal};
use bursar::store::{self, Store};

use super::harness::{Session, Setup};
use super::policy::{findings, override_notes};
use super::reports::{Desk, good, stderr_text};

const OTHER: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

fn session() -> Session {
    Session::with(Setup { size: (200, 60), poll_period: Duration::from_secs(10), ..Setup::default() })
}

fn wallet(session: &Session) -> Sourced<Wallet> {
    session.store().wallets(&Scope::All, "base-ops", 0, 1).unwrap().rows.remove(0)
}

/// The service answers another address for a wallet that is known.
fn is_told_otherwise(session: &mut Session) -> (Text, Text) {
    let Sourced { entry, .. } = wallet(session);
    let (first, later) = (entry.address.clone().unwrap(), Text::from(OTHER));
    session.store().save_wallets(&[Wallet { address: Some(later.clone()), ..entry }], EntrySource::Listed).unwrap();
    session.keys("1 Esc Esc r");
    session.passes(Duration::from_mins(5));
    (first, later)
}

#[test]
fn a_wallets_address_is_given_out_by_nothing_until_somebody_has_looked_at_both() {
    let mut session = session();
    let (first, later) = is_told_otherwise(&mut session);
    session.sees("ALARM: wallet base-ops on Base: the service reports a different address than before.");
    session.sees("2 addresses: press a");
    let grouped = |address: &Text| bursar::domain::address::format_grouped(address);
    session.keys("Tab g a");
    session.sees(&format!("first  {}", grouped(&first)));
    session.sees(&format!("later  {}", grouped(&later)));
    let screen = session.screen();
    assert!(!screen.contains(first.as_str()) && !screen.contains(later.as_str()), "{screen}");
    assert!(!screen.contains('▀') && !screen.contains('█'), "no code:\n{screen}");
    session.types("yes");
    session.keys("Enter");
    session.sees("type “the first is right” or “the later is right”");
    for _ in 0..3 {
        session.keys("Backspace");
    }
    session.types("the first is right");
    session.keys("Enter");
    session.sees("the correct address of a wallet was recorded");
    assert!(!session.screen().contains("ALARM: wallet"), "{}", session.screen());
    let sourced = wallet(&session);
    assert_eq!((sourced.entry.address.as_ref(), sourced.contradicting_address()), (Some(&first), None));
    assert_eq!(sourced.conflicting_addresses[0].address, later, "both are kept");
    // The service tells it once more: somebody has looked.
    is_told_otherwise(&mut session);
    assert!(!session.screen().contains("ALARM: wallet"), "{}", session.screen());
    session.keys("a a");
    session.sees(&grouped(&first));
}

/// Types which of the two addresses is right, on the page that shows both.
fn decides(session: &mut Session, text: &str) {
    session.keys("Tab g a");
    session.types(text);
    session.keys("Enter");
    session.sees("the correct address of a wallet was recorded");
}

/// The cache is disposable; what somebody decided is not. The service goes on telling the address that was rejected.
#[test]
fn the_choice_between_two_addresses_outlives_the_cache() {
    let mut session = session();
    let (first, later) = is_told_otherwise(&mut session);
    decides(&mut session, "the later is right");
    session.loses_its_cache();
    session.connect();
    session.passes(Duration::from_mins(5));
    let sourced = wallet(&session);
    assert_eq!((sourced.entry.address.as_ref(), sourced.contradicting_address()), (Some(&later), None));
    assert_eq!(sourced.conflicting_addresses[0].address, first);
    assert!(!session.screen().contains("ALARM: wallet"), "{}", session.screen());
    session.keys("1 Tab g a");
    session.sees(&later);
}

/// A script that hands out addresses gets none that the page would not show.
#[test]
fn the_command_line_gives_out_an_address_by_the_rules_of_the_page() {
    let desk = Desk::serving(true);
    let address = |more: &[&str]| desk.run(&[&["address"], more].concat());
    let first = good(&address(&["base-ops"])).trim_end().to_owned();
    assert!(first.starts_with("0x") && first.len() == 42, "{first}");
    let sourced_wallet = |store: &Store| store.wallets(&Scope::All, "base-ops", 0, 1).unwrap().rows.remove(0);
    let opens = || Store::open(&store::CacheLocation::Folder(desk.cache())).unwrap().store;
    let entry = sourced_wallet(&opens()).entry;
    assert_eq!(good(&address(&[entry.id.as_str(), "--offline"])).trim_end(), first, "by its identifier, too");
    let output = address(&["nobody"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr_text(&output).contains("no known wallet is called nobody"), "{}", stderr_text(&output));

    // It was another one before: whatever is told now, nothing is given out, and both are shown in groups alone.
    let reported_wallet = Wallet { address: Some(OTHER.into()), ..entry.clone() };
    opens().save_wallets(std::slice::from_ref(&reported_wallet), EntrySource::Listed).unwrap();
    for more in [&["base-ops"][..], &["base-ops", "--offline"]] {
        let withheld = address(more);
        assert_eq!((withheld.status.code(), withheld.stdout.as_slice()), (Some(1), &b""[..]));
        let stderr = stderr_text(&withheld);
        assert!(stderr.contains("the service now reports a different address for this wallet"), "{stderr}");
        assert!(!stderr.contains(&first) && !stderr.contains(OTHER), "{stderr}");
        for address in [first.as_str(), OTHER] {
            assert!(stderr.contains(&bursar::domain::address::format_grouped(address)), "{stderr}");
        }
    }

    // Somebody decides, and the cache is lost: the service goes on telling the one that was rejected.
    let by = ConsoleIdentity { user: "ada".into(), host: "desk".into(), run: uuid::Uuid::from_u128(7) };
    let journal = Journal::open(&journal::JournalLocation::Folder(desk.data().join("journal")), by).unwrap().journal;
    let to = ServiceDestination {
        profile: "harbour".into(),
        environment: None,
        base_url: desk.base_url.as_str().into(),
        key_mark: Text::default(),
    };
    let import = DirectoryImport {
        rejected: vec![first.as_str().into()],
        ..DirectoryImport::new("looked at", vec![DirectoryEntry::Wallet(reported_wallet)])
    };
    journal.record_import(&to, import, Timestamp::from_millis(0)).unwrap();
    drop(journal);
    assert_eq!(good(&address(&["base-ops"])).trim_end(), OTHER);
    std::fs::remove_dir_all(desk.cache()).unwrap();
    assert_eq!(good(&address(&["base-ops"])).trim_end(), OTHER);

    // One that cannot be right on its chain is given to nobody.
    let spoilt = Wallet {
        id: WalletId::from_text("w-spoilt"),
        name: Some("spoilt".into()),
        address: Some("0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed".into()),
        ..entry
    };
    opens().save_wallets(&[spoilt], EntrySource::Listed).unwrap();
    let withheld = address(&["spoilt"]);
    assert_eq!((withheld.status.code(), withheld.stdout.as_slice()), (Some(1), &b""[..]));
    assert!(stderr_text(&withheld).contains("cannot be valid on Base"), "{}", stderr_text(&withheld));
}

/// On a console without any orders the history of the service is all that there is to compare with.
#[test]
fn what_resembles_a_payee_of_the_history_is_paid_with_the_words_alone() {
    let mut session = session();
    let rows = session.store().newest_outgoing_rows(5_000).unwrap().outgoing;
    let payee = rows.iter().map(|(_, row)| row).find(|row| {
        let is_evm = row.to_address.as_ref().is_some_and(|to| to.starts_with("0x") && to.len() == 42);
        row.direction == Direction::Outgoing
            && is_evm
            && row.is_final(&bursar::domain::FinalStatuses::default())
            && row.wallet.is_some()
    });
    let payee = payee.unwrap().to_address.clone().unwrap().to_lowercase();
    let forged_address = format!("{}{}{}", &payee[..6], "0123456789abcdef0123456789abcdef", &payee[38..]);
    session.reviews("base-ops", "USDC", "25", &forged_address);
    let findings = findings(&session, Rule::LookAlike);
    assert!(findings.iter().any(|finding| finding.severity == Severity::Danger), "{findings:?}\n{}", session.screen());
    session.sees("differ at");
    session.confirms();
    assert!(override_notes(&session).iter().any(|line| line.ends_with("[overridden: looks like another]")));
}
