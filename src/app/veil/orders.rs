//! Stand-ins of orders: their states are shown, their contents are not.

use uuid::Uuid;

use super::{Veil, WITHHELD_MESSAGE};
use crate::domain::draft::{
    Batch, BatchFile, InstantSwap, NewAccount, NewAddress, NewSandboxAddress, NewSubWallet, NewUser, NewWallet,
    Payment, Recipient, SimulatedDeposit, Swap, UserChange, WalletChange, Withdrawal,
};
use crate::domain::order::{
    Attempt, Confirmation, Console, Destination, DraftedOrder, HistoryLookup, Order, OrderEnd, OrderId, RequestBytes,
    Stamp,
};
use crate::domain::outcome::{AttemptResult, CreatedObject, ObservedTransaction};
use crate::domain::{Draft, Sender, Text, Timestamp};

impl Veil {
    pub(super) fn intent_id(&self, id: &OrderId) -> OrderId {
        let mut bytes = [0; 16];
        let made = self.bytes(&id.to_string());
        bytes.copy_from_slice(&made[..16]);
        OrderId(Uuid::from_bytes(bytes))
    }

    pub(in crate::app) fn order(&self, order: &Order) -> Order {
        let Order { id, drafted, created: born, confirmed, attempts, lookups: looks, end } = order;
        Order {
            id: self.intent_id(id),
            drafted: self.drafted(drafted),
            created: self.stamp(born),
            confirmed: confirmed.as_ref().map(|(stamp, confirmation)| {
                let Confirmation { typed: _, findings: _, agreed: _ } = confirmation;
                (self.stamp(stamp), Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None })
            }),
            attempts: attempts.iter().map(|attempt| self.attempt(attempt)).collect(),
            lookups: looks.iter().map(|(at, look)| (*at, self.look(look))).collect(),
            end: end.as_ref().map(|(stamp, end)| (self.stamp(stamp), ended(end))),
        }
    }

    fn drafted(&self, drafted: &DraftedOrder) -> DraftedOrder {
        let DraftedOrder { draft, sender, request: frozen, destination, newest: _, anchors: _ } = drafted;
        let RequestBytes { operation, method, path: _, body: _, key } = frozen;
        let Destination { profile, environment, base_url, key_mark: _ } = destination;
        DraftedOrder {
            draft: self.draft(draft),
            sender: sender.as_ref().map(|sender| self.sender(sender)),
            request: RequestBytes {
                operation: *operation,
                method: method.clone(),
                path: WITHHELD_MESSAGE.into(),
                body: WITHHELD_MESSAGE.into(),
                key: key.map(|_| Uuid::nil()),
            },
            destination: Destination {
                profile: self.name("profile", profile),
                environment: environment.clone(),
                base_url: self.name("service", base_url),
                key_mark: Text::default(),
            },
            newest: Vec::new(),
            anchors: Vec::new(),
        }
    }

    fn sender(&self, sender: &Sender) -> Sender {
        let Sender { name, address, account, user, token, amount: _ } = sender;
        Sender {
            name: self.name_of("wallet", name.as_ref()),
            address: self.address_of(address.as_ref()),
            account: account.as_ref().map(|id| self.account_id(id)),
            user: user.as_ref().map(|id| self.user_id(id)),
            token: token.clone(),
            amount: Self::amount(),
        }
    }

    fn draft(&self, draft: &Draft) -> Draft {
        match draft {
            Draft::Withdraw(paid) => Draft::Withdraw(self.paid(paid)),
            Draft::Payment(Payment { withdrawal: paid, fee, memo }) => Draft::Payment(Payment {
                withdrawal: self.paid(paid),
                fee: fee.as_ref().map(|_| Self::amount_text()),
                memo: self.name_of("memo", memo.as_ref()),
            }),
            Draft::Batch(batch) => Draft::Batch(self.batch(batch)),
            Draft::Swap(Swap { wallet, blockchain, from, amount: _, to, ref_id, note }) => Draft::Swap(Swap {
                wallet: self.wallet_id(wallet),
                blockchain: blockchain.clone(),
                from: from.clone(),
                amount: Self::amount_text(),
                to: to.clone(),
                ref_id: self.name_of("ref", ref_id.as_ref()),
                note: self.name_of("note", note.as_ref()),
            }),
            Draft::InstantSwap(InstantSwap { sub_wallet, from, amount: _, to, ext_id }) => {
                Draft::InstantSwap(InstantSwap {
                    sub_wallet: self.user_id(sub_wallet),
                    from: from.clone(),
                    amount: Self::amount_text(),
                    to: to.clone(),
                    ext_id: self.name_of("ref", ext_id.as_ref()),
                })
            }
            Draft::CreateSandboxAddress(NewSandboxAddress { coin, chain }) => {
                Draft::CreateSandboxAddress(NewSandboxAddress { coin: coin.clone(), chain: chain.clone() })
            }
            Draft::CreateUser(user) => Draft::CreateUser(self.new_user(user)),
            Draft::CreateAccount(NewAccount { name }) => {
                Draft::CreateAccount(NewAccount { name: self.name("account", name) })
            }
            Draft::CreateWallet(NewWallet { account, blockchain, name, ref_id, user, auto_sweep }) => {
                Draft::CreateWallet(NewWallet {
                    account: self.account_id(account),
                    blockchain: blockchain.clone(),
                    name: self.name_of("wallet", name.as_ref()),
                    ref_id: self.name_of("ref", ref_id.as_ref()),
                    user: user.as_ref().map(|id| self.user_id(id)),
                    auto_sweep: *auto_sweep,
                })
            }
            Draft::UpdateWallet(WalletChange { wallet, user, name, is_active, auto_sweep }) => {
                Draft::UpdateWallet(WalletChange {
                    wallet: self.wallet_id(wallet),
                    user: user.as_ref().map(|id| self.user_id(id)),
                    name: self.name_of("wallet", name.as_ref()),
                    is_active: *is_active,
                    auto_sweep: *auto_sweep,
                })
            }
            Draft::UpdateUser(UserChange { user, to }) => {
                Draft::UpdateUser(UserChange { user: self.user_id(user), to: self.new_user(to) })
            }
            Draft::CreateSubWallet(NewSubWallet { user, can_trade }) => {
                Draft::CreateSubWallet(NewSubWallet { user: self.new_user(user), can_trade: *can_trade })
            }
            Draft::CreateAddress(NewAddress { sub_wallet, coin, chain }) => Draft::CreateAddress(NewAddress {
                sub_wallet: self.user_id(sub_wallet),
                coin: coin.clone(),
                chain: chain.clone(),
            }),
            Draft::SimulateDeposit(SimulatedDeposit { token, blockchain, amount: _, to }) => {
                Draft::SimulateDeposit(SimulatedDeposit {
                    token: token.clone(),
                    blockchain: blockchain.clone(),
                    amount: Self::amount_text(),
                    to: self.address(to),
                })
            }
        }
    }

    fn paid(&self, paid: &Withdrawal) -> Withdrawal {
        let Withdrawal { wallet, blockchain, token, amount: _, to, ref_id, note } = paid;
        Withdrawal {
            wallet: self.wallet_id(wallet),
            blockchain: blockchain.clone(),
            token: token.clone(),
            amount: Self::amount_text(),
            to: self.address(to),
            ref_id: self.name_of("ref", ref_id.as_ref()),
            note: self.name_of("note", note.as_ref()),
        }
    }

    /// A batch to at most two recipients, whatever their number.
    fn batch(&self, batch: &Batch) -> Batch {
        let Batch { wallet, blockchain, token, to, ref_id, note, file } = batch;
        let recipient = |to: &Recipient| Recipient {
            address: self.address(&to.address),
            amount: Self::amount_text(),
            label: None,
            line: None,
        };
        Batch {
            wallet: self.wallet_id(wallet),
            blockchain: blockchain.clone(),
            token: token.clone(),
            to: to.first().into_iter().chain(to.last()).map(recipient).collect(),
            ref_id: self.name_of("ref", ref_id.as_ref()),
            note: self.name_of("note", note.as_ref()),
            file: file.as_ref().map(|BatchFile { name, sha256 }| BatchFile {
                name: self.name("file", name),
                sha256: self.address(sha256),
            }),
        }
    }

    fn amount_text() -> Text {
        Text::clean(&Self::amount().to_string())
    }

    fn new_user(&self, user: &NewUser) -> NewUser {
        let NewUser { email, display_name, ref_id } = user;
        NewUser {
            email: self.name_of("mail", email.as_ref()),
            display_name: self.name_of("user", display_name.as_ref()),
            ref_id: self.name_of("ref", ref_id.as_ref()),
        }
    }

    fn attempt(&self, attempt: &Attempt) -> Attempt {
        let Attempt { number, reason: because, stamp, gives_up_at, answer } = attempt;
        Attempt {
            number: *number,
            reason: *because,
            stamp: self.stamp(stamp),
            gives_up_at: *gives_up_at,
            answer: answer.as_ref().map(|(at, answer)| (*at, self.answered(answer))),
        }
    }

    fn answered(&self, answer: &AttemptResult) -> AttemptResult {
        let AttemptResult { outcome, status, message: _, raw: _, change: made, differences, costs } = answer;
        AttemptResult {
            outcome: *outcome,
            status: *status,
            message: Text::clean(WITHHELD_MESSAGE),
            raw: None,
            // The transaction determines the order's state; other creations only have a name.
            change: match made {
                Some(CreatedObject::Transaction(seen)) => Some(CreatedObject::Transaction(self.seen(seen))),
                Some(CreatedObject::User(user)) => Some(CreatedObject::User(self.user(user))),
                Some(CreatedObject::Account(account)) => Some(CreatedObject::Account(self.account(account))),
                Some(CreatedObject::Wallet(wallet)) => Some(CreatedObject::Wallet(self.wallet(wallet))),
                Some(CreatedObject::Address(_)) | None => None,
            },
            differences: self.unsaid(differences),
            costs: self.unsaid(costs),
        }
    }

    fn seen(&self, seen: &ObservedTransaction) -> ObservedTransaction {
        let ObservedTransaction { transaction, status, confirmed, confirmed_at, confirmation, tx_hash, swap: _ } = seen;
        ObservedTransaction {
            transaction: transaction.as_ref().map(|id| self.transaction_id(id)),
            status: status.clone(),
            confirmed: *confirmed,
            confirmed_at: *confirmed_at,
            confirmation: *confirmation,
            tx_hash: self.address_of(tx_hash.as_ref()),
            swap: None,
        }
    }

    fn look(&self, look: &HistoryLookup) -> HistoryLookup {
        let HistoryLookup {
            observed: found,
            parts: _,
            similar_transaction: resembles,
            is_complete: covers,
            differences,
            costs,
            shows_failure: fails,
            contradiction: contradicts,
        } = look;
        HistoryLookup {
            observed: found.as_ref().map(|seen| self.seen(seen)),
            parts: Vec::new(),
            similar_transaction: resembles.as_ref().map(|id| self.transaction_id(id)),
            is_complete: *covers,
            differences: self.unsaid(differences),
            costs: self.unsaid(costs),
            shows_failure: *fails,
            contradiction: contradicts.as_ref().map(|words| self.name("difference", words)),
        }
    }

    /// One stand-in for each difference.
    fn unsaid(&self, words: &[Text]) -> Vec<Text> {
        words.iter().map(|word| self.name("difference", word)).collect()
    }

    fn stamp(&self, stamp: &Stamp) -> Stamp {
        let Stamp { at, by: Console { user, host, run: _ } } = stamp;
        let at: Timestamp = *at;
        Stamp { at, by: Console { user: self.name("operator", user), host: self.name("host", host), run: Uuid::nil() } }
    }
}

fn ended(end: &OrderEnd) -> OrderEnd {
    match end {
        OrderEnd::Settled => OrderEnd::Settled,
        OrderEnd::PartlySettled => OrderEnd::PartlySettled,
        OrderEnd::Failed => OrderEnd::Failed,
        OrderEnd::Abandoned(why) => OrderEnd::Abandoned(why.as_ref().map(|_| Text::clean(WITHHELD_MESSAGE))),
        OrderEnd::WrittenOff(_) => OrderEnd::WrittenOff(Text::clean(WITHHELD_MESSAGE)),
    }
}
