use std::borrow::Cow;

use chrono::NaiveDate;
use crossterm::event::KeyCode;

use super::*;
use crate::app::forms::tests::model;
use crate::app::input::keymap::ctrl;
use crate::app::pages::book::BookSnapshot;
use crate::app::session::attention::due::{DueSources, due_items};
use crate::app::{Msg, update};
use crate::domain::address_names::AddressNames;
use crate::domain::attention::{AcknowledgementChange, Acknowledgements, AttentionId, AttentionKind};
use crate::domain::order::{ConsoleIdentity, PaidDues};
use crate::domain::template::TemplateId;
use crate::domain::{
    AddressBook, Amount, FinalStatuses, Metadata, Operation, Policy, Sender, Timestamp, TokenKey, WalletId,
};
use crate::domain::{Draft, Withdrawal, Zone};

fn date(iso: &str) -> NaiveDate {
    iso.parse().unwrap()
}

fn template(name: &str, schedule: Option<(Repeat, &str)>) -> Template {
    Template {
        id: TemplateId(7),
        name: name.into(),
        draft: Draft::Withdraw(Withdrawal {
            wallet: WalletId::from_text("wallet-1"),
            blockchain: "ethereum".into(),
            token: "USDC".into(),
            amount: "25".into(),
            to: "0x52908400098527886E0F7030069857D2E4169EE7".into(),
            ref_id: None,
            note: Some("rent".into()),
            metadata: Metadata::default(),
        }),
        sender: Sender {
            name: Some("eth-main".into()),
            address: None,
            account: None,
            user: None,
            token: TokenKey::new("ethereum", None),
            amount: Amount::parse("25", 6).unwrap(),
        },
        schedule: schedule.map(|(repeat, from)| Schedule { repeat, from: date(from) }),
    }
}

fn model_with(templates: &[Template]) -> Model {
    let mut model = model();
    let changes = templates.iter().map(|template| (BookChange::Template(Box::new(template.clone())), model.now));
    let snapshot = BookSnapshot {
        book: AddressBook::from_changes(changes),
        policy: Policy::default(),
        final_statuses: FinalStatuses::default(),
        last_editors: Vec::new(),
        paid_dues: PaidDues::default(),
    };
    update(&mut model, Msg::Book(Ok(Box::new(snapshot))));
    model
}

fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for key in keys.chars() {
        let code = if key == '\n' { KeyCode::Enter } else { KeyCode::Char(key) };
        effects = update(model, Msg::Key(code.into()));
    }
    effects
}

fn due_dates(sources: &DueSources<'_>, now: &str) -> Vec<(String, String)> {
    let names = AddressNames::default();
    let parties = AddressFormatter { names: &names, short: Cow::Owned(ShortAddresses::new([])) };
    let items = due_items(sources, &parties, Timestamp::parse_iso(now).unwrap());
    items.into_iter().map(|item| (item.subject, item.since.to_string())).collect()
}

#[test]
fn missed_days_are_due_in_turn_in_one_row_and_a_skipped_one_stays_visible_until_the_next() {
    let templates = [template("Rent", Some((Repeat::Monthly(31), "2026-09-15")))];
    let (paid, zone) = (
        PaidDues::default(),
        Zone::from_offset_function(Timestamp::from_millis(0), Timestamp::from_millis(0), |_| 3_600),
    );
    let mut acknowledgements = Acknowledgements::default();
    let none = Acknowledgements::default();
    let sources = DueSources { templates: &templates, paid: &paid, acknowledgements: &none, zone: &zone };
    assert_eq!(due_dates(&sources, "2026-09-29T22:59:59Z"), []);
    let due = due_dates(&sources, "2026-11-15T12:00:00Z");
    assert_eq!(due.len(), 1, "{due:?}");
    assert!(due[0].0.starts_with("Rent, due 2026-09-30: 25 USDC to 0x5290"), "{due:?}");
    assert!(due[0].0.ends_with("; 1 later date is open too"), "{due:?}");
    // Its day begins by the operator's clock.
    assert_eq!(due[0].1, "2026-09-29T23:00:00.000Z");
    let by = ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: uuid::Uuid::nil() };
    for (day, expected) in [("2026-09-30", "Rent, due 2026-10-31: "), ("2026-10-31", "Rent, due 2026-10-31: ")] {
        let item = AttentionId::new(AttentionKind::DuePayment, &format!("7 {day}"));
        let change = AcknowledgementChange { item, note: Some("skipped".into()) };
        acknowledgements.apply(change, Timestamp::from_millis(0), by.clone());
        let sources = DueSources { acknowledgements: &acknowledgements, ..sources };
        let due = due_dates(&sources, "2026-11-15T12:00:00Z");
        assert!(due.len() == 1 && due[0].0.starts_with(expected), "after {day}: {due:?}");
    }
    let sources = DueSources { acknowledgements: &acknowledgements, ..sources };
    let due = due_dates(&sources, "2026-11-30T12:00:00Z");
    assert!(due.len() == 1 && due[0].0.starts_with("Rent, due 2026-11-30"), "{due:?}");
}

#[test]
fn a_template_fills_a_form_with_a_reference_for_its_due_date_and_another_template_is_not_mistaken_for_it() {
    let mut model = model_with(&[template("Rent", None)]);
    open_form_of_template(&mut model, TemplateId(7), Some(date("2026-11-30")));
    let Mode::Form(form) = &model.mode else { panic!("{:?}", model.mode) };
    let values =
        [FieldId::Recipient, FieldId::Amount, FieldId::Note, FieldId::Reference].map(|slot| form.state.value(slot));
    assert_eq!(values, ["0x52908400098527886E0F7030069857D2E4169EE7", "25", "rent", "RENT-2026-11-30"]);
    assert_eq!(form.state.template, Some(template("Rent", None).use_for(Some(date("2026-11-30")))));
    model.mode = Mode::Browse;
    open_form_of_template(&mut model, TemplateId(8), None);
    assert_eq!(model.notice.as_deref(), Some("this template was removed"));
}

#[test]
fn templates_follow_the_drafts_and_are_renamed_repeated_and_removed_in_the_journal() {
    let mut model = model_with(&[template("Rent", None)]);
    let mut draft = FormState::new(Operation::Withdraw);
    draft.apply_choice(FieldId::Amount, "7", Picked::TextOnly);
    model.forms.drafts.push(draft);
    press(&mut model, "E");
    let Mode::Menu(menu) = &model.mode else { panic!("{:?}", model.mode) };
    let items: Vec<&str> = menu.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(items, ["Withdrawal", "Rent"]);
    assert!(menu.items[1].payload.starts_with("template · 25 USDC to 0x5290"), "{}", menu.items[1].payload);
    // What cannot be understood changes nothing.
    assert_eq!(press(&mut model, "jrnever\n"), []);
    assert!(model.notice.as_deref().is_some_and(|notice| notice.contains("monthly 31")), "{:?}", model.notice);
    update(&mut model, Msg::Key(ctrl('u')));
    let effects = press(&mut model, "monthly 31\n");
    let [Effect::ChangeBook { change, request_id, .. }] = effects.as_slice() else { panic!("{effects:?}") };
    let BookChange::Template(template) = change.as_ref() else { panic!("{change:?}") };
    let from = local_date(&model.console.zone, model.now).unwrap();
    assert_eq!(template.schedule, Some(Schedule { repeat: Repeat::Monthly(31), from }));
    update(&mut model, Msg::BookChanged { request_id: *request_id, result: Ok(()) });
    assert_eq!(model.notice.as_deref(), Some("“Rent” is due monthly on the 31st: page ! shows it then"));
    let removal = press(&mut model, "DD");
    assert!(
        matches!(removal.as_slice(), [Effect::ChangeBook { change, .. }] if **change == BookChange::TemplateRemoved(TemplateId(7)))
    );
}

#[test]
fn an_incomplete_form_is_not_saved_and_stays_open() {
    let mut model = model_with(&[]);
    press(&mut model, "w");
    update(&mut model, Msg::Key(ctrl('s')));
    assert!(matches!(model.mode, Mode::Form(_)), "{:?}", model.mode);
    assert!(model.notice.as_deref().is_some_and(|notice| notice.contains("once the form is complete")));
    model.mode = Mode::Browse;
    press(&mut model, "n");
    model.mode = Mode::Browse;
    update(&mut model, Msg::Key(ctrl('s')));
    assert!(
        model.notice.as_deref().is_some_and(|notice| notice.starts_with("select a payment first")),
        "{:?}",
        model.notice
    );
}
