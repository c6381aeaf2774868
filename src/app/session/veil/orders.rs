//! Stand-ins of orders: their states are shown, their contents are not.

use uuid::Uuid;

use super::{Veil, WITHHELD_MESSAGE};
use crate::domain::draft::{BatchFile, FieldKind, FieldMut, Metadata, Recipient};
use crate::domain::order::{
    Attempt, Confirmation, ConsoleIdentity, DraftedOrder, EventStamp, HistoryLookup, Order, OrderEnd, OrderId,
    RequestBytes, ServiceDestination,
};
use crate::domain::outcome::{AttemptResult, CreatedObject, ObservedTransaction};
use crate::domain::{Draft, Sender, Text, Timestamp};

impl Veil {
    pub(in crate::app) fn mask_order_id(&self, id: &OrderId) -> OrderId {
        let mut bytes = [0; 16];
        let hash = self.keyed_hash(&id.to_string());
        bytes.copy_from_slice(&hash[..16]);
        OrderId(Uuid::from_bytes(bytes))
    }

    pub(in crate::app) fn mask_order(&self, order: &Order) -> Order {
        let Order { id, drafted, created, confirmed, approval: _, attempts, lookups, end } = order;
        Order {
            id: self.mask_order_id(id),
            drafted: self.mask_drafted_order(drafted),
            created: self.mask_stamp(created),
            confirmed: confirmed.as_ref().map(|(stamp, confirmation)| {
                let Confirmation { typed: _, findings: _, agreed: _ } = confirmation;
                (self.mask_stamp(stamp), Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None })
            }),
            approval: None,
            attempts: attempts.iter().map(|attempt| self.mask_attempt(attempt)).collect(),
            lookups: lookups.iter().map(|(at, look)| (*at, self.mask_lookup(look))).collect(),
            end: end.as_ref().map(|(stamp, end)| (self.mask_stamp(stamp), mask_order_end(end))),
        }
    }

    fn mask_drafted_order(&self, drafted: &DraftedOrder) -> DraftedOrder {
        let DraftedOrder { draft, sender, request: frozen, destination, newest: _, anchors: _, template: _ } = drafted;
        let RequestBytes { operation, method, path: _, body: _, key } = frozen;
        let ServiceDestination { profile, environment, base_url, key_mark: _ } = destination;
        DraftedOrder {
            draft: self.mask_draft(draft),
            sender: sender.as_ref().map(|sender| self.mask_sender(sender)),
            request: RequestBytes {
                operation: *operation,
                method: method.clone(),
                path: WITHHELD_MESSAGE.into(),
                body: WITHHELD_MESSAGE.into(),
                key: key.map(|_| Uuid::nil()),
            },
            destination: ServiceDestination {
                profile: self.mask_name("profile", profile),
                environment: *environment,
                base_url: self.mask_name("service", base_url),
                key_mark: Text::default(),
            },
            newest: Vec::new(),
            anchors: Vec::new(),
            template: None,
        }
    }

    fn mask_sender(&self, sender: &Sender) -> Sender {
        let Sender { name, address, account, user, token, amount: _ } = sender;
        Sender {
            name: self.mask_optional_name("wallet", name.as_ref()),
            address: self.mask_optional_address(address.as_ref()),
            account: account.as_ref().map(|id| self.mask_account_id(id)),
            user: user.as_ref().map(|id| self.mask_user_id(id)),
            token: token.clone(),
            amount: Self::masked_amount(),
        }
    }

    fn mask_draft(&self, draft: &Draft) -> Draft {
        let mut draft = draft.clone();
        draft.visit_fields(&mut |kind, field| match field {
            FieldMut::Text(text) => self.mask_field_text(kind, text),
            FieldMut::Wallet(id) => *id = self.mask_wallet_id(id),
            FieldMut::User(id) => *id = self.mask_user_id(id),
            FieldMut::Account(id) => *id = self.mask_account_id(id),
            FieldMut::Flag(_) => {}
            FieldMut::Metadata(metadata) => *metadata = Metadata::default(),
            FieldMut::Recipients(recipients) => *recipients = self.mask_recipients(recipients),
            FieldMut::BatchFile(BatchFile { name, sha256 }) => {
                *name = self.mask_name("file", name);
                *sha256 = self.mask_address(sha256);
            }
        });
        draft
    }

    fn mask_field_text(&self, kind: FieldKind, text: &mut Text) {
        let word = match kind {
            FieldKind::Blockchain | FieldKind::Token | FieldKind::BoughtToken => return,
            FieldKind::Amount | FieldKind::MaximumFee => {
                *text = Self::masked_amount_text();
                return;
            }
            FieldKind::Recipient => {
                *text = self.mask_address(text);
                return;
            }
            FieldKind::AccountName => "account",
            FieldKind::WalletName => "wallet",
            FieldKind::UserName => "user",
            FieldKind::Email => "mail",
            FieldKind::Memo => "memo",
            FieldKind::Note => "note",
            FieldKind::Reference => "ref",
            FieldKind::Account
            | FieldKind::AutoSweep
            | FieldKind::BatchFile
            | FieldKind::CanTrade
            | FieldKind::IsActive
            | FieldKind::Metadata
            | FieldKind::Owner
            | FieldKind::Queue
            | FieldKind::Recipients
            | FieldKind::SubWallet
            | FieldKind::User
            | FieldKind::Wallet => "text",
        };
        *text = self.mask_name(word, text);
    }

    /// At most two recipients, whatever their number.
    fn mask_recipients(&self, recipients: &[Recipient]) -> Vec<Recipient> {
        let mask = |to: &Recipient| Recipient {
            address: self.mask_address(&to.address),
            amount: Self::masked_amount_text(),
            label: None,
            reference: None,
            line: None,
        };
        recipients.first().into_iter().chain(recipients.last()).map(mask).collect()
    }

    fn masked_amount_text() -> Text {
        Text::clean(&Self::masked_amount().to_string())
    }

    fn mask_attempt(&self, attempt: &Attempt) -> Attempt {
        let Attempt { number, reason, stamp, gives_up_at, answer } = attempt;
        Attempt {
            number: *number,
            reason: *reason,
            stamp: self.mask_stamp(stamp),
            gives_up_at: *gives_up_at,
            answer: answer.as_ref().map(|(at, answer)| (*at, self.mask_attempt_result(answer))),
        }
    }

    fn mask_attempt_result(&self, answer: &AttemptResult) -> AttemptResult {
        let AttemptResult { outcome, status, message: _, raw: _, created, differences, cost_alarms } = answer;
        AttemptResult {
            outcome: *outcome,
            status: *status,
            message: Text::clean(WITHHELD_MESSAGE),
            raw: None,
            // The transaction determines the order's state; other creations only have a name.
            created: match created {
                Some(CreatedObject::Transaction(observation)) => {
                    Some(CreatedObject::Transaction(self.mask_observed_transaction(observation)))
                }
                Some(CreatedObject::User(user)) => Some(CreatedObject::User(self.mask_user(user))),
                Some(CreatedObject::Account(account)) => Some(CreatedObject::Account(self.mask_account(account))),
                Some(CreatedObject::Wallet(wallet)) => Some(CreatedObject::Wallet(self.mask_wallet(wallet))),
                Some(CreatedObject::Address(_)) | None => None,
            },
            differences: self.mask_differences(differences),
            cost_alarms: self.mask_differences(cost_alarms),
        }
    }

    fn mask_observed_transaction(&self, observation: &ObservedTransaction) -> ObservedTransaction {
        let ObservedTransaction { transaction, status, confirmed, confirmed_at, confirmation, tx_hash, swap: _ } =
            observation;
        ObservedTransaction {
            transaction: transaction.as_ref().map(|id| self.mask_transaction_id(id)),
            status: status.clone(),
            confirmed: *confirmed,
            confirmed_at: *confirmed_at,
            confirmation: *confirmation,
            tx_hash: self.mask_optional_address(tx_hash.as_ref()),
            swap: None,
        }
    }

    fn mask_lookup(&self, look: &HistoryLookup) -> HistoryLookup {
        let HistoryLookup {
            observed,
            recipient_reports: _,
            similar_transaction,
            is_complete,
            differences,
            cost_alarms,
            shows_failure,
            contradiction,
        } = look;
        HistoryLookup {
            observed: observed.as_ref().map(|observation| self.mask_observed_transaction(observation)),
            recipient_reports: Vec::new(),
            similar_transaction: similar_transaction.as_ref().map(|id| self.mask_transaction_id(id)),
            is_complete: *is_complete,
            differences: self.mask_differences(differences),
            cost_alarms: self.mask_differences(cost_alarms),
            shows_failure: *shows_failure,
            contradiction: contradiction.as_ref().map(|text| self.mask_name("difference", text)),
        }
    }

    /// One stand-in for each difference.
    fn mask_differences(&self, differences: &[Text]) -> Vec<Text> {
        differences.iter().map(|word| self.mask_name("difference", word)).collect()
    }

    fn mask_stamp(&self, stamp: &EventStamp) -> EventStamp {
        let EventStamp { at, by: ConsoleIdentity { user, host, run: _ } } = stamp;
        let at: Timestamp = *at;
        EventStamp {
            at,
            by: ConsoleIdentity {
                user: self.mask_name("operator", user),
                host: self.mask_name("host", host),
                run: Uuid::nil(),
            },
        }
    }
}

fn mask_order_end(end: &OrderEnd) -> OrderEnd {
    match end {
        OrderEnd::Settled => OrderEnd::Settled,
        OrderEnd::PartlySettled => OrderEnd::PartlySettled,
        OrderEnd::Failed => OrderEnd::Failed,
        OrderEnd::Abandoned(reason) => OrderEnd::Abandoned(reason.as_ref().map(|_| Text::clean(WITHHELD_MESSAGE))),
        OrderEnd::WrittenOff(_) => OrderEnd::WrittenOff(Text::clean(WITHHELD_MESSAGE)),
    }
}
