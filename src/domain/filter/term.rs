//! Parses one word of a filter into terms, or into an error that states what would be right.

use super::time::{parse_address_or_time, parse_age, parse_date, parse_period};
use super::{AmountOperator, FilterContext, FilterField, FilterTerm, RowPredicate, fold_case, split_field};
use crate::domain::{Amount, Direction, FinalStatuses, SubType};

pub(super) const DIRECTION_HINT: &str = "dir: takes in or out";
pub(super) const AMOUNT_HINT: &str = "amount: write amount:>=1000.50 or amount:>5k, with >, >=, < or <=, or its digits";
pub(super) const VALUE_HINT: &str = "value: write value:>1000 or value:<=5k, with >, >=, < or <=";
pub(super) const INTERNAL_HINT: &str = "internal: takes yes or no";
pub(super) const NEW_HINT: &str = "new: takes yes or no";
pub(super) const NO_ABSENCE: &str = "nothing is known to have come since the last visit";
pub(super) const NO_PRICES: &str = "value: needs quotes, and none were read; amount: compares plain amounts";

/// Usual status words of services, the commonest first. The list is open: other words can be searched in quotes.
const USUAL_STATUSES: [&str; 24] = [
    "pending",
    "success",
    "failed",
    "completed",
    "confirmed",
    "cancelled",
    "canceled",
    "rejected",
    "reverted",
    "expired",
    "error",
    "dropped",
    "replaced",
    "returned",
    "processing",
    "submitted",
    "queued",
    "created",
    "confirming",
    "broadcast",
    "sent",
    "approved",
    "waiting",
    "done",
];

/// The terms of a word; none where it restricts nothing yet.
///
/// # Errors
/// What would be right, where the word cannot be anything that its field holds.
pub(super) fn parse_filter_word(word: &str, context: &FilterContext<'_>) -> Result<Vec<FilterTerm>, String> {
    let (field, value) = match (word.strip_prefix('"'), split_field(word)) {
        (Some(quoted), _) => (None, quoted.strip_suffix('"').unwrap_or(quoted)),
        (None, Some((field, value))) => (Some(field), value),
        (None, None) => match parse_period(word, context)? {
            Some(tests) => {
                let field = Some(FilterField::Date);
                return Ok(tests.into_iter().map(|predicate| FilterTerm { field, predicate }).collect());
            }
            None => (None, word),
        },
    };
    if let (None, Some(name)) = (field, unknown_field_name(word)) {
        return Err(format!("no field is called {name}; \"{word}\" in quotes searches everywhere"));
    }
    if value.is_empty() {
        return Ok(Vec::new());
    }
    let tests = match field {
        Some(FilterField::From) => {
            parse_address_or_time(value, context, "from:", |period| RowPredicate::NotBefore(period.start))
        }
        Some(FilterField::To) => {
            parse_address_or_time(value, context, "to:", |period| RowPredicate::Before(period.end))
        }
        Some(FilterField::Date) => parse_date(value, context),
        Some(FilterField::Age) => parse_age(value, context),
        Some(FilterField::Internal) => Ok(vec![RowPredicate::Internal(parse_yes_or_no(value).ok_or(INTERNAL_HINT)?)]),
        Some(FilterField::New) => {
            let is_new = parse_yes_or_no(value).ok_or(NEW_HINT)?;
            Ok(vec![RowPredicate::New(is_new, context.row_changes.clone().ok_or(NO_ABSENCE)?)])
        }
        Some(FilterField::Amount) => parse_amount(value),
        Some(FilterField::Value) => parse_value(value, context),
        Some(FilterField::Direction) => {
            let words = [Direction::Incoming, Direction::Outgoing].map(|one| one.word().to_owned());
            if words.iter().any(|word| word.starts_with(&fold_case(value))) {
                parse_text(field, value)
            } else {
                Err(DIRECTION_HINT.into())
            }
        }
        Some(FilterField::Status) => {
            let FinalStatuses { ok, failed } = &context.final_statuses;
            let own = ok.iter().chain(failed).map(String::as_str);
            let statuses: Vec<&str> = USUAL_STATUSES.iter().copied().chain(own).collect();
            parse_vocabulary(field, value, "status", &statuses)
        }
        Some(FilterField::SubType) => parse_vocabulary(field, value, "type", SubType::KNOWN),
        _ => parse_text(field, value),
    }?;
    // A word of commas alone would search for an empty text.
    let asks = |test: &RowPredicate| !matches!(test, RowPredicate::Contains(needle) if needle.is_empty());
    Ok(tests.into_iter().filter(asks).map(|test| FilterTerm { field, predicate: test }).collect())
}

/// The field name in a word, if no field has that name.
fn unknown_field_name(word: &str) -> Option<&str> {
    let (name, value) = word.split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_name && !value.starts_with('/') && split_field(word).is_none()).then_some(name)
}

#[expect(clippy::unnecessary_wraps, reason = "what other words mean may be an error, and all are read alike")]
pub(super) fn parse_text(field: Option<FilterField>, value: &str) -> Result<Vec<RowPredicate>, String> {
    let mut needle = fold_case(value);
    if matches!(field, None | Some(FilterField::Amount)) && is_number_with_commas(&needle) {
        needle.retain(|c| c != ',');
    }
    Ok(vec![RowPredicate::Contains(needle)])
}

/// A word of an open list, such as a status. A service's own words are searched in quotes, without the field.
fn parse_vocabulary(
    field: Option<FilterField>,
    value: &str,
    name: &str,
    vocabulary: &[&str],
) -> Result<Vec<RowPredicate>, String> {
    let needle = fold_case(value);
    if vocabulary.iter().any(|word| fold_case(word).contains(&needle)) {
        return parse_text(field, value);
    }
    let usual = vocabulary.iter().take(3).map(|word| fold_case(word)).collect::<Vec<_>>().join(", ");
    Err(format!("{name}: takes {usual} …; for another word of the service type \"{value}\" in quotes"))
}

fn parse_yes_or_no(value: &str) -> Option<bool> {
    let value = fold_case(value);
    match ("yes".starts_with(&value), "no".starts_with(&value)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

fn parse_amount(value: &str) -> Result<Vec<RowPredicate>, String> {
    let Some((side, bound)) = AmountOperator::parse_prefix(value) else {
        let is_digits = value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
        return if is_digits { parse_text(Some(FilterField::Amount), value) } else { Err(AMOUNT_HINT.into()) };
    };
    Ok(vec![RowPredicate::Amount(side, parse_number(bound).ok_or(AMOUNT_HINT)?)])
}

fn parse_value(value: &str, context: &FilterContext<'_>) -> Result<Vec<RowPredicate>, String> {
    let (side, bound) = AmountOperator::parse_prefix(value).ok_or(VALUE_HINT)?;
    let bound = parse_number(bound).ok_or(VALUE_HINT)?;
    if context.prices.prices.is_empty() {
        return Err(NO_PRICES.into());
    }
    Ok(vec![RowPredicate::Value(side, bound, context.prices.clone())])
}

/// A number as an operator writes it, with `k` for thousands, `m` for millions and `b` for billions (10^9).
fn parse_number(text: &str) -> Option<Amount> {
    let digits = text.replace(',', "");
    let (digits, zeros) = match digits.char_indices().next_back()? {
        (at, 'k' | 'K') => (&digits[..at], 3),
        (at, 'm' | 'M') => (&digits[..at], 6),
        (at, 'b' | 'B') => (&digits[..at], 9),
        _ => (digits.as_str(), 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // The suffix moves the point to the right by that many digits.
    let shift = fraction.len().min(zeros);
    let shifted = format!("{whole}{}{}", &fraction[..shift], "0".repeat(zeros - shift));
    let (whole, rest) = (if whole == "0" { shifted.trim_start_matches('0') } else { &shifted }, &fraction[shift..]);
    if digits.ends_with('.') {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    let text = if rest.is_empty() { whole.to_owned() } else { format!("{whole}.{rest}") };
    Amount::parse(&text, u8::try_from(rest.len()).ok()?).ok()
}

fn is_number_with_commas(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.')) && word.contains(',')
}
