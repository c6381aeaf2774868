//! The first read of a long history, interrupted in every way, while the service goes on and reorders its lists: it ends row
//! by row with the service's rows. `BURSAR_SEEDS=5000` tries so many.

use std::fs;
use std::path::Path;

use super::reading::{Service, go_on, lists, look, rows};
use super::sample::{in_folder, mix, now};
use crate::domain::history::Sort;
use crate::domain::{Direction, FinalStatuses, Status, Transaction};
use crate::store::state::flaw;
use crate::store::{BackfillRead, LatestRead, Store};

/// Seeds of each commit, for each disorder.
const SEEDS: u64 = 4;

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> usize {
        self.0 = self.0.wrapping_add(1);
        usize::try_from(mix(self.0.wrapping_mul(7_919)) % bound).unwrap()
    }
}

/// What a machine finds after its process was killed: the files as they were at that moment, log and all.
fn killed(folder: &Path, image: &Path) {
    for file in ["cache.db", "cache.db-wal"] {
        if folder.join(file).exists() {
            fs::copy(folder.join(file), image.join(file)).unwrap();
        }
    }
}

/// Lets a row that is on its way come to its end, wherever it stands.
fn settle_one(service: &mut Service, dice: &mut Dice) {
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
    fn happens(self, service: &mut Service, dice: &mut Dice) {
        match self {
            Self::Shuffles => service.shuffles = true,
            Self::Shifts => service.shifts = dice.below(4) == 0,
            Self::Moves if dice.below(3) == 0 => {
                let list = if dice.below(2) == 0 { &mut service.incoming } else { &mut service.outgoing };
                if !list.is_empty() {
                    let moved = list.remove(dice.below(list.len() as u64));
                    list.insert(dice.below(list.len() as u64 + 1), moved);
                }
            }
            Self::None | Self::Moves => {}
        }
    }
}

/// Pages of a read until it is given up, with arrivals and changes between them; says whether it came to its end.
fn feeds(
    service: &mut Service,
    dice: &mut Dice,
    disorder: Disorder,
    most: usize,
    mut page: impl FnMut(&mut Service) -> bool,
) -> bool {
    for _ in 0..most {
        disorder.happens(service, dice);
        if !page(service) {
            return true;
        }
        match dice.below(5) {
            0 => service.arrive(&Direction::Incoming),
            1 => service.arrive(&Direction::Outgoing),
            2 => settle_one(service, dice),
            _ => {}
        }
    }
    false
}

fn reads_on(store: &Store, service: &mut Service, dice: &mut Dice, disorder: Disorder, minute: i64) {
    let most = if dice.below(3) == 0 { dice.below(6) } else { usize::MAX };
    let mut back = BackfillRead::start(store, 1 + dice.below(90) as u64).unwrap();
    let whole = feeds(service, dice, disorder, most, |service| {
        let Some(wanted) = back.next_page() else { return false };
        let page = service.page(&wanted);
        back.add_page(&wanted, page).unwrap();
        true
    });
    // The network went away in the middle: what was received is dropped.
    if whole {
        back.finish(now(minute)).unwrap();
    }
}

fn looks(store: &Store, service: &mut Service, dice: &mut Dice, disorder: Disorder, minute: i64) {
    let most = if dice.below(3) == 0 { dice.below(4) } else { usize::MAX };
    let mut head = LatestRead::start(store).unwrap();
    let whole = feeds(service, dice, disorder, most, |service| {
        let Some(wanted) = head.wanted() else { return false };
        let page = service.page(&wanted);
        head.add_page(&wanted, page).unwrap();
        true
    });
    if whole {
        head.finish(now(minute)).unwrap();
    }
}

fn interrupts(seed: u64, disorder: Disorder) -> [u64; 4] {
    let mut dice = Dice(seed.wrapping_mul(1_000_003));
    let mut folder = tempfile::tempdir().unwrap();
    let mut store = in_folder(folder.path());
    let mut service = Service::new(5 + dice.below(20));
    for _ in 0..dice.below(500) {
        service.arrive(if dice.below(3) == 0 { &Direction::Outgoing } else { &Direction::Incoming });
    }
    let mut met = [0_u64; 4];
    for step in 0..60 {
        let minute = step + 1;
        match dice.below(10) {
            0..4 => reads_on(&store, &mut service, &mut dice, disorder, minute),
            4..6 => looks(&store, &mut service, &mut dice, disorder, minute),
            6 => {
                // It quits, or starts again at once.
                drop(store);
                store = in_folder(folder.path());
                met[0] += 1;
            }
            7 => {
                let image = tempfile::tempdir().unwrap();
                killed(folder.path(), image.path());
                drop(store);
                folder = image;
                store = in_folder(folder.path());
                met[1] += 1;
            }
            8 => {
                // Away for a while, more arrived than a page holds.
                for _ in 0..dice.below(60) {
                    service.arrive(if dice.below(2) == 0 { &Direction::Outgoing } else { &Direction::Incoming });
                }
                met[2] += 1;
            }
            _ => {
                settle_one(&mut service, &mut dice);
                met[3] += 1;
            }
        }
    }
    // What moves while it is read is found once it rests.
    service.shifts = false;
    for _ in 0..1_000 {
        look(&store, &mut service, 100);
        if go_on(&store, &mut service, 200, 100).progress.complete {
            break;
        }
    }
    // Rows that changed deep down are met a few pages at a time.
    let is_whole = |store: &Store, service: &Service| {
        let its = |row: &Transaction| service.incoming.iter().chain(&service.outgoing).any(|known| known == row);
        rows(store, Sort::Newest).iter().all(|row| its(&row.transaction))
    };
    for minute in 101..400 {
        if minute % 8 == 0 && is_whole(&store, &service) {
            break;
        }
        look(&store, &mut service, minute);
        // Where the look shows that rows are missing, they are looked for.
        go_on(&store, &mut service, 200, minute);
    }
    let progress = store.progress().unwrap();
    let seed = format!("seed {seed}, {disorder:?}");
    let flaw = progress.partial.as_deref().filter(|flaw| disorder != Disorder::Shuffles || *flaw != flaw::ORDER);
    assert_eq!((progress.complete, flaw), (true, None), "{seed}");
    let sorted = |(mut incoming, mut outgoing): (Vec<String>, Vec<String>)| {
        incoming.sort_unstable();
        outgoing.sort_unstable();
        (incoming, outgoing)
    };
    if disorder == Disorder::None {
        assert_eq!(lists(&store), service.all(), "{seed}");
    }
    assert_eq!(sorted(lists(&store)), sorted(service.all()), "{seed}");
    for row in rows(&store, Sort::Newest) {
        let its = service.incoming.iter().chain(&service.outgoing).find(|known| known.id == row.transaction.id);
        assert_eq!(its, Some(&row.transaction), "{seed}");
    }
    met
}

#[test]
fn however_it_is_interrupted_the_first_read_ends_with_the_services_rows() {
    let seeds = std::env::var("BURSAR_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(SEEDS);
    for disorder in Disorder::ALL {
        let mut met = [0_u64; 4];
        for seed in 0..seeds {
            let one = interrupts(seed, disorder);
            (0..4).for_each(|nth| met[nth] += one[nth]);
        }
        assert!(met.iter().all(|count| *count > seeds), "each kind of interruption was met: {met:?}");
    }
}
