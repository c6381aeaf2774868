use crate::app::forms::field::FieldId;
use crate::domain::draft::Operation;

pub(in crate::app::forms::form_state) fn field_ids(operation: Operation) -> &'static [FieldId] {
    match operation {
        Operation::Withdraw => {
            &[FieldId::Wallet, FieldId::Token, FieldId::Recipient, FieldId::Amount, FieldId::Note, FieldId::Reference]
        }
        Operation::CreateUser | Operation::UpdateUser => &[FieldId::Name, FieldId::Email, FieldId::Reference],
        Operation::CreateAccount => &[FieldId::Name],
        Operation::SimulateDeposit => &[FieldId::Token, FieldId::Amount],
        Operation::UpdateWallet => &[FieldId::Name, FieldId::Owner, FieldId::IsActive, FieldId::AutoSweep],
        Operation::CreateSubWallet => &[FieldId::Name, FieldId::Email, FieldId::Reference, FieldId::CanTrade],
        Operation::CreateAddress => &[FieldId::Owner, FieldId::Token, FieldId::Chain],
        Operation::CreateWallet => {
            &[FieldId::Account, FieldId::Chain, FieldId::Name, FieldId::Owner, FieldId::Reference, FieldId::AutoSweep]
        }
        Operation::Payment => &[
            FieldId::Wallet,
            FieldId::Token,
            FieldId::Recipient,
            FieldId::Memo,
            FieldId::Amount,
            FieldId::Fee,
            FieldId::Reference,
        ],
        Operation::CreateSandboxAddress => &[FieldId::Token, FieldId::Chain],
        Operation::Batch => &[FieldId::Wallet, FieldId::Token, FieldId::Note, FieldId::Reference, FieldId::File],
        Operation::Swap => {
            &[FieldId::Wallet, FieldId::Token, FieldId::Amount, FieldId::BuyToken, FieldId::Note, FieldId::Reference]
        }
        Operation::InstantSwap => {
            &[FieldId::Wallet, FieldId::Token, FieldId::Amount, FieldId::BuyToken, FieldId::Reference]
        }
    }
}
