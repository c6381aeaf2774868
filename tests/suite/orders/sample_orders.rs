//! Orders in every state, made of the events that a journal would hold.

use std::time::Duration;

use bursar::domain::draft::{Batch, Metadata, NewWallet, Recipient, Withdrawal};
use bursar::domain::order::{
    Confirmation, ConsoleIdentity, DraftedOrder, EventStamp, HistoryLookup, OrderEnd, OrderEvent, RequestBytes,
    SendReason, ServiceDestination,
};
use bursar::domain::{
    AccountId, Amount, AttemptResult, CreatedObject, Draft, Network, ObservedTransaction, Order, OrderId, Outcome,
    Sender, Status, Text, Timestamp, TokenKey, TransactionId, Wallet, WalletId,
};
use uuid::Uuid;

/// When the screen is looked at.
pub(super) fn now() -> Timestamp {
    Timestamp::parse_iso("2026-11-02T12:03:20.000Z").unwrap()
}

/// An order that is told event by event, each so many seconds before now.
pub(super) struct Story {
    intent: Order,
}

pub(super) const RECIPIENT: &str = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";

fn stamp(before: u64) -> EventStamp {
    let at = Timestamp::from_millis(now().millis() - i64::try_from(before).unwrap() * 1_000);
    EventStamp { at, by: ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: Uuid::from_u128(1) } }
}

impl Story {
    /// A payment that was drafted.
    pub(super) fn payment(number: u128, before: u64, amount: &str, token: &str) -> Self {
        let draft = Draft::Withdraw(Withdrawal {
            wallet: WalletId::from_text("wal_eth_main"),
            blockchain: "ethereum".into(),
            token: token.into(),
            amount: amount.into(),
            to: RECIPIENT.into(),
            ref_id: Some("w-20261102-7f3a".into()),
            note: Some("Invoice 2207".into()),
            metadata: Metadata::default(),
        });
        Self::paying(number, before, draft, amount, token)
    }

    /// A batch that was drafted, of as much for each of these.
    pub(super) fn batch(number: u128, before: u64, amount: &str, recipients: &[&str]) -> Self {
        let to = recipients.iter().map(|address| Recipient {
            address: (*address).into(),
            amount: amount.into(),
            label: None,
            reference: None,
            line: None,
        });
        let draft = Draft::Batch(Batch {
            wallet: WalletId::from_text("wal_eth_main"),
            blockchain: "ethereum".into(),
            token: "USDC".into(),
            to: to.collect(),
            ref_id: None,
            note: None,
            file: None,
            metadata: Metadata::default(),
            queue: None,
        });
        Self::paying(number, before, draft, amount, "USDC")
    }

    fn paying(number: u128, before: u64, draft: Draft, amount: &str, token: &str) -> Self {
        let sender = Sender {
            name: Some("eth-main".into()),
            address: Some("0x3f2A0000000000000000000000000000000c9C1D".into()),
            account: Some(AccountId::from_text("acc_treasury")),
            user: None,
            token: TokenKey::new("ethereum", Some("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48")),
            amount: Amount::parse(amount, 6).unwrap(),
        };
        let key = Uuid::from_u128(0x1000 + number);
        let body = format!(
            "{{\"walletId\":\"wal_eth_main\",\"blockchain\":\"ethereum\",\"token\":\"{token}\",\"amount\":\"{amount}\",\
             \"address\":\"{RECIPIENT}\",\"refId\":\"w-20261102-7f3a\",\"idempotencyKey\":\"{key}\"}}"
        );
        Self::drafted(number, before, draft, Some(sender), "/v2/transactions/withdraw", body, key)
    }

    /// A wallet that was drafted.
    pub(super) fn wallet(number: u128, before: u64, name: &str) -> Self {
        let draft = Draft::CreateWallet(NewWallet {
            account: AccountId::from_text("acc_treasury"),
            blockchain: "base".into(),
            name: Some(name.into()),
            ref_id: None,
            user: None,
            auto_sweep: false,
        });
        let key = Uuid::from_u128(0x1000 + number);
        let body = format!("{{\"name\":\"{name}\",\"idempotencyKey\":\"{key}\"}}");
        Self::drafted(number, before, draft, None, "/v2/wallets", body, key)
    }

    fn drafted(
        number: u128,
        before: u64,
        draft: Draft,
        sender: Option<Sender>,
        path: &str,
        body: String,
        key: Uuid,
    ) -> Self {
        let operation = draft.operation();
        let drafted = DraftedOrder {
            draft,
            sender,
            request: RequestBytes { operation, method: "POST".into(), path: path.into(), body, key: Some(key) },
            destination: ServiceDestination {
                profile: "harbour".into(),
                environment: Some(Network::Testnet),
                base_url: "https://api.example.com".into(),
                key_mark: "0123456789abcdef".into(),
            },
            newest: vec![TransactionId::from_text("txn_1")],
            anchors: vec![TransactionId::from_text("txn_1")],
            template: None,
        };
        Self { intent: Order::new(OrderId(Uuid::from_u128(number)), stamp(before), drafted) }
    }

    fn then(mut self, before: u64, event: OrderEvent) -> Self {
        let stamp = stamp(before);
        assert_eq!(self.intent.check_event(&event, stamp.at), Ok(()), "{event:?}");
        self.intent.apply(stamp, event);
        self
    }

    pub(super) fn confirmed(self, before: u64) -> Self {
        let typed = match &self.intent.drafted.draft {
            Draft::Withdraw(withdrawal) => vec![withdrawal.amount.clone(), "F269".into()],
            _ => Vec::new(),
        };
        let findings = vec!["note: this recipient was never paid before".into()];
        self.then(before, OrderEvent::Confirmed(Confirmation { typed, findings, agreed: None }))
    }

    /// An attempt, and how long it takes until its sender gives up.
    pub(super) fn sent(self, before: u64, because: SendReason) -> Self {
        let attempt = u32::try_from(self.intent.attempts.len() + 1).unwrap();
        let gives_up_at = stamp(before).at.plus(Duration::from_secs(20));
        self.then(before, OrderEvent::Sending { attempt, reason: because, gives_up_at })
    }

    pub(super) fn answered(self, before: u64, outcome: Outcome, status: Option<u16>, message: &str) -> Self {
        self.answered_with(
            before,
            AttemptResult {
                outcome,
                status,
                message: message.into(),
                raw: status.map(|_| format!("{{\"message\":\"{message}\"}}")),
                created: None,
                differences: Vec::new(),
                cost_alarms: Vec::new(),
            },
        )
    }

    /// Accepted, with where the answer differs from what was asked.
    pub(super) fn accepted(self, before: u64, differences: &[&str]) -> Self {
        let created = match &self.intent.drafted.draft {
            Draft::CreateWallet(wallet) => CreatedObject::Wallet(Wallet {
                name: wallet.name.clone(),
                address: Some(RECIPIENT.into()),
                account: Some(wallet.account.clone()),
                ..Wallet::new(WalletId::from_text("wal_new"), wallet.blockchain.clone())
            }),
            _ => CreatedObject::Transaction(observed_transaction("pending", None)),
        };
        self.answered_with(
            before,
            AttemptResult {
                outcome: Outcome::Accepted,
                status: Some(201),
                message: "created".into(),
                raw: Some("{\"success\":true}".into()),
                created: Some(created),
                differences: differences.iter().map(|text| Text::clean(text)).collect(),
                cost_alarms: Vec::new(),
            },
        )
    }

    fn answered_with(self, before: u64, answer: AttemptResult) -> Self {
        let attempt = u32::try_from(self.intent.attempts.len()).unwrap();
        self.then(before, OrderEvent::Answered { attempt, answer: Box::new(answer) })
    }

    pub(super) fn observed(self, before: u64, status: &str, confirmations: u64) -> Self {
        let observed = Some(observed_transaction(status, Some(confirmations)));
        self.then(before, OrderEvent::LookedUp(HistoryLookup { observed, ..HistoryLookup::default() }))
    }

    pub(super) fn not_seen(self, before: u64, covers: bool) -> Self {
        self.then(before, OrderEvent::LookedUp(HistoryLookup { is_complete: covers, ..HistoryLookup::default() }))
    }

    pub(super) fn ended(self, before: u64, end: OrderEnd) -> Self {
        self.then(before, OrderEvent::Ended(end))
    }

    pub(super) fn into_order(self) -> Order {
        self.intent
    }
}

fn observed_transaction(status: &str, confirmation: Option<u64>) -> ObservedTransaction {
    ObservedTransaction {
        transaction: Some(TransactionId::from_text("txn_77")),
        status: Some(Status::from_word(status)),
        confirmed: None,
        confirmed_at: None,
        confirmation,
        tx_hash: Some("0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060".into()),
        swap: None,
    }
}

/// A payment whose request left, and whose answer never came.
pub(super) fn unknown() -> Story {
    Story::payment(1, 150, "1250.5", "USDC")
        .confirmed(142)
        .sent(140, SendReason::Confirmed)
        .answered(120, Outcome::Unknown, None, "no answer in 20 s")
        .sent(115, SendReason::Retry)
        .answered(95, Outcome::Unknown, Some(502), "bad gateway")
        .not_seen(60, true)
}

/// One order in each state, as a journal tells them: the newest first.
pub(super) fn mixed() -> Vec<Order> {
    let sent_order = |number, before: u64, amount, token| {
        Story::payment(number, before, amount, token).confirmed(before - 5).sent(before - 6, SendReason::Confirmed)
    };
    vec![
        sent_order(2, 8, "40", "USDC").into_order(),
        Story::payment(3, 30, "17", "USDC").into_order(),
        sent_order(4, 90, "0.5", "USDC").answered(70, Outcome::NotSent, None, "connection refused").into_order(),
        unknown().into_order(),
        sent_order(5, 400, "12000", "USDC").accepted(393, &[]).observed(20, "pending", 3).into_order(),
        Story::wallet(6, 900, "base-ops")
            .confirmed(895)
            .sent(894, SendReason::Confirmed)
            .accepted(893, &[])
            .into_order(),
        sent_order(7, 3_600, "99.999999", "USDC")
            .answered(3_590, Outcome::Refused, Some(422), "insufficient balance")
            .into_order(),
        sent_order(8, 7_300, "500", "USDC").accepted(7_290, &[]).ended(7_000, OrderEnd::Settled).into_order(),
        sent_order(9, 86_400, "75", "USDT").accepted(86_390, &[]).ended(86_000, OrderEnd::Failed).into_order(),
        sent_order(10, 90_000, "3", "USDT")
            .answered(89_970, Outcome::ProbablyRefused { wait: None }, Some(403), "forbidden")
            .ended(80_000, OrderEnd::WrittenOff("the service says by phone that it was refused".into()))
            .into_order(),
        Story::payment(11, 172_900, "1", "USDT").ended(172_800, OrderEnd::Abandoned(None)).into_order(),
    ]
}
