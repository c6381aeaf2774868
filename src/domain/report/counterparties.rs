//! Who paid the business and whom it paid, by volume.
//!
//! There may be as many counterparties as rows. So a first pass only ranks them, by a few bytes each; a second one sums
//! those that are shown, and all others together.

use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::BuildHasher;

use super::table::report_columns;
use super::{FlowSums, LineLevel, Movement, ReportCell, ReportKind, ReportLine, ReportRow, ReportTable};
use crate::domain::address::fold_address_case;
use crate::domain::address_names::AddressNames;
use crate::domain::{Day, Period, PriceHistory, SubType, Text, Timestamp, ValuationAmount, ValueShare};

/// The most counterparties with lines of their own.
pub const MAX_COUNTERPARTIES: usize = 200;
/// The most that are ranked at a time; beyond it, the lighter half counts among the others.
const MAX_RANKED: usize = 400_000;
/// The most addresses of a name that are told apart.
const MAX_ADDRESSES: usize = 8;

/// Whom a row names, so that all addresses of one name count together.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Counterparty {
    Name(Text),
    /// In lower case where its notation ignores case.
    Address(Text),
    /// The other side of a swap is the service's market.
    Swaps,
    /// A batch, whose rows do not name each recipient.
    SeveralRecipients,
    NoAddress,
}

impl Counterparty {
    fn of(row: &ReportRow<'_>, names: &AddressNames) -> Self {
        match (row.counterparty, row.sub_type) {
            (_, Some(SubType::Swap)) => Self::Swaps,
            (Some(address), _) => match names.party(address, &row.token.blockchain) {
                Some(party) => Self::Name(party.name.clone()),
                None => Self::Address(Text::clean(&fold_address_case(address))),
            },
            (None, Some(SubType::BatchWithdraw)) => Self::SeveralRecipients,
            (None, _) => Self::NoAddress,
        }
    }

    fn label(&self) -> ReportCell {
        match self {
            Self::Name(name) => ReportCell::Text(name.clone()),
            Self::Address(address) => ReportCell::Text(address.clone()),
            Self::Swaps => ReportCell::word("swaps"),
            Self::SeveralRecipients => ReportCell::word("several recipients"),
            Self::NoAddress => ReportCell::word("no address stated"),
        }
    }
}

/// Whether a row counts here: it moves money across the border of the business, in a real token.
fn counted_movement(row: &ReportRow<'_>) -> Option<Movement> {
    row.movement().filter(|_| !row.is_internal && !row.is_suspicious)
}

#[derive(Debug, Clone, Copy)]
struct RankingWeight {
    value: ValuationAmount,
    rows: u64,
}

/// The first pass.
#[derive(Debug, Default)]
pub struct CounterpartyRanking {
    hasher: RandomState,
    weights: HashMap<u64, RankingWeight>,
    /// Whether some were dropped, so that their number is not known.
    is_pruned: bool,
}

impl CounterpartyRanking {
    pub fn add(&mut self, row: &ReportRow<'_>, prices: &PriceHistory, names: &AddressNames) {
        let Some(movement) = counted_movement(row) else { return };
        let hash = self.hasher.hash_one(Counterparty::of(row, names));
        let amount = match movement {
            Movement::In(amount) | Movement::Out { paid: amount, .. } => Some(amount),
            Movement::Unclear => None,
        };
        let rate = prices.nearest_rate(row.symbol, Day::from_timestamp(row.at));
        let value = amount.zip(rate).and_then(|(amount, dated)| dated.rate.worth(amount));
        let weight = self.weights.entry(hash).or_insert(RankingWeight { value: ValuationAmount::ZERO, rows: 0 });
        weight.rows += 1;
        weight.value = value.and_then(|value| weight.value.checked_add(value)).unwrap_or(weight.value);
        if self.weights.len() > MAX_RANKED {
            self.keep_heaviest(MAX_RANKED / 2);
            self.is_pruned = true;
        }
    }

    fn keep_heaviest(&mut self, count: usize) {
        let mut weights: Vec<(u64, RankingWeight)> = self.weights.drain().collect();
        weights.sort_by_key(|(_, weight)| std::cmp::Reverse((weight.value, weight.rows)));
        weights.truncate(count);
        self.weights.extend(weights);
    }

    /// The sums to fill in the second pass.
    pub fn into_heaviest_sums(mut self, count: usize) -> CounterpartySums {
        let total_count = self.weights.len();
        self.keep_heaviest(count);
        CounterpartySums {
            hasher: self.hasher,
            shown_parties: self.weights.into_keys().collect(),
            by_counterparty: BTreeMap::new(),
            others: CounterpartyFlows::default(),
            total: FlowSums::default(),
            other_count: (!self.is_pruned).then(|| total_count.saturating_sub(count)),
            imitation_rows: 0,
            internal_rows: 0,
        }
    }
}

#[derive(Debug, Clone, Default)]
struct CounterpartyFlows {
    addresses: BTreeSet<Text>,
    by_symbol: BTreeMap<Text, FlowSums>,
    span: Option<(Timestamp, Timestamp)>,
}

impl CounterpartyFlows {
    fn total_over_tokens(&self) -> FlowSums {
        let mut all = FlowSums::default();
        self.by_symbol.values().for_each(|sums| all.merge_values(sums));
        all
    }
}

/// The second pass.
#[derive(Debug)]
pub struct CounterpartySums {
    hasher: RandomState,
    shown_parties: HashSet<u64>,
    by_counterparty: BTreeMap<Counterparty, CounterpartyFlows>,
    others: CounterpartyFlows,
    total: FlowSums,
    /// How many counterparties have no lines of their own; `None` where they were too many to count.
    other_count: Option<usize>,
    imitation_rows: u64,
    internal_rows: u64,
}

impl CounterpartySums {
    pub fn add(&mut self, row: &ReportRow<'_>, prices: &PriceHistory, names: &AddressNames) {
        let Some(movement) = counted_movement(row) else {
            if row.movement().is_some() {
                self.imitation_rows += u64::from(row.is_suspicious);
                self.internal_rows += u64::from(row.is_internal && !row.is_suspicious);
            }
            return;
        };
        let counterparty = Counterparty::of(row, names);
        let sums = if self.shown_parties.contains(&self.hasher.hash_one(&counterparty)) {
            self.by_counterparty.entry(counterparty).or_default()
        } else {
            &mut self.others
        };
        if let Some(address) = row.counterparty
            && sums.addresses.len() < MAX_ADDRESSES
        {
            sums.addresses.insert(Text::clean(address));
        }
        let (first, last) = sums.span.unwrap_or((row.at, row.at));
        sums.span = Some((first.min(row.at), last.max(row.at)));
        let flows = match sums.by_symbol.get_mut(row.symbol) {
            Some(flows) => flows,
            None => sums.by_symbol.entry(row.symbol.clone()).or_default(),
        };
        let dated = (row.symbol, Day::from_timestamp(row.at));
        flows.add_movement(movement, false, dated, prices);
        self.total.add_movement(movement, false, dated, prices);
    }

    pub fn into_table(self, period: Period, valuation: &Text) -> ReportTable {
        let whole = self.total.volume().total();
        let mut ranked: Vec<(CounterpartyLineSubject, FlowSums, CounterpartyFlows)> = self
            .by_counterparty
            .into_iter()
            .map(|(counterparty, sums)| {
                (CounterpartyLineSubject::new(&counterparty, &sums), sums.total_over_tokens(), sums)
            })
            .collect();
        ranked.sort_by_key(|(_, all_tokens, _)| std::cmp::Reverse((all_tokens.volume().total(), all_tokens.rows)));
        let mut lines = Vec::new();
        let mut add = |level, subject: &CounterpartyLineSubject, token: Option<&Text>, flows: &FlowSums| {
            let share = flows.volume().total().zip(whole).and_then(|(value, whole)| value.share_of(whole));
            let cells = cells(level, subject, token, flows, share, valuation);
            let filter = subject.filter.as_ref().map(|filter| match token {
                Some(token) => format!("{filter} internal:no token:{token}"),
                None => format!("{filter} internal:no"),
            });
            let filter = filter.map(|filter| filter.trim_start().to_owned());
            lines.push(ReportLine { level, cells, filter, period });
        };
        let everyone = CounterpartyLineSubject {
            filter: Some(String::new()),
            ..CounterpartyLineSubject::of_words("all counterparties")
        };
        add(LineLevel::Total, &everyone, None, &self.total);
        let mut add_group = |subject: &CounterpartyLineSubject, sums: &CounterpartyFlows, all_tokens: &FlowSums| {
            add(LineLevel::Group, subject, None, all_tokens);
            for (symbol, flows) in symbols_by_value(&sums.by_symbol) {
                add(LineLevel::Token, subject, Some(symbol), flows);
            }
        };
        for (rank, (mut subject, all_tokens, sums)) in (1..).zip(ranked) {
            subject.rank = Some(rank);
            add_group(&subject, &sums, &all_tokens);
        }
        if !self.others.by_symbol.is_empty() {
            let subject = match self.other_count {
                Some(count) => CounterpartyLineSubject::of_words(&format!("{count} others")),
                None => CounterpartyLineSubject::of_words("all others"),
            };
            let span = self.others.span;
            add_group(&CounterpartyLineSubject { span, ..subject }, &self.others, &self.others.total_over_tokens());
        }
        let mut remarks = Vec::new();
        if self.internal_rows > 0 {
            remarks.push(format!("{} movements between own wallets are left out", self.internal_rows));
        }
        if self.imitation_rows > 0 {
            remarks.push(format!("{} movements of tokens that imitate a listed one are left out", self.imitation_rows));
        }
        remarks.extend(super::value_remarks(&self.total.volume(), self.total.unclear, valuation));
        ReportTable {
            kind: ReportKind::Counterparties,
            period,
            valuation: valuation.clone(),
            columns: COLUMNS,
            bars: &["volume_value"],
            lines,
            remarks,
        }
    }
}

/// Whom the lines of a counterparty name.
#[derive(Debug, Clone)]
struct CounterpartyLineSubject {
    rank: Option<u64>,
    label: ReportCell,
    address: ReportCell,
    span: Option<(Timestamp, Timestamp)>,
    /// The filter that finds its rows.
    filter: Option<String>,
}

impl CounterpartyLineSubject {
    fn new(counterparty: &Counterparty, sums: &CounterpartyFlows) -> Self {
        let only_address = sums.addresses.first().filter(|_| sums.addresses.len() == 1);
        let filter = match counterparty {
            Counterparty::Address(address) => Some(address.to_string()),
            Counterparty::Name(_) => match sums.addresses.len() {
                0 | MAX_ADDRESSES => None,
                1 => only_address.map(ToString::to_string),
                _ => {
                    let addresses: Vec<&str> = sums.addresses.iter().map(Text::as_str).collect();
                    Some(format!("counterparty:{}", addresses.join(",")))
                }
            },
            Counterparty::Swaps => Some(format!("type:{}", SubType::Swap.word())),
            Counterparty::SeveralRecipients | Counterparty::NoAddress => None,
        };
        let address = match sums.addresses.len() {
            0 | 1 => ReportCell::text(only_address),
            MAX_ADDRESSES => ReportCell::word(format!("{MAX_ADDRESSES} addresses or more")),
            count => ReportCell::word(format!("{count} addresses")),
        };
        Self { rank: None, label: counterparty.label(), address, span: sums.span, filter }
    }

    fn of_words(text: &str) -> Self {
        let label = ReportCell::word(text.to_owned());
        Self { rank: None, label, address: ReportCell::Empty, span: None, filter: None }
    }
}

/// The sums of each symbol, those of the highest value first.
pub(super) fn symbols_by_value(sums: &BTreeMap<Text, FlowSums>) -> Vec<(&Text, &FlowSums)> {
    let mut each: Vec<_> = sums.iter().collect();
    each.sort_by_key(|(_, flows)| std::cmp::Reverse((flows.volume().total(), flows.rows)));
    each
}

report_columns! {
    fn cells(
        level: LineLevel,
        subject: &CounterpartyLineSubject,
        token: Option<&Text>,
        flows: &FlowSums,
        share: Option<ValueShare>,
        valuation: &Text,
    ) -> COLUMNS {
        let exact = |sum: &super::ExactSum| if token.is_some() { ReportCell::amount(sum.amount()) } else { ReportCell::Empty };
        "level", "", 0 => ReportCell::word(level.word()),
        "rank", "#", 7 => subject.rank.map_or(ReportCell::Empty, ReportCell::Count),
        "counterparty", "Counterparty", 1 => subject.label.clone(),
        "address", "Address", 12 => subject.address.clone(),
        "token", "Token", 4 => ReportCell::text(token),
        "in", "In", 10 => exact(&flows.incoming),
        "out", "Out", 10 => exact(&flows.outgoing),
        "in_value", "≈ In", 5 => ReportCell::value(flows.value_in.total()),
        "out_value", "≈ Out", 5 => ReportCell::value(flows.value_out.total()),
        "volume_value", "≈ Volume", 2 => ReportCell::value(flows.volume().total()),
        "share_percent", "Share", 3 => share.map_or(ReportCell::Empty, ReportCell::Share),
        "movements", "Rows", 8 => ReportCell::Count(flows.rows),
        "unclear", "", 0 => ReportCell::Count(flows.unclear),
        "first_at", "", 0 => subject.span.map_or(ReportCell::Empty, |(first, _)| ReportCell::At(first)),
        "last_at", "Last", 11 => subject.span.map_or(ReportCell::Empty, |(_, last)| ReportCell::At(last)),
        "valued_in", "", 0 => ReportCell::text(Some(valuation)),
        "prices", "Valued by", 13 => ReportCell::word(flows.volume().to_string()),
    }
}
