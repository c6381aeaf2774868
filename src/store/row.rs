//! The stored form of a transaction: three phrases shared with others, and its own bytes.

use super::byte_packing::{PackedText, Packer, Unpacker};
use super::dictionary::{ABSENT_FIELD, Dictionary, FIELD_SEPARATOR, PhraseCode};
use crate::domain::chain::chain_display_name;
use crate::domain::history::RowTimes;
use crate::domain::{
    AccountId, Direction, FinalStatuses, ReportedAmount, Status, SubType, Text, Timestamp, TokenKey, Transaction,
    TransactionId, UserId, WalletId,
};

/// The fields of a wallet phrase: `p`, then these.
pub(super) mod wallet_fields {
    pub(in super::super) const WALLET: usize = 0;
    pub(in super::super) const ACCOUNT: usize = 1;
    pub(in super::super) const USER: usize = 2;
    /// The wallet's own address.
    pub(in super::super) const OWN: usize = 3;
    pub(in super::super) const CHAIN: usize = 4;
    /// The chain's displayed name, so that a search matches it too; absent where it is the same word.
    pub(in super::super) const CHAIN_NAME: usize = 5;
    pub(in super::super) const FIELDS: usize = 9;
}

/// The fields of a transfer phrase: `k`, then these.
pub(super) mod transfer_fields {
    pub(in super::super) const DIRECTION: usize = 0;
    pub(in super::super) const SUB_TYPE: usize = 1;
    pub(in super::super) const SYMBOL: usize = 2;
    pub(in super::super) const TOKEN_NAME: usize = 3;
    pub(in super::super) const CONTRACT: usize = 4;
    pub(in super::super) const FEE_TOKEN: usize = 6;
    pub(in super::super) const FIELDS: usize = 9;
}

/// From this number of phrases on, a new own address is stored in the row itself: a service with a new address for
/// every deposit would otherwise turn each row into a phrase.
const MAX_PHRASES_WITH_OWN_ADDRESS: usize = 65_536;

pub(super) struct DictionaryLines {
    pub(super) wallet: String,
    pub(super) transfer: String,
    pub(super) status: String,
    has_own_address: bool,
}

fn join_phrase(tag: char, fields: &[Option<&str>]) -> String {
    let mut line = String::with_capacity(200);
    line.push(tag);
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            line.push(FIELD_SEPARATOR);
        }
        line.push_str(field.unwrap_or(ABSENT_FIELD));
    }
    line
}

fn wallet_phrase(transaction: &Transaction, own: Option<&Text>) -> String {
    let chain = transaction.token.blockchain.as_str();
    let name = chain_display_name(chain);
    let fields: [Option<&str>; wallet_fields::FIELDS] = [
        transaction.wallet.as_ref().map(WalletId::as_str),
        transaction.account.as_ref().map(AccountId::as_str),
        transaction.user.as_ref().map(UserId::as_str),
        own.map(Text::as_str),
        Some(chain),
        (name != chain).then_some(name),
        transaction.network.as_deref(),
        transaction.environment.as_deref(),
        transaction.protocol.as_deref(),
    ];
    join_phrase('p', &fields)
}

impl DictionaryLines {
    pub(super) fn of_transaction(transaction: &Transaction, phrases: &Dictionary) -> Self {
        let fields: [Option<&str>; transfer_fields::FIELDS] = [
            Some(transaction.direction.word()),
            transaction.sub_type.as_ref().map(SubType::word),
            Some(&transaction.symbol),
            transaction.token_name.as_deref(),
            transaction.token.contract.as_deref(),
            transaction.standard.as_deref(),
            transaction.fee_token.as_deref(),
            transaction.fee_level.as_deref(),
            transaction.trigger_origin.as_deref(),
        ];
        let mut wallet = wallet_phrase(transaction, transaction.own_wallet_address());
        let has_own_address = phrases.len() < MAX_PHRASES_WITH_OWN_ADDRESS || phrases.find_code(&wallet).is_some();
        if !has_own_address {
            wallet = wallet_phrase(transaction, None);
        }
        Self {
            wallet,
            transfer: join_phrase('k', &fields),
            status: join_phrase('s', &[transaction.status.as_ref().map(Status::word)]),
            has_own_address,
        }
    }
}

/// The fields of a line, after its tag.
pub(super) fn line_fields(line: &str) -> impl Iterator<Item = Option<&str>> {
    line.get(1..).unwrap_or("").split(FIELD_SEPARATOR).map(|field| (field != ABSENT_FIELD).then_some(field))
}

/// The codes of the three phrases, in the order wallet, transfer, status.
pub(super) type PhraseCodes = [PhraseCode; 3];

mod presence_bits {
    pub(super) const AMOUNT: u64 = 1;
    pub(super) const TOTAL_AMOUNT: u64 = 1 << 1;
    pub(super) const TOTAL_FEE: u64 = 1 << 2;
    pub(super) const OWN: u64 = 1 << 3;
    pub(super) const OTHER: u64 = 1 << 4;
    pub(super) const HASH: u64 = 1 << 5;
    pub(super) const CONFIRMATION: u64 = 1 << 6;
    pub(super) const CONFIRMED: u64 = 1 << 7;
    pub(super) const CONFIRMED_TRUE: u64 = 1 << 8;
    pub(super) const CONFIRMED_AT: u64 = 1 << 9;
    pub(super) const CREATED_AT: u64 = 1 << 10;
    pub(super) const BATCH: u64 = 1 << 11;
    pub(super) const BATCH_TRUE: u64 = 1 << 12;
    pub(super) const REF: u64 = 1 << 13;
    pub(super) const KEY: u64 = 1 << 14;
    pub(super) const NOTE: u64 = 1 << 15;
    pub(super) const GROUP: u64 = 1 << 16;
    /// The row is pending.
    pub(super) const OPEN: u64 = 1 << 17;
}

/// The sort time of a pending row, which is above all others; among pending rows the one read first is lowest.
pub(super) const PENDING_SORT_TIME: i64 = i64::MAX;

/// Encodes a row. `fallback_time` is its sort time while it has no time of its own.
pub(super) fn pack_row(
    transaction: &Transaction,
    lines: &DictionaryLines,
    codes: PhraseCodes,
    seen_at: Timestamp,
    fallback_time: Timestamp,
    final_statuses: &FinalStatuses,
) -> Vec<u8> {
    let own = if lines.has_own_address { None } else { transaction.own_wallet_address() };
    let flag = |present: bool, bit: u64| if present { bit } else { 0 };
    let present = flag(transaction.amount.is_some(), presence_bits::AMOUNT)
        | flag(transaction.total_amount.is_some(), presence_bits::TOTAL_AMOUNT)
        | flag(transaction.total_fee.is_some(), presence_bits::TOTAL_FEE)
        | flag(own.is_some(), presence_bits::OWN)
        | flag(transaction.counterparty().is_some(), presence_bits::OTHER)
        | flag(transaction.tx_hash.is_some(), presence_bits::HASH)
        | flag(transaction.confirmation.is_some(), presence_bits::CONFIRMATION)
        | flag(transaction.confirmed.is_some(), presence_bits::CONFIRMED)
        | flag(transaction.confirmed == Some(true), presence_bits::CONFIRMED_TRUE)
        | flag(transaction.confirmed_at.is_some(), presence_bits::CONFIRMED_AT)
        | flag(transaction.created_at.is_some(), presence_bits::CREATED_AT)
        | flag(transaction.is_batch.is_some(), presence_bits::BATCH)
        | flag(transaction.is_batch == Some(true), presence_bits::BATCH_TRUE)
        | flag(transaction.ref_id.is_some(), presence_bits::REF)
        | flag(transaction.idempotency_key.is_some(), presence_bits::KEY)
        | flag(transaction.note.is_some(), presence_bits::NOTE)
        | flag(transaction.group.is_some(), presence_bits::GROUP)
        | flag(transaction.is_pending_without_final_time(final_statuses), presence_bits::OPEN);
    let mut packer = Packer(Vec::with_capacity(192));
    for code in codes {
        packer.number(u64::from(code));
    }
    packer.text(transaction.id.as_str());
    packer.signed(seen_at.millis());
    packer.number(present);
    for reported in [&transaction.amount, &transaction.total_amount, &transaction.total_fee].into_iter().flatten() {
        packer.reported_amount(reported);
    }
    for text in [own, transaction.counterparty(), transaction.tx_hash.as_ref()].into_iter().flatten() {
        packer.text(text);
    }
    if let Some(confirmation) = transaction.confirmation {
        packer.number(confirmation);
    }
    for time in [transaction.confirmed_at, transaction.created_at].into_iter().flatten() {
        packer.signed(time.millis());
    }
    if transaction.reported_time().is_none() {
        packer.signed(fallback_time.millis());
    }
    let texts = [&transaction.ref_id, &transaction.idempotency_key, &transaction.note, &transaction.group];
    for text in texts.into_iter().flatten() {
        packer.text(text);
    }
    packer.0
}

pub(super) fn read_phrase_codes(body: &[u8]) -> Option<PhraseCodes> {
    let mut unpacker = Unpacker(body);
    unpack_phrase_codes(&mut unpacker)
}

fn unpack_phrase_codes(unpacker: &mut Unpacker<'_>) -> Option<PhraseCodes> {
    let mut next = || PhraseCode::try_from(unpacker.number()?).ok();
    Some([next()?, next()?, next()?])
}

/// The identifier of a row, without reading the rest.
pub(super) fn read_row_id(body: &[u8]) -> Option<Text> {
    let mut unpacker = Unpacker(body);
    unpack_phrase_codes(&mut unpacker)?;
    unpacker.text()
}

pub(super) struct RowAmounts<'a> {
    pub(super) amount: Option<ReportedAmount>,
    pub(super) total_amount: Option<ReportedAmount>,
    pub(super) total_fee: Option<ReportedAmount>,
    pub(super) confirmed: Option<bool>,
    pub(super) other_address: Option<PackedText<'a>>,
}

/// Reads only these fields of a row, and none of its phrases.
pub(super) fn read_amount_fields(body: &[u8]) -> Option<RowAmounts<'_>> {
    let mut unpacker = Unpacker(body);
    unpack_phrase_codes(&mut unpacker)?;
    unpacker.text()?;
    unpacker.signed()?;
    let present = unpacker.number()?;
    let has = |bit: u64| present & bit != 0;
    let amount = if has(presence_bits::AMOUNT) { Some(unpacker.reported_amount()?) } else { None };
    let total_amount = if has(presence_bits::TOTAL_AMOUNT) { Some(unpacker.reported_amount()?) } else { None };
    let total_fee = if has(presence_bits::TOTAL_FEE) { Some(unpacker.reported_amount()?) } else { None };
    if has(presence_bits::OWN) {
        unpacker.packed_text()?;
    }
    let other_address = if has(presence_bits::OTHER) { Some(unpacker.packed_text()?) } else { None };
    let confirmed = has(presence_bits::CONFIRMED).then_some(has(presence_bits::CONFIRMED_TRUE));
    Some(RowAmounts { amount, total_amount, total_fee, confirmed, other_address })
}

/// A row's decoded fields, with its texts still packed.
pub(super) struct RowParts<'a> {
    pub(super) codes: PhraseCodes,
    pub(super) id: PackedText<'a>,
    pub(super) seen_at: Timestamp,
    pub(super) amount: Option<ReportedAmount>,
    pub(super) total_amount: Option<ReportedAmount>,
    pub(super) total_fee: Option<ReportedAmount>,
    /// The wallet's own address, where its phrase lacks it.
    pub(super) own_address: Option<PackedText<'a>>,
    pub(super) other_address: Option<PackedText<'a>>,
    pub(super) tx_hash: Option<PackedText<'a>>,
    confirmation: Option<u64>,
    pub(super) confirmed: Option<bool>,
    confirmed_at: Option<Timestamp>,
    created_at: Option<Timestamp>,
    fallback_sort_time: Option<Timestamp>,
    is_pending: bool,
    is_batch: Option<bool>,
    pub(super) ref_id: Option<PackedText<'a>>,
    pub(super) idempotency_key: Option<PackedText<'a>>,
    pub(super) note: Option<PackedText<'a>>,
    pub(super) group: Option<PackedText<'a>>,
}

impl<'a> RowParts<'a> {
    /// `None` if the bytes make no sense.
    pub(super) fn read(body: &'a [u8]) -> Option<Self> {
        let mut unpacker = Unpacker(body);
        let codes = unpack_phrase_codes(&mut unpacker)?;
        let id = unpacker.packed_text()?;
        let seen_at = Timestamp::from_millis(unpacker.signed()?);
        let present = unpacker.number()?;
        let has = |bit: u64| present & bit != 0;
        // In the order in which they are packed.
        let mut amount_at = |bit| if has(bit) { unpacker.reported_amount().map(Some) } else { Some(None) };
        let (amount, total_amount, total_fee) = (
            amount_at(presence_bits::AMOUNT)?,
            amount_at(presence_bits::TOTAL_AMOUNT)?,
            amount_at(presence_bits::TOTAL_FEE)?,
        );
        let mut text = |bit| if has(bit) { unpacker.packed_text().map(Some) } else { Some(None) };
        let (own, other, tx_hash) =
            (text(presence_bits::OWN)?, text(presence_bits::OTHER)?, text(presence_bits::HASH)?);
        let confirmation = if has(presence_bits::CONFIRMATION) { Some(unpacker.number()?) } else { None };
        let mut time =
            |bit| if has(bit) { unpacker.signed().map(|time| Some(Timestamp::from_millis(time))) } else { Some(None) };
        let (confirmed_at, created_at) = (time(presence_bits::CONFIRMED_AT)?, time(presence_bits::CREATED_AT)?);
        let fallback_time = match created_at.or(confirmed_at) {
            None => Some(Timestamp::from_millis(unpacker.signed()?)),
            Some(_) => None,
        };
        let mut text = |bit| if has(bit) { unpacker.packed_text().map(Some) } else { Some(None) };
        let (ref_id, idempotency_key, note, group) = (
            text(presence_bits::REF)?,
            text(presence_bits::KEY)?,
            text(presence_bits::NOTE)?,
            text(presence_bits::GROUP)?,
        );
        Some(Self {
            codes,
            id,
            seen_at,
            amount,
            total_amount,
            total_fee,
            own_address: own,
            other_address: other,
            tx_hash,
            confirmation,
            confirmed: has(presence_bits::CONFIRMED).then_some(has(presence_bits::CONFIRMED_TRUE)),
            confirmed_at,
            created_at,
            fallback_sort_time: fallback_time,
            is_pending: has(presence_bits::OPEN),
            is_batch: has(presence_bits::BATCH).then_some(has(presence_bits::BATCH_TRUE)),
            ref_id,
            idempotency_key,
            note,
            group,
        })
    }

    /// The sort time once the row is not pending any more.
    pub(super) fn final_sort_time(&self) -> Timestamp {
        self.created_at.or(self.confirmed_at).or(self.fallback_sort_time).unwrap_or(self.seen_at)
    }

    /// The current sort time; of two equal ones the row with the higher `seq` is above.
    pub(super) fn sort_time(&self) -> i64 {
        if self.is_pending { PENDING_SORT_TIME } else { self.final_sort_time().millis().min(PENDING_SORT_TIME - 1) }
    }

    /// The time that the service reports.
    pub(super) fn reported_time(&self) -> Option<Timestamp> {
        self.created_at.or(self.confirmed_at)
    }

    /// The displayed time: see [`RowTimes::time`].
    pub(super) fn displayed_time(&self) -> Timestamp {
        self.reported_time().or(self.fallback_sort_time.filter(|_| !self.is_pending)).unwrap_or(self.seen_at)
    }
}

/// Decodes a row; its phrases must be loaded. `None` if the bytes make no sense.
pub(super) fn unpack_row(body: &[u8], phrases: &Dictionary) -> Option<(Transaction, RowTimes)> {
    let parts = RowParts::read(body)?;
    let times = RowTimes { seen_at: parts.seen_at, time: parts.displayed_time() };
    let [wallet_code, transfer_code, status_code] = parts.codes;

    let mut wallet_fields = line_fields(phrases.line(wallet_code)?);
    let mut next = || wallet_fields.next();
    let (wallet, account, user, own_inside) = (next()?, next()?, next()?, next()?);
    let (chain, _name, network, environment, protocol) = (next()??, next()?, next()?, next()?, next()?);
    let mut transfer_fields = line_fields(phrases.line(transfer_code)?);
    let mut next = || transfer_fields.next();
    let (direction, sub_type, symbol, token_name) = (Direction::from_word(next()??), next()?, next()??, next()?);
    let (contract, standard, fee_token, fee_level) = (next()?, next()?, next()?, next()?);
    let trigger_origin = next()?;
    let status = line_fields(phrases.line(status_code)?).next()?;

    let own = parts.own_address.map(PackedText::text).or_else(|| own_inside.map(Text::clean));
    let other = parts.other_address.map(PackedText::text);
    let (from_address, to_address) = if direction == Direction::Outgoing { (own, other) } else { (other, own) };

    let transaction = Transaction {
        id: TransactionId::from_text(&parts.id.text()),
        direction,
        sub_type: sub_type.map(SubType::from_word),
        status: status.map(Status::from_word),
        token: TokenKey { blockchain: Text::clean(chain), contract: contract.map(Text::clean) },
        symbol: Text::clean(symbol),
        token_name: token_name.map(Text::clean),
        standard: standard.map(Text::clean),
        amount: parts.amount,
        total_amount: parts.total_amount,
        total_fee: parts.total_fee,
        fee_token: fee_token.map(Text::clean),
        fee_level: fee_level.map(Text::clean),
        protocol: protocol.map(Text::clean),
        environment: environment.map(Text::clean),
        network: network.map(Text::clean),
        from_address,
        to_address,
        tx_hash: parts.tx_hash.map(PackedText::text),
        confirmation: parts.confirmation,
        confirmed: parts.confirmed,
        confirmed_at: parts.confirmed_at,
        created_at: parts.created_at,
        is_batch: parts.is_batch,
        ref_id: parts.ref_id.map(PackedText::text),
        idempotency_key: parts.idempotency_key.map(PackedText::text),
        note: parts.note.map(PackedText::text),
        trigger_origin: trigger_origin.map(Text::clean),
        group: parts.group.map(PackedText::text),
        user: user.map(UserId::from_text),
        wallet: wallet.map(WalletId::from_text),
        account: account.map(AccountId::from_text),
        unreadable: Vec::new(),
    };
    Some((transaction, times))
}
