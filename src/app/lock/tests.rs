use super::*;
use crate::app::{Msg, Settings, Size, update};

fn model(asks: Asks) -> Model {
    let lock = LockSettings { after: Some(Duration::from_mins(15)), asks };
    let mut model = Model::new(Settings { lock, ..Settings::sample() }, Size { width: 80, height: 24 }, at(0));
    update(&mut model, Msg::Tick(at(0)));
    model
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_793_620_000_000 + seconds * 1_000)
}

fn types(model: &mut Model, text: &str) -> Vec<Effect> {
    let keys = text.chars().map(Key::char).chain([Key::plain(KeyCode::Enter)]);
    keys.flat_map(|key| update(model, Msg::Key(key))).filter(|effect| matches!(effect, Effect::Unlock { .. })).collect()
}

fn wrong(model: &Model) -> Option<&str> {
    let Mode::Unlock(line) = &model.mode else { return None };
    line.wrong.as_deref()
}

#[test]
fn paying_is_locked_when_no_key_came_for_so_long_and_not_before() {
    let mut model = model(Asks::Word);
    update(&mut model, Msg::Tick(at(600)));
    update(&mut model, Msg::Key(Key::char('j')));
    assert_eq!(next_due(&model), Some(at(600 + 900)));
    update(&mut model, Msg::Tick(at(1_499)));
    assert_eq!(model.lock.since(), None);
    update(&mut model, Msg::Tick(at(1_500)));
    assert_eq!((model.lock.since(), next_due(&model)), (Some(at(1_500)), None));
    assert!(forms::may_open(&model).unwrap_err().contains("L unlocks"));
    update(&mut model, Msg::Key(Key::char('w')));
    assert!(matches!(model.mode, Mode::Browse) && model.notice.as_deref() == Some(LOCKED));
}

#[test]
fn a_clock_that_is_set_back_does_not_keep_it_open() {
    let mut model = model(Asks::Word);
    update(&mut model, Msg::Tick(at(86_400)));
    model.lock.since = None;
    update(&mut model, Msg::Key(Key::char('j')));
    update(&mut model, Msg::Tick(at(0)));
    update(&mut model, Msg::Tick(at(900)));
    assert_eq!(model.lock.since(), Some(at(900)));
}

#[test]
fn a_console_that_only_reads_has_nothing_to_lock() {
    let mut model = model(Asks::Word);
    model.read_only = Some("x".into());
    update(&mut model, Msg::Tick(at(86_400)));
    update(&mut model, Msg::Key(Key::char('L')));
    assert_eq!((model.lock.since(), next_due(&model)), (None, None));
}

#[test]
fn where_no_passphrase_was_set_a_word_on_the_screen_unlocks() {
    let mut model = model(Asks::Word);
    update(&mut model, Msg::Key(Key::char('L')));
    assert!(model.lock.since().is_some());
    update(&mut model, Msg::Key(Key::char('L')));
    assert_eq!(types(&mut model, "unlocked"), []);
    assert_eq!(wrong(&model), Some("type unlock; wait 1s before the next try"));
    update(&mut model, Msg::Tick(at(1)));
    assert_eq!(types(&mut model, "unlock"), []);
    assert!(model.lock.since().is_none() && matches!(model.mode, Mode::Browse));
    assert_eq!(model.notice.as_deref(), Some("paying is unlocked; one wrong answer came before"));
}

#[test]
fn each_wrong_passphrase_is_waited_after_for_longer_and_is_noted_without_its_text() {
    let mut model = model(Asks::Passphrase);
    update(&mut model, Msg::Key(Key::char('L')));
    update(&mut model, Msg::Key(Key::char('L')));
    let mut now = 0;
    for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
        let effects = types(&mut model, "planted words");
        let [Effect::Unlock { typed, turn }] = effects.as_slice() else { panic!("{effects:?}") };
        assert_eq!(typed.expose(), "planted words");
        assert!(!format!("{effects:?}{:?}", model.mode).contains("planted"));
        update(&mut model, Msg::Unlocked { turn: *turn, result: Ok(false) });
        assert!(wrong(&model).unwrap().ends_with(&format!("wait {pause}s before the next try")), "{:?}", wrong(&model));
        assert_eq!(types(&mut model, "planted words"), [], "before its time nothing is looked at");
        now += pause;
        update(&mut model, Msg::Tick(at(now)));
    }
    assert!(model.events.all().any(|event| event.words.contains("wrong answer") && event.times == 8));
    assert!(!format!("{:?}", model.events).contains("planted"));
    let effects = types(&mut model, "right words");
    let [Effect::Unlock { turn, .. }] = effects.as_slice() else { panic!("{effects:?}") };
    update(&mut model, Msg::Unlocked { turn: *turn, result: Ok(true) });
    assert!(model.lock.since().is_none());
}

#[test]
fn an_answer_to_an_earlier_try_unlocks_nothing() {
    let mut model = model(Asks::Passphrase);
    update(&mut model, Msg::Key(Key::char('L')));
    update(&mut model, Msg::Key(Key::char('L')));
    types(&mut model, "one");
    update(&mut model, Msg::Unlocked { turn: Turn(99), result: Ok(true) });
    assert!(model.lock.since().is_some());
}

#[test]
fn whatever_leads_there_nothing_is_paid_while_it_is_locked() {
    use crate::domain::intent::IntentId;
    let mut model = model(Asks::Word);
    let id = IntentId(uuid::Uuid::from_u128(1));
    let send = |because| Effect::Send { intent: id, because, confirmation: None };
    let wanted = || {
        let write_off = Effect::WriteOff { intent: id, reason: "x".into() };
        vec![send(Because::Confirmed), send(Because::Operator { warned: true }), write_off, send(Because::Again)]
    };
    assert_eq!(gate(&model, wanted()).len(), 4);
    model.lock.since = Some(model.now);
    assert_eq!(gate(&model, wanted()), [send(Because::Again)]);
}
