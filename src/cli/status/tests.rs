use uuid::Uuid;

use super::*;
use crate::domain::Operation;
use crate::domain::draft::NewAccount;
use crate::domain::order::{Confirmation, ConsoleIdentity, DraftedOrder, RequestBytes};
use crate::domain::{Draft, Network};
use crate::journal::{Journal, JournalLocation};

#[test]
fn an_order_of_a_profile_that_was_renamed_or_given_another_address_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let place = JournalLocation::Folder(folder.path().to_owned());
    let by = ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: Uuid::from_u128(1) };
    let journal = Journal::open(&place, by).unwrap().journal;
    let own_destination = ServiceDestination {
        profile: "harbour".into(),
        environment: Some(Network::Testnet),
        base_url: "https://api.example.com".into(),
        key_mark: "0123456789abcdef".into(),
    };
    let at = Timestamp::from_millis(1_793_620_000_000);
    let confirmed = |destination: &ServiceDestination| {
        let frozen = RequestBytes {
            operation: Operation::CreateAccount,
            method: "POST".into(),
            path: "/v2/accounts".into(),
            body: "{}".into(),
            key: Some(Uuid::from_u128(2)),
        };
        let drafted = DraftedOrder {
            draft: Draft::CreateAccount(NewAccount { name: "Till".into() }),
            sender: None,
            request: frozen,
            destination: destination.clone(),
            newest: Vec::new(),
            anchors: Vec::new(),
            template: None,
        };
        let id = journal.record_draft(drafted, at).unwrap().id;
        journal
            .record_confirmation(id, Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None }, at)
            .unwrap();
        id
    };
    let renamed = confirmed(&ServiceDestination { profile: "harbor".into(), ..own_destination.clone() });
    let own = confirmed(&own_destination);
    let elsewhere = ServiceDestination {
        profile: "quay".into(),
        base_url: "https://other.example.com".into(),
        ..own_destination.clone()
    };
    confirmed(&elsewhere);
    // One of this profile at another address is told, too, and what is asked about that.
    let old = confirmed(&ServiceDestination { base_url: "https://old.example.com".into(), ..own_destination.clone() });
    let reading = JournalSnapshot::open(folder.path()).unwrap();
    assert_eq!(
        reading.address_relations(&own_destination).unwrap().unanswered(),
        [Text::from("https://old.example.com")]
    );
    let orders = open_orders(reading.shown_orders(&own_destination, usize::MAX).unwrap(), at);
    assert_eq!(orders.iter().map(|order| order.id).collect::<Vec<_>>(), [renamed, own, old]);
}
