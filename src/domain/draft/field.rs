//! The fields of the drafts, each declared once, in the order in which they are shown: what a review and the details of
//! an order show of a draft, what the veil hides, the cells of an export and the fields of a form follow from them.

use super::{
    Batch, BatchFile, Draft, InstantSwap, Metadata, NewAccount, NewAddress, NewSandboxAddress, NewSubWallet, NewUser,
    NewWallet, Operation, Recipient, SimulatedDeposit, Swap, UserChange, V1Payment, WalletChange, Withdrawal,
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
    fn list_kinds(kinds: &mut Vec<FieldKind>);
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
    ($part:ident = $type:ident, $fields:ident) => {
        $part.list($fields)
    };
    ($field:ident: $kind:ident, $fields:ident) => {
        $field.list_as(FieldKind::$kind, $fields)
    };
}

macro_rules! visit_field {
    ($part:ident = $type:ident, $each:ident) => {
        $part.visit($each)
    };
    ($field:ident: $kind:ident, $each:ident) => {
        $field.visit_as(FieldKind::$kind, $each)
    };
}

macro_rules! list_kind {
    (= $part:ident, $kinds:ident) => {
        $part::list_kinds($kinds)
    };
    (: $kind:ident, $kinds:ident) => {
        $kinds.push(FieldKind::$kind)
    };
}

/// Declares the fields of the operations' drafts, each with its kind or, where it is a part with fields of its own, with
/// that part. A field that is missing here does not compile.
macro_rules! draft_fields {
    ($($operation:ident($draft:ident { $($field:ident $sign:tt $kind:ident),* $(,)? }))*) => {
        $(impl Fields for $draft {
            fn list_kinds(kinds: &mut Vec<FieldKind>) {
                $(list_kind!($sign $kind, kinds);)*
            }

            fn list(&self, fields: &mut Vec<DraftField>) {
                let Self { $($field),* } = self;
                $(list_field!($field $sign $kind, fields);)*
            }

            fn visit(&mut self, each: &mut dyn FnMut(FieldKind, FieldMut<'_>)) {
                let Self { $($field),* } = self;
                $(visit_field!($field $sign $kind, each);)*
            }
        })*

        impl Operation {
            /// Of all fields of its draft, in order.
            pub fn field_kinds(self) -> Vec<FieldKind> {
                let mut kinds = Vec::new();
                match self {
                    $(Self::$operation => $draft::list_kinds(&mut kinds),)*
                }
                kinds
            }
        }

        impl Draft {
            /// All fields, also those that the draft omits.
            pub fn fields(&self) -> Vec<DraftField> {
                let mut fields = Vec::new();
                match self {
                    $(Self::$operation(draft) => draft.list(&mut fields),)*
                }
                fields
            }

            /// Visits the fields that the draft does not omit.
            pub fn visit_fields(&mut self, each: &mut dyn FnMut(FieldKind, FieldMut<'_>)) {
                match self {
                    $(Self::$operation(draft) => draft.visit(each),)*
                }
            }
        }
    };
}

draft_fields! {
    Withdraw(Withdrawal {
        wallet: Wallet, blockchain: Blockchain, token: Token, amount: Amount, to: Recipient, ref_id: Reference,
        note: Note, metadata: Metadata,
    })
    Payment(V1Payment { withdrawal = Withdrawal, memo: Memo, fee: MaximumFee })
    Batch(Batch {
        wallet: Wallet, blockchain: Blockchain, token: Token, to: Recipients, ref_id: Reference, note: Note,
        metadata: Metadata, queue: Queue, file: BatchFile,
    })
    Swap(Swap {
        amount: Amount, from: Token, to: BoughtToken, wallet: Wallet, blockchain: Blockchain, ref_id: Reference,
        note: Note,
    })
    InstantSwap(InstantSwap { amount: Amount, from: Token, to: BoughtToken, sub_wallet: SubWallet, ext_id: Reference })
    CreateUser(NewUser { display_name: UserName, email: Email, ref_id: Reference })
    UpdateUser(UserChange { user: User, to = NewUser })
    CreateSubWallet(NewSubWallet { user = NewUser, can_trade: CanTrade })
    CreateAccount(NewAccount { name: AccountName })
    CreateWallet(NewWallet {
        name: WalletName, account: Account, blockchain: Blockchain, user: Owner, ref_id: Reference,
        auto_sweep: AutoSweep,
    })
    UpdateWallet(WalletChange {
        wallet: Wallet, name: WalletName, user: Owner, is_active: IsActive, auto_sweep: AutoSweep,
    })
    CreateAddress(NewAddress { sub_wallet: SubWallet, coin: Token, chain: Blockchain })
    CreateSandboxAddress(NewSandboxAddress { coin: Token, chain: Blockchain })
    SimulateDeposit(SimulatedDeposit { amount: Amount, token: Token, to: Recipient, blockchain: Blockchain })
}
