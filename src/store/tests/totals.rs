//! Sums of accounts and of everything are, after whatever writes, what adding up every wallet gives.

use proptest::prelude::*;

use super::directory_and_holdings::{balance, sync_rows, transaction_of_wallet, wallet};
use super::fixtures::{amount, now, store_in_folder, temporary_store, uuid};
use crate::domain::entry_source::EntrySource;
use crate::domain::history::Scope;
use crate::domain::{
    AccountId, BalanceBasis, Direction, ReportedAmount, ReportedBalance, Status, Text, TokenKey, Transaction, UserId,
    Wallet,
};
use crate::store::{LatestRead, Store};

const ACCOUNTS: [Option<&str>; 3] = [Some("one"), Some("two"), None];
const USERS: [Option<&str>; 4] = [Some("ada"), Some("ben"), Some("cleo"), None];
const CHAINS: [&str; 2] = ["base", "bsc"];
const WALLETS: u8 = 6;

fn pick<T: Copy>(from: &[T], dice: u8) -> T {
    from[usize::from(dice) % from.len()]
}

/// Something that is written.
#[derive(Debug, Clone)]
enum Write {
    /// A wallet is listed, as it is now: which, its user, its chain, its account.
    Listed(u8, u8, u8, u8),
    /// The balances of a user are told: whose, and of each token the chain, the symbol, how much, and in which form.
    BalancesReported(u8, Vec<(u8, u8, u8, u8)>),
    /// Rows arrive: of which wallet, which way, of which token, how much, how far.
    Arrived(Vec<(u8, bool, u8, u8, u8)>),
    /// A row has come further, or less far.
    Changed(u8, u8),
    /// A row cannot be read, so that no sum of rows is sure any more.
    Unreadable,
}

fn write() -> impl Strategy<Value = Write> {
    let figures = prop::collection::vec(any::<(u8, u8, u8, u8)>(), 0..4);
    prop_oneof![
        4 => any::<(u8, u8, u8, u8)>().prop_map(|(wallet, user, chain, to)| Write::Listed(wallet, user, chain, to)),
        4 => (any::<u8>(), figures).prop_map(|(user, figures)| Write::BalancesReported(user, figures)),
        4 => prop::collection::vec(any::<(u8, bool, u8, u8, u8)>(), 1..5).prop_map(Write::Arrived),
        2 => any::<(u8, u8)>().prop_map(|(row, status)| Write::Changed(row, status)),
        1 => Just(Write::Unreadable),
    ]
}

/// A service's side of what is written.
struct TotalsModel {
    store: Store,
    wallets: Vec<Wallet>,
    rows: Vec<Transaction>,
    minute: i64,
}

impl TotalsModel {
    fn new() -> Self {
        let wallets = (0..WALLETS).map(|nth| wallet(&format!("w{nth}"), pick(&CHAINS, nth), None));
        Self { store: temporary_store(), wallets: wallets.collect(), rows: Vec::new(), minute: 0 }
    }

    fn status(dice: u8) -> Status {
        pick(&[0_u8, 1, 2, 3], dice)
            .checked_sub(2)
            .map_or(Status::Success, |more| if more == 0 { Status::Pending } else { Status::Failed })
    }

    fn write(&mut self, change: &Write) {
        self.minute += 1;
        let at = self.minute;
        match change {
            Write::Listed(nth, user, chain, account) => {
                let wallet = &mut self.wallets[usize::from(*nth % WALLETS)];
                wallet.user = pick(&USERS, *user).map(UserId::from_text);
                wallet.blockchain = Text::clean(pick(&CHAINS, *chain));
                wallet.account = pick(&ACCOUNTS, *account).map(AccountId::from_text);
                self.store.save_wallets(std::slice::from_ref(wallet), EntrySource::Listed).unwrap();
            }
            Write::BalancesReported(user, figures) => {
                let user = pick(&USERS[..3], *user).unwrap();
                let balances: Vec<ReportedBalance> =
                    figures.iter().map(|figure| reported_balance(user, *figure)).collect();
                self.store.save_balances(&UserId::from_text(user), &balances, now(at)).unwrap();
            }
            Write::Arrived(rows) => {
                for (nth, incoming, symbol, raw, status) in rows {
                    let number = self.rows.len() as u64 + 1;
                    let direction = if *incoming { Direction::Incoming } else { Direction::Outgoing };
                    let wallet = &self.wallets[usize::from(*nth % WALLETS)];
                    let mut row =
                        transaction_of_wallet(number, &direction, wallet, u64::from(*raw), Self::status(*status));
                    row.token = token(&wallet.blockchain, *symbol);
                    row.symbol = symbol_of(*symbol).into();
                    row.token_name = None;
                    if raw % 11 == 0 {
                        row.amount = amount(u64::from(*raw), 18);
                        row.total_amount = row.amount.clone();
                    }
                    self.rows.insert(0, row);
                }
                sync_rows(&self.store, &self.rows, at);
            }
            Write::Changed(row, status) if !self.rows.is_empty() => {
                let row = usize::from(*row) % self.rows.len();
                self.rows[row].status = Some(Self::status(*status));
                sync_rows(&self.store, &self.rows, at);
            }
            Write::Changed(..) => {}
            Write::Unreadable => {
                let mut head = LatestRead::start(&self.store).unwrap();
                while let Some(request) = head.next_page() {
                    let rows = self.rows.iter().filter(|row| row.direction == request.direction);
                    let page = crate::domain::history::Page {
                        items: rows.cloned().collect(),
                        unreadable: 1,
                        page_no: Some(1),
                        page_limit: Some(10_000),
                        total_page: Some(1),
                    };
                    head.add_page(&request, page).unwrap();
                }
                head.finish(now(at)).unwrap();
            }
        }
    }
}

fn symbol_of(dice: u8) -> &'static str {
    pick(&["USDT", "DAI"], dice)
}

fn token(chain: &str, symbol: u8) -> TokenKey {
    balance("", chain, symbol_of(symbol), 0).token
}

/// A balance: of few tokens, so that they meet; now and then with other fraction digits, or disputed.
fn reported_balance(user: &str, (chain, symbol, raw, form): (u8, u8, u8, u8)) -> ReportedBalance {
    let raw_amount = amount(u64::from(raw), if form % 8 == 1 { 18 } else { 6 }).unwrap();
    let amount = match form % 4 {
        0 => ReportedAmount::Disputed { raw: raw_amount.even_if_disputed(), formatted: "7".into() },
        _ => raw_amount,
    };
    ReportedBalance { amount, ..balance(user, pick(&CHAINS, chain), symbol_of(symbol), 0) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn kept_sums_are_what_adding_up_every_wallet_gives(writes in prop::collection::vec(write(), 1..24)) {
        let mut model = TotalsModel::new();
        for change in &writes {
            model.write(change);
            let accounts = ACCOUNTS.iter().flatten().map(|id| Scope::Account(AccountId::from_text(id)));
            for scope in accounts.chain([Scope::All]) {
                let holdings = model.store.holdings(&scope).unwrap();
                prop_assert_eq!(
                    holdings,
                    model.store.holdings_by_wallet_sums(&scope).unwrap(),
                    "{:?} after {:?}",
                    scope,
                    change
                );
            }
        }
    }
}

#[test]
fn sums_of_many_wallets_are_there_at_the_next_start_and_as_old_as_their_oldest_part() {
    let folder = tempfile::tempdir().unwrap();
    let account = AccountId::from_text("acc");
    let scope = Scope::Account(account.clone());
    let user = |number: u64| format!("u-{}", uuid(number));
    let wallets: Vec<Wallet> = (0..300)
        .map(|number| Wallet {
            account: Some(account.clone()),
            ..wallet(&uuid(1_000 + number), "base", Some(&user(number)))
        })
        .collect();
    let store = store_in_folder(folder.path());
    store.save_wallets(&wallets, EntrySource::Imported).unwrap();
    let read = |store: &Store, number: u64, raw: u64, symbol: &str, minute: i64| {
        let balance = balance(&user(number), "base", symbol, raw);
        store.save_balances(&UserId::from_text(&user(number)), &[balance], now(minute)).unwrap();
    };
    for number in 0..299 {
        read(&store, number, 7, "USDT", 10 + i64::try_from(number).unwrap());
    }
    read(&store, 299, 5, "DAI", 500);
    read(&store, 0, 1_000, "USDT", 501);
    drop(store);
    let store = store_in_folder(folder.path());
    let holdings = store.holdings(&scope).unwrap();
    let totals: Vec<_> =
        holdings.iter().map(|holding| (&*holding.symbol, holding.amount.clone(), holding.basis)).collect();
    let expected =
        [("USDT", amount(298 * 7 + 1_000, 6), BalanceBasis::Assumed), ("DAI", amount(5, 6), BalanceBasis::Assumed)];
    assert_eq!(totals, expected);
    assert_eq!(holdings[0].as_of, Some(now(11)), "the oldest part");
    // Of a token that none of those holds who were read longest ago: older than it is, never younger.
    assert_eq!(holdings[1].as_of, Some(now(10 + 16)));
    assert!(store.holdings_by_wallet_sums(&scope).unwrap()[1].as_of >= holdings[1].as_of);
}
