//! A payment to judge, and the laws that hold for all rules together.

use proptest::prelude::*;

use super::*;
use crate::domain::approval::DeskRole;
use crate::domain::book::{BookChange, Contact};
use crate::domain::order::OrderId;
use crate::domain::policy::{Limit, OverLimit};
use crate::domain::{
    AddressBook, Amount, BalanceBasis, Metadata, Network, Policy, Sender, Text, Timestamp, TokenKey, TransactionId,
    Wallet, WalletId, Withdrawal,
};

pub(super) const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);
pub(super) const USDC: &str = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
/// Examples of EIP-55.
pub(super) const SUPPLIER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
pub(super) const PAYING: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
pub(super) const OTHER: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

/// An everyday payment, of which nothing is to be said but what is said of each.
#[derive(Debug, Clone)]
pub(super) struct Payment {
    pub(super) request: Withdrawal,
    pub(super) sender: Sender,
    pub(super) facts: GuardFacts,
}

pub(super) fn amount(text: &str) -> Amount {
    Amount::parse(text, 6).unwrap()
}

pub(super) fn own_address(wallet: &str, address: &str, chain: &str) -> OwnAddress {
    OwnAddress {
        address: address.into(),
        blockchain: chain.into(),
        wallet: WalletId::from_text(wallet),
        name: Some(format!("{wallet} purse").as_str().into()),
        user: None,
        is_reported: true,
    }
}

pub(super) fn payee(address: &str, chain: &str) -> Payee {
    Payee {
        address: address.into(),
        blockchain: chain.into(),
        payments: 3,
        first: Timestamp::from_millis(1_780_000_000_000),
        last: Timestamp::from_millis(1_789_000_000_000),
        totals: vec![("USDC".into(), amount("1250.5"))],
        memos: vec![None],
    }
}

pub(super) fn recent_payment(minutes_ago: i64) -> RecentPayment {
    RecentPayment {
        order: None,
        transaction: Some(TransactionId::from_text("t")),
        at: Some(Timestamp::from_millis(NOW.millis() - minutes_ago * 60_000)),
        to: SUPPLIER.to_lowercase().as_str().into(),
        blockchain: "ethereum".into(),
        token: TokenKey::new("ethereum", Some(USDC)),
        symbol: "USDC".into(),
        amount: amount("25"),
        ref_id: None,
        recipient_reference: None,
        note: None,
        state: "accepted".into(),
        is_unresolved: false,
    }
}

pub(super) fn outflow(minutes_ago: i64, text: &str) -> Outflow {
    let RecentPayment { at, to, blockchain, token, symbol, is_unresolved, .. } = recent_payment(minutes_ago);
    Outflow { at, to: Some(to), blockchain, token, symbol, amount: amount(text), is_unresolved }
}

pub(super) fn contact_entered(name: &str, address: &str, hours_ago: i64) -> (BookChange, Timestamp) {
    let contact =
        Contact { name: name.into(), address: address.into(), blockchain: "ethereum".into(), tag: None, note: None };
    (BookChange::Entered(contact), Timestamp::from_millis(NOW.millis() - hours_ago * 3_600_000))
}

pub(super) fn empty_limit(token: &str) -> Limit {
    Limit {
        token: token.into(),
        chain: None,
        per_payment: None,
        per_day: None,
        percent_of_balance: None,
        while_cooling: None,
        over_limit: OverLimit::Stop,
    }
}

pub(super) fn order_id() -> OrderId {
    OrderId(uuid::Uuid::from_u128(7))
}

impl Payment {
    pub(super) fn to(to: &str) -> Self {
        let token = TokenKey::new("ethereum", Some(USDC));
        let wallet = Wallet {
            name: Some("Paying".into()),
            address: Some(PAYING.into()),
            network: Some("mainnet".into()),
            gasless_withdraw: Some(false),
            ..Wallet::new(WalletId::from_text("paying"), "ethereum".into())
        };
        Self {
            request: Withdrawal {
                wallet: wallet.id.clone(),
                blockchain: "ethereum".into(),
                token: "USDC".into(),
                amount: "25".into(),
                to: to.into(),
                ref_id: None,
                note: None,
                metadata: Metadata::default(),
            },
            sender: Sender {
                name: wallet.name.clone(),
                address: wallet.address.clone(),
                account: None,
                user: None,
                token: token.clone(),
                amount: amount("25"),
            },
            facts: GuardFacts {
                expected_network: Some(Network::Mainnet),
                network_claims: vec![("wallet Paying".into(), "mainnet".into())],
                wallet: Some(wallet),
                own_addresses: vec![own_address("paying", PAYING, "ethereum")],
                same_symbol: vec![token],
                funds: Some(Funds {
                    amount: Some(amount("100")),
                    basis: BalanceBasis::Reported,
                    as_of: Some(NOW),
                    is_stale: false,
                    matches_history: false,
                }),
                fee: Some(ExpectedFee { highest: amount("1.25"), median: amount("1"), payments: 4 }),
                outflows_known_from: Some(Timestamp::from_millis(0)),
                ..GuardFacts::default()
            },
        }
    }

    pub(super) fn on(mut self, chain: &str) -> Self {
        self.request.blockchain = chain.into();
        self.sender.token = TokenKey::new(chain, None);
        self.facts.same_symbol.clear();
        if let Some(wallet) = &mut self.facts.wallet {
            wallet.blockchain = chain.into();
        }
        self
    }

    /// The same for another amount, of which the wallet holds ten times as much.
    pub(super) fn of(mut self, text: &str) -> Self {
        self.request.amount = text.into();
        self.sender.amount = amount(text);
        if let Some(funds) = &mut self.facts.funds {
            funds.amount = self.sender.amount.checked_mul(10);
        }
        self
    }

    pub(super) fn findings(&self) -> Vec<Finding> {
        judge(&GuardedPayment { request: &self.request, sender: &self.sender, facts: &self.facts, now: NOW })
    }

    /// What one rule has to say: how grave, and in which words.
    pub(super) fn messages_of(&self, rule: Rule) -> Vec<(Severity, String)> {
        let of_rule = self.findings().into_iter().filter(|finding| finding.rule == rule);
        of_rule.map(|finding| (finding.severity, finding.message)).collect()
    }

    pub(super) fn max_severity(&self, rule: Rule) -> Option<Severity> {
        self.messages_of(rule).into_iter().map(|(severity, _)| severity).max()
    }

    pub(super) fn single_finding(&self, rule: Rule) -> Finding {
        let mut of_rule: Vec<Finding> = self.findings().into_iter().filter(|finding| finding.rule == rule).collect();
        assert_eq!(of_rule.len(), 1, "{of_rule:?}");
        of_rule.remove(0)
    }
}

#[test]
fn of_an_everyday_payment_only_the_first_is_said() {
    let findings = Payment::to(SUPPLIER).findings();
    let rules: Vec<_> = findings.iter().map(|finding| (finding.rule, finding.severity)).collect();
    assert_eq!(rules, [(Rule::FirstPayment, Severity::Note)]);
}

#[test]
fn the_gravest_comes_first() {
    let mut payment = Payment::to(PAYING);
    payment.facts.funds = None;
    payment.facts.history_gap = Some("the service ignores paging".into());
    let severities: Vec<_> = payment.findings().into_iter().map(|finding| finding.severity).collect();
    assert!(severities.is_sorted_by(|one, other| one >= other));
    assert_eq!(severities, [Severity::Stop, Severity::Danger, Severity::Caution, Severity::Note]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever comes from outside: words stay short, every danger can be overridden by words that can be typed, no two
    /// by the same, and nothing else can.
    #[test]
    fn findings_keep_their_form(
        to in prop_oneof![Just(SUPPLIER.to_owned()), any::<String>(), "[0-9a-fA-FxGrT]{20,60}"],
        chain in prop_oneof![Just("ethereum".to_owned()), Just("xrp".to_owned()), Just("solana".to_owned()), any::<String>()],
        word in ".{0,600}",
        basis in prop_oneof![Just(BalanceBasis::Reported), Just(BalanceBasis::Assumed), Just(BalanceBasis::Derived), Just(BalanceBasis::Unknown)],
        stale in any::<bool>(),
        near in any::<bool>(),
        balance in 0_u64..60,
    ) {
        let mut payment = Payment::to(&to).on(&chain);
        let word: Text = word.as_str().into();
        let amounts = Some(amount("20"));
        payment.request.token = word.clone();
        payment.request.ref_id = Some(word.clone());
        payment.facts.history_gap = Some(word.clone());
        payment.facts.is_imitation = true;
        payment.facts.same_symbol = vec![TokenKey::new(&chain, Some(USDC)), TokenKey::new(&chain, Some(OTHER))];
        payment.facts.network_claims.push((word.to_string(), word.clone()));
        payment.facts.expected_network = near.then_some(Network::Mainnet);
        payment.facts.own_addresses.push(OwnAddress { name: Some(word.clone()), ..own_address("elsewhere", &to, "base") });
        payment.facts.own_addresses.push(own_address("near", &format!("{}{}", "0x5aA", &SUPPLIER[5..]), "base"));
        payment.facts.payees.push(payee(&to, if near { &chain } else { "tron" }));
        payment.facts.fee_elsewhere = Some(word.clone());
        payment.facts.usual_amount = near.then(|| UsualAmount { median: amount("1"), payments: 9 });
        payment.facts.account = Some(crate::domain::Account {
            name: near.then(|| word.clone()),
            kind: Some(crate::domain::AccountType::Users),
            ..crate::domain::Account::new(crate::domain::AccountId::from_text(&word))
        });
        payment.request.note = Some(word.clone());
        payment.facts.funds = Some(Funds {
            amount: Some(amount(&balance.to_string())), basis, as_of: None, is_stale: stale, matches_history: near,
        });
        let equal_payment = RecentPayment { to: to.as_str().into(), blockchain: chain.as_str().into(), symbol: word.clone(), ref_id: Some(word.clone()), state: word.clone(), ..recent_payment(5) };
        let of_same = Outflow { symbol: word.clone(), blockchain: chain.as_str().into(), ..outflow(5, "20") };
        payment.facts.outflows = vec![of_same.clone(), Outflow { is_unresolved: true, at: None, ..of_same }];
        payment.facts.earlier_amounts = vec![amount("1"), amount("2"), amount("2")];
        payment.facts.outflow_gap = Some(word.clone());
        payment.facts.outflows_known_from = near.then_some(NOW);
        let entered = (BookChange::Entered(Contact {
            name: word.clone(), address: to.as_str().into(), blockchain: if stale { "base".into() } else { chain.as_str().into() }, tag: None, note: None,
        }), NOW);
        payment.facts.book = AddressBook::from_changes([entered]);
        let beyond = if near { OverLimit::Stop } else { OverLimit::Danger };
        payment.facts.policy = Policy {
            limits: vec![
                Limit { per_payment: amounts, per_day: amounts, percent_of_balance: Some(7), over_limit: beyond, ..empty_limit(&word) },
                Limit { per_day: amounts, chain: Some(chain.as_str().into()), ..empty_limit(&word) },
            ],
            allow_list_only: near,
            approval: Vec::new(),
            role: DeskRole::Both,
            cooling: stale.then(|| std::time::Duration::from_hours(48)),
            slippage: None,
            batch_recipients: None,
        };
        payment.facts.recent_payments = vec![equal_payment.clone(), RecentPayment { is_unresolved: true, at: None, ..equal_payment }];
        let findings = payment.findings();
        let mut override_phrases = Vec::new();
        for finding in &findings {
            prop_assert!(finding.message.chars().count() <= 200, "{} characters: {}", finding.message.chars().count(), finding.message);
            prop_assert!(finding.message.ends_with(['.', '?']), "{}", finding.message);
            prop_assert_eq!(finding.severity == Severity::Danger, finding.override_phrase.is_some());
            if let Some(by) = finding.override_phrase {
                prop_assert!(by.len() <= 24 && by.bytes().all(|byte| byte == b' ' || byte.is_ascii_lowercase()));
                override_phrases.push(by);
            }
        }
        let count = override_phrases.len();
        override_phrases.sort_unstable();
        override_phrases.dedup();
        prop_assert_eq!(override_phrases.len(), count);
        prop_assert!(findings.is_sorted_by(|one, other| one.severity >= other.severity));
    }
}
