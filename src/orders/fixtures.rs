//! A payment, its order and its row in the history, for tests.

use std::time::Duration;

use uuid::Uuid;

use crate::domain::draft::Operation;
use crate::domain::order::{
    Confirmation, ConsoleIdentity, DraftedOrder, EventStamp, OrderEvent, OrderId, RequestBytes, SendReason,
    ServiceDestination,
};
use crate::domain::{
    AccountId, Amount, AttemptResult, CreatedObject, Direction, Draft, Metadata, ObservedTransaction, Order, Outcome,
    ReportedAmount, Sender, Status, SubType, Timestamp, TokenKey, Transaction, TransactionId, UserId, WalletId,
    Withdrawal,
};

pub(crate) const USDC: &str = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
pub(crate) const SUPPLIER_ADDRESS: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
pub(crate) const PAYING_ADDRESS: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";

pub(crate) fn ago(minutes: i64) -> Timestamp {
    Timestamp::from_millis(1_790_000_000_000 - minutes * 60_000)
}

pub(crate) fn usdc_amount(text: &str) -> Amount {
    Amount::parse(text, 6).unwrap()
}

pub(crate) fn withdrawal() -> Withdrawal {
    Withdrawal {
        wallet: WalletId::from_text("paying"),
        blockchain: "ethereum".into(),
        token: "USDC".into(),
        amount: "25".into(),
        to: SUPPLIER_ADDRESS.into(),
        ref_id: Some("inv-7".into()),
        note: None,
        metadata: Metadata::default(),
    }
}

pub(crate) fn sender() -> Sender {
    Sender {
        name: Some("Paying".into()),
        address: Some(PAYING_ADDRESS.into()),
        account: Some(AccountId::from_text("treasury")),
        user: Some(UserId::from_text("u")),
        token: TokenKey::new("ethereum", Some(USDC)),
        amount: usdc_amount("25"),
    }
}

/// An outgoing row of 25 USDC to the supplier, with a fee of 1.25.
pub(crate) fn row(id: &str, minutes_ago: i64) -> Transaction {
    Transaction {
        id: TransactionId::from_text(id),
        direction: Direction::Outgoing,
        sub_type: Some(SubType::Withdraw),
        status: Some(Status::Success),
        token: TokenKey::new("ethereum", Some(USDC)),
        symbol: "USDC".into(),
        amount: Some(ReportedAmount::Exact(usdc_amount("25"))),
        total_amount: Some(ReportedAmount::Exact(usdc_amount("26.25"))),
        total_fee: Some(ReportedAmount::Exact(usdc_amount("1.25"))),
        fee_token: Some("USDC".into()),
        environment: Some("mainnet".into()),
        network: Some("mainnet".into()),
        from_address: Some(PAYING_ADDRESS.into()),
        to_address: Some(SUPPLIER_ADDRESS.into()),
        created_at: Some(ago(minutes_ago)),
        is_batch: Some(false),
        user: Some(UserId::from_text("u")),
        wallet: Some(WalletId::from_text("paying")),
        account: Some(AccountId::from_text("treasury")),
        ..Transaction::minimal("ethereum")
    }
}

pub(crate) fn order_stamp(minutes_ago: i64) -> EventStamp {
    EventStamp {
        at: ago(minutes_ago),
        by: ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: Uuid::from_u128(1) },
    }
}

pub(crate) fn idempotency_key(number: u128) -> Uuid {
    Uuid::from_u128(0xabc_0000 + number)
}

/// An order for the same payment that was sent so long ago, with what came of it.
pub(crate) fn order(number: u128, minutes_ago: i64, outcome: Option<Outcome>) -> Order {
    let destination = ServiceDestination {
        profile: "p".into(),
        environment: None,
        base_url: "https://a.example".into(),
        key_mark: "k".into(),
    };
    let frozen = RequestBytes {
        operation: Operation::Withdraw,
        method: "POST".into(),
        path: "/v2/transactions/withdraw".into(),
        body: "{}".into(),
        key: Some(idempotency_key(number)),
    };
    let draft = Draft::Withdraw(Withdrawal { ref_id: Some(format!("own-{number}").as_str().into()), ..withdrawal() });
    let drafted = DraftedOrder {
        draft,
        sender: Some(sender()),
        request: frozen,
        destination,
        newest: Vec::new(),
        anchors: Vec::new(),
        template: None,
    };
    let mut intent = Order::new(OrderId(Uuid::from_u128(number)), order_stamp(minutes_ago), drafted);
    intent.apply(
        order_stamp(minutes_ago),
        OrderEvent::Confirmed(Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None }),
    );
    let gives_up_at = ago(minutes_ago).plus(Duration::from_secs(30));
    intent.apply(
        order_stamp(minutes_ago),
        OrderEvent::Sending { attempt: 1, reason: SendReason::Confirmed, gives_up_at },
    );
    if let Some(outcome) = outcome {
        let observed = ObservedTransaction {
            transaction: Some(TransactionId::from_text(&format!("tx-{number}"))),
            status: Some(Status::Pending),
            confirmed: None,
            confirmed_at: None,
            confirmation: None,
            tx_hash: None,
            swap: None,
        };
        let created = (outcome == Outcome::Accepted).then_some(CreatedObject::Transaction(observed));
        let answered = AttemptResult {
            outcome,
            status: None,
            message: "".into(),
            raw: None,
            created,
            differences: Vec::new(),
            cost_alarms: Vec::new(),
        };
        intent.apply(order_stamp(minutes_ago), OrderEvent::Answered { attempt: 1, answer: Box::new(answered) });
    }
    intent
}
