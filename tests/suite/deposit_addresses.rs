//! Addresses that money is sent to: those that the business hands out, and those that a history knows.

use std::time::Duration;

use bursar::domain::Text;
use bursar::domain::history::{Known, Scope, Source};
use bursar::domain::{Direction, Wallet};
use bursar::guard::{Rule, Severity};

use super::harness::{Session, Setup};
use super::policy::{found, overridden};

const OTHER: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

fn session() -> Session {
    Session::with(Setup { size: (200, 60), ..Setup::default() })
}

fn wallet(session: &Session) -> Known<Wallet> {
    session.store().wallets(&Scope::All, "base-ops", 0, 1).unwrap().rows.remove(0)
}

/// The service answers another address for a wallet that is known.
fn is_told_otherwise(session: &mut Session) -> (Text, Text) {
    let Known { entry, .. } = wallet(session);
    let (first, later) = (entry.address.clone().unwrap(), Text::from(OTHER));
    session.store().keep_wallets(&[Wallet { address: Some(later.clone()), ..entry }], Source::Listed).unwrap();
    session.keys("1 Esc Esc r");
    session.passes(Duration::from_mins(5));
    (first, later)
}

#[test]
fn a_wallets_address_is_given_out_by_nothing_until_somebody_has_looked_at_both() {
    let mut session = session();
    let (first, later) = is_told_otherwise(&mut session);
    session.sees("ALARM: wallet base-ops on Base: the service tells another address than before.");
    session.sees("two addresses told: press a");
    let grouped = |address: &Text| bursar::domain::address::in_groups(address);
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
    session.sees("the right address of a wallet was recorded");
    assert!(!session.screen().contains("ALARM: wallet"), "{}", session.screen());
    let known = wallet(&session);
    assert_eq!((known.entry.address.as_ref(), known.contradiction()), (Some(&first), None));
    assert_eq!(known.others[0].address, later, "both are kept");
    // The service tells it once more: somebody has looked.
    is_told_otherwise(&mut session);
    assert!(!session.screen().contains("ALARM: wallet"), "{}", session.screen());
    session.keys("Tab g a");
    session.sees(&first);
}

/// On a console without any orders the history of the service is all that there is to compare with.
#[test]
fn what_resembles_a_payee_of_the_history_is_paid_with_the_words_alone() {
    let mut session = session();
    let rows = session.store().newest_outgoing(5_000).unwrap().outgoing;
    let paid = rows.iter().map(|(_, row)| row).find(|row| {
        let is_evm = row.to_address.as_ref().is_some_and(|to| to.starts_with("0x") && to.len() == 42);
        row.direction == Direction::Outgoing && is_evm && row.is_final() && row.wallet.is_some()
    });
    let paid = paid.unwrap().to_address.clone().unwrap().to_lowercase();
    let forged = format!("{}{}{}", &paid[..6], "0123456789abcdef0123456789abcdef", &paid[38..]);
    session.reviews("base-ops", "USDC", "25", &forged);
    let findings = found(&session, Rule::LookAlike);
    assert!(findings.iter().any(|finding| finding.severity == Severity::Danger), "{findings:?}\n{}", session.screen());
    session.sees("differ at");
    session.confirms();
    assert!(overridden(&session).iter().any(|line| line.ends_with("[overridden: looks like another]")));
}
