//! Whether an address was paid before.

use super::fixtures::{temporary_store, transaction};
use super::sync_and_backfill::{FakeService, run_backfill, stored_rows};
use crate::domain::history::Sort;
use crate::domain::{Direction, Text, Transaction};

const RECIPIENT: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

fn payment(number: u64, at: i64) -> Transaction {
    let to_address = Some(Text::clean(RECIPIENT));
    Transaction { to_address, ..transaction(number, &Direction::Outgoing, Some(at)) }
}

#[test]
fn the_older_one_of_two_payments_is_the_first() {
    let mut service = FakeService::new(100);
    service.outgoing.push(payment(1_000_000, 1_600_000_000_000));
    let payer = Some(Text::clean(RECIPIENT));
    let incoming = transaction(999_999, &Direction::Incoming, Some(1_500_000_000_000));
    service.incoming.push(Transaction { from_address: payer, ..incoming });
    for _ in 0..600 {
        service.add_transaction(&Direction::Outgoing);
    }
    service.outgoing.push(payment(1_000_001, 1_790_000_000_000));
    let store = temporary_store();
    let recipient = Text::clean(RECIPIENT);
    let paid_at = |store: &_| -> Vec<i64> {
        let rows = stored_rows(store, Sort::Listed).into_iter();
        rows.filter(|row| row.transaction.to_address.as_ref() == Some(&recipient)).map(|row| row.seq).collect()
    };
    while !store.progress().unwrap().complete {
        run_backfill(&store, &mut service, 1_000, 0);
    }
    let [newest, oldest] = paid_at(&store)[..] else { unreachable!("{:?}", paid_at(&store)) };
    // The second answers are cached ones.
    for _ in 0..2 {
        assert!(store.was_paid_before(&recipient, newest).unwrap());
        assert!(!store.was_paid_before(&recipient, oldest).unwrap(), "what it paid itself does not count");
        assert!(!store.was_paid_before(&Text::clean(&RECIPIENT[..41]), newest).unwrap());
    }
}
