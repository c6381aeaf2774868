//! Answers of any bytes: no figure that the service did not tell, no row lost, and nothing hangs on what nobody knows.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Debug;

use serde_json::value::RawValue;

use super::super::envelope::Payload;
use super::super::fields::Fields;
use super::super::v1::{blockchains, records, sub_wallets, swaps};
use super::super::v2::{accounts, transactions, users, wallets};
use super::super::{BaseUrl, WireNames, body, json_scalars};
use super::{BALANCES, ODD, TOKENS, TRANSACTIONS};
use crate::domain::{Direction, ReportedAmount};
use crate::fuzzing::{decimal, grown, target, text};

/// What was read of a body: its figures, how many rows it has, those included that nothing was made of, and all of it.
struct ParsedBody {
    figures: Vec<ReportedAmount>,
    rows: Option<usize>,
    debug_text: String,
}

impl ParsedBody {
    fn new<T: Debug>(items: &[T], unreadable: u64, figures: impl Fn(&T) -> Vec<Option<&ReportedAmount>>) -> Self {
        let figures = items.iter().flat_map(&figures).flatten().cloned().collect();
        let rows = usize::try_from(unreadable).ok().map(|unreadable| items.len() + unreadable);
        Self { figures, rows, debug_text: format!("{items:?}") }
    }
}

/// A body as everything that it could be the answer to.
fn parse_as_everything(body: &str) -> Vec<Option<ParsedBody>> {
    let answer = Payload::parse(body).ok();
    let page = transactions::parse_page(body, &Direction::Incoming, &WireNames::default()).ok();
    let transactions = page.map(|page| {
        ParsedBody::new(&page.items, page.unreadable, |row| {
            vec![row.amount.as_ref(), row.total_amount.as_ref(), row.total_fee.as_ref()]
        })
    });
    let balances = super::balances(body).ok();
    let balances = balances
        .map(|page| ParsedBody { rows: None, ..ParsedBody::new(&page.items, 0, |row| vec![Some(&row.amount)]) });
    let of = |read: &dyn Fn(&Payload<'_>) -> Option<ParsedBody>| answer.as_ref().and_then(read);
    vec![
        transactions,
        balances,
        of(&|answer| {
            let page = answer.page(records::parse_deposit).ok()?;
            Some(ParsedBody::new(&page.items, page.unreadable, |row| {
                vec![row.amount.as_ref(), row.network_fee.as_ref()]
            }))
        }),
        of(&|answer| {
            let page = answer.page(sub_wallets::parse_asset).ok()?;
            Some(ParsedBody::new(&page.items, page.unreadable, |row| vec![row.balance.as_ref(), row.frozen.as_ref()]))
        }),
        of(&|answer| {
            let quote = swaps::parse_quote(&answer.object().ok()?)?;
            let figures = |quote: &crate::domain::v1::Quote| {
                [Some(&quote.from_amount), Some(&quote.to_amount), quote.fee.as_ref(), quote.swap_price.as_ref()]
                    .map(Option::<&ReportedAmount>::cloned)
            };
            let figures = figures(&quote).into_iter().flatten().collect();
            Some(ParsedBody { figures, rows: None, debug_text: format!("{quote:?}") })
        }),
        of(&|answer| {
            answer
                .page_of_any(blockchains::parse_token)
                .ok()
                .map(|page| ParsedBody::new(&page.items, page.unreadable, |_| Vec::new()))
        }),
        of(&|answer| {
            answer
                .page(accounts::parse_account)
                .ok()
                .map(|page| ParsedBody::new(&page.items, page.unreadable, |_| Vec::new()))
        }),
        of(&|answer| {
            answer
                .page(wallets::parse_wallet)
                .ok()
                .map(|page| ParsedBody::new(&page.items, page.unreadable, |_| Vec::new()))
        }),
        of(&|answer| {
            answer
                .page(users::parse_user)
                .ok()
                .map(|page| ParsedBody::new(&page.items, page.unreadable, |_| Vec::new()))
        }),
    ]
}

/// Every number that a body tells, in figures or in texts.
fn collect_numbers(raw: &RawValue, numbers: &mut HashSet<(String, i64)>) {
    if let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(raw.get()) {
        for value in members.values() {
            collect_numbers(value, numbers);
        }
    } else if let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(raw.get()) {
        for value in items {
            collect_numbers(value, numbers);
        }
    } else if let Some(text) = json_scalars::parse_text(raw) {
        numbers.extend(decimal(text.trim()));
    }
}

/// Whether a figure stands in a body: as it is, or as smallest units with their number of fraction digits.
fn is_in_body(figure: &ReportedAmount, numbers: &HashSet<(String, i64)>) -> bool {
    let Some(figure) = figure.exact() else { return true };
    let (digits, power) = decimal(&figure.to_string()).unwrap();
    let units = (0..=77).any(|decimals| {
        let debug_text = decimal(&decimals.to_string()).unwrap();
        numbers.contains(&debug_text) && numbers.contains(&(digits.clone(), power + decimals))
    });
    numbers.contains(&(digits, power)) || units
}

/// The laws of reading, for any body.
pub(super) fn check_reading_laws(body: &str) {
    let bodies = parse_as_everything(body);
    let whole: Option<&RawValue> = serde_json::from_str(body).ok();
    let Some(whole) = whole else {
        assert!(bodies.iter().all(Option::is_none), "something was read of what is no JSON: {body}");
        return;
    };
    let mut numbers = HashSet::new();
    collect_numbers(whole, &mut numbers);
    let envelope = Fields::from_raw(whole);
    let refused = envelope.as_ref().and_then(|envelope| envelope.flag("success")) == Some(false);
    assert!(!refused || bodies.iter().all(Option::is_none), "a refusal was read: {body}");
    let list = envelope.map_or(Some(whole), |envelope| envelope.get("data"));
    let entries = list.and_then(|list| serde_json::from_str::<Vec<&RawValue>>(list.get()).ok()).map(|list| list.len());
    for reading in bodies.iter().flatten() {
        assert!(reading.rows.is_none() || reading.rows == entries, "{:?} rows are {:?}: {body}", entries, reading.rows);
        for figure in &reading.figures {
            assert!(is_in_body(figure, &numbers), "{figure:?} was told by nobody: {body}");
        }
    }
    let debug_text = |readings: Vec<Option<ParsedBody>>| -> Vec<_> {
        readings.into_iter().map(|reading| reading.map(|reading| reading.debug_text)).collect()
    };
    assert_eq!(debug_text(parse_as_everything(&grown(body))), debug_text(bodies), "an unknown member changed {body}");
}

#[test]
fn an_answer_is_read_as_what_it_tells_and_nothing_else() {
    let seeds: [&[u8]; 12] = [
        TRANSACTIONS.as_bytes(),
        ODD.as_bytes(),
        BALANCES.as_bytes(),
        TOKENS.as_bytes(),
        include_bytes!("../../../tests/suite/wire/deposits.json"),
        include_bytes!("../../../tests/suite/wire/assets.json"),
        include_bytes!("../../../tests/suite/wire/quote.json"),
        include_bytes!("../../../tests/suite/wire/accounts.json"),
        include_bytes!("../../../tests/suite/wire/balance-object.json"),
        b"{\"success\":\"False\",\"data\":[{\"id\":\"a\",\"amount\":1}],\"message\":[\"no\"]}",
        b"[{\"id\":1,\"amount\":{\"raw\":1e2,\"formatted\":\"0.1e1\"},\"decimals\":\"2\"}]",
        b"{\"data\":{\"fromCoin\":\"A\",\"fromAmount\":-1,\"toCoin\":\"B\",\"toAmount\":\"1e-100\"}}",
    ];
    target(&seeds, |input| {
        let body = String::from_utf8_lossy(input);
        let is_deep = body::check_depth(&body, 64).is_err();
        if !is_deep {
            check_reading_laws(&body);
        }
    });
}

#[test]
fn an_address_that_is_read_leads_to_one_service_and_keeps_keys_from_the_wire() {
    let seeds: [&[u8]; 9] = [
        b"https://api.example.com/",
        b"http://127.0.0.1:8460",
        b"http://localhost/base",
        b"https://user:pass@evil.com",
        b"http://[::1]:1/",
        b"https://api.example.com/v2",
        b"http://127.1",
        b"https://a\\@b.com/?x#y",
        b"https://api.exa\tmple.com/a/\\/b",
    ];
    target(&seeds, |input| {
        let Ok(base) = BaseUrl::parse(text(input)) else { return };
        assert_eq!(BaseUrl::parse(base.as_str()).as_ref(), Ok(&base), "{base}");
        let url = base.operation_url("/v2/users", &[("userId", "a&b=c")]);
        assert_eq!(
            (url.host_str(), url.username(), url.password(), url.fragment()),
            (Some(base.host()), "", None, None)
        );
        assert!(url.path().ends_with("/v2/users") && url.query() == Some("userId=a%26b%3Dc"), "{url}");
        let local = ["127.", "localhost", "[::1]", "::1"].iter().any(|local| base.host().starts_with(local));
        assert!(url.scheme() == "https" || (base.is_unencrypted() && url.scheme() == "http" && local), "{url}");
    });
}
