//! The last row of a list with a filter: what its rows add up to, and of how many rows.
//!
//! ```text
//!  Sum of 24 of 26 rows; 2 failed left out   USDC +12,300.50 −400   ETH −1.2   and 3 other tokens   ≈ +16.2k −410.00 USDT
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use crate::app::model::Model;
use crate::app::pages::group_thousands;
use crate::domain::{Amount, ListSum, Text, ValuationAmount};
use crate::ui::{Theme, paint};

/// Columns between the parts of the line.
const GAP: u16 = 3;

pub fn count_and_noun(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", group_thousands(count), if count == 1 { "" } else { "s" })
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Signs {
    /// Incoming and outgoing amounts.
    Shown,
    /// Balances.
    Hidden,
}

#[derive(Default)]
pub struct SumLine {
    head: String,
    /// The head where there is room for what the sums leave out and why.
    head_with_reasons: Option<String>,
    /// The time that the filter covers.
    pub period: Option<String>,
    /// The sum of each token, the most valuable first.
    tokens: Vec<String>,
    value: Option<String>,
    /// The fees in full, and their value alone where there is no room for more.
    fees: Vec<String>,
}

impl SumLine {
    /// A line without sums.
    pub fn head(head: impl Into<String>) -> Self {
        Self { head: head.into(), ..Self::default() }
    }

    /// `others` are rows left out that the sum does not count itself.
    pub fn new(model: &Model, sum: &ListSum, signs: Signs, noun: &str, others: &[(u64, &str)]) -> Self {
        let [mut incoming, mut outgoing] = [Some(ValuationAmount::ZERO); 2];
        let (mut priced, mut unpriced) = (0, 0);
        let mut tokens = Vec::new();
        // A list of nothing but movements between own wallets is summed all the same.
        let is_internal = sum.rows == 0 && sum.internal_rows > 0;
        let (by_symbol, rows) =
            if is_internal { (&sum.internal_by_symbol, sum.internal_rows) } else { (&sum.by_symbol, sum.rows) };
        for (symbol, amounts) in by_symbol {
            let rate = model.data.prices.valuation_rate(symbol).map(|(rate, _)| rate);
            let worth = |amount: Option<Amount>| rate?.worth(amount?);
            let [received, spent] = amounts.map(worth);
            match received.zip(spent) {
                Some((received, spent)) => {
                    priced += 1;
                    incoming = incoming.and_then(|total| total.checked_add(received));
                    outgoing = outgoing.and_then(|total| total.checked_add(spent));
                }
                None => unpriced += 1,
            }
            let size = received.into_iter().chain(spent).max();
            tokens.push((size, symbol, format_token(symbol, amounts, signs)));
        }
        tokens.sort_by(|(one, name, _), (other, other_name, _)| other.cmp(one).then_with(|| name.cmp(other_name)));
        let value = model.data.prices.settings.valuation.as_ref().filter(|_| priced > 0).map(|valuation| {
            let figures = format_sides([incoming, outgoing].map(|side| side.map(ValuationAmount::format_short)), signs);
            let missing = if unpriced > 0 {
                format!(", {} without price", count_and_noun(unpriced, "token"))
            } else {
                String::new()
            };
            format!("≈ {figures} {valuation}{missing}")
        });
        let fees = fee_texts(model, sum);
        let internal_rows = if is_internal { 0 } else { sum.internal_rows };
        let left_out = [
            (internal_rows, "internal"),
            (sum.failed, "failed"),
            (sum.unclear, "of unknown amount"),
            (sum.suspicious, "suspicious"),
        ];
        let all_rows = sum.total_row_count() + others.iter().map(|(count, _)| count).sum::<u64>();
        let left_out: Vec<String> = left_out
            .iter()
            .chain(others)
            .filter(|(count, _)| *count > 0)
            .map(|(count, reason)| format!("{} {reason}", group_thousands(*count)))
            .collect();
        let head = match left_out.as_slice() {
            [] => format!("Sum of {}", count_and_noun(rows, noun)),
            _ => format!("Sum of {} of {}", group_thousands(rows), count_and_noun(all_rows, noun)),
        };
        Self {
            head_with_reasons: (!left_out.is_empty()).then(|| format!("{head}; {} left out", left_out.join(", "))),
            head,
            period: None,
            tokens: tokens.into_iter().map(|(.., text)| text).collect(),
            value,
            fees,
        }
    }

    /// Draws what fits: of the tokens those that are worth the most, and how many more there are.
    pub fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let end = area.right().saturating_sub(1);
        let mut x = area.x + 1;
        let bold = theme.text.add_modifier(Modifier::BOLD);
        let width = |text: &str| GAP + paint::text_width(text);
        let value = self.value.as_deref();
        let reserved = value.map_or(0, width) + self.fees.get(1).map_or(0, |short| width(short));
        let head = self.head_with_reasons.as_ref().filter(|head| x + paint::text_width(head) + reserved <= end);
        x += paint::put(buf, x, area.y, end.saturating_sub(x), head.unwrap_or(&self.head), bold);
        if let Some(period) = self.period.as_deref().filter(|period| x + width(period) <= end) {
            x += GAP + paint::put(buf, x + GAP, area.y, end, period, theme.dim);
        }
        let reserved = if x + reserved <= end { reserved } else { 0 };
        for (index, token) in self.tokens.iter().enumerate() {
            let rest = self.tokens.len() - index;
            let others = other_tokens_text(rest, index > 0);
            let after = if rest == 1 { 0 } else { width(&others) };
            if x + width(token) + after + reserved <= end {
                x += GAP + paint::put(buf, x + GAP, area.y, end, token, theme.text);
            } else {
                if x + width(&others) + reserved <= end {
                    x += GAP + paint::put(buf, x + GAP, area.y, end, &others, theme.dim);
                }
                break;
            }
        }
        // The fees in full only where the value does not lose its room.
        let after = value.map_or(0, width);
        let fees = self.fees.iter().find(|fees| x + after + width(fees) <= end).or(self.fees.get(1));
        for text in [value, fees.map(String::as_str)].into_iter().flatten() {
            if x + width(text) <= end {
                x += GAP + paint::put(buf, x + GAP, area.y, end, text, theme.text);
            }
        }
    }
}

/// How many tokens there is no room for, beside others or alone.
fn other_tokens_text(count: usize, has_others: bool) -> String {
    match (count, has_others) {
        (1, false) => "in 1 token".into(),
        (1, true) => "and 1 other token".into(),
        (count, false) => format!("in {count} tokens"),
        (count, true) => format!("and {count} other tokens"),
    }
}

/// The fees of the rows: by token and in value, and in value alone.
fn fee_texts(model: &Model, sum: &ListSum) -> Vec<String> {
    let mut value = Some(ValuationAmount::ZERO);
    let mut tokens = Vec::new();
    for (symbol, fee) in &sum.fees {
        let rate = model.data.prices.valuation_rate(symbol).map(|(rate, _)| rate);
        value = value.zip(rate.zip(*fee)).and_then(|(sum, (rate, fee))| sum.checked_add(rate.worth(fee)?));
        tokens.push(match fee {
            Some(fee) => format!("{symbol} {}", fee.format_grouped()),
            None => format!("{symbol} not known"),
        });
    }
    if tokens.is_empty() {
        return Vec::new();
    }
    let valuation = model.data.prices.settings.valuation.as_ref();
    let value = valuation.zip(value).map(|(valuation, value)| format!("≈ {} {valuation}", value.format_short()));
    let full = format!("fees {}", tokens.join("  "));
    match value {
        Some(value) => vec![format!("{full}  {value}"), format!("fees {value}")],
        None => vec![full],
    }
}

fn format_token(symbol: &Text, amounts: &[Option<Amount>; 2], signs: Signs) -> String {
    if amounts.iter().any(Option::is_none) {
        return format!("{symbol} not known");
    }
    format!(
        "{symbol} {}",
        format_sides(amounts.map(|side| side.filter(|side| !side.is_zero()).map(Amount::format_grouped)), signs)
    )
}

/// Both sides with their signs; one that is nothing is left out.
fn format_sides([incoming, outgoing]: [Option<String>; 2], signs: Signs) -> String {
    let is_nothing = |text: &String| text == "0.00";
    let plus = if signs == Signs::Shown { "+" } else { "" };
    let sides: Vec<String> = [(plus, incoming), ("−", outgoing)]
        .into_iter()
        .filter_map(|(sign, side)| Some(format!("{sign}{}", side.filter(|text| !is_nothing(text))?)))
        .collect();
    if sides.is_empty() { "0".into() } else { sides.join(" ") }
}
