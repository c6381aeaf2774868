//! Stand-ins of orders: their states are shown, their contents are not.

use uuid::Uuid;

use super::{Veil, WITHHELD_MESSAGE};
use crate::domain::draft::{
    Batch, BatchFile, InstantSwap, Metadata, NewAccount, NewAddress, NewSandboxAddress, NewSubWallet, NewUser,
    NewWallet, Recipient, SimulatedDeposit, Swap, UserChange, V1Payment, WalletChange, Withdrawal,
};
use crate::domain::order::{
    Attempt, Confirmation, ConsoleIdentity, Destination, DraftedOrder, EventStamp, HistoryLookup, Order, OrderEnd,
    OrderId, RequestBytes,
};
use crate::domain::outcome::{AttemptResult, CreatedObject, ObservedTransaction};
use crate::domain::{Draft, Sender, Text, Timestamp};

impl Veil {
    pub(super) fn mask_order_id(&self, id: &OrderId) -> OrderId {
        let mut bytes = [0; 16];
        let made = self.keyed_hash(&id.to_string());
        bytes.copy_from_slice(&made[..16]);
        OrderId(Uuid::from_bytes(bytes))
    }

    pub(in crate::app) fn mask_order(&self, order: &Order) -> Order {
        let Order { id, drafted, created: born, confirmed, approval: _, attempts, lookups: looks, end } = order;
        Order {
            id: self.mask_order_id(id),
            drafted: self.mask_drafted_order(drafted),
            created: self.mask_stamp(born),
            confirmed: confirmed.as_ref().map(|(stamp, confirmation)| {
                let Confirmation { typed: _, findings: _, agreed: _ } = confirmation;
                (self.mask_stamp(stamp), Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None })
            }),
            approval: None,
            attempts: attempts.iter().map(|attempt| self.mask_attempt(attempt)).collect(),
            lookups: looks.iter().map(|(at, look)| (*at, self.mask_lookup(look))).collect(),
            end: end.as_ref().map(|(stamp, end)| (self.mask_stamp(stamp), mask_order_end(end))),
        }
    }

    fn mask_drafted_order(&self, drafted: &DraftedOrder) -> DraftedOrder {
        let DraftedOrder { draft, sender, request: frozen, destination, newest: _, anchors: _, template: _ } = drafted;
        let RequestBytes { operation, method, path: _, body: _, key } = frozen;
        let Destination { profile, environment, base_url, key_mark: _ } = destination;
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
            destination: Destination {
                profile: self.mask_name("profile", profile),
                environment: environment.clone(),
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
        match draft {
            Draft::Withdraw(paid) => Draft::Withdraw(self.mask_withdrawal(paid)),
            Draft::Payment(V1Payment { withdrawal: paid, fee, memo }) => Draft::Payment(V1Payment {
                withdrawal: self.mask_withdrawal(paid),
                fee: fee.as_ref().map(|_| Self::masked_amount_text()),
                memo: self.mask_optional_name("memo", memo.as_ref()),
            }),
            Draft::Batch(batch) => Draft::Batch(self.mask_batch(batch)),
            Draft::Swap(Swap { wallet, blockchain, from, amount: _, to, ref_id, note }) => Draft::Swap(Swap {
                wallet: self.mask_wallet_id(wallet),
                blockchain: blockchain.clone(),
                from: from.clone(),
                amount: Self::masked_amount_text(),
                to: to.clone(),
                ref_id: self.mask_optional_name("ref", ref_id.as_ref()),
                note: self.mask_optional_name("note", note.as_ref()),
            }),
            Draft::InstantSwap(InstantSwap { sub_wallet, from, amount: _, to, ext_id }) => {
                Draft::InstantSwap(InstantSwap {
                    sub_wallet: self.mask_user_id(sub_wallet),
                    from: from.clone(),
                    amount: Self::masked_amount_text(),
                    to: to.clone(),
                    ext_id: self.mask_optional_name("ref", ext_id.as_ref()),
                })
            }
            Draft::CreateSandboxAddress(NewSandboxAddress { coin, chain }) => {
                Draft::CreateSandboxAddress(NewSandboxAddress { coin: coin.clone(), chain: chain.clone() })
            }
            Draft::CreateUser(user) => Draft::CreateUser(self.mask_new_user(user)),
            Draft::CreateAccount(NewAccount { name }) => {
                Draft::CreateAccount(NewAccount { name: self.mask_name("account", name) })
            }
            Draft::CreateWallet(NewWallet { account, blockchain, name, ref_id, user, auto_sweep }) => {
                Draft::CreateWallet(NewWallet {
                    account: self.mask_account_id(account),
                    blockchain: blockchain.clone(),
                    name: self.mask_optional_name("wallet", name.as_ref()),
                    ref_id: self.mask_optional_name("ref", ref_id.as_ref()),
                    user: user.as_ref().map(|id| self.mask_user_id(id)),
                    auto_sweep: *auto_sweep,
                })
            }
            Draft::UpdateWallet(WalletChange { wallet, user, name, is_active, auto_sweep }) => {
                Draft::UpdateWallet(WalletChange {
                    wallet: self.mask_wallet_id(wallet),
                    user: user.as_ref().map(|id| self.mask_user_id(id)),
                    name: self.mask_optional_name("wallet", name.as_ref()),
                    is_active: *is_active,
                    auto_sweep: *auto_sweep,
                })
            }
            Draft::UpdateUser(UserChange { user, to }) => {
                Draft::UpdateUser(UserChange { user: self.mask_user_id(user), to: self.mask_new_user(to) })
            }
            Draft::CreateSubWallet(NewSubWallet { user, can_trade }) => {
                Draft::CreateSubWallet(NewSubWallet { user: self.mask_new_user(user), can_trade: *can_trade })
            }
            Draft::CreateAddress(NewAddress { sub_wallet, coin, chain }) => Draft::CreateAddress(NewAddress {
                sub_wallet: self.mask_user_id(sub_wallet),
                coin: coin.clone(),
                chain: chain.clone(),
            }),
            Draft::SimulateDeposit(SimulatedDeposit { token, blockchain, amount: _, to }) => {
                Draft::SimulateDeposit(SimulatedDeposit {
                    token: token.clone(),
                    blockchain: blockchain.clone(),
                    amount: Self::masked_amount_text(),
                    to: self.mask_address(to),
                })
            }
        }
    }

    fn mask_withdrawal(&self, paid: &Withdrawal) -> Withdrawal {
        let Withdrawal { wallet, blockchain, token, amount: _, to, ref_id, note, metadata: _ } = paid;
        Withdrawal {
            wallet: self.mask_wallet_id(wallet),
            blockchain: blockchain.clone(),
            token: token.clone(),
            amount: Self::masked_amount_text(),
            to: self.mask_address(to),
            ref_id: self.mask_optional_name("ref", ref_id.as_ref()),
            note: self.mask_optional_name("note", note.as_ref()),
            metadata: Metadata::default(),
        }
    }

    /// A batch to at most two recipients, whatever their number.
    fn mask_batch(&self, batch: &Batch) -> Batch {
        let Batch { wallet, blockchain, token, to, ref_id, note, metadata: _, queue, file } = batch;
        let recipient = |to: &Recipient| Recipient {
            address: self.mask_address(&to.address),
            amount: Self::masked_amount_text(),
            label: None,
            reference: None,
            line: None,
        };
        Batch {
            wallet: self.mask_wallet_id(wallet),
            blockchain: blockchain.clone(),
            token: token.clone(),
            to: to.first().into_iter().chain(to.last()).map(recipient).collect(),
            ref_id: self.mask_optional_name("ref", ref_id.as_ref()),
            note: self.mask_optional_name("note", note.as_ref()),
            metadata: Metadata::default(),
            queue: *queue,
            file: file.as_ref().map(|BatchFile { name, sha256 }| BatchFile {
                name: self.mask_name("file", name),
                sha256: self.mask_address(sha256),
            }),
        }
    }

    fn masked_amount_text() -> Text {
        Text::clean(&Self::masked_amount().to_string())
    }

    fn mask_new_user(&self, user: &NewUser) -> NewUser {
        let NewUser { email, display_name, ref_id } = user;
        NewUser {
            email: self.mask_optional_name("mail", email.as_ref()),
            display_name: self.mask_optional_name("user", display_name.as_ref()),
            ref_id: self.mask_optional_name("ref", ref_id.as_ref()),
        }
    }

    fn mask_attempt(&self, attempt: &Attempt) -> Attempt {
        let Attempt { number, reason: because, stamp, gives_up_at, answer } = attempt;
        Attempt {
            number: *number,
            reason: *because,
            stamp: self.mask_stamp(stamp),
            gives_up_at: *gives_up_at,
            answer: answer.as_ref().map(|(at, answer)| (*at, self.mask_attempt_result(answer))),
        }
    }

    fn mask_attempt_result(&self, answer: &AttemptResult) -> AttemptResult {
        let AttemptResult { outcome, status, message: _, raw: _, created: made, differences, cost_alarms: costs } =
            answer;
        AttemptResult {
            outcome: *outcome,
            status: *status,
            message: Text::clean(WITHHELD_MESSAGE),
            raw: None,
            // The transaction determines the order's state; other creations only have a name.
            created: match made {
                Some(CreatedObject::Transaction(seen)) => {
                    Some(CreatedObject::Transaction(self.mask_observed_transaction(seen)))
                }
                Some(CreatedObject::User(user)) => Some(CreatedObject::User(self.mask_user(user))),
                Some(CreatedObject::Account(account)) => Some(CreatedObject::Account(self.mask_account(account))),
                Some(CreatedObject::Wallet(wallet)) => Some(CreatedObject::Wallet(self.mask_wallet(wallet))),
                Some(CreatedObject::Address(_)) | None => None,
            },
            differences: self.mask_differences(differences),
            cost_alarms: self.mask_differences(costs),
        }
    }

    fn mask_observed_transaction(&self, seen: &ObservedTransaction) -> ObservedTransaction {
        let ObservedTransaction { transaction, status, confirmed, confirmed_at, confirmation, tx_hash, swap: _ } = seen;
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
            observed: found,
            recipient_reports: _,
            similar_transaction: resembles,
            is_complete: covers,
            differences,
            cost_alarms: costs,
            shows_failure: fails,
            contradiction: contradicts,
        } = look;
        HistoryLookup {
            observed: found.as_ref().map(|seen| self.mask_observed_transaction(seen)),
            recipient_reports: Vec::new(),
            similar_transaction: resembles.as_ref().map(|id| self.mask_transaction_id(id)),
            is_complete: *covers,
            differences: self.mask_differences(differences),
            cost_alarms: self.mask_differences(costs),
            shows_failure: *fails,
            contradiction: contradicts.as_ref().map(|words| self.mask_name("difference", words)),
        }
    }

    /// One stand-in for each difference.
    fn mask_differences(&self, words: &[Text]) -> Vec<Text> {
        words.iter().map(|word| self.mask_name("difference", word)).collect()
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
        OrderEnd::Abandoned(why) => OrderEnd::Abandoned(why.as_ref().map(|_| Text::clean(WITHHELD_MESSAGE))),
        OrderEnd::WrittenOff(_) => OrderEnd::WrittenOff(Text::clean(WITHHELD_MESSAGE)),
    }
}
