use super::journal_queries::select_orders_for_destination;
use super::send_order::find_other_order_named_by_answer;
use super::*;
use crate::domain::approval::ApprovalPolicy;
use crate::domain::order::{Confirmation, ConsoleIdentity, DraftedOrder, SendReason};
use crate::domain::{Amount, Draft, Network, Outcome, WalletId};
use crate::journal::JournalLocation;
use crate::orders::fixtures::{ago, order};
use crate::store::{self, Store};

/// Orders in a journal, each by where it was made, with the wallet that paid it.
struct JournalOfOrders {
    journal: Journal,
    store: Store,
    destination: ServiceDestination,
}

impl JournalOfOrders {
    fn new() -> Self {
        let by = ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: uuid::Uuid::from_u128(1) };
        let journal = Journal::open(&JournalLocation::Temporary, by).unwrap().journal;
        let store = Store::open(&store::CacheLocation::Temporary).unwrap().store;
        let destination = ServiceDestination {
            profile: "harbour".into(),
            environment: Some(Network::Mainnet),
            base_url: "https://a.example".into(),
            key_mark: "k".into(),
        };
        Self { journal, store, destination }
    }

    /// Drafts an order at a place; nobody shares the wallet that pays it.
    fn draft_order_at(&self, destination: &ServiceDestination) -> OrderId {
        let wallet = format!("wallet-of-{}", destination.profile);
        let mut drafted = DraftedOrder { destination: destination.clone(), ..order(1, 10, None).drafted };
        drafted.sender.as_mut().unwrap().address = None;
        if let Draft::Withdraw(withdrawal) = &mut drafted.draft {
            withdrawal.wallet = WalletId::from_text(&wallet);
        }
        self.journal.record_draft(drafted, ago(0)).unwrap().id
    }

    /// The same, sent, with an answer that leaves open what became of it.
    fn add_unresolved_order_at(&self, destination: &ServiceDestination) -> OrderId {
        let (id, at) = (self.draft_order_at(destination), ago(9));
        let confirmation = Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None };
        self.journal.record_confirmation(id, confirmation, at).unwrap();
        drop(
            self.journal
                .permit_send(id, SendReason::Confirmed, destination, at, at, None, &ApprovalPolicy::default())
                .unwrap(),
        );
        id
    }

    /// What the guard counts for a payment from another wallet of the profile.
    fn counted_order_ids(&self) -> Vec<OrderId> {
        let memory = GuardOrders::from_journal(&self.journal, &self.destination).unwrap();
        memory.orders_for(&self.store, None, ago(0)).unwrap().iter().map(|order| order.id).collect()
    }
}

/// What was made under another key for another network is not looked up here, and yet the guard must count it.
#[test]
fn the_guard_counts_every_order_at_the_service() {
    let orders = JournalOfOrders::new();
    let destination = orders.destination.clone();
    let other = ServiceDestination {
        profile: "quay".into(),
        environment: Some(Network::Testnet),
        key_mark: "other".into(),
        ..destination.clone()
    };
    let stranger =
        ServiceDestination { profile: "far".into(), base_url: "https://b.example".into(), ..destination.clone() };
    let (own, other, stranger) =
        (orders.draft_order_at(&destination), orders.draft_order_at(&other), orders.draft_order_at(&stranger));
    let looked_up = select_orders_for_destination(&orders.journal, &destination, usize::MAX).unwrap();
    assert_eq!(looked_up.iter().map(|order| order.id).collect::<Vec<_>>(), [own]);
    let counted_ids = orders.counted_order_ids();
    assert!(counted_ids.len() == 2 && counted_ids.contains(&own) && counted_ids.contains(&other), "{counted_ids:?}");
    assert!(!counted_ids.contains(&stranger));
}

#[test]
fn the_guard_remembers_what_the_profile_did_at_another_address_until_it_is_another_service() {
    let orders = JournalOfOrders::new();
    let old = ServiceDestination {
        base_url: "https://old.example".into(),
        key_mark: "old".into(),
        ..orders.destination.clone()
    };
    let (unresolved, drafted) = (orders.add_unresolved_order_at(&old), orders.draft_order_at(&old));
    let looked_up = || select_orders_for_destination(&orders.journal, &orders.destination, usize::MAX).unwrap().len();
    assert_eq!((orders.counted_order_ids(), looked_up()), (vec![drafted, unresolved], 0));
    let order_count = || orders.journal.orders(&orders.destination, usize::MAX).unwrap().len();
    assert_eq!(order_count(), 2);

    // What another service says of a key is not believed; what the same one says is.
    let says = |is_same| {
        orders
            .journal
            .record_address_answer(&orders.destination, "https://old.example".into(), is_same, ago(0))
            .unwrap();
    };
    says(true);
    assert_eq!((orders.counted_order_ids().len(), looked_up()), (2, 2));
    // What nobody knows the outcome of stands against payments to its recipient wherever it was made.
    says(false);
    assert_eq!((orders.counted_order_ids(), looked_up(), order_count()), (vec![unresolved], 0, 2));
    orders.journal.record_end(unresolved, OrderEnd::WrittenOff("paid by hand".into()), ago(0)).unwrap();
    assert_eq!(orders.counted_order_ids(), []);
}

#[test]
fn a_profile_that_was_renamed_and_then_given_another_address_is_remembered() {
    let mut orders = JournalOfOrders::new();
    let unresolved = orders.add_unresolved_order_at(&orders.destination);
    let renamed = ServiceDestination { profile: "quay".into(), ..orders.destination.clone() };
    orders.journal.record_profile_address(&renamed, ago(5)).unwrap();
    orders.destination = ServiceDestination { base_url: "https://new.example".into(), ..renamed };
    assert_eq!(orders.counted_order_ids(), [unresolved]);
    let addresses = orders.journal.address_relations(&orders.destination).unwrap();
    assert_eq!(addresses.unanswered(), ["https://a.example".into()]);
}

#[test]
fn profiles_that_share_a_wallet_or_the_address_of_a_payer_share_the_memory() {
    let orders = JournalOfOrders::new();
    let stranger = ServiceDestination {
        profile: "far".into(),
        base_url: "https://b.example".into(),
        ..orders.destination.clone()
    };
    let foreign_order = orders.add_unresolved_order_at(&stranger);
    let of_address = DraftedOrder { destination: stranger, ..order(2, 10, None).drafted };
    let address = "0xDE709F2102306220921060314715629080E2fb77";
    let mut of_address = of_address;
    of_address.sender.as_mut().unwrap().address = Some(address.into());
    let of_address = orders.journal.record_draft(of_address, ago(0)).unwrap().id;
    assert_eq!(orders.counted_order_ids(), []);

    let memory = GuardOrders::from_journal(&orders.journal, &orders.destination).unwrap();
    let counted_ids = |wallet: &str, address: Option<&str>| -> Vec<OrderId> {
        let DraftedOrder { mut draft, sender, .. } = order(3, 10, None).drafted;
        let mut sender = sender.unwrap();
        sender.address = address.map(Text::clean);
        if let Draft::Withdraw(withdrawal) = &mut draft {
            withdrawal.wallet = WalletId::from_text(wallet);
        }
        let orders_counted = memory.orders_for(&orders.store, Some((&draft, &sender)), ago(0)).unwrap();
        orders_counted.iter().map(|order| order.id).collect()
    };
    assert_eq!(counted_ids("nobody's", None), []);
    assert_eq!(counted_ids("wallet-of-far", None), [foreign_order]);
    assert_eq!(counted_ids("nobody's", Some(&address.to_lowercase())), [of_address]);
}

/// A cache on the way gives what an equal payment got before, and neither of them shows key or reference.
#[test]
fn an_answer_that_names_the_transaction_of_another_order_is_an_alarm() {
    let by = ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: uuid::Uuid::from_u128(1) };
    let journal = Journal::open(&JournalLocation::Temporary, by).unwrap().journal;
    let send_numbered = |number: u128| {
        let drafted = order(number, 10, None).drafted;
        let (destination, now) = (drafted.destination.clone(), ago(0));
        let id = journal.record_draft(drafted, now).unwrap().id;
        let confirmation = Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None };
        journal.record_confirmation(id, confirmation, now).unwrap();
        drop(
            journal
                .permit_send(id, SendReason::Confirmed, &destination, now, now, None, &ApprovalPolicy::default())
                .unwrap(),
        );
        (id, destination)
    };
    let (first, destination) = send_numbered(1);
    let answered = order(1, 10, Some(Outcome::Accepted)).attempts.remove(0).answer.unwrap().1;
    let alarm = |id| find_other_order_named_by_answer(&journal, &destination, id, &answered).unwrap();
    assert_eq!(alarm(first), None);
    journal.record_answer(first, 1, answered.clone(), ago(0)).unwrap();
    // Of the order itself it may be told again.
    assert_eq!(alarm(first), None);
    let mut drafted = order(2, 10, None).drafted;
    drafted.sender.as_mut().unwrap().amount = Amount::parse("26", 6).unwrap();
    let second = journal.record_draft(drafted, ago(0)).unwrap().id;
    let message = format!("transaction: the answer names tx-1, which is that of order {first}");
    assert_eq!(alarm(second), Some(message.as_str().into()));
}
