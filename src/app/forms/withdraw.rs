//! A payment to one recipient: what its fields may hold.

use super::field::Slot;
use super::sheet::{Choice, Sheet, Take};
use crate::app::link;
use crate::app::model::Model;
use crate::app::panes::Tone;
use crate::domain::chain::display_name;
use crate::domain::draft::Operation;
use crate::domain::intent::State;
use crate::domain::{
    Address, Amount, Basis, Chain, Draft, Family, Holding, Sender, Stated, Sureness, Text, Timestamp, Wallet,
    Withdrawal, shorten,
};

/// What may stand in the field for all that there is.
pub const MAX: &str = "max";

/// What a check settles: nothing more than the words, or what they stand for.
type Settled = Option<(String, Take)>;

/// What may be chosen for a field.
pub fn choices(model: &Model, sheet: &Sheet, slot: Slot) -> Vec<Choice> {
    match slot {
        Slot::Wallet if sheet.picked.wallet.is_none() => {
            sheet.found.window.rows.iter().map(|wallet| wallet_choice(model, &wallet.entry)).collect()
        }
        Slot::Token if sheet.picked.token.is_none() => {
            let typed = sheet.value(Slot::Token).to_lowercase();
            payable(sheet)
                .filter(|holding| holding.symbol.to_lowercase().contains(&typed))
                .map(|holding| token_choice(model, holding))
                .collect()
        }
        Slot::Recipient => recipients(model, sheet),
        _ => Vec::new(),
    }
}

/// What the chosen wallet holds, tokens that imitate others left out.
fn payable(sheet: &Sheet) -> impl Iterator<Item = &Holding> {
    sheet.held.rows.iter().filter(|holding| !holding.suspicious)
}

fn wallet_choice(model: &Model, wallet: &Wallet) -> Choice {
    let address = wallet.address.as_deref().unwrap_or("no address known");
    let account = wallet.account.clone().map(crate::domain::history::Scope::Account);
    let account = account.map_or_else(String::new, |scope| format!("  {}", model.scope_name(&scope)));
    let name = name_of(wallet);
    Choice {
        text: name.clone(),
        name,
        about: format!("{:<9} {}{account}", display_name(&wallet.blockchain), shorten(address)),
        take: Take::Wallet(Box::new(wallet.clone())),
    }
}

/// What a wallet is called in its field.
pub fn name_of(wallet: &Wallet) -> String {
    let name = wallet.name.as_ref().or(wallet.address.as_ref());
    name.map_or_else(|| wallet.id.to_string(), ToString::to_string)
}

fn token_choice(model: &Model, holding: &Holding) -> Choice {
    let contract = holding.token.contract.as_deref().map_or_else(|| "native coin".to_owned(), shorten);
    Choice {
        text: holding.symbol.to_string(),
        name: holding.symbol.to_string(),
        about: format!("{}  {contract}", balance_words(model, holding)),
        take: Take::Token(holding.token.clone()),
    }
}

/// A balance with how surely and how freshly it is known.
fn balance_words(model: &Model, holding: &Holding) -> String {
    let basis = match holding.basis {
        Basis::Stated => "stated",
        Basis::Assumed => "assumed",
        Basis::Derived => "derived from history",
        Basis::Unknown => "unknown",
    };
    let age = holding.as_of.map_or_else(String::new, |as_of| format!(" {} ago", link::words(as_of.age(model.now))));
    match &holding.amount {
        None => "balance not known".into(),
        Some(Stated::Exact(amount)) => format!("{}  {basis}{age}", amount.grouped()),
        Some(Stated::Disputed { raw, .. }) => format!("{}!  disputed{age}", raw.grouped()),
    }
}

/// Whom this console paid before on the wallet's chain, then one's own wallets there.
fn recipients(model: &Model, sheet: &Sheet) -> Vec<Choice> {
    let Some(payer) = &sheet.picked.wallet else { return Vec::new() };
    let typed = sheet.value(Slot::Recipient);
    let family = Chain::find(&payer.blockchain).map(|chain| chain.family);
    // A whole address needs no completing, and must not be exchanged for another by a stray key.
    if family.is_some_and(|family| Address::check(family, typed).is_ok()) {
        return Vec::new();
    }
    let matches = |text: &str| text.to_lowercase().contains(&typed.to_lowercase());
    let mut choices: Vec<Choice> = payees(model, &payer.blockchain)
        .into_iter()
        .filter(|payee| matches(&payee.address))
        .map(|payee| Choice {
            text: payee.address.to_string(),
            name: shorten(&payee.address),
            about: format!("paid {}×, last {}", payee.payments, payee.last.format("%Y-%m-%d")),
            take: Take::Words,
        })
        .collect();
    let same_chain = |wallet: &Wallet| same_chain(&wallet.blockchain, &payer.blockchain) && wallet.id != payer.id;
    let own = sheet.found.window.rows.iter().map(|wallet| &wallet.entry).filter(|wallet| same_chain(wallet));
    choices.extend(own.filter_map(|wallet| {
        let address = wallet.address.as_ref()?;
        Some(Choice {
            text: address.to_string(),
            name: shorten(address),
            about: format!("own · {}", name_of(wallet)),
            take: Take::Words,
        })
    }));
    choices
}

/// Whether two words name one chain.
fn same_chain(one: &str, other: &str) -> bool {
    let known = |word: &str| Chain::find(word).map(|chain| chain.slug);
    one == other || known(one).is_some_and(|slug| known(other) == Some(slug))
}

/// Somebody whom this console paid.
struct Payee {
    address: Text,
    payments: u32,
    last: Timestamp,
}

/// Recipients of payments that the service took, the latest first.
fn payees(model: &Model, blockchain: &str) -> Vec<Payee> {
    let mut payees: Vec<Payee> = Vec::new();
    for intent in &model.orders {
        let Draft::Withdraw(paid) = &intent.drafted.draft else { continue };
        let taken = matches!(intent.state(model.now), State::Accepted | State::Settled);
        if !taken || !same_chain(&paid.blockchain, blockchain) {
            continue;
        }
        match payees.iter_mut().find(|payee| payee.address == paid.to) {
            Some(known) => known.payments += 1,
            None => payees.push(Payee { address: paid.to.clone(), payments: 1, last: intent.born.at }),
        }
    }
    payees
}

/// Checks a field that is left.
pub fn check(model: &Model, sheet: &Sheet, slot: Slot) -> Result<Settled, String> {
    match slot {
        Slot::Wallet => wallet(sheet),
        Slot::Token => token(sheet),
        Slot::Recipient => recipient(sheet).map(|_| None),
        Slot::Amount => amount(model, sheet).map(|_| None),
        Slot::Note => {
            sheet.fields.iter().find(|field| field.slot == slot).map_or(Ok(None), |field| field.text().map(|_| None))
        }
        _ => Ok(None),
    }
}

fn wallet(sheet: &Sheet) -> Result<Settled, String> {
    if sheet.picked.wallet.is_some() {
        return Ok(None);
    }
    let typed = sheet.value(Slot::Wallet);
    if sheet.found.filter.as_deref() != Some(typed) {
        return Err("the wallets are still being looked up; press the key again".into());
    }
    let rows: Vec<&Wallet> = sheet.found.window.rows.iter().map(|wallet| &wallet.entry).collect();
    let named: Vec<&&Wallet> = rows
        .iter()
        .filter(|wallet| {
            name_of(wallet).eq_ignore_ascii_case(typed)
                || wallet.address.as_deref().is_some_and(|address| address.eq_ignore_ascii_case(typed))
        })
        .collect();
    match (typed.is_empty(), named.as_slice(), rows.as_slice()) {
        (true, _, []) => Err("no wallet is known yet; n makes one".into()),
        (true, ..) => Err("choose the wallet that pays: ↓ and Enter, or type its name".into()),
        (false, [one], _) | (false, [], [one]) => Ok(Some((name_of(one), Take::Wallet(Box::new((*one).clone()))))),
        (false, _, []) => Err("no wallet has this name, address or chain".into()),
        (false, ..) => {
            let count = sheet.found.window.count.number();
            Err(format!("{count} wallets match; choose one with ↓ and Enter"))
        }
    }
}

fn token(sheet: &Sheet) -> Result<Settled, String> {
    let Some(wallet) = &sheet.picked.wallet else { return Err("choose the wallet first".into()) };
    if sheet.picked.token.is_some() {
        return Ok(None);
    }
    if sheet.held.of.as_ref() != Some(&wallet.id) {
        return Err("what this wallet holds is still being looked up; press the key again".into());
    }
    let typed = sheet.value(Slot::Token);
    let named: Vec<&Holding> =
        payable(sheet).filter(|holding| holding.symbol.eq_ignore_ascii_case(typed)).collect();
    match (typed.is_empty(), named.as_slice()) {
        (_, [one]) => Ok(Some((one.symbol.to_string(), Take::Token(one.token.clone())))),
        (_, []) if payable(sheet).next().is_none() => Err("nothing is known to be held by this wallet".into()),
        (true, _) => Err("choose a token that this wallet holds: ↓ and Enter, or type its symbol".into()),
        (false, []) => Err("this wallet holds no token of this symbol".into()),
        (false, _) => Err("two tokens have this symbol here; choose one by its contract with ↓ and Enter".into()),
    }
}

/// The address as the request will spell it.
fn recipient(sheet: &Sheet) -> Result<Text, String> {
    let Some(wallet) = &sheet.picked.wallet else { return Err("choose the wallet first".into()) };
    let typed = sheet.value(Slot::Recipient);
    let Some(chain) = Chain::find(&wallet.blockchain) else {
        let field = sheet.fields.iter().find(|field| field.slot == Slot::Recipient);
        let text = field.map_or_else(|| Ok(Text::default()), super::field::Field::text)?;
        return if text.is_empty() { Err("an address is missing".into()) } else { Ok(text) };
    };
    match Address::check(chain.family, typed) {
        Ok(_) => Ok(Text::clean(typed)),
        Err(error) => Err(match stranger(chain.family, typed) {
            Some(family) => format!("this is {family} address; the wallet is on {}", chain.name),
            None => error.to_string(),
        }),
    }
}

/// The family whose address it is, if it is one of another than the wallet's.
fn stranger(family: Family, typed: &str) -> Option<Family> {
    [Family::Evm, Family::Solana].into_iter().find(|other| *other != family && Address::check(*other, typed).is_ok())
}

/// The chosen token as the wallet holds it.
pub fn holding(sheet: &Sheet) -> Option<&Holding> {
    let token = sheet.picked.token.as_ref()?;
    sheet.held.rows.iter().find(|holding| holding.token == *token)
}

/// Fraction digits of the chosen token.
fn decimals(model: &Model, sheet: &Sheet) -> Option<u8> {
    let holding = holding(sheet)?;
    holding.amount.as_ref().map(|amount| amount.raw().decimals()).or_else(|| {
        let token = model.tokens.held().iter().find(|token| token.symbol == holding.symbol)?;
        let chain = token.blockchains.iter().find(|chain| same_chain(&chain.slug, &holding.token.blockchain));
        chain.and_then(|chain| chain.decimals).or(token.decimals)
    })
}

fn amount(model: &Model, sheet: &Sheet) -> Result<Amount, String> {
    let Some(holding) = holding(sheet) else { return Err("choose the token first".into()) };
    let typed = sheet.value(Slot::Amount);
    if typed.eq_ignore_ascii_case(MAX) {
        return most(model, sheet);
    }
    let decimals =
        decimals(model, sheet).ok_or("how many fraction digits this token has is not known; nothing can be paid")?;
    let amount = Amount::parse(typed, decimals).map_err(|error| error.to_string())?;
    if amount.is_zero() {
        return Err("pay more than nothing".into());
    }
    match balance(model, holding) {
        Some(there) if amount > there => Err(format!("the balance is {} {}", there.grouped(), holding.symbol)),
        _ => Ok(amount),
    }
}

/// A balance that may be reckoned with: stated by the service, undisputed and fresh.
fn balance(model: &Model, holding: &Holding) -> Option<Amount> {
    let sure = holding.basis == Basis::Stated && model.staleness(holding.as_of).is_none();
    holding.amount.as_ref().and_then(Stated::exact).filter(|_| sure && holding.as_of.is_some())
}
