//! Who stands in front of the screen and knows what was read there, what was typed, and when: nobody else's word counts.
//!
//! A request counts as confirmed when Enter was pressed while its review had stood there for a second, neither veiled nor
//! locked, with what is paid to whom on the screen, with every byte of the request where the review scrolls to, and with
//! the figures, the part of the address that it asks for and the words of each danger typed since it stood there, and
//! standing behind their labels. The program's own idea of that is not asked.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::time::Duration;

use bursar::domain::book::{BookChange, LabelSubject};
use bursar::domain::draft::MemoSupport;
use bursar::domain::order::{OrderId, OrderState};
use bursar::domain::{Draft, Order, Timestamp, address};
use bursar::guard::Severity;
use bursar::service::RecordedRequest;

use super::super::harness::Session;

/// How long a review must have stood there.
const A_SECOND: Duration = Duration::from_secs(1);

/// A request, as whoever reads it sees it: method, path and body.
type Request = (String, String, Vec<u8>);

/// A review that stands on the screen.
struct Sight {
    /// Which, and in which version: one that changed must be read anew.
    of: (OrderId, u64),
    since: Timestamp,
    /// Every letter that was typed since.
    letters: String,
}

impl Sight {
    fn has_typed(&self, text: &str) -> bool {
        self.letters.to_ascii_lowercase().contains(&text.to_ascii_lowercase())
    }
}

/// What was read, and what was done about it.
#[derive(Default)]
pub(super) struct Oracle {
    sight: Option<Sight>,
    confirmed: HashSet<Request>,
    book_changes: Vec<BookChange>,
}

impl Oracle {
    /// Looks at the screen after something happened.
    pub(super) fn looks(&mut self, session: &Session) {
        let of = session.review().map(|review| (review.order.id, review.version));
        if of != self.sight.as_ref().map(|sight| sight.of) {
            self.sight = of.map(|of| Sight { of, since: session.now(), letters: String::new() });
        }
    }

    /// Something is about to be typed.
    pub(super) fn hears(&mut self, letters: &str) {
        if let Some(sight) = &mut self.sight {
            sight.letters.push_str(letters);
        }
    }

    /// Enter is about to be pressed.
    pub(super) fn is_told(&mut self, session: &Session) {
        self.book_changes.extend(entering(session).or_else(|| naming(session)));
        // Neither through the veil nor past the lock is anything confirmed.
        let (Some(review), Some(sight), false) = (session.review(), &self.sight, session.is_barred()) else { return };
        let has_stood = session.now() >= sight.since.plus(A_SECOND);
        let screen = session.screen();
        let mut figures_wanted = figures(&review.draft);
        for danger in review.findings.iter().filter(|finding| finding.severity == Severity::Danger) {
            let phrase = danger.override_phrase.unwrap_or("what nobody can type");
            figures_wanted.push((format!("the words “{phrase}”"), phrase.to_owned()));
        }
        figures_wanted.extend(group_asked_for(&screen, &review.draft));
        let is_typed = figures_wanted.iter().all(|(label, text)| {
            let is_it = |letters: &str| letters.eq_ignore_ascii_case(text);
            sight.has_typed(text) && behind(&screen, label).is_some_and(is_it)
        });
        if has_stood && is_typed && stands_there(&screen, &review.draft) {
            let request_bytes = &review.order.drafted.request;
            let request =
                (request_bytes.method.clone(), request_bytes.path.clone(), request_bytes.body.clone().into_bytes());
            if is_read(session, &review.draft, &request) {
                self.confirmed.insert(request);
            }
        }
    }

    /// Whether a request that arrived was confirmed, byte for byte.
    pub(super) fn has_confirmed(&self, recorded: &RecordedRequest) -> bool {
        let request = (recorded.method.clone(), recorded.path.clone(), recorded.body.to_vec());
        self.confirmed.contains(&request)
    }

    /// Whether a change of the address book was confirmed. A template makes nobody a recipient: what is paid by it is
    /// reviewed.
    pub(super) fn has_entered(&self, change: &BookChange) -> bool {
        matches!(change, BookChange::Template(_) | BookChange::TemplateRemoved(_)) || self.book_changes.contains(change)
    }
}

/// How often the ledger may have executed an order, by what the journal says of it.
pub(super) fn possible_executions(order: &Order, now: Timestamp) -> RangeInclusive<usize> {
    match order.state(now) {
        OrderState::Drafted
        | OrderState::Confirmed
        | OrderState::NotSent
        | OrderState::Refused
        | OrderState::Abandoned => 0..=0,
        OrderState::Accepted | OrderState::Settled | OrderState::PartlySettled | OrderState::Failed => {
            usize::from(order.differences().is_empty())..=1
        }
        OrderState::Sending | OrderState::Unknown | OrderState::ProbablyRefused | OrderState::WrittenOff => 0..=1,
    }
}

/// The figures that must be typed by hand, each with its label.
fn figures(draft: &Draft) -> Vec<(String, String)> {
    let labelled = |label: &str, figure: String| (label.to_owned(), figure);
    match (draft, draft.single_payment(), draft.exchange()) {
        (_, Some(payment), _) => vec![labelled("the amount, in digits", payment.amount.to_string())],
        (Draft::Batch(batch), ..) => {
            let total = batch
                .total_as_written()
                .map_or_else(|| "a total that nobody can count".to_owned(), |sum| sum.to_string());
            let count = labelled("the number of recipients", batch.to.len().to_string());
            vec![labelled("the total, in digits", total), count]
        }
        (.., Some(exchange)) => vec![labelled("the amount sold, in digits", exchange.amount.to_string())],
        _ => Vec::new(),
    }
}

/// The part of the address that the screen asks for, if it does: its label, and what it must be.
fn group_asked_for(screen: &str, draft: &Draft) -> Option<(String, String)> {
    const TAIL: &str = " group of four of the recipient";
    let line = screen.lines().find(|line| line.contains(TAIL))?;
    let label = &line[..line.find(TAIL)? + TAIL.len()];
    let label = label.trim_start_matches(['▌', ' ']);
    let nth: usize = label.split(' ').nth(1)?.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse().ok()?;
    let groups = address::split_into_groups(&draft.single_payment()?.to).into_iter().filter(|group| group.len() == 4);
    Some((label.to_owned(), groups.skip(nth.checked_sub(1)?).map(str::to_owned).next()?))
}

/// What stands behind a label of what is to be typed.
fn behind<'a>(screen: &'a str, label: &str) -> Option<&'a str> {
    let mut lines = screen.lines().map(|line| line.trim_start_matches(['▌', ' ']));
    lines.find_map(|line| line.strip_prefix(label)).map(str::trim)
}

/// Without its blanks: an address may stand on two lines.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Whether the screen shows, without scrolling, what is paid to whom, or what else is asked for.
fn stands_there(screen: &str, draft: &Draft) -> bool {
    let close = squeeze(screen);
    let is_there = |text: &str| close.contains(&squeeze(text));
    // An amount of thousands is told in groups.
    let ungrouped = close.replace(',', "");
    let is_amount_there = |text: &str| ungrouped.contains(&squeeze(text));
    let shows = match (draft, draft.single_payment(), draft.exchange()) {
        (_, Some(payment), _) => {
            let is_tagged = !matches!(draft.memo(), MemoSupport::Supported(Some(memo)) if !is_there(memo));
            is_amount_there(&format!("Amount {} {}", payment.amount, payment.token))
                && is_there(&payment.to)
                && is_tagged
        }
        (Draft::Batch(batch), ..) => {
            let total = batch.total_as_written().map_or_else(String::new, |sum| sum.to_string());
            let many =
                if batch.to.len() == 1 { "1 recipient".to_owned() } else { format!("{} recipients", batch.to.len()) };
            is_amount_there(&format!("Total {total} {}", batch.token)) && is_there(&format!("To {many}"))
        }
        (.., Some(exchange)) => {
            is_amount_there(&format!("Sell † {} {}", exchange.amount, exchange.from)) && is_there(exchange.to)
        }
        _ => true,
    };
    shows && screen.contains("Review · ")
}

/// Whether whoever scrolls through the review reads every byte of its request, and every recipient in full.
fn is_read(session: &Session, draft: &Draft, (method, path, body): &Request) -> bool {
    let Some(whole) = session.whole_review() else { return false };
    let whole = squeeze(&whole);
    let is_there = |text: &str| whole.contains(&squeeze(text));
    let body = String::from_utf8_lossy(body);
    let is_listed = match draft {
        Draft::Batch(batch) => batch.to.iter().all(|to| {
            let amount = format!("{} {} ·", to.amount, batch.token);
            let is_asked_for = body.contains(&*to.address) && body.contains(&*to.amount);
            is_asked_for && is_there(&format!("{} {amount}", address::format_grouped(&to.address)))
        }),
        _ => true,
    };
    // What the review says of its bytes is compared with them once more.
    let payments = [
        draft.single_payment().map(|payment| (&payment.amount, &payment.to)),
        draft.exchange().map(|exchange| (exchange.amount, exchange.to)),
    ];
    let is_named = payments.into_iter().flatten().all(|(amount, to)| body.contains(&**amount) && body.contains(&**to));
    is_named && is_listed && is_there(&format!("Request {method} {path}")) && is_there(&body)
}

/// The change of the address book that Enter would record, if it stands on the screen whole.
fn entering(session: &Session) -> Option<BookChange> {
    let (change, contact, _) = session.entering()?;
    let screen = squeeze(&session.screen());
    let contact_texts = [Some(&contact.name), Some(&contact.address), contact.tag.as_ref()];
    let shows = contact_texts.into_iter().flatten().all(|text| screen.contains(&squeeze(text)));
    (shows && !session.is_barred()).then_some(change)
}

/// The name that Enter would record, if it and the address that it is for stand on the screen whole.
fn naming(session: &Session) -> Option<BookChange> {
    let change = session.naming()?;
    let BookChange::Label { subject, name } = &change else { return None };
    let screen = squeeze(&session.screen());
    let is_there = |text: &str| screen.contains(&squeeze(text));
    let is_address_there = match subject {
        LabelSubject::Address { address, .. } => is_there(address),
        LabelSubject::Wallet(_) | LabelSubject::Account(_) | LabelSubject::User(_) => true,
    };
    let shows = is_there("Name this") && is_address_there && name.as_ref().is_none_or(|name| is_there(name));
    (shows && !session.is_barred()).then_some(change)
}
