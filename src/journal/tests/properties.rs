//! Laws: whatever happens in whatever order, the journal says what happened and nothing else.

use std::time::Duration;

use crate::domain::approval::ApprovalPolicy;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use uuid::Uuid;

use super::fixtures::{
    accepted_result, all_orders, attempt_result, confirmation, console, destination, lookup_with_transaction, new_user,
    open_journal, time_at, withdrawal,
};
use crate::domain::draft::{
    Batch, BatchFile, InstantSwap, Metadata, NewAccount, NewAddress, NewSandboxAddress, NewSubWallet, NewUser,
    NewWallet, Recipient, SimulatedDeposit, Swap, UserChange, V1Payment, WalletChange,
};
use crate::domain::order::{
    Confirmation, DraftedOrder, EventStamp, HistoryLookup, IllegalOrderEvent, OrderEnd, OrderEvent, OrderState,
    RequestBytes, SendReason, ServiceDestination,
};
use crate::domain::outcome::RecipientObservation;
use crate::domain::v1::WalletAddress;
use crate::domain::{
    Account, AccountAddress, AccountId, AccountType, Amount, AttemptResult, ConfirmedQuote, CreatedObject, Draft,
    FinalStatuses, Network, ObservedTransaction, Order, Outcome, Sender, SlippageTolerance, Status, SwapObservation,
    SwapProceeds, Text, Timestamp, TokenKey, TransactionId, User, UserId, Wallet, WalletId, Withdrawal, wallet,
};
use crate::journal::record::Body;
use crate::journal::{JournalError, verify};

fn text() -> impl Strategy<Value = Text> {
    any::<String>().prop_map(|raw| Text::clean(&raw))
}

fn time() -> impl Strategy<Value = Timestamp> {
    any::<i64>().prop_map(Timestamp::from_millis)
}

fn uuid() -> impl Strategy<Value = Uuid> {
    any::<u128>().prop_map(Uuid::from_u128)
}

fn person() -> impl Strategy<Value = NewUser> {
    (option::of(text()), option::of(text()), option::of(text())).prop_map(|(email, display_name, ref_id)| NewUser {
        email,
        display_name,
        ref_id,
    })
}

fn metadata() -> impl Strategy<Value = Metadata> {
    vec((text(), text()), 0..4).prop_map(|members| members.into_iter().collect())
}

fn draft() -> impl Strategy<Value = Draft> {
    let fields = (text(), text(), text(), text(), text(), option::of(text()), option::of(text()), metadata());
    let withdrawal = fields.prop_map(|(wallet, blockchain, token, amount, to, ref_id, note, metadata)| {
        let wallet = WalletId::from_text(&wallet);
        Draft::Withdraw(Withdrawal { wallet, blockchain, token, amount, to, ref_id, note, metadata })
    });
    let recipient = (text(), text(), option::of(text()), option::of(text()), option::of(any::<u64>()))
        .prop_map(|(address, amount, label, reference, line)| Recipient { address, amount, label, reference, line });
    let file = (text(), text()).prop_map(|(name, sha256)| BatchFile { name, sha256 });
    let extras = (metadata(), option::of(any::<bool>()));
    let batch = (
        text(),
        text(),
        text(),
        vec(recipient, 0..4),
        option::of(text()),
        option::of(text()),
        option::of(file),
        extras,
    )
        .prop_map(|(wallet, blockchain, token, to, ref_id, note, file, (metadata, queue))| {
            Draft::Batch(Batch {
                wallet: WalletId::from_text(&wallet),
                blockchain,
                token,
                to,
                ref_id,
                note,
                metadata,
                queue,
                file,
            })
        });
    let user = person().prop_map(Draft::CreateUser);
    let account = text().prop_map(|name| Draft::CreateAccount(NewAccount { name }));
    let wallet = (text(), text(), option::of(text()), option::of(text()), option::of(text()), any::<bool>()).prop_map(
        |(account, blockchain, name, ref_id, user, auto_sweep)| {
            let (account, user) = (AccountId::from_text(&account), user.map(|user| UserId::from_text(&user)));
            Draft::CreateWallet(NewWallet { account, blockchain, name, ref_id, user, auto_sweep })
        },
    );
    let deposit = (text(), text(), text(), text()).prop_map(|(token, blockchain, amount, to)| {
        Draft::SimulateDeposit(SimulatedDeposit { token, blockchain, amount, to })
    });
    let change = (text(), option::of(text()), option::of(text()), option::of(any::<bool>()), option::of(any::<bool>()))
        .prop_map(|(wallet, user, name, is_active, auto_sweep)| {
            let (wallet, user) = (WalletId::from_text(&wallet), user.map(|user| UserId::from_text(&user)));
            Draft::UpdateWallet(WalletChange { wallet, user, name, is_active, auto_sweep })
        });
    let changed_user =
        (text(), person()).prop_map(|(user, to)| Draft::UpdateUser(UserChange { user: UserId::from_text(&user), to }));
    let sub_wallet = (person(), any::<bool>())
        .prop_map(|(user, can_trade)| Draft::CreateSubWallet(NewSubWallet { user, can_trade }));
    let address = (text(), text(), text()).prop_map(|(sub_wallet, coin, chain)| {
        Draft::CreateAddress(NewAddress { sub_wallet: UserId::from_text(&sub_wallet), coin, chain })
    });
    let swap = (text(), text(), text(), text(), text(), option::of(text()), option::of(text())).prop_map(
        |(wallet, blockchain, from, amount, to, ref_id, note)| {
            let wallet = WalletId::from_text(&wallet);
            Draft::Swap(Swap { wallet, blockchain, from, amount, to, ref_id, note })
        },
    );
    let instant_swap =
        (text(), text(), text(), text(), option::of(text())).prop_map(|(sub_wallet, from, amount, to, ext_id)| {
            Draft::InstantSwap(InstantSwap { sub_wallet: UserId::from_text(&sub_wallet), from, amount, to, ext_id })
        });
    let fields = (text(), text(), text(), text(), text(), option::of(text()), option::of(text()));
    let payment = (fields, option::of(text()), option::of(text())).prop_map(
        |((wallet, blockchain, token, amount, to, ref_id, note), fee, memo)| {
            let wallet = WalletId::from_text(&wallet);
            let plain_withdrawal =
                Withdrawal { wallet, blockchain, token, amount, to, ref_id, note, metadata: Metadata::default() };
            Draft::Payment(V1Payment { withdrawal: plain_withdrawal, fee, memo })
        },
    );
    let sandbox =
        (text(), text()).prop_map(|(coin, chain)| Draft::CreateSandboxAddress(NewSandboxAddress { coin, chain }));
    // Boxed, since a strategy of so many alternatives is a large value on the stack.
    prop_oneof![
        withdrawal.boxed(),
        user.boxed(),
        account.boxed(),
        wallet.boxed(),
        deposit.boxed(),
        change.boxed(),
        changed_user.boxed(),
        sub_wallet.boxed(),
        address.boxed(),
        batch.boxed(),
        swap.boxed(),
        instant_swap.boxed(),
        payment.boxed(),
        sandbox.boxed(),
    ]
}

fn amount() -> impl Strategy<Value = Amount> {
    (any::<[u64; 4]>(), 0..=Amount::MAX_DECIMALS)
        .prop_map(|(limbs, decimals)| Amount::new(ruint::aliases::U256::from_limbs(limbs), decimals).unwrap())
}

fn confirmed_quote() -> impl Strategy<Value = ConfirmedQuote> {
    (text(), amount(), time(), 0_u16..=10_000).prop_map(|(coin, amount, at, bound)| ConfirmedQuote {
        coin,
        amount,
        at,
        slippage: SlippageTolerance::new(bound),
    })
}

fn swap_details() -> impl Strategy<Value = SwapObservation> {
    let received = (text(), amount()).prop_map(|(coin, amount)| SwapProceeds { coin, amount });
    (option::of(text()), option::of(received))
        .prop_map(|(group, received)| SwapObservation { group, proceeds: received })
}

fn sender() -> impl Strategy<Value = Sender> {
    let names = (option::of(text()), option::of(text()), option::of(text()), option::of(text()));
    (names, text(), option::of(text()), amount()).prop_map(
        |((name, address, account, user), blockchain, contract, amount)| Sender {
            name,
            address,
            account: account.map(|id| AccountId::from_text(&id)),
            user: user.map(|id| UserId::from_text(&id)),
            token: TokenKey { blockchain, contract },
            amount,
        },
    )
}

fn drafted_order() -> impl Strategy<Value = DraftedOrder> {
    let request = (any::<String>(), any::<String>(), any::<String>(), option::of(uuid()));
    let to = (text(), option::of(prop::sample::select(&[Network::Mainnet, Network::Testnet][..])), text(), text());
    let transactions = (vec(text(), 0..4), vec(text(), 0..4));
    (draft(), option::of(sender()), request, to, transactions).prop_map(
        |(draft, sender, (method, path, body, key), (profile, environment, base_url, key_mark), (newest, anchors))| {
            DraftedOrder {
                request: RequestBytes { operation: draft.operation(), method, path, body, key },
                draft,
                sender,
                destination: ServiceDestination { profile, environment, base_url, key_mark },
                newest: newest.iter().map(|id| TransactionId::from_text(id)).collect(),
                anchors: anchors.iter().map(|id| TransactionId::from_text(id)).collect(),
                template: None,
            }
        },
    )
}

fn observed_transaction() -> impl Strategy<Value = ObservedTransaction> {
    let places = (option::of(text()), option::of(text()), option::of(text()));
    let facts = (option::of(any::<bool>()), option::of(time()), option::of(any::<u64>()));
    (places, facts, option::of(swap_details())).prop_map(
        |((transaction, status, tx_hash), (confirmed, confirmed_at, confirmation), swapped)| ObservedTransaction {
            transaction: transaction.map(|id| TransactionId::from_text(&id)),
            status: status.map(|word| Status::from_word(&word)),
            confirmed,
            confirmed_at,
            confirmation,
            tx_hash,
            swap: swapped,
        },
    )
}

fn created_object() -> impl Strategy<Value = CreatedObject> {
    let texts = || (text(), option::of(text()), option::of(text()), option::of(text()));
    let user = (texts(), option::of(any::<bool>()), option::of(time())).prop_map(
        |((id, display_name, ref_id, email), is_active, created_at)| {
            CreatedObject::User(User { id: UserId::from_text(&id), display_name, ref_id, email, is_active, created_at })
        },
    );
    let account =
        (texts(), option::of(text()), option::of(time())).prop_map(|((id, name, kind, state), network, created_at)| {
            CreatedObject::Account(Account {
                id: AccountId::from_text(&id),
                kind: kind.map(|word| AccountType::from_word(&word)),
                state: state.map(|word| wallet::State::from_word(&word)),
                evm_details: network.clone().map(|address| AccountAddress { address: Some(address), ref_id: None }),
                solana_details: name.clone().map(|ref_id| AccountAddress { address: None, ref_id: Some(ref_id) }),
                name,
                network,
                created_at,
                updated_at: created_at,
            })
        });
    let facts = (option::of(any::<bool>()), option::of(any::<bool>()), option::of(time()));
    let wallet = (texts(), texts(), facts).prop_map(
        |((id, name, address, network), (blockchain, state, user, account), (gasless, sweep, created_at))| {
            CreatedObject::Wallet(Wallet {
                id: WalletId::from_text(&id),
                ref_id: name.clone(),
                protocol: network.clone(),
                is_evm_compatible: gasless,
                kind: address.clone(),
                intent: name.clone(),
                custody_type: network.clone(),
                decimals: sweep.map(u8::from),
                updated_at: created_at,
                name,
                address,
                blockchain,
                network,
                state: state.map(|word| wallet::State::from_word(&word)),
                gasless_withdraw: gasless,
                auto_sweep: sweep,
                user: user.map(|id| UserId::from_text(&id)),
                account: account.map(|id| AccountId::from_text(&id)),
                created_at,
            })
        },
    );
    let address = (texts(), texts(), option::of(time())).prop_map(
        |((address, coin, chain, network), (_, tag, wallet, _), created_at)| {
            let wallet = wallet.map(|id| UserId::from_text(&id));
            CreatedObject::Address(WalletAddress { coin, chain, network, address, tag, wallet, created_at })
        },
    );
    let transaction = observed_transaction().prop_map(CreatedObject::Transaction);
    // Boxed for the same reason as drafts.
    prop_oneof![transaction.boxed(), user.boxed(), account.boxed(), wallet.boxed(), address.boxed()]
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        Just(Outcome::NotSent),
        Just(Outcome::Accepted),
        Just(Outcome::Refused),
        Just(Outcome::Declined),
        option::of(any::<u32>()).prop_map(|wait| Outcome::ProbablyRefused {
            wait: wait.map(|millis| Duration::from_millis(millis.into()))
        }),
        Just(Outcome::Unknown),
    ]
}

fn send_reason() -> impl Strategy<Value = SendReason> {
    prop_oneof![
        Just(SendReason::Confirmed),
        Just(SendReason::Retry),
        any::<bool>().prop_map(|warned| SendReason::Operator { warned }),
    ]
}

fn event() -> impl Strategy<Value = OrderEvent> {
    let answer =
        (outcome(), option::of(any::<u16>()), text(), option::of(any::<String>()), option::of(created_object()))
            .prop_map(|(outcome, status, message, raw, created)| {
                let (differences, costs) = (vec![message.clone()], vec![message.clone()]);
                AttemptResult { outcome, status, message, raw, created, differences, cost_alarms: costs }
            });
    let part = (any::<u32>(), observed_transaction())
        .prop_map(|(recipient, observed)| RecipientObservation { recipient, observed });
    prop_oneof![
        drafted_order().prop_map(|drafted| OrderEvent::Drafted(Box::new(drafted))).boxed(),
        (vec(text(), 0..3), vec(text(), 0..3), option::of(confirmed_quote()))
            .prop_map(|(typed, findings, agreed)| OrderEvent::Confirmed(Confirmation { typed, findings, agreed }))
            .boxed(),
        (any::<u32>(), send_reason(), time()).prop_map(|(attempt, reason, gives_up_at)| OrderEvent::Sending {
            attempt,
            reason,
            gives_up_at
        }),
        (any::<u32>(), answer)
            .prop_map(|(attempt, answer)| OrderEvent::Answered { attempt, answer: Box::new(answer) })
            .boxed(),
        (
            option::of(observed_transaction()),
            option::of(text()),
            any::<[bool; 3]>(),
            vec(part, 0..3),
            option::of(text())
        )
            .prop_map(|(observed, resembles, [covers, fails, has_ended], parts, contradicts)| {
                let resembles = resembles.map(|id| TransactionId::from_text(&id));
                let costs = contradicts.clone().into_iter().collect();
                let look = HistoryLookup {
                    observed,
                    similar_transaction: resembles,
                    is_complete: covers,
                    cost_alarms: costs,
                    recipient_reports: parts,
                    shows_failure: fails,
                    contradiction: contradicts,
                    ..HistoryLookup::default()
                };
                if has_ended { OrderEvent::Reopened(look) } else { OrderEvent::LookedUp(look) }
            }),
        prop_oneof![
            Just(OrderEnd::Settled),
            Just(OrderEnd::PartlySettled),
            Just(OrderEnd::Failed),
            option::of(text()).prop_map(OrderEnd::Abandoned),
            text().prop_map(OrderEnd::WrittenOff),
        ]
        .prop_map(OrderEvent::Ended),
    ]
}

/// What a console may try.
#[derive(Debug, Clone)]
enum Attempt {
    Draft { keyed: bool },
    Confirm,
    Begin { reason: SendReason },
    Answer { attempt: u32, outcome: Outcome },
    Look { status: Option<&'static str>, covers: bool },
    End(OrderEnd),
    Contradict,
    Reopen,
}

fn attempts() -> impl Strategy<Value = Vec<(Attempt, usize, i64)>> {
    let one = prop_oneof![
        2 => any::<bool>().prop_map(|keyed| Attempt::Draft { keyed }),
        3 => Just(Attempt::Confirm),
        4 => send_reason().prop_map(|reason| Attempt::Begin { reason }),
        4 => (1..4_u32, outcome()).prop_map(|(attempt, outcome)| Attempt::Answer { attempt, outcome }),
        3 => (prop_oneof![Just(None), Just(Some("pending")), Just(Some("success"))], any::<bool>())
            .prop_map(|(status, covers)| Attempt::Look { status, covers }),
        2 => prop_oneof![Just(OrderEnd::Settled), Just(OrderEnd::Abandoned(None)), Just(OrderEnd::WrittenOff("by hand".into()))]
            .prop_map(Attempt::End),
        2 => Just(Attempt::Contradict),
        1 => Just(Attempt::Reopen),
    ];
    // Time goes on, now and then by hours, and now and then back.
    vec((one, 0..3_usize, prop_oneof![8 => 0..30_i64, 1 => 300..50_000_i64, 1 => -100..0_i64]), 1..40)
}

/// What the journal ought to hold.
#[derive(Default)]
struct JournalModel {
    /// In the order of their births.
    orders: Vec<Order>,
    /// The records of the birth of each, and of its first sending.
    draft_and_sending_seqs: Vec<(u64, Option<u64>)>,
    records: u64,
}

impl JournalModel {
    /// Takes in what was drafted.
    fn add_order(&mut self, intent: Order) {
        self.records += 1;
        self.orders.push(intent);
        self.draft_and_sending_seqs.push((self.records, None));
    }

    /// Whether an equal payment that has no end was sent since this one was drafted: whatever the clock says, the records
    /// tell.
    fn is_overtaken(&self, which: usize) -> bool {
        let pays = |index: usize| self.orders[index].drafted.sender.is_some();
        let is_open = |index: usize| index != which && self.orders[index].end.is_none();
        let was_since = |index: usize| {
            self.draft_and_sending_seqs[index]
                .1
                .is_some_and(|sending_seq| sending_seq > self.draft_and_sending_seqs[which].0)
        };
        (0..self.orders.len()).any(|index| pays(which) && pays(index) && is_open(index) && was_since(index))
    }

    /// Whether an event may happen now.
    fn check_allowed(&self, which: usize, event: &OrderEvent, now: Timestamp) -> Result<(), IllegalOrderEvent> {
        let intent = &self.orders[which];
        intent.check_event(event, now)?;
        let never_left = matches!(intent.state(now), OrderState::Confirmed | OrderState::NotSent);
        let is_sent = matches!(event, OrderEvent::Sending { .. });
        if is_sent && never_left && self.is_overtaken(which) { Err(IllegalOrderEvent::DuplicateSent) } else { Ok(()) }
    }

    /// Takes in an event if it may happen, as the journal should have.
    fn apply_and_compare(&mut self, which: usize, event: OrderEvent, now: Timestamp, result: Result<(), JournalError>) {
        match (self.check_allowed(which, &event, now), result) {
            (Ok(()), Ok(())) => {
                self.records += 1;
                if let OrderEvent::Sending { .. } = event {
                    self.draft_and_sending_seqs[which].1.get_or_insert(self.records);
                }
                self.orders[which].apply(EventStamp { at: now, by: console(1) }, event);
            }
            (Err(right), Err(JournalError::Illegal(fault))) => assert_eq!(fault, right),
            (right, result) => panic!("{event:?}: {result:?} where {right:?} is right"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_written_reads_the_same(event in event()) {
        let body = Body::Event(event);
        let (kind, json) = body.write().unwrap();
        prop_assert_eq!(Body::read(kind, &json), Some(body));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn what_may_happen_is_replayed_and_what_may_not_leaves_no_trace(tries in attempts()) {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = open_journal(folder.path());
        let mut model = JournalModel::default();
        let mut now = time_at(0);
        for (step, which, seconds) in tries {
            now = Timestamp::from_millis(now.millis() + seconds * 1_000);
            if model.orders.is_empty() || matches!(step, Attempt::Draft { .. }) {
                let keyed = !matches!(step, Attempt::Draft { keyed: false });
                let drafted = if keyed { withdrawal("25") } else { new_user() };
                model.add_order(journal.record_draft(drafted, now).unwrap());
                continue;
            }
            let which = which % model.orders.len();
            let order_before = model.orders[which].clone();
            let id = order_before.id;
            match step {
                Attempt::Draft { .. } => {}
                Attempt::Confirm => {
                    let result = journal.record_confirmation(id, confirmation(), now);
                    model.apply_and_compare(which, OrderEvent::Confirmed(confirmation()), now, result);
                }
                Attempt::Begin { reason } => {
                    let gives_up_at = now.plus(Duration::from_secs(20));
                    let permit = journal.permit_send(id, reason, &destination(), now, gives_up_at, None, &ApprovalPolicy::default());
                    let attempt = u32::try_from(order_before.attempts.len() + 1).unwrap();
                    let permit = permit.map(|order| {
                        assert_eq!((order.attempt(), order.order().state(now)), (attempt, OrderState::Sending));
                    });
                    model.apply_and_compare(which, OrderEvent::Sending { attempt, reason, gives_up_at }, now, permit);
                }
                Attempt::Answer { attempt, outcome } => {
                    let answer = if outcome == Outcome::Accepted { accepted_result() } else { attempt_result(outcome) };
                    let result = journal.record_answer(id, attempt, answer.clone(), now);
                    model.apply_and_compare(which, OrderEvent::Answered { attempt, answer: Box::new(answer) }, now, result);
                }
                Attempt::Look { status, covers } => {
                    let look = status.map_or(HistoryLookup { is_complete: covers, ..HistoryLookup::default() }, lookup_with_transaction);
                    let result = journal.record_lookup(id, look.clone(), None, &FinalStatuses::default(), now);
                    // What says nothing new is not recorded; that has a test of its own.
                    if journal.order(id).unwrap() == order_before {
                        result.unwrap();
                    } else {
                        model.apply_and_compare(which, OrderEvent::LookedUp(look), now, result);
                    }
                }
                Attempt::End(end) => {
                    let result = journal.record_end(id, end.clone(), now);
                    model.apply_and_compare(which, OrderEvent::Ended(end), now, result);
                }
                Attempt::Contradict => {
                    let look = HistoryLookup { contradiction: Some("it was closed otherwise".into()), ..lookup_with_transaction("success") };
                    let result = journal.reopen(id, look.clone(), now);
                    model.apply_and_compare(which, OrderEvent::Reopened(look), now, result);
                }
                Attempt::Reopen => {
                    drop(journal);
                    journal = open_journal(folder.path());
                }
            }
        }
        let right: Vec<_> = model.orders.iter().rev().cloned().collect();
        prop_assert_eq!(all_orders(&journal), right.clone());
        drop(journal);
        prop_assert_eq!(all_orders(&open_journal(folder.path())), right);
        let verified = verify(folder.path()).unwrap();
        prop_assert_eq!((verified.faults, verified.records), (vec![], model.records));
    }
}
