//! The lines of a swap's review: what is sold, what it gives by the latest quote, and what is assumed.

use super::payment::{add_balance_lines, token_line};
use super::{ReviewLine, review_line, text_or_dash};
use crate::app::forms::review::Review;
use crate::app::forms::swap::live_quote::{drift_since_first, quote_line};
use crate::app::model::Model;
use crate::app::orders;
use crate::app::pages::Tone;
use crate::domain::chain::chain_display_name;
use crate::domain::{Amount, Draft, Text};

/// The lines that never scroll away: what is sold, and what it would give.
pub(super) fn key_facts(model: &Model, review: &Review) -> Vec<ReviewLine> {
    let Some(exchange) = review.draft.exchange() else { return Vec::new() };
    let sold = review.order.drafted.sender.as_ref().map_or_else(
        || exchange.amount.to_string(),
        |sender| {
            let exact = Amount::parse(exchange.amount, sender.amount.decimals());
            exact.map_or_else(|_| exchange.amount.to_string(), Amount::format_grouped)
        },
    );
    let (buy_text, tone) = match &review.quote {
        Some(reviewed_quote) => {
            let (text, is_old) = quote_line(
                model,
                &reviewed_quote.newest_quote,
                drift_since_first(&reviewed_quote.first_quote, &reviewed_quote.newest_quote),
            );
            (text, if is_old { Tone::Warn } else { Tone::Accent })
        }
        None => (format!("{}; the amount is not known", exchange.to), Tone::Bad),
    };
    vec![review_line("Sell †", format!("{sold} {}", exchange.from), Tone::Accent), review_line("Buy †", buy_text, tone)]
}

/// Slippage, payer, balance, and what the version does not guarantee.
pub(super) fn add_swap_lines(model: &Model, review: &Review, facts: &mut Vec<ReviewLine>) {
    let sender = review.order.drafted.sender.as_ref();
    let Some(sale) = sender.and_then(|sender| review.draft.sale_as_withdrawal(sender)) else { return };
    let bound = review.slippage_tolerance().format_percent();
    let quote = format!(
        "indicative: the quote is refreshed when you send, and nothing is sent if it gives more than {bound} less"
    );
    facts.push(review_line("Quote", quote, Tone::Text));
    let sentence = "the service's specification does not document this request: every name in it is assumed";
    facts.push(review_line("†", sentence, Tone::Warn));
    let name = sender.and_then(|sender| sender.name.as_ref()).map_or_else(|| sale.wallet.to_string(), Text::to_string);
    let chain = format!("{} ({})", chain_display_name(&sale.blockchain), sale.blockchain);
    if let Draft::InstantSwap(swap) = &review.draft {
        let user = orders::user_name(model, &swap.sub_wallet);
        facts.push(review_line("Sub-wallet", format!("{user} · {}", swap.sub_wallet), Tone::Text));
        let sentence =
            format!("{name} on {chain} was chosen; version 1 takes the coins from any wallet of the sub-wallet");
        facts.push(review_line("From", sentence, Tone::Warn));
    } else {
        facts.push(review_line("From", name, Tone::Text));
        facts.push(review_line("Chain", chain, Tone::Text));
    }
    facts.push(token_line(&sale.token, sender));
    if let Some(guard_facts) = &review.facts {
        // The fee of a swap is taken to be part of the amount sold.
        add_balance_lines(model, guard_facts, &sale, Some(Amount::zero(0)), sender, facts);
    }
    facts.push(review_line("Reference", text_or_dash(sale.ref_id.as_ref()), Tone::Text));
    if let Some(note) = &sale.note {
        facts.push(review_line("Note", note.as_str(), Tone::Text));
    }
    if let Draft::InstantSwap(_) = &review.draft {
        let sentence = "version 1 guarantees less: if the answer is lost, this console looks for the swap by its reference and by what \
                     the service reports, and never sends it again";
        facts.push(review_line("Warning", sentence, Tone::Warn));
    }
}

/// The names in a swap's request that the specification does not document.
pub(super) fn undocumented_names_text(names: &[Text]) -> String {
    let names: Vec<&str> = names.iter().map(Text::as_str).collect();
    format!("assumed: {}, and the form of the answer", names.join(", "))
}
