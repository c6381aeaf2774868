//! What differs from run to run, and what stands in its place in snapshots and pictures.

use bursar::domain::{Draft, Order, ThemeName};
use ratatui::buffer::Buffer;
use sha2::{Digest as _, Sha256};

use super::Session;

impl Session {
    /// Keys and references of orders, which are drawn at random.
    pub(in super::super) fn identifiers(&self) -> Vec<String> {
        let of_order = |order: Order| {
            let key = order.drafted.request.key.map(|key| key.to_string());
            let reference = match &order.drafted.draft {
                Draft::Withdraw(payment) => payment.ref_id.clone(),
                draft => draft.exchange().and_then(|exchange| exchange.reference.cloned()),
            };
            [key, reference.map(|reference| reference.to_string())].into_iter().flatten()
        };
        self.recorded_orders().into_iter().flat_map(of_order).collect()
    }

    /// The cells of the screen in a theme, the same in every run: keys and references are replaced by fixed ones, and so
    /// is the port of the service.
    pub(in super::super) fn fixed_buffer(&self, theme: ThemeName) -> Buffer {
        let mut cells = self.buffer_in(theme);
        let url = self.service().base_url();
        let port = url.rsplit(':').next().unwrap();
        let fixed_url = format!("{}{}", &url[..url.len() - port.len()], &"48460"[..port.len()]);
        replace_in_cells(&mut cells, url, &fixed_url);
        let identifiers = self.identifiers().into_iter().chain(self.request_hashes()).chain(self.transactions_paid());
        for identifier in identifiers.filter(|identifier| is_random(identifier)) {
            replace_in_cells(&mut cells, &identifier, &fixed_identifier(&identifier));
        }
        cells
    }

    /// The bytes of a request have its key and its reference.
    fn request_hashes(&self) -> impl Iterator<Item = String> {
        self.recorded_orders()
            .into_iter()
            .map(|order| hex::encode(Sha256::digest(order.drafted.request.body.as_bytes())))
    }

    /// Identifiers and hashes of what was paid here.
    fn transactions_paid(&self) -> impl Iterator<Item = String> {
        let of_order = |order: Order| {
            let observation = order.last_observation().cloned();
            let id = observation.as_ref().and_then(|observation| Some(observation.transaction.as_ref()?.to_string()));
            id.into_iter().chain(observation.and_then(|observation| Some(observation.tx_hash?.to_string())))
        };
        self.recorded_orders().into_iter().flat_map(of_order)
    }
}

/// The same in cells: a part may be wrapped over several rows of a box, beside which other text stands.
fn replace_in_cells(cells: &mut Buffer, part: &str, placeholder: &str) {
    let letters: Vec<char> = part.chars().collect();
    for first in cells.area.positions() {
        let Some(places) = find_wrapped(cells, (first.x, first.y), None, &letters) else { continue };
        for (place, letter) in places.into_iter().zip(placeholder.chars()) {
            cells[place].set_char(letter);
        }
    }
}

/// How many letters stand at least right above the lower edge of a box that cuts the rest off.
const FEWEST_BEFORE_A_CUT: usize = 16;

/// Where letters stand from a cell on, the rest in the next row at the left edge of the box, which the first wrap finds.
/// What the box has no more rows for is left out.
fn find_wrapped(
    cells: &Buffer,
    first: (u16, u16),
    left_edge: Option<u16>,
    letters: &[char],
) -> Option<Vec<(u16, u16)>> {
    let ((x, y), area) = (first, cells.area);
    let is_at = |x: u16, letter: char| x < area.width && cells[(x, y)].symbol().chars().eq([letter]);
    let is_edge = |x: u16, y: u16| [" ", "│"].contains(&cells[(x, y)].symbol());
    let columns = (x..).zip(letters).take_while(|(x, letter)| is_at(*x, **letter));
    let mut places: Vec<_> = columns.map(|(x, _)| (x, y)).collect();
    let (last, _) = *places.last()?;
    let rest = &letters[places.len()..];
    if rest.is_empty() {
        return Some(places);
    }
    if y + 1 == area.height || (last + 1 < area.width && !is_edge(last + 1, y)) {
        return None;
    }
    if cells[(last, y + 1)].symbol() == "─" && places.len() >= FEWEST_BEFORE_A_CUT {
        return Some(places);
    }
    let mut edges = (0..=x).filter(|edge| {
        left_edge.is_none_or(|left_edge| left_edge == *edge) && (*edge == 0 || is_edge(edge - 1, y + 1))
    });
    let rest = edges.find_map(|edge| find_wrapped(cells, (edge, y + 1), Some(edge), rest))?;
    places.extend(rest);
    Some(places)
}

/// References of the sample business have a letter of a code; they are the same in every run.
fn is_random(identifier: &str) -> bool {
    identifier.chars().all(|letter| letter.is_ascii_hexdigit() || "-x".contains(letter))
}

/// An identifier of the same form, the same in every run.
fn fixed_identifier(identifier: &str) -> String {
    let mut digits = "7b3fd8e1429c6a05b1d94e2f8037ac56".chars().cycle();
    let letter = |c: char| if c.is_ascii_hexdigit() { digits.next().unwrap() } else { c };
    let (prefix, rest) = identifier.split_at(if identifier.starts_with("0x") { 2 } else { 0 });
    prefix.chars().chain(rest.chars().map(letter)).collect()
}

/// A text with a part replaced by another one of the same length, also where a line end stands within it.
pub(in super::super) fn replace_across_lines(screen: &str, part: &str, placeholder: &str) -> String {
    let mut lines: Vec<String> = screen.lines().map(|line| line.replace(part, placeholder)).collect();
    for index in 1..lines.len() {
        let (above, below) = (lines[index - 1].clone(), lines[index].clone());
        let indent = below.len() - below.trim_start().len();
        let cut =
            (1..part.len()).find(|cut| above.ends_with(&part[..*cut]) && below.trim_start().starts_with(&part[*cut..]));
        if let Some(cut) = cut {
            lines[index - 1] = format!("{}{}", &above[..above.len() - cut], &placeholder[..cut]);
            let rest = &below[indent + part.len() - cut..];
            lines[index] = format!("{}{}{rest}", &below[..indent], &placeholder[cut..]);
        }
    }
    lines.join("\n") + "\n"
}
