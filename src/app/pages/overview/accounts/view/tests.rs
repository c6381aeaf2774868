use super::*;
use crate::app::model::Settings;
use crate::app::pages::overview::accounts::pane::AccountsPane;
use crate::app::pages::overview::total;
use crate::app::pages::pane::view::PaneView;
use crate::app::screen::Size;
use crate::domain::entry_source::{EntryFieldSet, EntrySource, Sourced};
use crate::domain::history::Window;
use crate::domain::{
    AccountId, Amount, BalanceBasis, Colours, Failure, FailureReason, ReportedAmount, ThemeName, Timestamp, TokenKey,
};

fn usdt(amount: &str) -> Holding {
    Holding {
        token: TokenKey::new("ethereum", Some("USDT")),
        symbol: "USDT".into(),
        name: None,
        amount: Some(ReportedAmount::Exact(Amount::parse(amount, 6).unwrap())),
        basis: BalanceBasis::Reported,
        as_of: None,
        suspicious: false,
    }
}

fn drawn_lines(model: &Model) -> Vec<String> {
    let theme = Theme::from_name(ThemeName::default(), Colours::Many);
    let area = Rect::new(0, 0, 60, 5);
    let mut buf = Buffer::empty(area);
    AccountsPane.draw(model, &theme, area, &mut buf);
    (0..area.height).map(|y| (0..area.width).map(|x| buf[(x, y)].symbol()).collect()).collect()
}

/// In the first read of a long history the balances of an account are known before those of all.
#[test]
fn an_account_has_a_share_once_the_total_is_whole() {
    let now = Timestamp::from_millis(1_790_000_000_000);
    let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, now);
    model.data.prices.settings.valuation = Some("USDT".into());
    model.data.prices.pairs = Some(Vec::new());
    let account = Account { name: Some("Treasury".into()), ..Account::new(AccountId::from_text("a-1")) };
    let account = Sourced {
        entry: account,
        source: EntrySource::Listed,
        imported_fields: EntryFieldSet::default(),
        conflicting_addresses: Vec::new(),
    };
    model.pages.overview.accounts.apply_window(Window::whole(vec![account]));
    let balances = &mut model.pages.overview.balances;
    (balances.scope, balances.all) = (Scope::Account(AccountId::from_text("a-1")), vec![usdt("1105")]);
    balances.listing.apply_window(Window::whole(vec![usdt("1105")]));
    model.data.total.holdings = Some(vec![usdt("1000")]);
    let treasury = |model: &Model| drawn_lines(model).into_iter().find(|line| line.contains("Treasury")).unwrap();

    let growing = treasury(&model);
    assert!(growing.contains("≈1.11k") && !growing.contains('%'), "{growing}");
    let all_accounts = |model: &Model| drawn_lines(model).into_iter().find(|line| line.contains("All acc")).unwrap();
    assert!(all_accounts(&model).contains('—'), "less than one of them is not the sum: {}", all_accounts(&model));
    assert!(total_line(&model).contains("reading…"), "{}", total_line(&model));
    let failure = Failure::from_read(FailureReason::ConnectionLost, "refused");
    model.data.remotes.latest.failure = Some((failure, 1));
    assert!(total_line(&model).contains("not read: "), "{}", total_line(&model));
    let busy = Failure::from_read(FailureReason::Busy { too_many: false, retry_after: None }, "makes its sample data");
    model.data.remotes.latest.failure = Some((busy, 1));
    let line = total_line(&model);
    assert!(line.contains("makes its sample data") && !line.contains("not read"), "{line}");
    model.data.remotes.latest.failure = None;
    model.data.total.holdings = Some(vec![usdt("1200")]);
    assert!(all_accounts(&model).contains("≈1.20k"), "{}", all_accounts(&model));
    model.data.total.holdings = Some(vec![usdt("2210")]);
    model.data.progress.complete = true;
    let whole = treasury(&model);
    assert!(whole.contains("50.0%"), "{whole}");
}

fn total_line(model: &Model) -> String {
    let theme = Theme::from_name(ThemeName::default(), Colours::Many);
    let area = Rect::new(0, 0, 120, 1);
    let mut buf = Buffer::empty(area);
    total::view::draw(model, &theme, area, &mut buf);
    (0..area.width).map(|x| buf[(x, 0)].symbol()).collect()
}

#[test]
fn a_total_that_grows_says_how_much_of_it_is_not_known_yet() {
    let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, Timestamp::from_millis(0));
    model.data.prices.settings.valuation = Some("USDT".into());
    model.data.prices.pairs = Some(Vec::new());
    let unknown =
        Holding { token: TokenKey::new("ethereum", Some("DAI")), symbol: "DAI".into(), amount: None, ..usdt("0") };
    model.data.total.holdings = Some(vec![usdt("1000"), unknown]);
    let line = total_line(&model);
    assert!(line.contains("≈1,000.00 USDT") && line.contains("so far, 1 of 2 tokens not known yet"), "{line}");
}
