//! Recipients paid in the service's history by any client: a fresh console has no other addresses to compare.

use std::collections::{HashMap, HashSet};

use crate::domain::address::ComparableAddress;
use crate::domain::imitation::TokenCandidate;
use crate::domain::{FinalStatuses, ObservedTransaction, Text, Token, TokenKey, Transaction, Verdict};
use crate::store::OutgoingRows;

/// Recipients of settled payments, each once, newest first. Address poisoning plants addresses with payments of
/// nothing, of dust, or of an imitation token, so those are left out. Sweeps, swaps and internal transfers pay nobody.
pub(super) fn settled_recipients(
    outgoing_rows: &OutgoingRows,
    final_statuses: &FinalStatuses,
    tokens: &[Token],
) -> Vec<Text> {
    let mut imitations: HashMap<(&TokenKey, &Text), bool> = HashMap::new();
    let mut addresses = HashSet::new();
    let mut is_imitation = |row: &'_ Transaction, key| {
        *imitations.entry(key).or_insert_with(|| {
            let decimals = row.amount.as_ref().map(|amount| amount.even_if_disputed().decimals());
            TokenCandidate { token: &row.token, symbol: &row.symbol, name: row.token_name.as_ref(), decimals }
                .imitates(tokens)
        })
    };
    let rows = outgoing_rows.outgoing.iter().map(|(_, row)| row);
    let payments = rows.filter(|row| {
        !row.pays_nobody()
            && !row.is_dust()
            && final_statuses.verdict(&ObservedTransaction::from_transaction(row)) == Verdict::Settled
    });
    let payments = payments.filter(|row| !is_imitation(row, (&row.token, &row.symbol)));
    payments
        .filter_map(|row| row.to_address.as_ref())
        .filter(|to| addresses.insert(ComparableAddress::parse(to)))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Amount, ReportedAmount, Status, SubType, Timestamp};
    use crate::orders::fixtures::row;

    #[test]
    fn only_settled_payments_of_more_than_dust_make_their_recipients_known() {
        let payment_row = |id: &str, to: &str, change: &dyn Fn(&mut Transaction)| {
            let mut row = Transaction { to_address: Some(to.into()), ..row(id, 5) };
            change(&mut row);
            (Timestamp::from_millis(0), row)
        };
        let amount = |text: &str| Some(ReportedAmount::Exact(Amount::parse(text, 6).unwrap()));
        let outgoing = vec![
            payment_row("a", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", &|_| {}),
            payment_row("b", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", &|_| {}),
            payment_row("c", "dust", &|row| row.amount = amount("0.000099")),
            payment_row("d", "nothing", &|row| row.amount = amount("0")),
            payment_row("e", "unsaid", &|row| row.amount = None),
            payment_row("f", "failed", &|row| row.status = Some(Status::Failed)),
            payment_row("g", "pending", &|row| row.status = Some(Status::Pending)),
            payment_row("h", "swept", &|row| row.sub_type = Some(SubType::Sweep)),
            payment_row("i", "swapped", &|row| row.sub_type = Some(SubType::Swap)),
            payment_row("j", "little", &|row| row.amount = amount("0.0001")),
        ];
        let outgoing_rows = OutgoingRows { outgoing, ..OutgoingRows::default() };
        let recipients = settled_recipients(&outgoing_rows, &FinalStatuses::default(), &[]);
        assert_eq!(recipients, [Text::from("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"), "little".into()]);
    }
}
