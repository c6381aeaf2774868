use super::*;
use crate::domain::{Family, Metadata, TokenKey, WalletId};

const FIRST_ADDRESS: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const SECOND_ADDRESS: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

fn batch_check(rows: Vec<RecipientRow>, more: Option<RowSource>) -> BatchCheck {
    let token = TokenKey::new("ethereum", Some("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"));
    BatchCheck {
        batch: Batch {
            wallet: WalletId::from_text("w"),
            blockchain: "ethereum".into(),
            token: "USDC".into(),
            to: Vec::new(),
            ref_id: None,
            note: None,
            file: None,
            metadata: Metadata::default(),
            queue: None,
        },
        sender: Sender { name: None, address: None, account: None, user: None, token, amount: Amount::zero(6) },
        family: Some(Family::Evm),
        rows,
        unread_source: more,
    }
}

#[test]
fn a_file_becomes_rows_and_each_has_its_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pay.csv");
    std::fs::write(
        &path,
        format!(
            "address,amount,label\n{FIRST_ADDRESS},25,Ada\n{},1,\n{SECOND_ADDRESS},1.2345678,\n",
            &FIRST_ADDRESS[..41]
        ),
    )
    .unwrap();
    let typed = RecipientRow { address: SECOND_ADDRESS.into(), amount: "1".into(), ..RecipientRow::default() };
    let more = RowSource::File(path.to_str().unwrap().into());
    let ParsedBatch { batch, rows, notes, .. } = super::read_batch_rows(
        Some(&HostPermission::for_local_operator()),
        &ProfileFile::default(),
        batch_check(vec![typed], Some(more)),
    )
    .unwrap();
    let statuses: Vec<_> = rows.iter().map(|row| (row.row.line, row.verdict.status)).collect();
    assert_eq!(statuses, [(Some(2), RowStatus::Valid), (Some(3), RowStatus::Invalid), (Some(4), RowStatus::Invalid)]);
    assert!(rows[1].verdict.message.contains("40 digits"), "{}", rows[1].verdict.message);
    assert_eq!(batch.to.len(), 1);
    assert_eq!(batch.to[0].label.as_deref(), Some("Ada"));
    assert_eq!(notes, ["1 row replaced by the file"]);
    let file = batch.file.unwrap();
    assert_eq!((&*file.name, file.sha256.len()), ("pay.csv", 64));
}

#[test]
fn what_is_no_file_of_rows_is_said_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for (name, expected) in [("", "is not a file"), ("nowhere.csv", "cannot read")] {
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        let Err(message) = super::read_batch_rows(
            Some(&HostPermission::for_local_operator()),
            &ProfileFile::default(),
            batch_check(Vec::new(), Some(RowSource::File(path))),
        ) else {
            panic!("{name} was read")
        };
        assert!(message.contains(expected), "{message}");
    }
    // As large as a disk may hold: its length alone, nothing is written.
    let large = folder.path().join("large.csv");
    std::fs::File::create(&large).unwrap().set_len(2 << 30).unwrap();
    let Err(message) = super::read_batch_rows(
        Some(&HostPermission::for_local_operator()),
        &ProfileFile::default(),
        batch_check(Vec::new(), Some(RowSource::File(large.to_str().unwrap().into()))),
    ) else {
        panic!("it was read")
    };
    assert!(message.contains("larger than 4 MiB"), "{message}");
}

#[test]
fn pasted_lines_follow_the_rows_that_there_are() {
    let typed = RecipientRow { address: FIRST_ADDRESS.into(), amount: "1".into(), ..RecipientRow::default() };
    let more = RowSource::Lines(format!("{SECOND_ADDRESS}\t2\n{FIRST_ADDRESS},3"));
    let ParsedBatch { rows, .. } = super::read_batch_rows(
        Some(&HostPermission::for_local_operator()),
        &ProfileFile::default(),
        batch_check(vec![typed], Some(more)),
    )
    .unwrap();
    // What parts the first line parts them all.
    let cells: Vec<_> = rows.iter().map(|row| (row.row.amount.as_str(), row.verdict.status)).collect();
    assert_eq!(cells, [("1", RowStatus::Valid), ("2", RowStatus::Valid), ("", RowStatus::Invalid)]);
}

#[test]
fn what_the_guard_says_goes_to_the_rows_that_it_judged() {
    let rows = vec![
        RecipientRow { address: FIRST_ADDRESS.into(), amount: "1".into(), ..RecipientRow::default() },
        RecipientRow { address: "0x1".into(), amount: "1".into(), ..RecipientRow::default() },
        RecipientRow { address: SECOND_ADDRESS.into(), amount: "1".into(), ..RecipientRow::default() },
    ];
    let ParsedBatch { rows, .. } = super::read_batch_rows(
        Some(&HostPermission::for_local_operator()),
        &ProfileFile::default(),
        batch_check(rows, None),
    )
    .unwrap();
    let judged = [RecipientFindings { is_first: true, ..RecipientFindings::default() }, RecipientFindings::default()];
    let statuses: Vec<RowStatus> = add_findings(rows, &judged).into_iter().map(|row| row.verdict.status).collect();
    assert_eq!(statuses, [RowStatus::New, RowStatus::Invalid, RowStatus::Valid]);
}

#[test]
fn what_is_pasted_bit_by_bit_grows_no_longer_than_one_list_may_be() {
    let typed = || RecipientRow { address: FIRST_ADDRESS.into(), amount: "1".into(), ..RecipientRow::default() };
    let pasted = |row_count: usize| {
        let more = RowSource::Lines(format!("{SECOND_ADDRESS},1\n{SECOND_ADDRESS},2"));
        super::read_batch_rows(None, &ProfileFile::default(), batch_check(vec![typed(); row_count], Some(more)))
            .map(|batch| batch.rows.len())
    };
    assert_eq!(pasted(MAX_ROWS - 2), Ok(MAX_ROWS));
    let message = pasted(MAX_ROWS - 1).unwrap_err();
    assert!(message.contains("this form has 19999, and 2 would be added"), "{message}");
}
