//! Orders for journals of the suite.

use bursar::domain::draft::Withdrawal;
use bursar::domain::order::{Confirmation, ConsoleIdentity, DraftedOrder, RequestBytes, ServiceDestination};
use bursar::domain::{Amount, Draft, Metadata, Network, Sender, Text, Timestamp, TokenKey, WalletId};
use bursar::journal::{Journal, JournalLocation};
use uuid::Uuid;

pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_790_000_000_000 + seconds * 1_000)
}

pub(super) fn open(folder: &std::path::Path) -> Journal {
    let by = ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: Uuid::new_v4() };
    Journal::open(&JournalLocation::Folder(folder.to_owned()), by).unwrap().journal
}

pub(super) fn destination() -> ServiceDestination {
    ServiceDestination {
        profile: "harbour".into(),
        environment: Some(Network::Testnet),
        base_url: "https://api.example.com".into(),
        key_mark: "0123456789abcdef".into(),
    }
}

pub(super) fn confirmation() -> Confirmation {
    Confirmation { typed: vec!["25".into()], findings: Vec::new(), agreed: None }
}

pub(super) fn withdrawal(note: Option<&str>) -> DraftedOrder {
    let key = Uuid::new_v4();
    let to = "0x52908400098527886E0F7030069857D2E4169EE7";
    let draft = Draft::Withdraw(Withdrawal {
        wallet: WalletId::from_text("wallet-1"),
        blockchain: "ethereum".into(),
        token: "USDC".into(),
        amount: "25.50".into(),
        to: to.into(),
        ref_id: None,
        note: note.map(Text::clean),
        metadata: Metadata::default(),
    });
    let sender = Sender {
        name: None,
        address: None,
        account: None,
        user: None,
        token: TokenKey::new("ethereum", None),
        amount: Amount::parse("25.50", 6).unwrap(),
    };
    let request = RequestBytes {
        operation: draft.operation(),
        method: "POST".into(),
        path: "/v2/transactions/withdraw".into(),
        body: format!("{{\"amount\":\"25.50\",\"idempotencyKey\":\"{key}\",\"toAddress\":\"{to}\"}}"),
        key: Some(key),
    };
    DraftedOrder {
        draft,
        sender: Some(sender),
        request,
        destination: destination(),
        newest: Vec::new(),
        anchors: Vec::new(),
        template: None,
    }
}
