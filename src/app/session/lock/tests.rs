use crossterm::event::KeyCode;

use super::*;
use crate::app::input::keymap::ctrl;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::pages::orders::prompt;
use crate::app::{Msg, Settings, Size, forms, update};
use crate::domain::order::SendReason;

fn model(unlock_method: UnlockMethod) -> Model {
    let lock = LockSettings { lock_after: Some(Duration::from_mins(15)), unlock_method, at_start: false };
    let mut model = Model::new(Settings { lock, ..Settings::sample() }, Size { width: 80, height: 24 }, at(0));
    update(&mut model, Msg::Tick(at(0)));
    model
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_793_620_000_000 + seconds * 1_000)
}

fn type_text(model: &mut Model, text: &str) -> Vec<Effect> {
    let keys = text.chars().map(KeyCode::Char).chain([KeyCode::Enter]);
    keys.flat_map(|key| update(model, Msg::Key(key.into())))
        .filter(|effect| matches!(effect, Effect::Unlock { .. }))
        .collect()
}

fn shown_error(model: &Model) -> Option<&str> {
    let Mode::Unlock(line) = &model.mode else { return None };
    line.error.as_deref()
}

#[test]
fn a_console_with_a_passphrase_of_its_own_begins_locked_and_asks_for_it() {
    let lock = LockSettings { lock_after: None, unlock_method: UnlockMethod::Passphrase, at_start: true };
    let settings = Settings { lock, ..Settings::sample() };
    let mut begun = Model::new(settings.clone(), Size { width: 80, height: 24 }, at(0));
    crate::app::start(&mut begun);
    assert!(begun.session.lock.locked_since().is_some() && matches!(begun.mode, Mode::Unlock(_)));
    let answer =
        || vec![Effect::RecordServiceAddress { earlier_address: "https://old.example.com".into(), is_same: false }];
    assert_eq!(drop_payments_while_locked(&begun, answer()), []);
    // Esc leaves it locked, and watching goes on.
    update(&mut begun, Msg::Key(KeyCode::Esc.into()));
    assert!(begun.session.lock.locked_since().is_some() && matches!(begun.mode, Mode::Browse));
    update(&mut begun, Msg::Key(KeyCode::Char('L').into()));
    let request_id = match type_text(&mut begun, "harbour lights").as_slice() {
        [Effect::Unlock { request_id, .. }] => *request_id,
        other => panic!("{other:?}"),
    };
    update(&mut begun, Msg::Unlocked { request_id, result: Ok(true) });
    assert!(begun.session.lock.locked_since().is_none(), "the right passphrase opens it");
    // What only reads has no paying to lock.
    let mut reading = Model::new(settings, Size { width: 80, height: 24 }, at(0));
    reading.console.read_only = Some(crate::domain::ReadOnlyReason::ByOption);
    crate::app::start(&mut reading);
    assert!(reading.session.lock.locked_since().is_none() && matches!(reading.mode, Mode::Browse));
}

#[test]
fn paying_is_locked_when_no_key_came_for_so_long_and_not_before() {
    let mut model = model(UnlockMethod::Word);
    update(&mut model, Msg::Tick(at(600)));
    update(&mut model, Msg::Key(KeyCode::Char('j').into()));
    assert_eq!(next_due(&model), Some(at(600 + 900)));
    update(&mut model, Msg::Tick(at(1_499)));
    assert_eq!(model.session.lock.locked_since(), None);
    update(&mut model, Msg::Tick(at(1_500)));
    assert_eq!((model.session.lock.locked_since(), next_due(&model)), (Some(at(1_500)), None));
    assert!(forms::check_can_open(&model).unwrap_err().contains("press L to unlock"));
    update(&mut model, Msg::Key(KeyCode::Char('w').into()));
    assert!(matches!(model.mode, Mode::Browse) && model.notice.as_deref() == Some(LOCKED_MESSAGE));
}

#[test]
fn a_clock_that_is_set_back_does_not_keep_it_open() {
    let mut model = model(UnlockMethod::Word);
    update(&mut model, Msg::Tick(at(86_400)));
    model.session.lock.locked_since = None;
    update(&mut model, Msg::Key(KeyCode::Char('j').into()));
    update(&mut model, Msg::Tick(at(0)));
    update(&mut model, Msg::Tick(at(900)));
    assert_eq!(model.session.lock.locked_since(), Some(at(900)));
}

#[test]
fn a_console_that_only_reads_has_nothing_to_lock() {
    let mut model = model(UnlockMethod::Word);
    model.console.read_only = Some(crate::domain::ReadOnlyReason::ByOption);
    update(&mut model, Msg::Tick(at(86_400)));
    update(&mut model, Msg::Key(KeyCode::Char('L').into()));
    assert_eq!((model.session.lock.locked_since(), next_due(&model)), (None, None));
}

#[test]
fn where_no_passphrase_was_set_a_word_on_the_screen_unlocks() {
    let mut model = model(UnlockMethod::Word);
    update(&mut model, Msg::Key(KeyCode::Char('L').into()));
    assert!(model.session.lock.locked_since().is_some());
    update(&mut model, Msg::Key(KeyCode::Char('L').into()));
    assert_eq!(type_text(&mut model, "unlocked"), []);
    // Nothing is kept from being guessed, so that nothing is waited for.
    assert_eq!(shown_error(&model), Some("type unlock"));
    assert_eq!(type_text(&mut model, "unlock"), []);
    assert!(model.session.lock.locked_since().is_none() && matches!(model.mode, Mode::Browse));
    assert_eq!(model.notice.as_deref(), Some("paying is unlocked"));
}

#[test]
fn each_wrong_passphrase_is_waited_after_for_longer_and_is_noted_without_its_text() {
    let mut model = model(UnlockMethod::Passphrase);
    update(&mut model, Msg::Key(KeyCode::Char('L').into()));
    update(&mut model, Msg::Key(KeyCode::Char('L').into()));
    let mut now = 0;
    for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
        let effects = type_text(&mut model, "planted words");
        let [Effect::Unlock { secret: typed, request_id }] = effects.as_slice() else { panic!("{effects:?}") };
        assert_eq!(typed.expose(), "planted words");
        assert!(!format!("{effects:?}{:?}", model.mode).contains("planted"));
        update(&mut model, Msg::Unlocked { request_id: *request_id, result: Ok(false) });
        assert!(
            shown_error(&model).unwrap().ends_with(&format!("wait {pause}s before the next try")),
            "{:?}",
            shown_error(&model)
        );
        assert_eq!(type_text(&mut model, "planted words"), [], "before its time nothing is looked at");
        now += pause;
        update(&mut model, Msg::Tick(at(now)));
    }
    assert!(model.pages.events.all().any(|event| event.text.contains("wrong passphrase") && event.occurrences == 8));
    assert!(!format!("{:?}", model.pages.events).contains("planted"));
    let effects = type_text(&mut model, "right words");
    let [Effect::Unlock { request_id, .. }] = effects.as_slice() else { panic!("{effects:?}") };
    update(&mut model, Msg::Unlocked { request_id: *request_id, result: Ok(true) });
    assert!(model.session.lock.locked_since().is_none());
}

#[test]
fn an_answer_to_an_earlier_try_unlocks_nothing() {
    let mut model = model(UnlockMethod::Passphrase);
    update(&mut model, Msg::Key(KeyCode::Char('L').into()));
    update(&mut model, Msg::Key(KeyCode::Char('L').into()));
    type_text(&mut model, "one");
    update(&mut model, Msg::Unlocked { request_id: RequestId(99), result: Ok(true) });
    assert!(model.session.lock.locked_since().is_some());
}

#[test]
fn whatever_leads_there_nothing_is_paid_while_it_is_locked() {
    use crate::domain::order::OrderId;
    let mut model = model(UnlockMethod::Word);
    let id = OrderId(uuid::Uuid::from_u128(1));
    let send = |reason| Effect::Send { order_id: id, reason, confirmation: None };
    let effects = || {
        let write_off = Effect::WriteOff { order_id: id, reason: "x".into() };
        vec![
            send(SendReason::Confirmed),
            send(SendReason::Operator { warned: true }),
            write_off,
            send(SendReason::Retry),
        ]
    };
    assert_eq!(drop_payments_while_locked(&model, effects()).len(), 4);
    model.session.lock.locked_since = Some(model.now);
    assert_eq!(drop_payments_while_locked(&model, effects()), [send(SendReason::Retry)]);
}

#[test]
fn what_lies_under_the_question_whether_to_leave_is_put_away_and_the_question_stays() {
    use crate::app::orders;
    use crate::domain::order::{OrderId, OrderState};
    let mut model = forms::tests::model_in_review(forms::tests::sample_guard_facts("2000"));
    let reviewed = model.review().unwrap().order.id;
    model.session.lock = Lock::new(LockSettings {
        lock_after: Some(Duration::from_mins(15)),
        unlock_method: UnlockMethod::Word,
        at_start: false,
    });
    let other = OrderId(uuid::Uuid::from_u128(99));
    assert_eq!(orders::send_order(&mut model, other, SendReason::Confirmed, None).len(), 1);
    update(&mut model, Msg::Key(ctrl('c')));
    let asks_to_leave =
        |mode: &Mode| matches!(mode, Mode::Prompt(prompt) if prompt.subject == prompt::PromptSubject::Quit);
    assert!(asks_to_leave(&model.mode));

    let later = model.now.plus(Duration::from_mins(15));
    let effects = update(&mut model, Msg::Tick(later));
    assert!(model.session.lock.locked_since().is_some() && effects.contains(&Effect::Abandon(reviewed)), "{effects:?}");
    assert!(asks_to_leave(&model.mode), "the answer is still waited for");
    update(&mut model, Msg::Sent { order_id: other, result: Ok(OrderState::Accepted) });
    assert!(model.review().is_none() && matches!(model.mode, Mode::Browse), "{:?}", model.mode);
}

#[test]
fn nothing_is_taken_for_sent_that_the_lock_or_the_veil_holds_back() {
    use crate::app::orders;
    use crate::app::session::veil::{self, Veil, VeilKey};
    use crate::domain::order::OrderId;
    let id = OrderId(uuid::Uuid::from_u128(1));
    for (locked, veiled) in [(true, false), (false, true), (false, false)] {
        for reason in [SendReason::Confirmed, SendReason::Operator { warned: true }, SendReason::Retry] {
            let mut model = model(UnlockMethod::Word);
            model.session.lock.locked_since = locked.then_some(model.now);
            model.session.veil = Veil::new(veiled, VeilKey::default());
            let effects = orders::send_order(&mut model, id, reason, None);
            let allowed_effects = veil::filter_effects(&model, drop_payments_while_locked(&model, effects));
            let may = reason == SendReason::Retry || !(locked || veiled);
            assert_eq!(
                (allowed_effects.len(), orders::is_awaiting_answer(&model, id)),
                (usize::from(may), may),
                "{reason:?}"
            );
            assert_eq!(model.notice.is_none(), may, "{:?}", model.notice);
        }
    }
}

#[test]
fn no_other_profile_is_opened_from_a_locked_console() {
    use crate::app::session::profile_switch::OtherProfile;
    let mut model = model(UnlockMethod::Passphrase);
    model.console.profiles =
        vec![OtherProfile { name: "quay".into(), destination: "https://quay.example.com (mainnet)".into() }];
    update(&mut model, Msg::Key(KeyCode::Char('L').into()));
    let keys = || ":profile quay".chars().map(KeyCode::Char).chain([KeyCode::Enter]);
    let effects: Vec<Effect> = keys().flat_map(|key| update(&mut model, Msg::Key(key.into()))).collect();
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::OpenProfile(_))), "{effects:?}");
    assert!(model.notice.as_deref().is_some_and(|message| message.contains(LOCKED_MESSAGE)), "{:?}", model.notice);
    assert_eq!(drop_payments_while_locked(&model, vec![Effect::OpenProfile("quay".into())]), []);
}
