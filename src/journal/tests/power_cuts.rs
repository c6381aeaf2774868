//! Power cuts: what was acknowledged is there afterwards, and nothing half written is read.

use std::fs;
use std::path::Path;

use crate::domain::approval::ApprovalPolicy;

use rusqlite::Connection;

use super::fixtures::{
    Dice, accepted_result, all_orders, confirmation, destination, lookup_with_transaction, open_journal, time_at,
    withdrawal,
};
use crate::domain::order::{OrderEnd, SendReason};
use crate::domain::{FinalStatuses, Order};
use crate::journal::{Journal, verify};

/// The files at a moment at which nothing is being written, and what was acknowledged by then.
struct JournalMoment {
    file: Vec<u8>,
    log: Vec<u8>,
    mark: Vec<u8>,
    orders: Vec<Order>,
}

fn take_moment(folder: &Path, journal: &Journal) -> JournalMoment {
    let read = |name: &str| fs::read(folder.join(name)).unwrap_or_default();
    let orders = all_orders(journal);
    JournalMoment { file: read("journal.sqlite"), log: read("journal.sqlite-wal"), mark: read("journal.head"), orders }
}

/// Moments between the writes of several orders.
fn moments_between_writes(folder: &Path) -> Vec<JournalMoment> {
    let journal = open_journal(folder);
    let mut moments = vec![take_moment(folder, &journal)];
    for nth in 0..4 {
        let start = 100 * nth;
        let id = journal.record_draft(withdrawal("25"), time_at(start)).unwrap().id;
        moments.push(take_moment(folder, &journal));
        journal.record_confirmation(id, confirmation(), time_at(start + 1)).unwrap();
        moments.push(take_moment(folder, &journal));
        drop(
            journal
                .permit_send(
                    id,
                    SendReason::Confirmed,
                    &destination(),
                    time_at(start + 2),
                    time_at(start + 22),
                    None,
                    &ApprovalPolicy::default(),
                )
                .unwrap(),
        );
        moments.push(take_moment(folder, &journal));
        journal.record_answer(id, 1, accepted_result(), time_at(start + 3)).unwrap();
        moments.push(take_moment(folder, &journal));
        journal
            .record_lookup(id, lookup_with_transaction("success"), None, &FinalStatuses::default(), time_at(start + 9))
            .unwrap();
        moments.push(take_moment(folder, &journal));
        journal.record_end(id, OrderEnd::Settled, time_at(start + 9)).unwrap();
        moments.push(take_moment(folder, &journal));
    }
    moments
}

/// Starts on what a power cut left, and says what is known then.
fn orders_after_restart(file: &[u8], log: &[u8], mark: &[u8]) -> Vec<Order> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("journal.sqlite"), file).unwrap();
    fs::write(folder.path().join("journal.sqlite-wal"), log).unwrap();
    fs::write(folder.path().join("journal.head"), mark).unwrap();
    let journal = open_journal(folder.path());
    let orders = all_orders(&journal);
    // It can be written on at once.
    journal.record_draft(withdrawal("1"), time_at(9_000)).unwrap();
    drop(journal);
    assert_eq!(verify(folder.path()).unwrap().faults, []);
    orders
}

/// A log while the next one is written over it, cut at some byte: the rest is what stood there before, or nothing.
fn torn_log(before: &[u8], after: &[u8], cut: usize, dice: &mut Dice) -> Vec<u8> {
    let mut log = after[..cut].to_vec();
    if dice.below(2) == 0 && before.len() > cut {
        log.extend_from_slice(&before[cut..]);
    }
    log
}

/// A file while the log is moved into it: any of its sectors are written already.
fn half_checkpointed_file(before: &[u8], after: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut file = before.to_vec();
    file.resize(before.len().max(after.len()), 0);
    for (old, new) in file.chunks_mut(512).zip(after.chunks(512)) {
        if dice.below(2) == 0 {
            old[..new.len()].copy_from_slice(new);
        }
    }
    file
}

/// Cuts the power at many moments of every write, and counts the images.
fn cut_the_power(moments: &[JournalMoment], dice: &mut Dice) -> usize {
    let mut images = 0;
    for pair in moments.windows(2) {
        let [before, after] = pair else { continue };
        // The log is being written: the write is not acknowledged. What it goes on from is on the disk already.
        let common_length = before.log.iter().zip(&after.log).take_while(|(old, new)| old == new).count();
        for _ in 0..8 {
            let cut = common_length + dice.below(after.log.len() - common_length + 1);
            let orders =
                orders_after_restart(&before.file, &torn_log(&before.log, &after.log, cut, dice), &before.mark);
            assert!(orders == before.orders || orders == after.orders, "a record is gone, or half of one was read");
            images += 1;
        }
        // The log is on the disk and is being moved into the file: the record stays, whatever is left of that.
        for _ in 0..4 {
            let file = half_checkpointed_file(&before.file, &after.file, dice);
            for mark in [&before.mark, &after.mark] {
                assert_eq!(orders_after_restart(&file, &after.log, mark), after.orders);
                images += 1;
            }
        }
        // The mark is being written.
        let cut = dice.below(after.mark.len());
        assert_eq!(orders_after_restart(&after.file, &after.log, &after.mark[..cut]), after.orders);
        images += 1;
    }
    images
}

#[test]
fn a_power_cut_loses_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let moments = moments_between_writes(folder.path());
    assert_eq!(moments.len(), 25);
    let images = cut_the_power(&moments, &mut Dice(3));
    assert!(images >= 400, "{images}");
}

#[test]
fn a_power_cut_loses_nothing_while_somebody_reads_and_the_log_grows() {
    let folder = tempfile::tempdir().unwrap();
    drop(open_journal(folder.path()));
    let reader = Connection::open(folder.path().join("journal.sqlite")).unwrap();
    reader.execute_batch("BEGIN; SELECT * FROM head;").unwrap();
    let moments = moments_between_writes(folder.path());
    // The reader keeps everything in the log.
    assert_eq!(moments[3].file, moments[24].file);
    assert!(moments[24].log.len() > moments[3].log.len());
    let images = cut_the_power(&moments, &mut Dice(4));
    assert!(images >= 400, "{images}");
}
