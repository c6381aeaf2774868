//! Backups, and journals made of them.

use std::fs;
use std::path::Path;

use super::fixtures::{
    all_orders, confirmation, confirmed_order, console, destination, folder_with_every_state, lookup_with_transaction,
    open_journal, time_at, try_open, withdrawal,
};
use crate::domain::FinalStatuses;
use crate::domain::approval::ApprovalPolicy;
use crate::domain::order::{ConsoleIdentity, OrderEnd, OrderState, SendReason};
use crate::journal::{JournalError, backup, restore, verify};

fn other_console() -> ConsoleIdentity {
    ConsoleIdentity { host: "shed".into(), ..console(7) }
}

/// A journal with settled orders and none that is open.
fn folder_with_settled_orders() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let id = confirmed_order(&journal, 0).id;
    drop(
        journal
            .permit_send(
                id,
                SendReason::Confirmed,
                &destination(),
                time_at(2),
                time_at(22),
                None,
                &ApprovalPolicy::default(),
            )
            .unwrap(),
    );
    journal
        .record_lookup(id, lookup_with_transaction("success"), None, &FinalStatuses::default(), time_at(30))
        .unwrap();
    journal.record_end(id, OrderEnd::Settled, time_at(30)).unwrap();
    folder
}

#[test]
fn a_backup_of_a_journal_in_use_is_one_file_that_can_be_brought_back() {
    let folder = folder_with_settled_orders();
    let other = tempfile::tempdir().unwrap();
    let file = other.path().join("backup");
    let journal = open_journal(folder.path());
    let manifest = backup(folder.path(), &file, &console(1), time_at(100)).unwrap();
    assert_eq!((manifest.records, manifest.open_orders, &*manifest.host), (5, 0, "quay"));
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 1);
    let verified = verify(&file).unwrap();
    assert_eq!((verified.faults, verified.backup), (vec![], Some(("quay".into(), time_at(100)))));
    // The journal itself has not noticed anything, and goes on.
    assert_eq!(verify(folder.path()).unwrap().records, 5);
    journal.record_draft(withdrawal("3"), time_at(101)).unwrap();
    let target = other.path().join("journal");
    let restored = restore(&file, &target, false, &other_console(), time_at(200)).unwrap();
    assert_eq!((restored.records, restored.host.clone(), restored.at), (6, "quay".into(), time_at(100)));
    let opened = try_open(&target).unwrap();
    assert_eq!(opened.notice, None);
    assert_eq!(all_orders(&opened.journal), all_orders(&journal)[1..]);
    confirmed_order(&opened.journal, 300);
    drop(opened);
    assert_eq!(verify(&target).unwrap().faults, []);
    assert_eq!(fs::metadata(target.join("journal.sqlite")).map(|meta| file_mode(&meta)).unwrap(), 0o600);
}

fn file_mode(meta: &fs::Metadata) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o777
}

#[test]
fn orders_are_not_open_in_two_places_unless_somebody_says_so_and_then_sent_from_neither() {
    let folder = folder_with_every_state();
    let other = tempfile::tempdir().unwrap();
    let file = other.path().join("backup");
    let open_orders = 3;
    assert_eq!(backup(folder.path(), &file, &console(1), time_at(300)).unwrap().open_orders, open_orders);
    let target = other.path().join("journal");
    let refused = restore(&file, &target, false, &other_console(), time_at(400)).unwrap_err();
    assert!(matches!(&refused, JournalError::OpenElsewhere { open: 3, host, .. } if &**host == "quay"), "{refused}");
    assert!(refused.to_string().contains("--take-over"));
    assert!(!target.exists());
    restore(&file, &target, true, &other_console(), time_at(400)).unwrap();
    let opened = try_open(&target).unwrap();
    let notice = opened.notice.unwrap();
    assert!(notice.starts_with("3 orders were open when this journal was copied from quay"), "{notice}");
    let journal = opened.journal;
    let in_state =
        |state| all_orders(&journal).into_iter().find(|intent| intent.state(time_at(500)) == state).unwrap().id;
    let carried = |refused: Option<JournalError>| {
        let refused = refused.unwrap();
        assert!(matches!(&refused, JournalError::FromBackup { host, .. } if &**host == "quay"), "{refused}");
    };
    let begin = |id, reason| {
        journal
            .permit_send(id, reason, &destination(), time_at(500), time_at(520), None, &ApprovalPolicy::default())
            .err()
    };
    carried(begin(in_state(OrderState::Unknown), SendReason::Operator { warned: true }));
    carried(begin(in_state(OrderState::Confirmed), SendReason::Confirmed));
    carried(journal.record_confirmation(in_state(OrderState::Drafted), confirmation(), time_at(500)).err());
    // They can be looked up and closed, and what is born here is sent from here.
    let unknown = in_state(OrderState::Unknown);
    journal
        .record_lookup(unknown, lookup_with_transaction("success"), None, &FinalStatuses::default(), time_at(510))
        .unwrap();
    journal.record_end(unknown, OrderEnd::Settled, time_at(510)).unwrap();
    let fresh = confirmed_order(&journal, 520).id;
    assert!(
        journal
            .permit_send(
                fresh,
                SendReason::Confirmed,
                &destination(),
                time_at(530),
                time_at(550),
                None,
                &ApprovalPolicy::default()
            )
            .is_ok()
    );
    // A second move says so of what is open then, and of nothing else.
    let third_folder = other.path().join("again");
    drop(journal);
    assert_eq!(backup(&target, &third_folder, &other_console(), time_at(600)).unwrap().open_orders, 3);
}

#[test]
fn what_would_overwrite_or_mix_is_refused() {
    let folder = folder_with_settled_orders();
    let other = tempfile::tempdir().unwrap();
    let file = other.path().join("backup");
    backup(folder.path(), &file, &console(1), time_at(100)).unwrap();
    let bytes = fs::read(&file).unwrap();
    let refusal = backup(folder.path(), &file, &console(1), time_at(101)).unwrap_err();
    assert!(matches!(refusal, JournalError::Exists { path } if path == file));
    assert_eq!(fs::read(&file).unwrap(), bytes);
    // Into a journal that has records, or that somebody has open, nothing is restored.
    let full = restore(&file, folder.path(), true, &other_console(), time_at(200)).unwrap_err();
    assert!(matches!(full, JournalError::NotEmpty { records: Some(5), .. }), "{full}");
    let empty = other.path().join("empty");
    let journal = open_journal(&empty);
    let in_use = restore(&file, &empty, true, &other_console(), time_at(200)).unwrap_err();
    assert!(matches!(in_use, JournalError::InUse { .. }), "{in_use}");
    drop(journal);
    restore(&file, &empty, true, &other_console(), time_at(200)).unwrap();
    assert_eq!(all_orders(&open_journal(&empty)).len(), 1);
    // A journal is no backup, and a backup is no journal.
    let journal_file = folder.path().join("journal.sqlite");
    let no_backup = restore(&journal_file, &other.path().join("x"), true, &other_console(), time_at(200)).unwrap_err();
    assert!(matches!(no_backup, JournalError::NotABackup { .. }), "{no_backup}");
    let by_hand = other.path().join("by-hand");
    fs::create_dir(&by_hand).unwrap();
    fs::copy(&file, by_hand.join("journal.sqlite")).unwrap();
    assert!(matches!(try_open(&by_hand), Err(JournalError::Backup { .. })));
    let of_backup = backup(&file, &other.path().join("y"), &console(1), time_at(300)).unwrap_err();
    assert!(matches!(of_backup, JournalError::Backup { .. }), "{of_backup}");
}

#[test]
fn what_is_damaged_is_neither_copied_nor_restored_and_leaves_nothing_behind() {
    let folder = folder_with_settled_orders();
    let other = tempfile::tempdir().unwrap();
    let file = other.path().join("backup");
    backup(folder.path(), &file, &console(1), time_at(100)).unwrap();
    let harm = |file: &Path| {
        let mut bytes = fs::read(file).unwrap();
        let place = bytes.windows(13).position(|bytes| bytes == b"rent-november").unwrap();
        bytes[place] = b'R';
        fs::write(file, bytes).unwrap();
    };
    harm(&file);
    let target = other.path().join("journal");
    assert!(restore(&file, &target, true, &other_console(), time_at(200)).unwrap_err().is_damage());
    assert!(!target.exists());
    harm(&folder.path().join("journal.sqlite"));
    let fresh = other.path().join("fresh");
    assert!(backup(folder.path(), &fresh, &console(1), time_at(300)).unwrap_err().is_damage());
    assert!(!fresh.exists());
    // What stands there cannot be read, and is not removed for that.
    fs::create_dir(&target).unwrap();
    fs::write(target.join("journal.sqlite"), "no journal at all ".repeat(99)).unwrap();
    let good = other.path().join("good");
    backup(folder_with_settled_orders().path(), &good, &console(1), time_at(300)).unwrap();
    let refused = restore(&good, &target, true, &other_console(), time_at(400)).unwrap_err();
    assert!(matches!(refused, JournalError::NotEmpty { records: None, .. }), "{refused}");
    // What a backup that was interrupted leaves is none.
    fs::write(&fresh, b"").unwrap();
    assert!(matches!(
        restore(&fresh, &target, true, &other_console(), time_at(400)),
        Err(JournalError::Missing { .. })
    ));
}
