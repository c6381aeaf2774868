//! Reads version 1's list of withdrawals for version 1 payments.

use super::OrderExecutor;
use crate::domain::draft::Draft;
use crate::domain::v1::Movement;
use crate::domain::{FailureReason, Order, PagedList, UserId};
use crate::orders::claim::order_reference;
use crate::orders::evidence::by_v1::{V1Lookup, confirms_first_read, covers_all_since, earlier_by_any_clock};

/// Most pages of withdrawals in one read. A list that is newest first is read only down to the order's draft.
const MAX_PAGES: u64 = 50;

impl OrderExecutor {
    pub(super) async fn look_up_order_in_v1(&self, order: &Order) -> V1Lookup {
        let (Draft::Payment(payment), Some(_)) = (&order.drafted.draft, order_reference(order)) else {
            return V1Lookup::NotRequested;
        };
        let payer = UserId::from_text(payment.withdrawal.wallet.as_str());
        let since = earlier_by_any_clock(order.created.at);
        let first_read =
            || self.resources.reader.fetch_sub_wallet_withdrawal_history(&payer, None, Some(since), 1..=MAX_PAGES);
        let evidence = |deposits: &PagedList<Movement>, is_whole| {
            let final_statuses = &self.payment_context.final_statuses;
            V1Lookup::from_list(deposits, is_whole, order, self.cached_usual_fee(order), final_statuses)
        };
        match first_read().await {
            Ok(deposits) => {
                // Other rows of the list may concern closed orders.
                self.compare_v1_rows_and_report(deposits.rows.clone()).await;
                let by_v1 = evidence(&deposits, covers_all_since(&deposits, since));
                // A second read costs requests, so it is made only where something would be claimed.
                if deposits.pages.len() < 2 || !by_v1.shows_not_paid() {
                    return by_v1;
                }
                match first_read().await {
                    Ok(second_read) => {
                        let is_whole =
                            covers_all_since(&second_read, since) && confirms_first_read(&deposits, &second_read);
                        evidence(&second_read, is_whole)
                    }
                    Err(failure) => {
                        tracing::info!(%failure, "the withdrawals of version 1 could not be read again");
                        evidence(&deposits, false)
                    }
                }
            }
            Err(failure) if failure.reason == FailureReason::NotFound => V1Lookup::NotServed,
            Err(failure) => {
                // The next lookup tries again; until then nothing is claimed.
                tracing::info!(%failure, "the withdrawals of version 1 could not be read");
                V1Lookup::Failed
            }
        }
    }
}
