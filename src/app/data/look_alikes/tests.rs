//! Which addresses are judged, how often, and what that costs.

use super::*;
use crate::app::data::analyses::{AnalysisQuery, AnalysisResult};
use crate::app::model::{Model, Page, Settings};
use crate::app::msg::{Effect, Msg, StoreQuery, StoreResult};
use crate::app::{Size, update};
use crate::domain::history::{RowCount, Window};
use crate::domain::{Transaction, TransactionId};

const FORGED: &str = "0xBaFF2F13638C04B10F8119760B2D2aE86b08f8b5";
const GENUINE: &str = "0xbaf4b1aF7E3B560d937DA0458514552B6495F8b5";

/// So many rows, each of another address, the first of them forged.
fn rows(count: i64) -> Vec<HistoryRow> {
    let address = |seq| if seq == 0 { FORGED.to_owned() } else { format!("0x{:040x}", seq << 80 | seq) };
    let row = |seq| HistoryRow {
        seq,
        seen_at: Timestamp::from_millis(0),
        time: Timestamp::from_millis(0),
        transaction: Transaction {
            id: TransactionId::from_text(&seq.to_string()),
            from_address: Some(address(i128::from(seq)).as_str().into()),
            ..Transaction::minimal("ethereum")
        },
        wallet_name: None,
        suspicious: false,
        internal: false,
    };
    (0..count).map(row).collect()
}

struct TestConsole {
    model: Model,
    now: i64,
}

impl TestConsole {
    fn new() -> Self {
        let now = 1_000_000;
        let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, Timestamp::from_millis(now));
        model.data.is_connected = true;
        Self { model, now }
    }

    /// What is asked for by these effects: which addresses, and of which generation.
    fn comparisons(effects: Vec<Effect>) -> Vec<(RequestId, LookAlikeQuery)> {
        let requests = effects.into_iter().filter_map(|effect| match effect {
            Effect::RunAnalysis { query: AnalysisQuery::LookAlikes(compared), request_id } => {
                Some((request_id, *compared))
            }
            _ => None,
        });
        requests.collect()
    }

    /// A window of as many rows as the list asks for comes in, of so many in all.
    fn receive_rows(&mut self, all: i64) -> Vec<(RequestId, LookAlikeQuery)> {
        let Effect::QueryStore { query: StoreQuery::History(list, span), request_id } =
            crate::app::data::queries::query_history_rows(&mut self.model, crate::app::screen::HistoryList::Page)
        else {
            panic!("no question")
        };
        let rows = rows(all.min(span.rows.into()));
        let window = Window { first: 0, rows, count: RowCount::Exact(all.unsigned_abs()) };
        let answer = Ok(StoreResult::History(list, span.query, window));
        Self::comparisons(update(&mut self.model, Msg::StoreAnswered { request_id, answer }))
    }

    fn advance_time(&mut self, seconds: i64) -> Vec<(RequestId, LookAlikeQuery)> {
        self.now += seconds * 1_000;
        Self::comparisons(update(&mut self.model, Msg::Tick(Timestamp::from_millis(self.now))))
    }

    fn receive_verdicts(&mut self, comparison: &(RequestId, LookAlikeQuery)) -> Vec<(RequestId, LookAlikeQuery)> {
        Self::comparisons(self.effects_of_verdicts(comparison))
    }

    /// The forged address is judged, and nothing is to be said of the others.
    fn effects_of_verdicts(&mut self, (request_id, compared): &(RequestId, LookAlikeQuery)) -> Vec<Effect> {
        let match_of = |address: &Text| {
            (address.as_str() == FORGED)
                .then(|| LookAlikeMatch { address: GENUINE.into(), reason: "paid before".into() })
        };
        let matches = compared.addresses.iter().map(|address| (address.clone(), match_of(address))).collect();
        let query = Box::new(AnalysisQuery::LookAlikes(Box::new(compared.clone())));
        let result = Ok(Box::new(AnalysisResult::LookAlikes(matches)));
        update(&mut self.model, Msg::AnalysisLoaded { request_id: *request_id, query, result })
    }
}

/// The service may not answer for long, and the list is queried anew only then.
#[test]
fn a_row_that_turns_out_to_resemble_a_known_address_leaves_the_list_at_once() {
    let mut console = TestConsole::new();
    console.model.page = Page::Transactions;
    let comparison = console.receive_rows(20).remove(0);
    let hidden_addresses = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::QueryStore { query: StoreQuery::History(_, span), .. } => span.query.filter.poison_filter.clone(),
            _ => None,
        })
    };
    let effects = console.effects_of_verdicts(&comparison);
    let forged: Text = FORGED.into();
    assert_eq!(hidden_addresses(&effects), Some(PoisonFilter::new([&forged].into_iter())));
    console.receive_rows(20);
    console.model.data.analyses.look_alikes.invalidate_known_addresses();
    let again = console.advance_time(0).remove(0);
    assert_eq!(hidden_addresses(&console.effects_of_verdicts(&again)), None, "nothing has changed");
}

#[test]
fn rows_that_come_in_are_judged_once_and_anew_when_known_addresses_changed() {
    let mut console = TestConsole::new();
    assert_eq!(console.advance_time(1), [], "there is nothing to judge");
    let comparisons = console.receive_rows(20);
    assert_eq!((comparisons.len(), comparisons[0].1.addresses.len()), (1, 20));
    let row = &rows(1)[0];
    assert_eq!(console.model.data.analyses.look_alikes.match_of_row(row), None);
    // While one question is under way there is no other.
    assert_eq!(console.receive_rows(20), []);
    assert_eq!(console.receive_verdicts(&comparisons[0]), []);
    let look_alike = console.model.data.analyses.look_alikes.match_of_row(row).unwrap();
    assert_eq!(look_alike.address.as_str(), GENUINE);
    assert_eq!(console.model.data.analyses.look_alikes.match_of_row(&rows(2)[1]), None);
    // The same rows once more, and time alone, ask for nothing.
    assert_eq!((console.receive_rows(20), console.advance_time(600)), (Vec::new(), Vec::new()));
    // Another one is judged with what was gathered; after a change it is gathered anew, and not before a minute has passed.
    let more = console.receive_rows(21);
    assert_eq!(more[0].1.generation, comparisons[0].1.generation);
    console.receive_verdicts(&more[0]);
    console.model.data.analyses.look_alikes.mark_known_addresses_outdated();
    let later = console.advance_time(1);
    assert!(later[0].1.generation > comparisons[0].1.generation, "the last time was long ago");
    console.receive_verdicts(&later[0]);
    console.model.data.analyses.look_alikes.mark_known_addresses_outdated();
    assert_eq!(console.advance_time(58), []);
    let later = console.advance_time(2);
    assert!(later[0].1.generation > more[0].1.generation);
    console.receive_verdicts(&later[0]);
    // A book that was changed counts at once, also for what is compared while a judgement is under way.
    let generation = console.model.data.analyses.look_alikes.generation();
    console.model.data.analyses.look_alikes.invalidate_known_addresses();
    assert!(console.model.data.analyses.look_alikes.generation() > generation);
    assert_eq!(console.advance_time(0).len(), 1);
}

/// What is judged are the rows that are held for the screen, of however many there are.
#[test]
fn what_is_judged_does_not_grow_with_the_history() {
    let count = |all| TestConsole::new().receive_rows(all).remove(0).1.addresses.len();
    let (few, many) = (count(1_000), count(1_000_000));
    assert_eq!(few, many);
    assert!(many <= 300, "{many} addresses are judged at once");
}

#[test]
fn what_could_not_be_judged_is_tried_again_after_a_pause() {
    let mut console = TestConsole::new();
    let (request_id, compared) = console.receive_rows(3).remove(0);
    let query = Box::new(AnalysisQuery::LookAlikes(Box::new(compared)));
    let failure = crate::domain::Failure::from_read(crate::domain::FailureReason::Local, "the disk is gone");
    let effects = update(&mut console.model, Msg::AnalysisLoaded { request_id, query, result: Err(failure) });
    assert_eq!(TestConsole::comparisons(effects), []);
    assert_eq!(console.advance_time(59), []);
    assert_eq!(console.advance_time(2).len(), 1);
}
