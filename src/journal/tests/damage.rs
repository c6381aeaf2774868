//! Damage: whatever happens to the files, it is noticed or does no harm.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use crate::domain::approval::ApprovalPolicy;

use rusqlite::Connection;

use super::fixtures::{
    Dice, all_orders, confirmed_order, destination, folder_with_every_state, open_journal, time_at, try_open,
    withdrawal,
};
use crate::domain::Order;
use crate::domain::order::SendReason;
use crate::journal::{JournalError, JournalSnapshot, VerifyReport, verify};

const FILES: [&str; 3] = ["journal.sqlite", "journal.sqlite-wal", "journal.head"];

/// The files of a journal, as they stand on disk.
type JournalImage = Vec<(&'static str, Vec<u8>)>;

fn read_image(folder: &Path) -> JournalImage {
    FILES.iter().filter_map(|name| Some((*name, fs::read(folder.join(name)).ok()?))).collect()
}

fn write_image(image: &JournalImage) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in image {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// Whether verifying would notice; what it does not notice must say what was written, all of it.
fn is_damage_noticed(image: &JournalImage, right: &(Vec<Order>, VerifyReport)) -> bool {
    let folder = write_image(image);
    let Ok(reading) = JournalSnapshot::open(folder.path()) else { return true };
    let verified = reading.verify();
    if !verified.is_whole() {
        return true;
    }
    assert_eq!(verified, right.1);
    let mut orders = Vec::new();
    let collect = |intent| {
        orders.insert(0, intent);
        ControlFlow::Continue(())
    };
    reading.orders(None, collect).unwrap();
    assert_eq!(orders, right.0);
    false
}

fn orders_and_report(folder: &Path) -> (Vec<Order>, VerifyReport) {
    let verified = verify(folder).unwrap();
    assert_eq!(verified.faults, []);
    (all_orders(&open_journal(folder)), verified)
}

#[test]
fn of_two_thousand_flipped_bits_each_is_noticed_or_does_no_harm() {
    let folder = folder_with_every_state();
    let right = orders_and_report(folder.path());
    let mut image = read_image(folder.path());
    assert_eq!(image.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["journal.sqlite", "journal.head"]);
    let mut dice = Dice(1);
    let mut noticed = 0;
    for nth in 0..2_000 {
        let bit = dice.below(8 * image[0].1.len());
        image[0].1[bit / 8] ^= 1 << (bit % 8);
        let is_noticed = is_damage_noticed(&image, &right);
        noticed += usize::from(is_noticed);
        // A console that opens a small journal notices no less than who verifies it.
        if nth % 20 == 0 {
            match try_open(write_image(&image).path()) {
                Ok(opened) => assert!(!is_noticed && all_orders(&opened.journal) == right.0),
                Err(error) => assert!(is_noticed, "{error}"),
            }
        }
        image[0].1[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(!is_damage_noticed(&image, &right), "the last bit was put back");
    // Much of a small file is empty space; where there are records, no bit can flip in silence.
    assert!(noticed > 500, "{noticed}");
    let text = image[0].1.windows(12).position(|bytes| bytes == b"paid by hand").unwrap();
    for bit in 0..12 * 8 {
        image[0].1[text + bit / 8] ^= 1 << (bit % 8);
        assert!(is_damage_noticed(&image, &right), "bit {bit} of the text");
        image[0].1[text + bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn a_damaged_log_loses_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    for seconds in 0..6 {
        confirmed_order(&journal, 10 * seconds);
    }
    let right = orders_and_report(folder.path());
    let mut image = read_image(folder.path());
    assert_eq!(image[1].0, "journal.sqlite-wal");
    let mut dice = Dice(2);
    for _ in 0..200 {
        let bit = dice.below(8 * image[1].1.len());
        image[1].1[bit / 8] ^= 1 << (bit % 8);
        // The file has it all by then, so that the log may be lost.
        assert!(!is_damage_noticed(&image, &right), "bit {bit}");
        image[1].1[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn a_file_that_was_cut_off_is_noticed_wherever_it_was_cut() {
    let folder = folder_with_every_state();
    let right = orders_and_report(folder.path());
    let whole = read_image(folder.path());
    let length = whole[0].1.len();
    for part in 0..100 {
        let mut cut = whole.clone();
        cut[0].1.truncate(length * part / 100);
        assert!(is_damage_noticed(&cut, &right), "{part} percent");
    }
}

#[test]
fn a_journal_that_is_gone_or_was_put_back_is_noticed_by_the_mark_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    confirmed_order(&journal, 0);
    drop(journal);
    let earlier = read_image(folder.path());
    confirmed_order(&open_journal(folder.path()), 10);
    let later = read_image(folder.path());
    let put_back = write_image(&vec![earlier[0].clone(), later[1].clone()]);
    let refused = try_open(put_back.path()).err().unwrap();
    assert!(matches!(refused, JournalError::Damaged { record: Some(3), .. }), "{refused}");
    assert!(refused.to_string().contains("the record is missing, and so are all up to record 4"), "{refused}");
    assert_eq!(verify(put_back.path()).unwrap().faults[0].record, Some(3));
    let marker_only = write_image(&vec![later[1].clone()]);
    assert!(try_open(marker_only.path()).err().unwrap().is_damage());
    // Another journal in its place, longer even, is not how this one went on.
    let other = folder_with_every_state();
    let exchanged = write_image(&vec![read_image(other.path())[0].clone(), later[1].clone()]);
    let refused = try_open(exchanged.path()).err().unwrap();
    assert!(refused.to_string().contains("another journal was here before"), "{refused}");
    // A mark that says less, or nothing that makes sense, is no fault of the journal.
    for mark in [earlier[1].1.clone(), b"nonsense".to_vec(), later[1].1[..80].to_vec()] {
        assert!(verify(write_image(&vec![later[0].clone(), ("journal.head", mark)]).path()).unwrap().is_whole());
    }
}

/// Does something to the tables that nobody may do, and puts the triggers back so that only the chain can tell.
fn tamper(folder: &Path, sql: &str) {
    let connection = Connection::open(folder.join("journal.sqlite")).unwrap();
    let triggers: Vec<(String, String)> = connection
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    for (name, _) in &triggers {
        connection.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    connection.execute_batch(sql).unwrap();
    for (_, sql) in &triggers {
        connection.execute_batch(sql).unwrap();
    }
}

#[test]
fn what_was_changed_by_hand_is_noticed_at_its_record() {
    for (sql, record) in [
        ("UPDATE record SET at = at + 1 WHERE seq = 4", Some(4)),
        ("UPDATE record SET user = 'eve' WHERE seq = 5", Some(5)),
        ("UPDATE record SET environment = NULL WHERE seq = 6", Some(6)),
        ("UPDATE record SET environment = '' WHERE seq = 2", Some(2)),
        ("UPDATE record SET profile = 'bay' WHERE seq = 1", Some(1)),
        ("UPDATE record SET kind = 'looked' WHERE seq = 3", Some(3)),
        ("UPDATE record SET body = replace(body, '\"25\"', '\"26\"') WHERE seq = 4", Some(4)),
        ("UPDATE record SET hash = zeroblob(32) WHERE seq = 7", Some(7)),
        ("UPDATE record SET hash = zeroblob(31) WHERE seq = 7", Some(7)),
        ("DELETE FROM record WHERE seq = 5", Some(5)),
        ("DELETE FROM record WHERE seq < 3", Some(1)),
        (
            "UPDATE record SET seq = -1 WHERE seq = 5; UPDATE record SET seq = 5 WHERE seq = 6;
          UPDATE record SET seq = 6 WHERE seq = -1",
            Some(5),
        ),
        ("DELETE FROM record WHERE seq = (SELECT max(seq) FROM record)", Some(29)),
        (
            "DELETE FROM record WHERE seq = (SELECT max(seq) FROM record);
          UPDATE head SET seq = seq - 1, hash = (SELECT hash FROM record ORDER BY seq DESC LIMIT 1)",
            Some(29),
        ),
        ("UPDATE head SET seq = seq - 1", Some(28)),
        ("UPDATE journal SET name = '00000000-0000-4000-8000-000000000000'", Some(1)),
        ("UPDATE sqlite_sequence SET seq = seq + 1", Some(30)),
        ("DROP INDEX record_of_intent", None),
        ("CREATE TABLE other (x)", None),
    ] {
        let folder = folder_with_every_state();
        tamper(folder.path(), sql);
        let verified = verify(folder.path()).unwrap();
        assert_eq!(verified.faults.first().map(|fault| fault.record), Some(record), "{sql}: {:?}", verified.faults);
        // A small journal is checked whole when it is opened, and nobody pays by a damaged one.
        assert!(try_open(folder.path()).err().unwrap().is_damage(), "{sql}");
    }
}

#[test]
fn a_cut_tail_that_was_hidden_well_is_noticed_by_the_mark_alone() {
    let folder = folder_with_every_state();
    tamper(
        folder.path(),
        "DELETE FROM record WHERE seq = (SELECT max(seq) FROM record); UPDATE sqlite_sequence SET seq = seq - 1;
         UPDATE head SET seq = seq - 1, hash = (SELECT hash FROM record ORDER BY seq DESC LIMIT 1)",
    );
    assert_eq!(verify(folder.path()).unwrap().faults[0].record, Some(29));
    fs::remove_file(folder.path().join("journal.head")).unwrap();
    assert_eq!(verify(folder.path()).unwrap().faults, [], "the module page says that this cannot be noticed");
}

#[test]
fn nothing_is_ever_changed_or_removed_through_the_tables() {
    let folder = folder_with_every_state();
    let connection = Connection::open(folder.path().join("journal.sqlite")).unwrap();
    for sql in [
        "UPDATE record SET at = 0",
        "DELETE FROM record",
        "UPDATE journal SET name = 'x'",
        "DELETE FROM journal",
        "UPDATE head SET seq = 0",
        "DELETE FROM head",
        "INSERT OR REPLACE INTO head VALUES (1, 0, zeroblob(32))",
    ] {
        let refused = connection.execute_batch(&format!("PRAGMA recursive_triggers = ON; {sql}")).unwrap_err();
        assert!(refused.to_string().contains("append-only"), "{sql}: {refused}");
    }
}

#[test]
fn an_order_whose_records_changed_under_an_open_console_is_not_sent() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let intent = confirmed_order(&journal, 0);
    journal.record_draft(withdrawal("7"), time_at(2)).unwrap();
    tamper(folder.path(), "UPDATE record SET body = replace(body, '\"25\"', '\"26\"') WHERE seq = 1");
    let refused = journal
        .permit_send(
            intent.id,
            SendReason::Confirmed,
            &destination(),
            time_at(3),
            time_at(23),
            None,
            &ApprovalPolicy::default(),
        )
        .unwrap_err();
    assert!(matches!(refused, JournalError::Damaged { record: Some(1), .. }), "{refused}");
    // Watching goes on with what is known.
    assert_eq!(all_orders(&journal).len(), 2);
}
