//! Keys and replies in, deeds out.

use crossterm::event::KeyCode;
use secrecy::ExposeSecret;

use super::*;

fn no_blanks(text: &str) -> Option<String> {
    (text.is_empty() || text.contains(' ')).then(|| "write it without blanks".to_owned())
}

const RULES: FieldRules = FieldRules {
    name: no_blanks,
    base_url: no_blanks,
    api_key: no_blanks,
    wallet_secret: no_blanks,
    passphrase: no_blanks,
};

fn first_run_page() -> Welcome {
    Welcome::new(Appearance::default(), RULES)
}

/// A page at its key step, in a keyring or, where there is none, in a file.
fn page_at_keys(place: KeyStoreKind) -> Welcome {
    let named = ProfileDraft { name: "harbour".into(), base_url: "https://api.example.com".into() };
    let (mut page, action) = Welcome::for_profile_without_key(Appearance::default(), RULES, named, None);
    assert!(matches!(action, Some(SetupAction::LookForKeyring)));
    match place {
        KeyStoreKind::Keyring => assert!(page.apply_result(SetupResult::Keyring(Ok(()))).is_none()),
        KeyStoreKind::File => {
            assert!(page.apply_result(SetupResult::Keyring(Err("no keyring".into()))).is_none());
            assert!(type_text(&mut page, "f").is_none());
        }
    }
    page
}

/// Types characters; `\t` and `\n` are Tab and Enter. Returns what the last key led to.
fn type_text(page: &mut Welcome, text: &str) -> Option<SetupAction> {
    text.chars().fold(None, |_, character| {
        page.handle_key(match character {
            '\t' => KeyCode::Tab.into(),
            '\n' => KeyCode::Enter.into(),
            other => KeyCode::Char(other).into(),
        })
    })
}

fn press(page: &mut Welcome, code: KeyCode) -> Option<SetupAction> {
    page.handle_key(code.into())
}

#[test]
fn the_demo_the_set_up_and_the_way_out_are_one_key_away() {
    assert!(matches!(type_text(&mut first_run_page(), "d"), Some(SetupAction::Demo)));
    assert!(matches!(type_text(&mut first_run_page(), "q"), Some(SetupAction::Quit)));
    assert!(matches!(first_run_page().handle_key(ctrl('c')), Some(SetupAction::Quit)));
    let mut page = first_run_page();
    assert!(press(&mut page, KeyCode::Esc).is_none(), "Esc never quits");
    assert!(type_text(&mut page, "s").is_none());
    assert!(matches!(page.handle_key(ctrl('c')), Some(SetupAction::Quit)), "Ctrl-C does from anywhere");
}

#[test]
fn a_profile_is_set_up_from_nothing_to_its_key() {
    let mut page = first_run_page();
    type_text(&mut page, "s");
    page.handle_key(ctrl('u'));
    type_text(&mut page, "harbour\t");
    page.handle_key(ctrl('u'));
    type_text(&mut page, "https://api.example.com\t");
    press(&mut page, KeyCode::Right);
    let Some(SetupAction::AddProfile { name, base_url, environment }) = press(&mut page, KeyCode::Enter) else {
        unreachable!("{page:?}");
    };
    assert_eq!((name.as_str(), base_url.as_str()), ("harbour", "https://api.example.com"));
    assert_eq!(environment, Some("testnet"));
    assert!(type_text(&mut page, "q\n").is_none(), "keys wait while the profile is written");
    assert!(matches!(page.apply_result(SetupResult::Added(Ok(()))), Some(SetupAction::LookForKeyring)));
    assert!(page.apply_result(SetupResult::Keyring(Ok(()))).is_none());
    type_text(&mut page, "sk_1\t");
    let Some(SetupAction::Store { key_store: place, api_key, wallet_secret, passphrase }) =
        type_text(&mut page, "ws_1\n")
    else {
        unreachable!("{page:?}");
    };
    assert_eq!((place, api_key.expose_secret()), (KeyStoreKind::Keyring, "sk_1"));
    assert_eq!(wallet_secret.as_ref().map(ExposeSecret::expose_secret), Some("ws_1"));
    assert!(passphrase.is_none());
    assert!(page.apply_result(SetupResult::Stored(Ok(()))).is_none());
    assert!(page.api_key.text().is_empty(), "what is kept is let go here");
    assert!(matches!(type_text(&mut page, "\n"), Some(SetupAction::Open)));
}

#[test]
fn a_field_is_left_forward_when_it_is_right_and_backward_always() {
    let mut page = first_run_page();
    type_text(&mut page, "s");
    type_text(&mut page, " wrong\t");
    assert_eq!((page.focus, page.name.fault.as_deref()), (0, Some("write it without blanks")));
    type_text(&mut page, "x");
    assert_eq!(page.name.fault, None, "typing goes on without a reproach");
    page.handle_key(ctrl('u'));
    type_text(&mut page, "right\t");
    assert_eq!(page.focus, 1);
    page.paste(" two words\n");
    press(&mut page, KeyCode::BackTab);
    assert_eq!(page.focus, 0);
    type_text(&mut page, "\t\t");
    assert_eq!((page.focus, page.base_url.fault.is_some()), (1, true));
    assert_eq!(page.base_url.text(), "https:// two words");
}

#[test]
fn a_file_wants_the_same_passphrase_twice() {
    let mut page = page_at_keys(KeyStoreKind::File);
    assert!(type_text(&mut page, "sk_1\t\tcorrect\tstaple\n").is_none());
    assert!(page.passphrase_repeat.fault.as_deref().unwrap().contains("differ"));
    page.handle_key(ctrl('u'));
    let Some(SetupAction::Store { key_store: place, wallet_secret, passphrase, .. }) =
        type_text(&mut page, "correct\n")
    else {
        unreachable!("{page:?}");
    };
    assert_eq!((place, passphrase.unwrap().expose_secret()), (KeyStoreKind::File, "correct"));
    assert!(wallet_secret.is_none(), "an empty one is none");
    page.apply_result(SetupResult::Stored(Err("the disk is full".into())));
    assert_eq!(
        (page.fault.as_deref(), page.api_key.text()),
        (Some("the disk is full"), "sk_1"),
        "nothing typed is lost"
    );
}

#[test]
fn the_first_field_that_is_wrong_gets_the_keys() {
    let mut page = page_at_keys(KeyStoreKind::Keyring);
    type_text(&mut page, "sk_1\tw s");
    press(&mut page, KeyCode::Up);
    page.handle_key(ctrl('u'));
    type_text(&mut page, "sk");
    press(&mut page, KeyCode::Down);
    assert!(type_text(&mut page, "\n").is_none());
    assert_eq!((page.focus, page.wallet_secret.fault.is_some()), (1, true));
}

#[test]
fn without_a_keyring_other_places_are_offered_by_name() {
    let named = ProfileDraft { name: "harbour".into(), base_url: "https://api.example.com".into() };
    let (mut page, _) = Welcome::for_profile_without_key(Appearance::default(), RULES, named, None);
    page.apply_result(SetupResult::Keyring(Err("no keyring".into())));
    assert!(matches!(type_text(&mut page, "r"), Some(SetupAction::LookForKeyring)));
    page.apply_result(SetupResult::Keyring(Err("no keyring".into())));
    assert!(matches!(type_text(&mut page, "e"), Some(SetupAction::UseEnvironment)));
    page.apply_result(SetupResult::Environment(Ok(())));
    assert!(matches!(type_text(&mut page, "q"), Some(SetupAction::Quit)));
    let mut page_after_escape = page_at_keys(KeyStoreKind::Keyring);
    type_text(&mut page_after_escape, "sk_1");
    press(&mut page_after_escape, KeyCode::Esc);
    assert!(page_after_escape.api_key.text().is_empty(), "a key that was not kept is let go");
    assert!(
        matches!(type_text(&mut page_after_escape, "s"), Some(SetupAction::LookForKeyring)),
        "the profile is there, its key is wanted"
    );
}

#[test]
fn a_profile_that_wants_a_file_is_not_given_a_keyring() {
    let named = ProfileDraft { name: "harbour".into(), base_url: "https://api.example.com".into() };
    let (mut page, action) =
        Welcome::for_profile_without_key(Appearance::default(), RULES, named, Some(KeyStoreKind::File));
    assert!(action.is_none() && page.stage == SetupStage::Keys(KeyStoreKind::File));
    press(&mut page, KeyCode::Esc);
    assert!(type_text(&mut page, "s").is_none() && page.stage == SetupStage::Keys(KeyStoreKind::File));
}

#[test]
fn a_whole_address_that_is_pasted_takes_the_place_of_its_beginning() {
    let mut page = first_run_page();
    type_text(&mut page, "s\t");
    page.paste("http://127.0.0.1:8460\n");
    assert_eq!(page.base_url.text(), "http://127.0.0.1:8460");
    page.handle_key(ctrl('u'));
    page.paste("https://");
    page.paste("api.example.com");
    assert_eq!(page.base_url.text(), "https://api.example.com");
}

#[test]
fn a_whole_address_that_is_typed_takes_its_place_as_well() {
    let mut page = first_run_page();
    type_text(&mut page, "s\thttp://127.0.0.1:8460");
    assert_eq!(page.base_url.text(), "http://127.0.0.1:8460");
}

#[test]
fn a_profile_that_cannot_be_written_leaves_the_form_as_it_was() {
    let mut page = first_run_page();
    type_text(&mut page, "s\t\t\n");
    page.apply_result(SetupResult::Added(Err("there is a profile main already".into())));
    assert_eq!((&page.stage, page.profile()), (&SetupStage::Service, None));
    assert_eq!(page.name.text(), "main");
}

#[test]
fn no_secret_is_in_what_debug_prints() {
    let mut page = page_at_keys(KeyStoreKind::File);
    type_text(&mut page, "sk_planted\tws_planted\tpass_planted\tpass_planted");
    let debug_text = format!("{page:?} {:?}", page.handle_key(KeyCode::Enter.into()));
    assert!(debug_text.contains("Store") && !debug_text.contains("planted"), "{debug_text}");
}

#[test]
fn a_field_takes_no_more_than_a_key_can_have() {
    let mut field = SetupField::new_masked();
    let room = 4096 + 64;
    field.paste(&"k".repeat(room + 1));
    assert!(field.text().len() == room && field.fault.is_some());
}
