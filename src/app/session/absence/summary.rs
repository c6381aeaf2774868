//! What came and changed during an absence, in a line.

use crate::app::model::Model;
use crate::domain::ValuationAmount;
use crate::domain::chain::chain_display_name;
use crate::domain::history_diff::TokenNetChange;

/// The summary cut to `columns`, and the keys that step through it and close it.
pub fn summary_line(model: &Model, columns: usize) -> Option<String> {
    let (_, missed) = model.session.absence.changes_while_away()?;
    let ends = if missed.rows.is_empty() { ["  Esc"; 2] } else { ["  u list, ] [ step, Esc", "  u ] [ Esc"] };
    format_summary(model, columns, ends)
}

/// The value of changes together with its sign, and how many of them are not in it; `None` where it says no more than the
/// changes.
fn net_value_text(model: &Model, changes: &[ValuedChange<'_>]) -> Option<String> {
    let valuation = model.data.prices.settings.valuation.as_ref()?;
    if let [(_, only)] = changes
        && only.symbol.eq_ignore_ascii_case(valuation)
    {
        return None;
    }
    let (mut more, mut less, mut unpriced) = (ValuationAmount::ZERO, ValuationAmount::ZERO, 0_usize);
    for (worth, change) in changes {
        match (worth, change.change) {
            (Some(worth), Some((true, _))) => more = more.checked_add(*worth)?,
            (Some(worth), Some((false, _))) => less = less.checked_add(*worth)?,
            (None, _) | (_, None) => unpriced += 1,
        }
    }
    if unpriced == changes.len() {
        return None;
    }
    let rest = if unpriced > 0 { format!(" without {unpriced} unpriced") } else { String::new() };
    Some(format!("{} {valuation}{rest}", more.change_since(less)?.format_difference()))
}

/// A change, and what it is worth by the latest prices, whichever its sign.
type ValuedChange<'a> = (Option<ValuationAmount>, &'a TokenNetChange);

/// The summary with the first of the ends if all changes fit into `columns`, else with the second and as many of them as
/// do. No amount is cut.
pub(super) fn format_summary(model: &Model, columns: usize, ends: [&str; 2]) -> Option<String> {
    let (since, missed) = model.session.absence.changes_while_away()?;
    let mut counts = Vec::new();
    if missed.added > 0 {
        counts.push(format!("{} new", missed.added));
    }
    if missed.changed > 0 {
        counts.push(format!("{} changed", missed.changed));
    }
    let counts = if counts.is_empty() { String::new() } else { format!("{}  ", counts.join(", ")) };
    let is_today = model.console.zone.local_day(since) == model.console.zone.local_day(model.now);
    let since = model.console.zone.format_with_offset(since, if is_today { "%H:%M" } else { "%b %d %H:%M" });
    let worth = |net: &TokenNetChange| model.data.prices.valuation_rate(&net.symbol)?.0.worth(net.change?.1);
    let mut changes: Vec<ValuedChange<'_>> = missed.changes.iter().map(|net| (worth(net), net)).collect();
    // The change worth most comes first; unpriced tokens come last.
    changes.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
    let net = net_value_text(model, &changes).map_or_else(String::new, |net| format!("≈ {net}  "));
    let head = format!("Since {since}: {counts}{net}");
    // A symbol that exists on several chains is followed by its chain.
    let named = |net: &TokenNetChange| match missed.changes.iter().filter(|other| other.symbol == net.symbol).count() {
        1 => net.symbol.to_string(),
        _ => format!("{} on {}", net.symbol, chain_display_name(&net.token.blockchain)),
    };
    // Each frame does this: changes for which there is no room are not put into words.
    let mut texts = Vec::new();
    let mut used = head.chars().count();
    for (_, net) in &changes {
        if used > columns {
            break;
        }
        let text = match net.change {
            Some((more, amount)) => {
                format!("{}{} {}", if more { "+" } else { "−" }, amount.format_grouped(), named(net))
            }
            None => format!("? {}", named(net)),
        };
        used += text.chars().count() + 2;
        texts.push(text);
    }
    let fits = |line: &String| line.chars().count() <= columns;
    if texts.len() == changes.len() {
        let whole = format!("{head}{}{}", texts.join("  "), ends[0]);
        if fits(&whole) {
            return Some(whole);
        }
    }
    // As many changes as fit.
    let line = |count: usize| {
        let more = match (changes.len() - count, count) {
            (0, _) => String::new(),
            (1, 0) => "1 token changed".into(),
            (rest, 0) => format!("{rest} tokens changed"),
            (rest, _) => format!("  and {rest} more"),
        };
        format!("{head}{}{more}{}", texts[..count].join("  "), ends[1])
    };
    (1..=texts.len()).rev().map(line).find(fits).or_else(|| Some(line(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::session::absence::AbsenceState;
    use crate::app::{Settings, Size};
    use crate::domain::history_diff::HistoryDiff;
    use crate::domain::{Amount, Timestamp, TokenKey};

    const SYMBOLS: [&str; 6] = ["USDC", "ETH", "BTC", "SOL", "TRX", "XRP"];

    fn returned_to(changes: usize) -> Model {
        let now = Timestamp::from_millis(1_790_000_000_000);
        let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, now);
        let change = |symbol: &str| TokenNetChange {
            token: TokenKey { blockchain: "ethereum".into(), contract: None },
            symbol: symbol.into(),
            change: Some((true, Amount::parse("1234.5", 1).unwrap())),
        };
        model.session.absence.state = AbsenceState::Returned {
            since: now,
            returned_at: now,
            baseline: Box::default(),
            changes: HistoryDiff {
                changes: SYMBOLS.iter().take(changes).map(|symbol| change(symbol)).collect(),
                rows: vec![1],
                added: 3,
                ..HistoryDiff::default()
            },
            is_complete: true,
            selected_change: None,
        };
        model
    }

    #[test]
    fn a_summary_names_as_many_changes_as_fit_and_counts_the_others() {
        for changes in 0..=SYMBOLS.len() {
            let model = returned_to(changes);
            let whole = summary_line(&model, usize::MAX).unwrap();
            assert!(whole.ends_with("  u list, ] [ step, Esc"), "{whole}");
            for columns in 0..whole.chars().count() + 2 {
                let line = summary_line(&model, columns).unwrap();
                let named = SYMBOLS.iter().filter(|symbol| line.contains(&format!("+1,234.5 {symbol}"))).count();
                let rest = match changes - named {
                    0 => String::new(),
                    1 if named == 0 => "1 token changed".into(),
                    rest if named == 0 => format!("{rest} tokens changed"),
                    rest => format!("  and {rest} more"),
                };
                let fits = line.chars().count() <= columns;
                assert!(fits || named == 0, "{columns}: {line}");
                assert_eq!(line == whole, whole.chars().count() <= columns, "{columns}: {line}");
                assert!(line == whole || line.ends_with(&format!("{rest}  u ] [ Esc")), "{columns}: {line}");
                let Some(next) = SYMBOLS.get(named).filter(|_| named < changes) else { continue };
                let next = "+1,234.5 ".len() + next.len() + if named > 0 { 2 } else { 0 };
                let rest_after = match changes - named - 1 {
                    0 => 0,
                    rest => format!("  and {rest} more").len(),
                };
                let with_next = line.chars().count() - rest.chars().count() + next + rest_after;
                assert!(with_next > columns, "{columns}: {line}");
            }
        }
    }
}
