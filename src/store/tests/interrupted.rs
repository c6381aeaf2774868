//! The first read of a long history, interrupted in every way, while the service goes on and reorders its lists: it ends row
//! by row with the service's rows. `BURSAR_SEEDS=5000` tries so many.

use std::fs;
use std::path::Path;

use super::fixtures::{mix_bits, now, store_in_folder};
use super::sync_and_backfill::{FakeService, run_backfill, stored_ids, stored_rows, sync_latest};
use crate::domain::history::Sort;
use crate::domain::{Direction, FinalStatuses, Status, Transaction};
use crate::store::cache_state::flaw;
use crate::store::{BackfillRead, LatestRead, Store};

/// Seeds of each commit, for each disorder.
const SEEDS: u64 = 4;

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> usize {
        self.0 = self.0.wrapping_add(1);
        usize::try_from(mix_bits(self.0.wrapping_mul(7_919)) % bound).unwrap()
    }
}

/// What a machine finds after its process was killed: the files as they were at that moment, log and all.
fn copy_files_of_killed_process(folder: &Path, image: &Path) {
    for file in ["cache.db", "cache.db-wal"] {
        if folder.join(file).exists() {
            fs::copy(folder.join(file), image.join(file)).unwrap();
        }
    }
}

/// Lets a row that is on its way come to its end, wherever it stands.
fn settle_one(service: &mut FakeService, dice: &mut Dice) {
    let list = if dice.below(2) == 0 { &mut service.incoming } else { &mut service.outgoing };
    let open: Vec<usize> = (0..list.len()).filter(|nth| !list[*nth].is_final(&FinalStatuses::default())).collect();
    if open.is_empty() {
        return;
    }
    let row: &mut Transaction = &mut list[open[dice.below(open.len() as u64)]];
    row.status = Some(if dice.below(9) == 0 { Status::Failed } else { Status::Success });
    row.confirmed = Some(row.status == Some(Status::Success));
}

/// What a service does to the order of its lists while they are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Disorder {
    /// Nothing.
    None,
    /// The rows of each page stand in no order.
    Shuffles,
    /// Some pages begin with the last row of the one before.
    Shifts,
    /// Rows change their places.
    Moves,
}

impl Disorder {
    const ALL: [Self; 4] = [Self::None, Self::Shuffles, Self::Shifts, Self::Moves];

    /// Happens, before a page is asked for.
    fn apply_to(self, service: &mut FakeService, dice: &mut Dice) {
        match self {
            Self::Shuffles => service.shuffles = true,
            Self::Shifts => service.shifts = dice.below(4) == 0,
            Self::Moves if dice.below(3) == 0 => {
                let list = if dice.below(2) == 0 { &mut service.incoming } else { &mut service.outgoing };
                if !list.is_empty() {
                    let row = list.remove(dice.below(list.len() as u64));
                    list.insert(dice.below(list.len() as u64 + 1), row);
                }
            }
            Self::None | Self::Moves => {}
        }
    }
}

/// Pages of a read until it is given up, with arrivals and changes between them; says whether it came to its end.
fn feed_pages(
    service: &mut FakeService,
    dice: &mut Dice,
    disorder: Disorder,
    most: usize,
    mut page: impl FnMut(&mut FakeService) -> bool,
) -> bool {
    for _ in 0..most {
        disorder.apply_to(service, dice);
        if !page(service) {
            return true;
        }
        match dice.below(5) {
            0 => service.add_transaction(&Direction::Incoming),
            1 => service.add_transaction(&Direction::Outgoing),
            2 => settle_one(service, dice),
            _ => {}
        }
    }
    false
}

fn interrupted_backfill(store: &Store, service: &mut FakeService, dice: &mut Dice, disorder: Disorder, minute: i64) {
    let most = if dice.below(3) == 0 { dice.below(6) } else { usize::MAX };
    let mut backfill = BackfillRead::start(store, 1 + dice.below(90) as u64).unwrap();
    let whole = feed_pages(service, dice, disorder, most, |service| {
        let Some(request) = backfill.next_page() else { return false };
        let page = service.page(&request);
        backfill.add_page(&request, page).unwrap();
        true
    });
    // The network went away in the middle: what was received is dropped.
    if whole {
        backfill.finish(now(minute)).unwrap();
    }
}

fn interrupted_sync(store: &Store, service: &mut FakeService, dice: &mut Dice, disorder: Disorder, minute: i64) {
    let most = if dice.below(3) == 0 { dice.below(4) } else { usize::MAX };
    let mut head = LatestRead::start(store).unwrap();
    let whole = feed_pages(service, dice, disorder, most, |service| {
        let Some(request) = head.next_page() else { return false };
        let page = service.page(&request);
        head.add_page(&request, page).unwrap();
        true
    });
    if whole {
        head.finish(now(minute)).unwrap();
    }
}

fn run_interruptions(seed: u64, disorder: Disorder) -> [u64; 4] {
    let mut dice = Dice(seed.wrapping_mul(1_000_003));
    let mut folder = tempfile::tempdir().unwrap();
    let mut store = store_in_folder(folder.path());
    let mut service = FakeService::new(5 + dice.below(20));
    for _ in 0..dice.below(500) {
        service.add_transaction(if dice.below(3) == 0 { &Direction::Outgoing } else { &Direction::Incoming });
    }
    let mut counts = [0_u64; 4];
    for step in 0..60 {
        let minute = step + 1;
        match dice.below(10) {
            0..4 => interrupted_backfill(&store, &mut service, &mut dice, disorder, minute),
            4..6 => interrupted_sync(&store, &mut service, &mut dice, disorder, minute),
            6 => {
                // It quits, or starts again at once.
                drop(store);
                store = store_in_folder(folder.path());
                counts[0] += 1;
            }
            7 => {
                let image = tempfile::tempdir().unwrap();
                copy_files_of_killed_process(folder.path(), image.path());
                drop(store);
                folder = image;
                store = store_in_folder(folder.path());
                counts[1] += 1;
            }
            8 => {
                // Away for a while, more arrived than a page holds.
                for _ in 0..dice.below(60) {
                    service.add_transaction(if dice.below(2) == 0 {
                        &Direction::Outgoing
                    } else {
                        &Direction::Incoming
                    });
                }
                counts[2] += 1;
            }
            _ => {
                settle_one(&mut service, &mut dice);
                counts[3] += 1;
            }
        }
    }
    // What moves while it is read is found once it rests.
    service.shifts = false;
    for _ in 0..1_000 {
        sync_latest(&store, &mut service, 100);
        if run_backfill(&store, &mut service, 200, 100).progress.complete {
            break;
        }
    }
    // Rows that changed deep down are met a few pages at a time.
    let is_whole = |store: &Store, service: &FakeService| {
        let is_served =
            |row: &Transaction| service.incoming.iter().chain(&service.outgoing).any(|served| served == row);
        stored_rows(store, Sort::Newest).iter().all(|row| is_served(&row.transaction))
    };
    for minute in 101..400 {
        if minute % 8 == 0 && is_whole(&store, &service) {
            break;
        }
        sync_latest(&store, &mut service, minute);
        // Where the look shows that rows are missing, they are looked for.
        run_backfill(&store, &mut service, 200, minute);
    }
    let progress = store.progress().unwrap();
    let seed = format!("seed {seed}, {disorder:?}");
    let flaw =
        progress.partial.as_deref().filter(|flaw| disorder != Disorder::Shuffles || *flaw != flaw::NOT_NEWEST_FIRST);
    assert_eq!((progress.complete, flaw), (true, None), "{seed}");
    let sorted = |(mut incoming, mut outgoing): (Vec<String>, Vec<String>)| {
        incoming.sort_unstable();
        outgoing.sort_unstable();
        (incoming, outgoing)
    };
    if disorder == Disorder::None {
        assert_eq!(stored_ids(&store), service.listed_ids(), "{seed}");
    }
    assert_eq!(sorted(stored_ids(&store)), sorted(service.listed_ids()), "{seed}");
    for row in stored_rows(&store, Sort::Newest) {
        let served =
            service.incoming.iter().chain(&service.outgoing).find(|transaction| transaction.id == row.transaction.id);
        assert_eq!(served, Some(&row.transaction), "{seed}");
    }
    counts
}

#[test]
fn however_it_is_interrupted_the_first_read_ends_with_the_services_rows() {
    let seeds = std::env::var("BURSAR_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(SEEDS);
    for disorder in Disorder::ALL {
        let mut counts = [0_u64; 4];
        for seed in 0..seeds {
            let one = run_interruptions(seed, disorder);
            (0..4).for_each(|nth| counts[nth] += one[nth]);
        }
        assert!(counts.iter().all(|count| *count > seeds), "each kind of interruption was met: {counts:?}");
    }
}
