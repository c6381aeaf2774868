//! The names by which addresses and identifiers are shown: those of own wallets, users and accounts, of the address
//! book, and those that the operator gave.

mod address_formatter;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use super::address::{ComparableAddress, is_same_address, may_have_other_notations};
use super::book::{Label, LabelSubject};
use super::chain::{ChainKey, chain_key};
use super::filter::{fold_case, has_word_with_prefix};
use super::imitation::texts_look_alike;
use super::{Account, AccountId, AddressBook, Text, User, UserId, Wallet, WalletId};
pub use address_formatter::AddressFormatter;

/// Who a name is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartyKind {
    OwnWallet,
    /// An entry of the address book.
    Contact,
    /// An address that the operator named, and that is nobody to pay.
    Label,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    pub name: Text,
    pub kind: PartyKind,
}

/// Parties by chain and by the digest of their address in lower case, each with its address as it is written: with tens
/// of thousands of wallets, every address in lower case too would be half as much memory again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct PartiesByChain(HashMap<ChainKey, PartiesByDigest>);

type PartiesByDigest = HashMap<u64, (Text, Party)>;

/// The digest of an address in lower case. Frames look up some dozens, so one of usual length is not copied to the heap.
fn digest_ignoring_case(address: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut folded = [0; 96];
    match folded.get_mut(..address.len()).filter(|_| address.is_ascii()) {
        Some(folded) => {
            folded.copy_from_slice(address.as_bytes());
            folded.make_ascii_lowercase();
            hasher.write(folded);
        }
        None => hasher.write(fold_case(address).as_bytes()),
    }
    hasher.finish()
}

impl PartiesByChain {
    fn insert(&mut self, address: &Text, blockchain: &str, party: Party) {
        let parties = self.0.entry(chain_key(blockchain)).or_default();
        let canonical = digest_ignoring_case(ComparableAddress::parse(address).canonical().text());
        let digest = digest_ignoring_case(address);
        if canonical != digest {
            parties.insert(canonical, (address.clone(), party.clone()));
        }
        parties.insert(digest, (address.clone(), party));
    }

    fn find(&self, address: &str, blockchain: &str) -> Option<&Party> {
        let parties = self.0.get(&chain_key(blockchain))?;
        let party_at = |notation: &str| {
            let (written, party) = parties.get(&digest_ignoring_case(notation))?;
            is_same_address(written, address).then_some(party)
        };
        party_at(address).or_else(|| {
            let has_others = may_have_other_notations(address);
            has_others.then(|| party_at(ComparableAddress::parse(address).canonical().text()))?
        })
    }

    fn iter(&self) -> impl Iterator<Item = &(Text, Party)> {
        self.0.values().flat_map(HashMap::values)
    }
}

/// Every name. There may be very many, so they are collected once and shared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressNames {
    parties: PartiesByChain,
    accounts: HashMap<AccountId, Text>,
    wallets: HashMap<WalletId, Text>,
    users: HashMap<UserId, Text>,
    labels: Vec<Label>,
}

impl AddressNames {
    /// The names of an address book. Those of accounts and users are added next, and those of wallets last.
    pub fn of_book(book: &AddressBook) -> Self {
        let mut names = Self { labels: book.labels().to_vec(), ..Self::default() };
        for entry in book.entries() {
            let contact = &entry.contact;
            let party = Party { name: contact.name.clone(), kind: PartyKind::Contact };
            names.parties.insert(&contact.address, &contact.blockchain, party);
        }
        for label in book.labels() {
            let name = label.name.clone();
            match &label.subject {
                LabelSubject::Address { address, blockchain } => {
                    let kind = names.parties.find(address, blockchain).map_or(PartyKind::Label, |party| party.kind);
                    names.parties.insert(address, blockchain, Party { name, kind });
                }
                LabelSubject::Wallet(id) => drop(names.wallets.insert(id.clone(), name)),
                LabelSubject::Account(id) => drop(names.accounts.insert(id.clone(), name)),
                LabelSubject::User(id) => drop(names.users.insert(id.clone(), name)),
            }
        }
        names
    }

    pub fn add_account_name(&mut self, account: &Account) {
        if let Some(name) = &account.name {
            self.accounts.entry(account.id.clone()).or_insert_with(|| name.clone());
        }
    }

    pub fn add_user_name(&mut self, user: &User) {
        if let Some(name) = user.shown_name() {
            self.users.entry(user.id.clone()).or_insert_with(|| name.clone());
        }
    }

    /// Adds a wallet. Without a name of its own it has that of its user.
    pub fn add_wallet(&mut self, wallet: &Wallet) {
        if !self.wallets.contains_key(&wallet.id) {
            let user = || self.users.get(wallet.user.as_ref()?);
            let Some(name) = wallet.name.as_ref().or_else(user).cloned() else { return };
            self.wallets.insert(wallet.id.clone(), name);
        }
        if let (Some(address), Some(name)) = (&wallet.address, self.wallets.get(&wallet.id)) {
            let labelled = self.label_of_address(address, &wallet.blockchain);
            let name = labelled.unwrap_or(name).clone();
            self.parties.insert(address, &wallet.blockchain, Party { name, kind: PartyKind::OwnWallet });
        }
    }

    fn label_of_address(&self, address: &Text, blockchain: &Text) -> Option<&Text> {
        let subject = LabelSubject::Address { address: address.clone(), blockchain: blockchain.clone() };
        self.labels.iter().find(|label| label.subject.is_same(&subject)).map(|label| &label.name)
    }

    /// Who is at an address of a chain.
    pub fn party(&self, address: &str, blockchain: &str) -> Option<&Party> {
        self.parties.find(address, blockchain)
    }

    pub fn account_name(&self, id: &AccountId) -> Option<&Text> {
        self.accounts.get(id)
    }

    pub fn wallet_name(&self, id: &WalletId) -> Option<&Text> {
        self.wallets.get(id)
    }

    /// The names of all wallets, in no particular order.
    pub fn wallet_names(&self) -> impl Iterator<Item = &Text> {
        self.wallets.values()
    }

    pub fn user_name(&self, id: &UserId) -> Option<&Text> {
        self.users.get(id)
    }

    /// The addresses of everyone whose name has a word that begins with a text in lower case.
    pub fn addresses_named(&self, needle: &str) -> Vec<&Text> {
        let matching = self.parties.iter().filter(|(_, party)| has_word_with_prefix(&fold_case(&party.name), needle));
        matching.map(|(address, _)| address).collect()
    }

    /// The name of somebody else for whom the address would be taken by this name.
    pub fn find_confusable_name(&self, name: &str, address: &str) -> Option<&Text> {
        let mut others = self.parties.iter().filter(|(other, _)| !is_same_address(other, address));
        others.find(|(_, party)| texts_look_alike(&party.name, name)).map(|(_, party)| &party.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;
    use crate::domain::book::{BookChange, Contact};

    const TREASURY: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
    const SUPPLIER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const STRANGER: &str = "0xde709f2102306220921060314715629080e2fb77";

    fn labelled(subject: LabelSubject, name: &str) -> BookChange {
        BookChange::Label { subject, name: Some(name.into()) }
    }

    fn address(address: &str) -> LabelSubject {
        LabelSubject::Address { address: address.into(), blockchain: "ethereum".into() }
    }

    fn names(labels: Vec<BookChange>) -> AddressNames {
        let contact = Contact {
            name: "Zebra Stores".into(),
            address: SUPPLIER.into(),
            blockchain: "ethereum".into(),
            tag: None,
            note: None,
        };
        let changes = std::iter::once(BookChange::Entered(contact)).chain(labels);
        let book = AddressBook::from_changes(changes.map(|change| (change, Timestamp::from_millis(0))));
        let mut names = AddressNames::of_book(&book);
        names.add_user_name(&User {
            id: UserId::from_text("u-1"),
            display_name: Some("Mira Olsen".into()),
            ref_id: None,
            email: None,
            is_active: None,
            created_at: None,
        });
        names.add_wallet(&Wallet {
            address: Some(TREASURY.into()),
            user: Some(UserId::from_text("u-1")),
            ..Wallet::new(WalletId::from_text("w-1"), "ethereum".into())
        });
        names
    }

    fn shown_name(names: &AddressNames, address: &str) -> Option<(String, PartyKind)> {
        names.party(address, "ethereum").map(|party| (party.name.to_string(), party.kind))
    }

    #[test]
    fn own_wallets_contacts_and_labelled_addresses_have_names() {
        let names = names(vec![labelled(address(STRANGER), "Unknown payer")]);
        assert_eq!(shown_name(&names, &TREASURY.to_lowercase()), Some(("Mira Olsen".into(), PartyKind::OwnWallet)));
        assert_eq!(shown_name(&names, SUPPLIER), Some(("Zebra Stores".into(), PartyKind::Contact)));
        assert_eq!(shown_name(&names, STRANGER), Some(("Unknown payer".into(), PartyKind::Label)));
        assert_eq!(names.party(SUPPLIER, "base"), None, "on another chain the address may be another's");
        assert_eq!(names.addresses_named("stor"), [&Text::from(SUPPLIER)]);
    }

    #[test]
    fn a_label_stands_instead_of_the_services_name() {
        let wallet = LabelSubject::Wallet(WalletId::from_text("w-1"));
        let names = names(vec![labelled(wallet, "Hot wallet"), labelled(address(SUPPLIER), "Zebra, old")]);
        assert_eq!(shown_name(&names, TREASURY), Some(("Hot wallet".into(), PartyKind::OwnWallet)));
        assert_eq!(names.wallet_name(&WalletId::from_text("w-1")), Some(&"Hot wallet".into()));
        assert_eq!(shown_name(&names, SUPPLIER), Some(("Zebra, old".into(), PartyKind::Contact)));
    }
}
