//! The rules that say which payments need approvals, and of how many people.

use std::fmt::{self, Write as _};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::domain::duration::period_text;
use crate::domain::{Amount, Draft, Sender, Text, chain};

use super::proposal::Proposal;
use super::signers::Signers;
use super::ssh_signature::Touch;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalRule {
    /// The symbol; `*` for every token.
    pub token: Text,
    /// All chains where absent.
    pub chain: Option<Text>,
    /// The rule is for payments of more than this in all.
    pub above: Option<Amount>,
    /// The rule is for every payment and swap of the token, whatever its amount.
    pub always: bool,
    /// People besides the maker.
    pub needs: u8,
    /// What each approval must prove at least.
    pub touch: Touch,
    /// How long after a proposal it may be released.
    pub within: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ApprovalPolicy {
    /// In the order of the configuration.
    pub rules: Vec<ApprovalRule>,
    pub signers: Signers,
}

/// What the rules together ask of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The rule that needs most people, for people.
    pub rule: Text,
    pub needs: u8,
    pub touch: Touch,
    pub within: Duration,
}

impl ApprovalRule {
    pub const ANY_TOKEN: &str = "*";
    pub const DEFAULT_VALIDITY: Duration = Duration::from_hours(24);

    fn applies_to(&self, payment: &PaymentFacts) -> bool {
        let is_of_token = *self.token == *Self::ANY_TOKEN
            || payment.token.as_ref().is_none_or(|token| self.token.eq_ignore_ascii_case(token));
        let is_on_chain = match (&self.chain, &payment.chain) {
            (Some(chain), Some(other)) => chain::is_same_chain(chain, other),
            (None, _) | (_, None) => true,
        };
        let is_above = match (self.above, payment.amount) {
            (Some(above), Some(amount)) => self.always || amount.cmp_value(above).is_gt(),
            (None, _) | (_, None) => true,
        };
        is_of_token && is_on_chain && is_above
    }
}

impl fmt::Display for ApprovalRule {
    /// For people: `USDC above 10,000: 1 approval within 24 hours`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self.token == *Self::ANY_TOKEN { "every token" } else { &self.token })?;
        if let Some(chain) = &self.chain {
            write!(f, " on {}", chain::chain_display_name(chain))?;
        }
        match self.above.filter(|_| !self.always) {
            Some(above) => write!(f, " above {}", above.format_grouped())?,
            None => f.write_str(", every amount")?,
        }
        let approvals = if self.needs == 1 { "approval" } else { "approvals" };
        let touch = touch_text(self.touch);
        write!(f, ": {} {approvals}{touch} within {}", self.needs, hours_text(self.within))
    }
}

impl ApprovalRule {
    /// How many approvals a rule asks for, and what each must prove, out of the words in which `Display` writes it;
    /// `None` for other words. Proposals and recorded rules carry the words alone.
    pub fn parse_demands(text: &str) -> Option<(u8, Touch)> {
        let (_, demands) = text.rsplit_once(": ")?;
        let (needs, rest) = demands.split_once(' ')?;
        let rest = rest.strip_prefix("approvals").or_else(|| rest.strip_prefix("approval"))?;
        let (by, _) = rest.split_once(" within ")?;
        let touch = Touch::ALL.into_iter().find(|touch| touch_text(*touch) == by)?;
        Some((needs.parse().ok()?, touch))
    }
}

impl Requirement {
    /// What the rule that a proposal names asked for; `None` where its words are of no rule.
    pub fn of_proposal(proposal: &Proposal) -> Option<Self> {
        let (needs, touch) = ApprovalRule::parse_demands(&proposal.rule)?;
        let within = proposal.made_at.age(proposal.expires);
        Some(Self { rule: proposal.rule.clone(), needs, touch, within })
    }
}

fn touch_text(touch: Touch) -> &'static str {
    match touch {
        Touch::None => "",
        Touch::Present => " by touch of a security key",
        Touch::Verified => " by PIN and touch of a security key",
    }
}

/// In hours where they are whole, as policies are written: `24 hours`.
fn hours_text(period: Duration) -> String {
    match (period.as_secs() / 3_600, period.as_secs() % 3_600) {
        (1, 0) => "1 hour".into(),
        (hours @ 2.., 0) => format!("{hours} hours"),
        _ => period_text(period),
    }
}

/// What the rules look at; what is not known of a payment exempts it from none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PaymentFacts {
    /// The symbol of what leaves.
    pub token: Option<Text>,
    pub chain: Option<Text>,
    /// In all.
    pub amount: Option<Amount>,
}

impl PaymentFacts {
    /// `None` for an operation that moves no money.
    fn of(draft: &Draft, sender: Option<&Sender>) -> Option<Self> {
        if !draft.operation().moves_money() {
            return None;
        }
        let token = draft.payment_details().map(|payment| payment.token).or_else(|| Some(draft.exchange()?.from));
        let amount = requested_amount(draft).map(|amount| match sender {
            // Both are to be the same; where they are not, the larger counts.
            Some(sender) => amount.larger(sender.amount),
            None => amount,
        });
        Some(Self { token: token.cloned(), chain: draft.chain(sender).cloned(), amount })
    }
}

/// The exact total of a request, as its text states it.
fn requested_amount(draft: &Draft) -> Option<Amount> {
    if let Draft::Batch(batch) = draft {
        return batch.total_as_written();
    }
    let amount = draft.single_payment().map(|payment| &payment.amount).or_else(|| Some(draft.exchange()?.amount))?;
    Amount::parse_as_written(amount, Amount::MAX_DECIMALS).ok()
}

impl ApprovalPolicy {
    /// What a payment needs: of all rules that apply, the most people, the strictest touch and the shortest time. `None`
    /// where it needs no approval.
    pub fn requirement_for_draft(&self, draft: &Draft, sender: Option<&Sender>) -> Option<Requirement> {
        self.requirement_for_payment(&PaymentFacts::of(draft, sender)?)
    }

    /// The same for a payment of which only this is known.
    pub fn requirement_for_payment(&self, payment: &PaymentFacts) -> Option<Requirement> {
        let mut strictest: Option<Requirement> = None;
        for rule in self.rules.iter().filter(|rule| rule.applies_to(payment)) {
            let own = Requirement {
                rule: rule.to_string().as_str().into(),
                needs: rule.needs.max(1),
                touch: rule.touch,
                within: rule.within,
            };
            strictest = Some(match strictest {
                Some(other) => other.combine(own),
                None => own,
            });
        }
        strictest
    }

    /// The SHA-256 of [`ApprovalPolicy::canonical_text`], in lower-case hex. It changes with each field of each rule, their
    /// order, and each byte of the signers' files.
    pub fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.canonical_text()))
    }

    /// The policy as one text. Amounts stand by value, durations in milliseconds.
    pub fn canonical_text(&self) -> String {
        let mut text = String::from("bursar-approval-policy 1\n");
        for ApprovalRule { token, chain, above, always, needs, touch, within } in &self.rules {
            let (chain, above) = (chain.as_ref().map(Text::as_str), above.map(|above| above.to_string()));
            // A text contains no line break, and `Debug` quotes it.
            let _never_fails = writeln!(
                text,
                "token={token:?} chain={chain:?} above={above:?} always={always} needs={needs} touch={} within={}",
                touch.config_name(),
                within.as_millis()
            );
        }
        text + &self.signers.canonical_text()
    }
}

impl Requirement {
    fn combine(self, other: Self) -> Self {
        let (touch, within) = (self.touch.max(other.touch), self.within.min(other.within));
        let strictest = if other.needs > self.needs { other } else { self };
        Self { touch, within, ..strictest }
    }
}
