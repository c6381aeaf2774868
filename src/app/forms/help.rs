//! The help in a form: what the focused field takes, and the keys.

pub(super) mod view;

use super::field::FieldId;
use super::form_state::{Focus, FormState};
use crate::domain::Operation;

const KEYS: &[(&str, &str)] = &[
    ("Tab Enter", "checks the field and goes on; passes by an empty reference of a payment"),
    ("Shift+Tab Up", "goes back; always possible"),
    ("Down", "goes into the list below a field, where Enter selects; without a list, to the next field"),
    ("Ctrl+r", "checks every field and shows the review, from any field"),
    ("Ctrl+u Ctrl+w", "clears the field; deletes a word"),
    ("Esc", "closes the form and keeps it as a draft; E lists the drafts"),
];

fn focus_help(form: &FormState) -> &'static str {
    match (form.focused_field(), form.focus) {
        (Some(slot), _) => field_help(form.operation, slot),
        (None, Focus::Rows) => {
            "The recipients: a adds one, Enter edits the selected one, x removes it, f goes to the next one that fails, \
             e writes the failed rows of a file with their reasons to a new file beside it. Several lines can be pasted. Nothing is sent while a row fails."
        }
        (None, Focus::Field(_) | Focus::Review | Focus::Clear) => {
            "Review shows the request exactly as it will be sent, with what the checks found. Nothing is sent before \
             you have typed there what it asks for."
        }
    }
}

fn field_help(operation: Operation, slot: FieldId) -> &'static str {
    match slot {
        FieldId::Wallet => "The wallet that pays: its name, address or chain, or one from the list below.",
        FieldId::Token if operation.moves_money() => {
            "The token, by its symbol. Those that the wallet holds are listed below."
        }
        FieldId::Token => "The token, by its symbol, or one from the list below.",
        FieldId::Recipient => {
            "Whom to pay: a name from the address book, or the whole address. Compare an address with one that the \
             recipient gave you; one from the history may have been put there to deceive."
        }
        FieldId::Amount => {
            "What the recipient gets: digits and one point, as in 1234.56. “max” is the balance less the highest known \
             fee. 25% is a share of the balance, rounded down; leaving the field puts the amount in its place."
        }
        FieldId::Note => "Words for people. The service keeps them with the payment. Optional.",
        FieldId::Reference if operation.moves_money() => {
            "Your own reference, such as an invoice number. It is searched, exported and compared: if another payment \
             carries it, however long ago, the review warns and names that payment. If left empty, one is made up. \
             Tab and Enter pass by an empty reference; Down goes into it."
        }
        FieldId::Reference => "Your own reference. Optional.",
        FieldId::Account => "The account, by its name, or one from the list below.",
        FieldId::Chain => "The blockchain. It cannot be changed later.",
        FieldId::Name => "The name as others will read it.",
        FieldId::Email => "The email address. Optional.",
        FieldId::SubWallet => "The user who gets the address, by identifier or name.",
        FieldId::Owner => "The user that it belongs to, by identifier or name. Optional.",
        FieldId::AutoSweep => "Whether native coins are swept to the settlement account: yes or no.",
        FieldId::IsActive => "Whether the wallet can pay: yes or no.",
        FieldId::CanTrade => "Whether the sub-wallet can trade: yes or no.",
        FieldId::File => {
            "The path of a CSV file; Tab completes it. Its first line names the columns: address, amount, and perhaps \
             label, reference, token and chain. If they have other names, say so behind the path, as in pay.csv \
             address=Payee amount=\"Net amount\". Empty: type or paste the recipients."
        }
        FieldId::Label => "A name for the recipient, for your own records. Optional.",
        FieldId::BuyToken => "The coin to buy, by its symbol.",
        FieldId::Memo => {
            "The memo or tag that the recipient asks for with a deposit. Without it the money may be lost."
        }
        FieldId::Fee => "The highest fee: the service rejects the payment if it is higher. Empty: no limit.",
    }
}
