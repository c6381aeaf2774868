//! Passes the rows of a period to a report: no transaction is rebuilt, and what rows share is read once.
//!
//! The times of a segment's rows tell whether any is in the period; only then are its rows read.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use rusqlite::Connection;

use super::dictionary::PhraseCode;
use super::imitation_cache::ImitationCache;
use super::row::{RowParts, line_fields, transfer_fields, wallet_fields};
use super::segment::{NO_TIME, SegmentPart, segment_bounds};
use super::{Cancel, Store, StoreError};
use crate::domain::imitation::TokenCandidate;
use crate::domain::own_addresses::ChainAddresses;
use crate::domain::report::ReportRow;
use crate::domain::{
    AccountId, Direction, OwnAddresses, Period, ReportedAmount, Status, SubType, Text, TokenKey, WalletId,
};

impl Store {
    /// Passes each row of a period, in no particular order, from one unchanging snapshot of the history.
    pub(super) fn walk_report_rows(
        &self,
        period: Period,
        cancel: &Cancel,
        each: &mut dyn FnMut(&ReportRow<'_>),
    ) -> Result<(), StoreError> {
        self.read_history(|snapshot| {
            let connection = snapshot.connection;
            self.load_whole_dictionary(connection)?;
            let addresses = self.cached_own_addresses(connection)?;
            let mut reader = ReportRowReader {
                store: self,
                own: &addresses.own,
                imitations: self.imitation_cache(connection)?,
                chains: Vec::new(),
                wallets: HashMap::new(),
                transfers: HashMap::new(),
                tokens: HashMap::new(),
                statuses: HashMap::new(),
                counterparty: String::new(),
            };
            for number in snapshot.segment_numbers() {
                cancel.check()?;
                if snapshot.with_part(number, SegmentPart::Times, |times| Ok(has_row_within(times, period)))? {
                    reader.read_segment(connection, number, period, each)?;
                }
            }
            Ok(())
        })?;
        Ok(())
    }
}

/// Whether a row of a segment may be in the period. Positions without a row have no time either.
fn has_row_within(times: &[u8], period: Period) -> bool {
    let (start, end) = (period.start.millis().div_euclid(1_000), period.end.millis());
    times.as_chunks::<4>().0.iter().any(|bytes| {
        let seconds = u32::from_le_bytes(*bytes);
        let seconds = i64::from(seconds);
        seconds == i64::from(NO_TIME) || seconds >= start && seconds.saturating_mul(1_000) < end
    })
}

struct WalletFacts<'a> {
    /// Index of its chain.
    chain: usize,
    /// The own addresses on its chain.
    own: Option<&'a ChainAddresses>,
    account: Option<AccountId>,
    wallet: Option<WalletId>,
}

struct TransferFacts {
    direction: Direction,
    sub_type: Option<SubType>,
    symbol: Text,
    token_name: Option<Text>,
    contract: Option<Text>,
    fee_token: Option<Text>,
}

struct TokenFacts {
    key: TokenKey,
    /// An imitation may differ from its model in nothing but its fraction digits.
    imitates: Vec<(Option<u8>, bool)>,
}

/// Caches the facts of phrases, each of which is read once.
struct ReportRowReader<'a> {
    store: &'a Store,
    own: &'a OwnAddresses,
    imitations: Arc<ImitationCache>,
    chains: Vec<Text>,
    wallets: HashMap<PhraseCode, WalletFacts<'a>>,
    transfers: HashMap<PhraseCode, TransferFacts>,
    /// By chain and transfer phrase.
    tokens: HashMap<(usize, PhraseCode), TokenFacts>,
    statuses: HashMap<PhraseCode, Option<Status>>,
    counterparty: String,
}

impl ReportRowReader<'_> {
    fn read_segment(
        &mut self,
        connection: &Connection,
        number: i64,
        period: Period,
        each: &mut dyn FnMut(&ReportRow<'_>),
    ) -> Result<(), StoreError> {
        let (oldest, newest) = segment_bounds(number);
        let mut statement = connection.prepare_cached("SELECT body FROM deed WHERE nth BETWEEN ?1 AND ?2")?;
        let mut rows = statement.query([-newest, -oldest])?;
        while let Some(row) = rows.next()? {
            let body = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
            let parts = RowParts::read(body).ok_or_else(|| StoreError::damaged("a row cannot be read"))?;
            if period.contains(parts.displayed_time()) {
                self.decode_row(&parts, each)?;
            }
        }
        Ok(())
    }

    fn decode_row(&mut self, parts: &RowParts<'_>, each: &mut dyn FnMut(&ReportRow<'_>)) -> Result<(), StoreError> {
        let [wallet_code, transfer_code, status_code] = parts.codes;
        self.cache_phrases(parts.codes)?;
        self.counterparty.clear();
        if let Some(address) = parts.other_address {
            address.append_to(&mut self.counterparty);
        }
        let broken = || StoreError::damaged("a row cannot be read");
        let wallet = self.wallets.get(&wallet_code).ok_or_else(broken)?;
        let transfer = self.transfers.get(&transfer_code).ok_or_else(broken)?;
        let status = self.statuses.get(&status_code).ok_or_else(broken)?.as_ref();
        let chains = &self.chains;
        let token = self.tokens.entry((wallet.chain, transfer_code)).or_insert_with(|| TokenFacts {
            key: TokenKey {
                blockchain: chains.get(wallet.chain).cloned().unwrap_or_default(),
                contract: transfer.contract.clone(),
            },
            imitates: Vec::new(),
        });
        let decimals = parts.amount.as_ref().map(|amount| amount.even_if_disputed().decimals());
        let cached_judgement = token.imitates.iter().find(|(of, _)| *of == decimals).map(|(_, imitates)| *imitates);
        let is_suspicious = cached_judgement.unwrap_or_else(|| {
            let name = transfer.token_name.as_ref();
            let candidate = TokenCandidate { token: &token.key, symbol: &transfer.symbol, name, decimals };
            let imitates = self.imitations.is_imitation(&candidate);
            token.imitates.push((decimals, imitates));
            imitates
        });
        let counterparty = parts.other_address.map(|_| self.counterparty.as_str());
        let as_ref = Option::<ReportedAmount>::as_ref;
        each(&ReportRow {
            at: parts.displayed_time(),
            is_time_reported: parts.reported_time().is_some(),
            token: &token.key,
            symbol: &transfer.symbol,
            token_name: transfer.token_name.as_ref(),
            account: wallet.account.as_ref(),
            wallet: wallet.wallet.as_ref(),
            sub_type: transfer.sub_type.as_ref(),
            direction: &transfer.direction,
            status,
            verdict: self.store.final_statuses().verdict_of_status(status, parts.confirmed),
            amount: as_ref(&parts.amount),
            total_amount: as_ref(&parts.total_amount),
            total_fee: as_ref(&parts.total_fee),
            fee_token: transfer.fee_token.as_ref(),
            counterparty,
            is_suspicious,
            is_internal: transfer.sub_type.as_ref().is_some_and(SubType::is_internal)
                || wallet.own.zip(counterparty).is_some_and(|(own, address)| own.has(address)),
        });
        Ok(())
    }

    fn cache_phrases(&mut self, [wallet_code, transfer_code, status_code]: [PhraseCode; 3]) -> Result<(), StoreError> {
        if self.wallets.contains_key(&wallet_code)
            && self.transfers.contains_key(&transfer_code)
            && self.statuses.contains_key(&status_code)
        {
            return Ok(());
        }
        let phrases = self.store.read_dictionary();
        let field = |code: PhraseCode, nth: usize| -> Result<Option<Text>, StoreError> {
            let line = phrases.line(code).ok_or_else(|| StoreError::damaged("a row cannot be read"))?;
            Ok(line_fields(line).nth(nth).flatten().map(Text::clean))
        };
        if !self.wallets.contains_key(&wallet_code) {
            let chain = field(wallet_code, wallet_fields::CHAIN)?.unwrap_or_default();
            let own = self.own.on_chain(&chain);
            let at = self.chains.iter().position(|other| *other == chain).unwrap_or_else(|| {
                self.chains.push(chain);
                self.chains.len() - 1
            });
            let account = field(wallet_code, wallet_fields::ACCOUNT)?.map(|id| AccountId::from_text(&id));
            let wallet = field(wallet_code, wallet_fields::WALLET)?.map(|id| WalletId::from_text(&id));
            self.wallets.insert(wallet_code, WalletFacts { chain: at, own, account, wallet });
        }
        if let Entry::Vacant(vacant) = self.transfers.entry(transfer_code) {
            vacant.insert(TransferFacts {
                direction: Direction::from_word(&field(transfer_code, transfer_fields::DIRECTION)?.unwrap_or_default()),
                sub_type: field(transfer_code, transfer_fields::SUB_TYPE)?.map(|word| SubType::from_word(&word)),
                symbol: field(transfer_code, transfer_fields::SYMBOL)?.unwrap_or_default(),
                token_name: field(transfer_code, transfer_fields::TOKEN_NAME)?,
                contract: field(transfer_code, transfer_fields::CONTRACT)?,
                fee_token: field(transfer_code, transfer_fields::FEE_TOKEN)?,
            });
        }
        if let Entry::Vacant(vacant) = self.statuses.entry(status_code) {
            vacant.insert(field(status_code, 0)?.map(|word| Status::from_word(&word)));
        }
        Ok(())
    }
}
