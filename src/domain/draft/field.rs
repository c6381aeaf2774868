//! The fields of the drafts, each declared once, in the order in which they are shown: what a review and the details of
//! an order show of a draft, what the veil hides, and the cells of an export follow from them.

use super::{
    Batch, BatchFile, Draft, InstantSwap, Metadata, NewAccount, NewAddress, NewSandboxAddress, NewSubWallet, NewUser,
    NewWallet, Recipient, SimulatedDeposit, Swap, UserChange, V1Payment, WalletChange, Withdrawal,
};
use crate::domain::{AccountId, Text, UserId, WalletId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldKind {
    Account,
    AccountName,
    /// Paid, sold or received.
    Amount,
    AutoSweep,
    BatchFile,
    Blockchain,
    BoughtToken,
    CanTrade,
    Email,
    IsActive,
    MaximumFee,
    Memo,
    Metadata,
    Note,
    /// The future owner of a wallet.
    Owner,
    Queue,
    /// An address.
    Recipient,
    Recipients,
    Reference,
    SubWallet,
    /// Paid, sold or received.
    Token,
    /// The user that is changed.
    User,
    UserName,
    Wallet,
    WalletName,
}

/// A field of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftField {
    pub kind: FieldKind,
    /// As the draft spells it, `true` or `false` for a flag; `None` where the draft omits it. Recipients and files of
    /// batches have no such text.
    pub value: Option<String>,
}

/// The value of a field, to be changed in place.
#[derive(Debug)]
pub enum FieldMut<'a> {
    Text(&'a mut Text),
    Wallet(&'a mut WalletId),
    User(&'a mut UserId),
    Account(&'a mut AccountId),
    Flag(&'a mut bool),
    Metadata(&'a mut Metadata),
    Recipients(&'a mut Vec<Recipient>),
    BatchFile(&'a mut BatchFile),
}

/// The fields of a draft, or of a part of one.
trait Fields {
    fn list(&self, fields: &mut Vec<DraftField>);
    /// Visits what is not omitted.
    fn visit(&mut self, each: &mut dyn FnMut(FieldKind, FieldMut<'_>));
}

trait FieldValue {
    fn list_as(&self, kind: FieldKind, fields: &mut Vec<DraftField>);
    fn visit_as(&mut self, kind: FieldKind, each: &mut dyn FnMut(FieldKind, FieldMut<'_>));
}

macro_rules! field_values {
    ($($value:ty => $field:ident, $text:expr;)*) => {$(
        impl FieldValue for $value {
            fn list_as(&self, kind: FieldKind, fields: &mut Vec<DraftField>) {
                let text: fn(&$value) -> Option<String> = $text;
                fields.push(DraftField { kind, value: text(self) });
            }

            fn visit_as(&mut self, kind: FieldKind, each: &mut dyn FnMut(FieldKind, FieldMut<'_>)) {
                each(kind, FieldMut::$field(self));
            }
        }
    )*};
}

field_values! {
    Text => Text, |text| Some(text.to_string());
    WalletId => Wallet, |id| Some(id.to_string());
    UserId => User, |id| Some(id.to_string());
    AccountId => Account, |id| Some(id.to_string());
    bool => Flag, |flag| Some(flag.to_string());
    Metadata => Metadata, |metadata| (!metadata.is_empty()).then(|| metadata.to_string());
    Vec<Recipient> => Recipients, |_| None;
    BatchFile => BatchFile, |_| None;
}

impl<T: FieldValue> FieldValue for Option<T> {
    fn list_as(&self, kind: FieldKind, fields: &mut Vec<DraftField>) {
        match self {
            Some(value) => value.list_as(kind, fields),
            None => fields.push(DraftField { kind, value: None }),
        }
    }

    fn visit_as(&mut self, kind: FieldKind, each: &mut dyn FnMut(FieldKind, FieldMut<'_>)) {
        if let Some(value) = self {
            value.visit_as(kind, each);
        }
    }
}

macro_rules! list_field {
    ($part:ident, $fields:ident) => {
        $part.list($fields)
    };
    ($field:ident: $kind:ident, $fields:ident) => {
        $field.list_as(FieldKind::$kind, $fields)
    };
}

macro_rules! visit_field {
    ($part:ident, $each:ident) => {
        $part.visit($each)
    };
    ($field:ident: $kind:ident, $each:ident) => {
        $field.visit_as(FieldKind::$kind, $each)
    };
}

/// Declares the fields of drafts, each with its kind; a name alone is a part with fields of its own. A field that is
/// missing here does not compile.
macro_rules! draft_fields {
    ($($draft:ident { $($field:ident $(: $kind:ident)?),* $(,)? })*) => {$(
        impl Fields for $draft {
            fn list(&self, fields: &mut Vec<DraftField>) {
                let Self { $($field),* } = self;
                $(list_field!($field $(: $kind)?, fields);)*
            }

            fn visit(&mut self, each: &mut dyn FnMut(FieldKind, FieldMut<'_>)) {
                let Self { $($field),* } = self;
                $(visit_field!($field $(: $kind)?, each);)*
            }
        }
    )*};
}

draft_fields! {
    Withdrawal {
        wallet: Wallet, blockchain: Blockchain, token: Token, amount: Amount, to: Recipient, ref_id: Reference,
        note: Note, metadata: Metadata,
    }
    V1Payment { withdrawal, memo: Memo, fee: MaximumFee }
    Batch {
        wallet: Wallet, blockchain: Blockchain, token: Token, to: Recipients, ref_id: Reference, note: Note,
        metadata: Metadata, queue: Queue, file: BatchFile,
    }
    Swap {
        amount: Amount, from: Token, to: BoughtToken, wallet: Wallet, blockchain: Blockchain, ref_id: Reference,
        note: Note,
    }
    InstantSwap { amount: Amount, from: Token, to: BoughtToken, sub_wallet: SubWallet, ext_id: Reference }
    NewUser { display_name: UserName, email: Email, ref_id: Reference }
    UserChange { user: User, to }
    NewSubWallet { user, can_trade: CanTrade }
    NewAccount { name: AccountName }
    NewWallet {
        name: WalletName, account: Account, blockchain: Blockchain, user: Owner, ref_id: Reference,
        auto_sweep: AutoSweep,
    }
    WalletChange { wallet: Wallet, name: WalletName, user: Owner, is_active: IsActive, auto_sweep: AutoSweep }
    NewAddress { sub_wallet: SubWallet, coin: Token, chain: Blockchain }
    NewSandboxAddress { coin: Token, chain: Blockchain }
    SimulatedDeposit { amount: Amount, token: Token, to: Recipient, blockchain: Blockchain }
}

macro_rules! fields_of {
    ($draft:expr, $fields:ty) => {{
        let fields: $fields = match $draft {
            Draft::Withdraw(draft) => draft,
            Draft::CreateUser(draft) => draft,
            Draft::CreateAccount(draft) => draft,
            Draft::CreateWallet(draft) => draft,
            Draft::UpdateWallet(draft) => draft,
            Draft::UpdateUser(draft) => draft,
            Draft::CreateSubWallet(draft) => draft,
            Draft::CreateAddress(draft) => draft,
            Draft::SimulateDeposit(draft) => draft,
            Draft::Batch(draft) => draft,
            Draft::Swap(draft) => draft,
            Draft::InstantSwap(draft) => draft,
            Draft::Payment(draft) => draft,
            Draft::CreateSandboxAddress(draft) => draft,
        };
        fields
    }};
}

impl Draft {
    /// All fields, also those that the draft omits.
    pub fn fields(&self) -> Vec<DraftField> {
        let mut fields = Vec::new();
        fields_of!(self, &dyn Fields).list(&mut fields);
        fields
    }

    /// Visits the fields that the draft does not omit.
    pub fn visit_fields(&mut self, each: &mut dyn FnMut(FieldKind, FieldMut<'_>)) {
        fields_of!(self, &mut dyn Fields).visit(each);
    }
}
