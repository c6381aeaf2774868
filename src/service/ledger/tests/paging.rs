use super::*;
use crate::service::activity::{self, SamplePlan};

fn create_sample_ledger(transactions: u64) -> (Ledger, WorkspaceNumber) {
    let ledger = Ledger::open(&LedgerLocation::Temporary, Pace::USUAL).unwrap();
    let workspace_number =
        activity::create_sample(&ledger, SamplePlan { seed: 4, transactions }, START, &|_, _| {}).unwrap();
    (ledger, workspace_number)
}

fn load_page(
    ledger: &Ledger,
    workspace_number: WorkspaceNumber,
    listing: TransactionFilter,
    page: u64,
    limit: u64,
) -> Page<render::Transaction> {
    let listing = TransactionFilter { paging: Paging { page, limit }, ..listing };
    ledger.transactions(workspace_number, &listing, START).unwrap()
}

#[test]
fn pages_follow_each_other_without_gap_or_repetition_newest_first() {
    let (ledger, workspace_number) = create_sample_ledger(1_000);
    for direction in [None, Some(Direction::Incoming), Some(Direction::Outgoing)] {
        let listing = TransactionFilter { direction: direction.clone(), ..TransactionFilter::default() };
        let first = load_page(&ledger, workspace_number, listing.clone(), 1, 70);
        let mut ids = Vec::new();
        for number in 1..=first.total_page {
            let page = load_page(&ledger, workspace_number, listing.clone(), number, 70);
            assert!(number == first.total_page || page.data.len() == 70);
            assert!(direction.as_ref().is_none_or(|way| page.data.iter().all(|row| row.tx_type == way.word())));
            ids.extend(page.data.into_iter().map(|row| row.id));
        }
        let whole = ids.len();
        assert!(direction.is_some() || whole == 1_000);
        let times: Vec<i64> = ids.iter().map(|id| time_of_row(&ledger, id)).collect();
        assert!(times.is_sorted_by(|newer, older| newer >= older));
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), whole);
        assert!(load_page(&ledger, workspace_number, listing, first.total_page + 1, 70).data.is_empty());
    }
    assert_eq!(load_page(&ledger, workspace_number, TransactionFilter::default(), 1, 5_000).page_limit, 100);
}

fn time_of_row(ledger: &Ledger, id: &str) -> i64 {
    let id = uuid(id).into_bytes();
    ledger
        .read(|connection| Ok(connection.query_row("SELECT at FROM history WHERE id = ?1", [id], |row| row.get(0))?))
        .unwrap()
}

/// Whether a row belongs into a narrowed list.
type RowPredicate<'a> = Box<dyn Fn(&render::Transaction) -> bool + 'a>;

#[test]
fn a_narrowed_list_holds_just_what_the_whole_list_holds_of_it() {
    let (ledger, workspace_number) = create_sample_ledger(600);
    let all: Vec<_> = (1..=6)
        .flat_map(|number| load_page(&ledger, workspace_number, TransactionFilter::default(), number, 100).data)
        .collect();
    let sample = all[17].clone();
    let narrowings: [(TransactionFilter, RowPredicate<'_>); 3] = [
        (
            TransactionFilter { wallet: Some(uuid(&sample.wallet_id)), ..TransactionFilter::default() },
            Box::new(|row| row.wallet_id == sample.wallet_id),
        ),
        (
            TransactionFilter { user: sample.user_id.as_deref().map(uuid), ..TransactionFilter::default() },
            Box::new(|row| row.user_id == sample.user_id),
        ),
        (
            TransactionFilter {
                account: Some(uuid(&sample.account_id)),
                direction: Some(Direction::Incoming),
                ..TransactionFilter::default()
            },
            Box::new(|row| row.account_id == sample.account_id && row.tx_type == "incoming"),
        ),
    ];
    for (listing, holds) in narrowings {
        let pages = load_page(&ledger, workspace_number, listing.clone(), 1, 40).total_page;
        let rows: Vec<_> = (1..=pages)
            .flat_map(|number| load_page(&ledger, workspace_number, listing.clone(), number, 40).data)
            .collect();
        let expected: Vec<_> = all.iter().filter(|row| holds(row)).cloned().collect();
        assert!(!expected.is_empty());
        assert!(rows == expected);
    }
}

/// Steps that the machine of `SQLite` takes to read a page, which do not depend on how busy this machine is.
fn sqlite_steps(ledger: &Ledger, workspace_number: WorkspaceNumber, direction: Option<Direction>, number: u64) -> i32 {
    let listing =
        TransactionFilter { direction, paging: Paging { page: number, limit: 50 }, ..TransactionFilter::default() };
    let sql = history::page_sql(listing.direction.as_ref());
    let workspace = ledger.workspace(workspace_number).unwrap();
    ledger
        .read(|connection| {
            let mut statement = connection.prepare(&sql)?;
            let (base, total) = history::page_base_and_row_count(&workspace, listing.direction.as_ref());
            let newest = total - listing.paging.rows_before_page();
            let mut rows =
                statement.query([base, columns::to_sql_integer(newest - 50), columns::to_sql_integer(newest)])?;
            while rows.next()?.is_some() {}
            drop(rows);
            Ok(statement.get_status(rusqlite::StatementStatus::VmStep))
        })
        .unwrap()
}

#[test]
fn a_page_costs_the_same_wherever_it_lies_and_however_long_history_is() {
    let (short, short_workspace_number) = create_sample_ledger(1_000);
    let (long, long_workspace_number) = create_sample_ledger(50_000);
    for direction in [None, Some(Direction::Incoming), Some(Direction::Outgoing)] {
        let head = sqlite_steps(&short, short_workspace_number, direction.clone(), 1);
        let far_head = sqlite_steps(&long, long_workspace_number, direction.clone(), 1);
        let far = sqlite_steps(&long, long_workspace_number, direction, 200);
        assert!(far_head < head * 11 / 10 && far < head * 11 / 10, "{head} {far_head} {far}");
    }
}

#[test]
fn no_question_that_is_asked_often_scans_a_table() {
    let (ledger, _) = create_sample_ledger(100);
    for sql in [
        history::page_sql(None),
        history::page_sql(Some(&Direction::Incoming)),
        "SELECT due FROM history WHERE status = 0 ORDER BY due LIMIT 1".into(),
        "SELECT count(*) FROM history WHERE lane = 1 AND place >= 1 AND status <> 1".into(),
        stats::USER_ROWS_SQL.into(),
        stats::UNSUCCESSFUL_USER_ROWS_SQL.into(),
    ] {
        let plan: Vec<String> = ledger
            .read(|connection| {
                let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
                let count = statement.parameter_count();
                let values = vec![1_i64; count];
                let rows = statement.query_map(rusqlite::params_from_iter(values), |row| row.get(3))?;
                Ok(rows.collect::<Result<_, _>>()?)
            })
            .unwrap();
        let scans = plan.iter().any(|step| step.starts_with("SCAN") && !step.contains("history_pending"));
        assert!(!scans && !plan.iter().any(|step| step.contains("TEMP B-TREE")), "{plan:?}\n{sql}");
    }
}

/// Where there are indexes over some of the rows, `SQLite` plans a statement anew whenever it is given other values, which
/// takes longer than to execute it.
#[test]
fn a_statement_is_planned_once_whatever_it_is_given() {
    let (ledger, _) = create_sample_ledger(100);
    let planned_anew = |connection: &Connection| -> Result<i32, RequestError> {
        let mut statement = connection.prepare(&history::page_sql(Some(&Direction::Incoming)))?;
        for n in 0..5_i64 {
            let mut rows = statement.query([2, n, n + 5])?;
            while rows.next()?.is_some() {}
        }
        Ok(statement.get_status(rusqlite::StatementStatus::RePrepare))
    };
    assert_eq!((ledger.read(planned_anew), ledger.write(planned_anew)), (Ok(0), Ok(0)));
}
