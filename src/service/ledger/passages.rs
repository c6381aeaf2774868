//! What leaves a wallet and what comes into one: the two halves of every transaction.

use ruint::aliases::U256;
use uuid::Uuid;

use super::books::{Books, Ids};
use super::entries::Movement;
use super::refusal::Refusal;
use super::rows::{NewRow, Stage, SubType, Way};
use super::tokens::Known;
use super::wallets::{self, Purse};
use crate::domain::{Amount, Chain, Timestamp};
use crate::service::chain::{self, Failures};

/// When a transaction settles, and how far it is at once.
pub(super) type Course = (Timestamp, Stage);

/// Something that leaves a wallet.
#[derive(Debug)]
pub(super) struct Leaving<'a> {
    pub(super) id: Uuid,
    pub(super) sub_type: SubType,
    pub(super) wallet: &'a Purse,
    pub(super) token: &'a Known,
    pub(super) amount: U256,
    pub(super) fee: U256,
    /// Who gets it, by number; 0 for several.
    pub(super) party: i64,
    pub(super) course: Course,
    pub(super) group: Option<Uuid>,
    pub(super) words: Words<'a>,
}

/// Something that comes into a wallet.
#[derive(Debug)]
pub(super) struct Coming<'a> {
    pub(super) id: Uuid,
    /// The transaction of this service whose other end it is.
    pub(super) hash_of: Option<Uuid>,
    pub(super) sub_type: SubType,
    pub(super) wallet: &'a Purse,
    pub(super) token: &'a Known,
    pub(super) amount: U256,
    /// Who sent it, as the family writes addresses.
    pub(super) from: &'a str,
    pub(super) course: Course,
    pub(super) group: Option<Uuid>,
}

/// What the payer says beside a payment.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::service) struct Words<'a> {
    /// The business's own reference.
    pub(in crate::service) ref_id: Option<&'a str>,
    /// A note.
    pub(in crate::service) note: Option<&'a str>,
    /// The key under which it was asked for.
    pub(in crate::service) key: Option<Uuid>,
    /// The memo or tag of a v1 payment.
    pub(in crate::service) tag: Option<&'a str>,
}

impl Books<'_> {
    /// Refuses what a wallet cannot pay.
    pub(super) fn cover(&mut self, wallet: &Purse, token: &Known, amount: U256, fee: U256) -> Result<(), Refusal> {
        let spendable = self.spendable(wallet.no, token.no)?;
        if amount.checked_add(fee).is_some_and(|total| total <= spendable) {
            return Ok(());
        }
        let shown = |raw| Amount::new(raw, token.decimals).map(|amount| amount.to_string()).unwrap_or_default();
        let (has, amount, fee, symbol) = (shown(spendable), shown(amount), shown(fee), &token.symbol);
        Err(Refusal::impossible(format!(
            "insufficient balance: the wallet has {has} {symbol}, and {amount} and a fee of {fee} are needed"
        )))
    }

    /// Takes something out of a wallet that is known to have it, and gives the row.
    pub(super) fn leave(&mut self, leaving: &Leaving<'_>) -> Result<i64, Refusal> {
        let (wallet, token, (due, stage)) = (leaving.wallet.no, leaving.token.no, leaving.course);
        let row = self.add(&NewRow {
            id: leaving.id,
            way: Way::Out,
            sub_type: leaving.sub_type,
            stage,
            wallet,
            token,
            amount: leaving.amount,
            fee: leaving.fee,
            party: leaving.party,
            due,
            hash_of: None,
            ref_id: leaving.words.ref_id,
            key: leaving.words.key,
            note: leaving.words.note,
            group: leaving.group,
            tag: leaving.words.tag,
        })?;
        let moved = Movement { row, wallet, token, amount: leaving.amount, fee: leaving.fee };
        self.freeze(&moved)?;
        match stage {
            Stage::Pending => {}
            Stage::Success => {
                self.succeed(Way::Out, &moved)?;
                self.announce(row, Way::Out, leaving.sub_type)?;
            }
            Stage::Failed => self.fail(Way::Out, &moved)?,
        }
        Ok(row)
    }

    /// Writes down what comes into a wallet, and gives its row.
    pub(super) fn come_in(&mut self, coming: &Coming<'_>) -> Result<i64, Refusal> {
        let party = self.party(coming.from)?;
        let (wallet, token, amount) = (coming.wallet.no, coming.token.no, coming.amount);
        let (due, stage) = coming.course;
        let row = self.add(&NewRow {
            id: coming.id,
            way: Way::In,
            sub_type: coming.sub_type,
            stage,
            wallet,
            token,
            amount,
            fee: U256::ZERO,
            party,
            due,
            hash_of: coming.hash_of,
            ref_id: None,
            key: None,
            note: None,
            group: coming.group,
            tag: None,
        })?;
        if stage == Stage::Success {
            self.succeed(Way::In, &Movement { row, wallet, token, amount, fee: U256::ZERO })?;
            self.announce(row, Way::In, coming.sub_type)?;
        }
        Ok(row)
    }

    /// The other end of a payment to an address that may be of this service: a row of the recipient's workspace, with
    /// the same hash, that settles when the sender's does.
    pub(super) fn arrive(&mut self, sent: &Leaving<'_>, address: &str, amount: U256) -> Result<(), Refusal> {
        let Some(recipient) = wallets::at(self.connection, sent.token.chain, address)? else { return Ok(()) };
        if recipient.tenant == self.workspace.tenant {
            return self.arrive_at(&recipient, sent, amount);
        }
        let mut theirs = Books::open(self.connection, recipient.tenant, self.clock, Ids::Os, self.conduct)?;
        theirs.arrive_at(&recipient, sent, amount)?;
        theirs.close()
    }

    fn arrive_at(&mut self, recipient: &Purse, sent: &Leaving<'_>, amount: U256) -> Result<(), Refusal> {
        let id = self.new_id();
        self.come_in(&Coming {
            id,
            hash_of: Some(sent.id),
            sub_type: if sent.sub_type == SubType::Sweep { SubType::Sweep } else { SubType::Deposit },
            wallet: recipient,
            token: sent.token,
            amount,
            from: &sent.wallet.address,
            course: sent.course,
            group: sent.group,
        })?;
        Ok(())
    }

    /// When a transaction that starts now settles, and how far it is at once: pending, unless that lies in the past of
    /// sample data.
    pub(super) fn course(&self, chain: &Chain, on_chain: Uuid) -> Result<Course, Refusal> {
        let rules = chain::rules(chain).ok_or_else(without_rules)?;
        let fate = rules.fate(on_chain, self.conduct.failures);
        let due = rules.nth_block_after(self.clock, fate.blocks, self.conduct.pace);
        let stage = match self.settled_until {
            Some(present) if due <= present && fate.succeeds => Stage::Success,
            Some(present) if due <= present => Stage::Failed,
            _ => Stage::Pending,
        };
        Ok((due, stage))
    }

    /// An identifier of a transaction that its chain does not drop, or of one that it does.
    pub(super) fn id_with_fate(&mut self, chain: &Chain, succeeds: bool) -> Result<Uuid, Refusal> {
        let rules = chain::rules(chain).ok_or_else(without_rules)?;
        loop {
            let id = self.new_id();
            if rules.fate(id, Failures::Drawn).succeeds == succeeds {
                return Ok(id);
            }
        }
    }
}

fn without_rules() -> Refusal {
    Refusal::Broken("a wallet is on a chain without rules".into())
}
