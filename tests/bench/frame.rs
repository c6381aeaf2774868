//! What a frame costs: painted, and turned into bytes. It must be the same however many rows the history has.
//!
//! On a quiet machine, 1,000 beside 1,000,000 rows at 120 x 40: a picture 0.20 / 0.21 ms, a row down and up 0.77 / 0.78, a
//! poll that changes a number in 20 of 35 rows 0.74 / 0.46 and 64 bytes.

#![expect(clippy::unwrap_used, reason = "a benchmark ends with its first surprise")]

use std::io::{Write, stdout};
use std::time::Duration;

use bursar::app::{Model, Msg, ProfileIdentity, Settings, Size, update, view};
use bursar::domain::history::{HistoryRow, RowCount, Window};
use bursar::domain::{
    Amount, Direction, Network, ReportedAmount, ServicePreferences, Status, SubType, Text, Timestamp, TokenKey,
    Transaction, TransactionId,
};
use bursar::terminal::Dialect;
use bursar::terminal::encoder::Encoder;
use crossterm::event::KeyCode;
use divan::{Bencher, black_box};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ruint::aliases::U256;

const ROWS: [u64; 2] = [1_000, 1_000_000];
const AREA: Rect = Rect::new(0, 0, 120, 40);
const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);

fn main() {
    tell_a_poll();
    divan::main();
}

/// Rows of the page whose number a poll changes, of 35 that are visible.
const CHANGING: u64 = 20;

/// The page after so many polls, each of which brings those rows another confirmation.
fn poll_model(model: &mut Model, polls: u64) {
    let first = model.pages.transactions.listing.first_visible_rank();
    let confirmed = |number: u64| {
        let mut row = row(number);
        row.transaction.status = Some(Status::Pending);
        let more = if (first..first + CHANGING).contains(&number) { polls } else { 0 };
        row.transaction.confirmation = Some(12 + more % 80);
        row
    };
    let rows = model.pages.transactions.listing.count().number();
    let rows_loaded = (first..first + 160).map(confirmed).collect();
    model.pages.transactions.listing.apply_window(Window { first, rows: rows_loaded, count: RowCount::Exact(rows) });
}

/// Bytes of a poll that changes a number in 20 of 35 rows: the goal is 300, and no more than 556, where one comes a second.
fn tell_a_poll() {
    let (mut model, mut out, mut bytes) = (model(ROWS[0]), Vec::new(), Vec::new());
    let (mut encoder, mut next) = (Encoder::new(Dialect::FULL), Buffer::empty(AREA));
    let mut before = next.clone();
    for poll in 0..32 {
        poll_model(&mut model, poll);
        out.clear();
        next.reset();
        view(&model, AREA, &mut next);
        let line = |buf: &Buffer, y: u16| (0..AREA.width).map(|x| buf[(x, y)].clone()).collect::<Vec<_>>();
        let differing = (0..AREA.height).filter(|y| line(&before, *y) != line(&next, *y)).count();
        assert!(poll == 0 || differing == usize::try_from(CHANGING).unwrap(), "{differing} lines differ");
        before = next.clone();
        encoder.encode_frame(&mut next, &mut out);
        bytes.push(out.len());
    }
    // The first paints everything.
    let changes = &mut bytes[1..];
    changes.sort_unstable();
    let (middle, mut output) = (changes[changes.len() / 2], stdout());
    writeln!(output, "bytes of a poll that changes {CHANGING} of 35 rows: {middle}").unwrap();
}

/// The processor's part of the same.
#[divan::bench(args = ROWS)]
fn poll(bencher: Bencher, rows: u64) {
    let mut model = model(rows);
    let (mut encoder, mut next, mut out, mut polls) = (Encoder::new(Dialect::FULL), Buffer::empty(AREA), Vec::new(), 0);
    bencher.bench_local(|| {
        polls += 1;
        poll_model(&mut model, polls);
        view(&model, AREA, &mut next);
        encoder.encode_frame(&mut next, &mut out);
        next.reset();
        black_box(&mut out).clear();
    });
}

fn row(number: u64) -> HistoryRow {
    let age = i64::try_from(number).unwrap() * 60_000;
    let time = Timestamp::from_millis(NOW.millis() - age);
    let address = |seed: u64| Some(Text::clean(&format!("0x{:040x}", seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))));
    let outgoing = number.is_multiple_of(2);
    let transaction = Transaction {
        id: TransactionId::from_text(&format!("00000000-0000-4000-8000-{number:012x}")),
        direction: if outgoing { Direction::Outgoing } else { Direction::Incoming },
        sub_type: Some(if outgoing { SubType::Withdraw } else { SubType::Deposit }),
        status: Some(Status::Success),
        token: TokenKey { blockchain: Text::clean("ethereum"), contract: address(1) },
        symbol: Text::clean("USDT"),
        token_name: None,
        standard: None,
        amount: Amount::new(U256::from(number * 7_919), 6).map(ReportedAmount::Exact),
        total_amount: None,
        total_fee: None,
        fee_token: None,
        fee_level: None,
        protocol: None,
        environment: None,
        network: None,
        from_address: address(number),
        to_address: address(number + 1),
        tx_hash: None,
        confirmation: Some(12),
        confirmed: Some(true),
        confirmed_at: Some(time),
        created_at: None,
        is_batch: None,
        ref_id: None,
        idempotency_key: None,
        note: None,
        trigger_origin: None,
        group: None,
        user: None,
        wallet: None,
        account: None,
        unreadable: Vec::new(),
    };
    let seq = -i64::try_from(number).unwrap();
    HistoryRow { seq, seen_at: time, time, transaction, wallet_name: None, suspicious: false, internal: false }
}

/// A console on the Transactions page, in the middle of a history of so many rows.
fn model(rows: u64) -> Model {
    let identity = ProfileIdentity {
        name: Text::clean("Harbour Trading"),
        profile: "harbour".into(),
        environment: Some(Network::Testnet),
        demo: true,
        fault: None,
        demo_role: None,
        base_url: Text::clean("http://127.0.0.1"),
    };
    let settings = Settings {
        identity,
        preferences: ServicePreferences { poll_period: Duration::from_secs(1), ..ServicePreferences::default() },
        zone: bursar::domain::Zone::default(),
        appearance: bursar::domain::Appearance::default(),
        profiles: Vec::new(),
        read_only: None,
        prices: bursar::app::data::prices::PriceSettings::default(),
        veil: bursar::app::session::veil::Veil::default(),
        lock: bursar::app::session::lock::LockSettings::default(),
        seed: 1,
    };
    let mut model = Model::new(settings, Size { width: AREA.width, height: AREA.height }, NOW);
    update(&mut model, Msg::Key(KeyCode::Char('3').into()));
    let first = rows / 2;
    let window =
        |from: u64| Window { first: from, rows: (from..from + 160).map(row).collect(), count: RowCount::Exact(rows) };
    model.pages.transactions.listing.apply_window(window(0));
    model.pages.transactions.listing.move_by(i64::try_from(first + 60).unwrap());
    model.pages.transactions.listing.apply_window(window(first));
    assert_eq!(model.pages.transactions.listing.visible_rows().count(), 35, "a screenful is visible");
    model
}

#[divan::bench(args = ROWS)]
fn paint(bencher: Bencher, rows: u64) {
    let model = model(rows);
    let mut buf = Buffer::empty(AREA);
    bencher.bench_local(|| view(black_box(&model), AREA, black_box(&mut buf)));
}

/// A row down and a row up: painted, and turned into bytes.
#[divan::bench(args = ROWS)]
fn scroll(bencher: Bencher, rows: u64) {
    let mut model = model(rows);
    let (mut encoder, mut next, mut out) = (Encoder::new(Dialect::FULL), Buffer::empty(AREA), Vec::new());
    bencher.bench_local(|| {
        for step in [1, -1] {
            model.pages.transactions.listing.scroll_by(step);
            view(&model, AREA, &mut next);
            encoder.encode_frame(&mut next, &mut out);
            next.reset();
            black_box(&mut out).clear();
        }
    });
}
