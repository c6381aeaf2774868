//! Whether a customer's wallet pays anybody but its customer: its balance is not the business's own.

use super::{Finding, GuardedPayment, Override, OwnAddress, Rule, truncate_word};
use crate::domain::AccountType;
use crate::domain::address::is_same_address;

pub(super) fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    let account = case.facts.account.as_ref().filter(|account| account.kind == Some(AccountType::Users));
    let Some(account) = account else { return Vec::new() };
    let of_wallet = || case.facts.wallet.as_ref().and_then(|wallet| wallet.user.as_ref());
    let user = case.sender.user.as_ref().or_else(of_wallet);
    // An address known from an import alone may be anybody's.
    let is_customers = |own: &OwnAddress| own.is_reported && user.is_some() && own.user.as_ref() == user;
    if case.facts.own_addresses.iter().any(|own| is_customers(own) && is_same_address(&own.address, &case.request.to)) {
        return Vec::new();
    }
    let name = account.name.as_ref().map_or_else(|| truncate_word(account.id.as_str()), |name| truncate_word(name));
    let kind = AccountType::Users.word();
    let message = format!(
        "This pays with a customer's money: the wallet belongs to account “{name}”, which is of type {kind}, and no wallet \
         of its own user is known at this address."
    );
    let user = user.map(|user| format!("user  {}", truncate_word(user.as_str())));
    vec![Finding::danger(Rule::Customer, Override::CustomerMoney, message).with_lines(user)]
}

#[cfg(test)]
mod tests {
    use super::super::tests::{OTHER, PAYING, Payment, SUPPLIER, own_address};
    use super::*;
    use crate::domain::{Account, AccountId, UserId};
    use crate::guard::Severity;

    fn account(kind: AccountType) -> Account {
        Account { name: Some("Customers".into()), kind: Some(kind), ..Account::new(AccountId::from_text("a-7")) }
    }

    /// What is said of a payment by the wallet of a user out of such an account.
    fn find_customer_finding(to: &str, kind: AccountType) -> Option<Finding> {
        let mut payment = Payment::to(to);
        let user = UserId::from_text("ada");
        payment.sender.user = Some(user.clone());
        payment.facts.account = Some(account(kind));
        let of_user = |name, address, user: &UserId| OwnAddress {
            user: Some(user.clone()),
            ..own_address(name, address, "base")
        };
        payment.facts.own_addresses.push(of_user("second", OTHER, &user));
        let other_address = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FC".to_lowercase();
        payment.facts.own_addresses.push(of_user("of another", &other_address, &UserId::from_text("bob")));
        payment.facts.own_addresses.push(OwnAddress { is_reported: false, ..of_user("imported", SUPPLIER, &user) });
        payment.findings().into_iter().find(|finding| finding.rule == Rule::Customer)
    }

    #[test]
    fn a_customers_wallet_that_pays_anybody_else_is_a_danger_that_names_account_and_type() {
        let other_address = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FC".to_lowercase();
        for to in [SUPPLIER, other_address.as_str(), PAYING] {
            let finding = find_customer_finding(to, AccountType::Users).unwrap();
            assert_eq!((finding.severity, finding.override_phrase), (Severity::Danger, Some("customer money")));
            assert!(finding.message.contains("account “Customers”, which is of type USERS"), "{}", finding.message);
            assert_eq!(finding.lines, ["user  ada"]);
        }
        assert_eq!(find_customer_finding(OTHER, AccountType::Users), None, "another wallet of the same user");
        assert_eq!(find_customer_finding(SUPPLIER, AccountType::Settlement), None);
    }
}
