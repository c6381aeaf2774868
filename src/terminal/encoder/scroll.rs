//! Finds lines that moved as a block, so that the terminal can scroll them.

use std::collections::HashMap;

use ratatui::buffer::Cell;

use super::pen::is_same_cell;

/// How many cells must be saved before scrolling pays: it costs about twenty bytes and a longer way for the cursor.
const MIN_GAIN: isize = 30;

/// Lines `top..bottom` for the terminal to scroll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scroll {
    pub(super) top: usize,
    pub(super) bottom: usize,
    /// In lines; the lines revealed are blank.
    pub(super) distance: usize,
    pub(super) is_up: bool,
}

impl Scroll {
    /// Finds the scroll that saves most, if any pays. `changed`: the rows that differ.
    pub(super) fn best_scroll(screen: &[Cell], target: &[Cell], changed: &[usize], width: usize) -> Option<Self> {
        // A marker that moves changes two rows and a count.
        if changed.len() < 4 {
            return None;
        }
        // Rows before the first that differs and after the last stay as they are.
        let [first, .., last] = changed else { return None };
        let range = first * width..(last + 1) * width;
        let rows: Vec<(&[Cell], &[Cell])> =
            screen[range.clone()].chunks_exact(width).zip(target[range].chunks_exact(width)).collect();
        let (by, up) = most_common_shift(&rows, changed.iter().map(|row| row - first))?;
        let gains = ScrollGains::from_rows(&rows, by, up);
        let (start, end, gain) = gains.best_run()?;
        let (top, bottom) = if up { (start, end + by) } else { (start - by, end) };
        let scroll = Self { top: first + top, bottom: first + bottom, distance: by, is_up: up };
        (gain > MIN_GAIN).then_some(scroll)
    }

    /// Scrolls the cells as the terminal scrolls its lines.
    pub(super) fn apply(self, cells: &mut [Cell], width: usize) {
        let region = &mut cells[self.top * width..self.bottom * width];
        let cell_count = self.distance * width;
        let revealed = if self.is_up {
            region.rotate_left(cell_count);
            let revealed_from = region.len() - cell_count;
            &mut region[revealed_from..]
        } else {
            region.rotate_right(cell_count);
            &mut region[..cell_count]
        };
        revealed.iter_mut().for_each(Cell::reset);
    }
}

/// Those of the rows that differ, by number.
pub(super) fn changed_rows(
    rows: impl Iterator<Item = usize>,
    screen: &[Cell],
    target: &[Cell],
    width: usize,
) -> Vec<usize> {
    let cells = |row: usize| row * width..(row + 1) * width;
    let is_same =
        |row: usize| screen[cells(row)].iter().zip(&target[cells(row)]).all(|(left, right)| is_same_cell(left, right));
    rows.filter(|row| !is_same(*row)).collect()
}

/// The shift that most of the changed rows agree on. Rows that are shown more than once have no vote.
fn most_common_shift(rows: &[(&[Cell], &[Cell])], changed: impl Iterator<Item = usize>) -> Option<(usize, bool)> {
    let mut places: HashMap<u64, Option<usize>> = HashMap::with_capacity(rows.len());
    for (row, (screen, _)) in rows.iter().enumerate() {
        places.entry(fingerprint(screen)).and_modify(|place| *place = None).or_insert(Some(row));
    }
    let mut votes: HashMap<(usize, bool), usize> = HashMap::new();
    for row in changed {
        if let Some(Some(from)) = places.get(&fingerprint(rows[row].1))
            && *from != row
        {
            *votes.entry((from.abs_diff(row), *from > row)).or_default() += 1;
        }
    }
    // Ties go to the shorter shift, so that the same frames always give the same bytes.
    votes.into_iter().max_by_key(|((by, up), count)| (*count, usize::MAX - by, *up)).map(|(shift, _)| shift)
}

/// Cells saved for each row.
struct ScrollGains {
    /// For each row: if it were the target of the shift.
    gains: Vec<Option<isize>>,
    /// Sums over the rows before each row: if it were revealed blank.
    revealed: Vec<isize>,
    distance: usize,
    is_up: bool,
}

impl ScrollGains {
    fn from_rows(rows: &[(&[Cell], &[Cell])], distance: usize, is_up: bool) -> Self {
        let different = |left: &[Cell], right: &[Cell]| {
            cell_count(left.iter().zip(right).filter(|(left, right)| !is_same_cell(left, right)))
        };
        let stays: Vec<isize> = rows.iter().map(|(screen, target)| different(screen, target)).collect();
        let gains = (0..rows.len())
            .map(|row| {
                let from = if is_up { row.checked_add(distance) } else { row.checked_sub(distance) }?;
                Some(stays[row] - different(rows.get(from)?.0, rows[row].1))
            })
            .collect();
        let mut sum = 0;
        let mut revealed = vec![0];
        for (row, (_, target)) in rows.iter().enumerate() {
            sum += stays[row] - cell_count(target.iter().filter(|cell| **cell != Cell::EMPTY));
            revealed.push(sum);
        }
        Self { gains, revealed, distance, is_up }
    }

    /// The run of target rows with the highest gain, and that gain, including the rows revealed.
    fn best_run(&self) -> Option<(usize, usize, isize)> {
        let mut best: Option<(usize, usize, isize)> = None;
        let mut run: Option<(usize, isize)> = None;
        for (row, gained) in self.gains.iter().enumerate() {
            let Some(gained) = gained else {
                run = None;
                continue;
            };
            // A run that scrolls down reveals the lines above its first row, one that scrolls up those below its last.
            let fresh = if self.is_up { 0 } else { self.revealed[row] - self.revealed[row - self.distance] };
            let (start, gain) = run.filter(|(_, gain)| *gain > fresh).unwrap_or((row, fresh));
            run = Some((start, gain + gained));
            let below = if self.is_up { self.revealed[row + 1 + self.distance] - self.revealed[row + 1] } else { 0 };
            let total = gain + gained + below;
            if best.is_none_or(|(_, _, most)| total > most) {
                best = Some((start, row + 1, total));
            }
        }
        best
    }
}

fn cell_count(cells: impl Iterator) -> isize {
    isize::try_from(cells.count()).unwrap_or(isize::MAX)
}

/// A quick hash of a row's text. A collision only costs bytes, since cells are compared before anything is sent.
fn fingerprint(row: &[Cell]) -> u64 {
    row.iter().fold(0, |sum: u64, cell| {
        let word = cell.symbol().bytes().take(8).fold(0, |word: u64, byte| word << 8 | u64::from(byte));
        (sum.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}
