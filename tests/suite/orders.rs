//! The Orders page by itself: a model, messages in, effects and a screen out. Journeys over a real service stand
//! elsewhere.

mod sample_orders;

use bursar::domain::ServicePreferences;
use std::sync::Arc;
use std::time::Duration;

use bursar::app::input::keymap::ctrl;
use bursar::app::overlays::receive::address_lines;
use bursar::app::{self, Effect, Model, Msg, ProfileIdentity, Settings, Size};
use bursar::domain::address::{ShortAddresses, format_grouped, shorten_address};
use bursar::domain::address_names::AddressNames;
use bursar::domain::attention::AttentionKind;
use bursar::domain::book::{BookChange, Contact};
use bursar::domain::entry_source::{EntryField, EntryFieldSet, EntrySource, Sourced};
use bursar::domain::order::{OrderEnd, OrderState, SendReason};
use bursar::domain::{
    AddressBook, Appearance, Failure, FailureReason, Network, Order, Outcome, ReadOnlyReason, State, Text, Wallet,
    WalletId,
};
use crossterm::event::KeyCode;
use insta::assert_snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::harness::{text, without_tabs};
use sample_orders::{RECIPIENT, Story, mixed, now, unknown};

/// A console that has been told of orders.
struct Desk {
    model: Model,
}

impl Desk {
    fn new(size: (u16, u16), orders: Vec<Order>) -> Self {
        let identity = ProfileIdentity {
            name: Text::clean("Harbour Trading"),
            profile: "harbour".into(),
            environment: Some(Network::Testnet),
            demo: false,
            fault: None,
            demo_role: None,
            base_url: Text::clean("https://api.example.com"),
        };
        let settings = Settings {
            identity,
            preferences: ServicePreferences { probe_lists: false, ..ServicePreferences::default() },
            zone: bursar::domain::Zone::default(),
            appearance: Appearance::default(),
            profiles: Vec::new(),
            read_only: None,
            prices: bursar::app::data::prices::PriceSettings::default(),
            veil: bursar::app::session::veil::Veil::default(),
            lock: bursar::app::session::lock::LockSettings::default(),
            seed: 0,
        };
        let mut desk = Self { model: Model::new(settings, Size { width: size.0, height: size.1 }, now()) };
        desk.tell(Msg::Orders(Ok(orders)));
        desk
    }

    /// The same with one order, which is shown whole.
    fn at(order: Order) -> Self {
        let mut desk = Self::new((80, 24), vec![order]);
        desk.keys("4jE");
        desk
    }

    fn tell(&mut self, msg: Msg) -> Vec<Effect> {
        app::update(&mut self.model, msg)
    }

    /// Presses keys, `E` being Enter and `<` being Esc; what is due without them is left out.
    fn keys(&mut self, keys: &str) -> Vec<Effect> {
        let mut effects = Vec::new();
        for key in keys.chars() {
            effects = self.tell(Msg::Key(match key {
                'E' => KeyCode::Enter.into(),
                '<' => KeyCode::Esc.into(),
                key => KeyCode::Char(key).into(),
            }));
        }
        effects
    }

    /// Presses a key by which one leaves: `q`, or Ctrl and `c`.
    fn leaves_by(&mut self, key: &str) -> Vec<Effect> {
        self.tell(Msg::Key(if key == "q" { KeyCode::Char('q').into() } else { ctrl('c') }))
    }

    fn screen(&self) -> String {
        let Size { width, height } = self.model.size;
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        app::view(&self.model, area, &mut buffer);
        text(&buffer)
    }

    #[track_caller]
    fn sees(&self, text: &str) {
        let screen = self.screen();
        assert!(screen.contains(text), "no “{text}” on\n{screen}");
    }

    #[track_caller]
    fn sees_no(&self, text: &str) {
        let screen = self.screen();
        assert!(!screen.contains(text), "“{text}” on\n{screen}");
    }
}

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];

fn at_each_size(name: &str, orders: impl Fn() -> Vec<Order>, keys: &str) {
    for size in SIZES {
        let mut desk = Desk::new(size, orders());
        desk.keys(keys);
        assert_snapshot!(format!("{name}-{}x{}", size.0, size.1), without_tabs(&desk.screen()));
    }
}

#[test]
fn screens_of_orders() {
    at_each_size("orders-empty", Vec::new, "4");
    at_each_size("orders-mixed", mixed, "4");
    at_each_size("order-unknown", || vec![unknown().into_order()], "4jE");
    at_each_size("order-write-off", || vec![unknown().into_order()], "4jEWpaid by handEwrite");
    at_each_size("order-send-again", || vec![unknown().into_order()], "4jESagaim");
    at_each_size("order-leave", || vec![unknown().into_order()], "4jSagainEq");
}

#[test]
fn unresolved_orders_stand_first_and_in_the_header() {
    let mut desk = Desk::new((80, 24), mixed());
    desk.sees("1 unresolved");
    desk.keys("4");
    let screen = desk.screen();
    let states =
        ["? unknown", "◌ sending", "● accepted", "· drafted", "✓ created", "✗ rejected", "✓ settled", "✗ failed"];
    let places: Vec<usize> = states.iter().map(|state| screen.find(state).expect(state)).collect();
    assert!(places.is_sorted(), "{screen}");
    desk.sees("− written off");
    // What was given up before anything was sent is counted, and shown to whoever asks.
    desk.sees("1 given up (h)");
    desk.sees_no("− given up");
    desk.keys("h");
    desk.sees("− given up");
}

#[test]
fn filtered_orders_have_their_sum_and_none_without_outcome_is_hidden() {
    let mut desk = Desk::new((140, 24), mixed());
    desk.keys("4/usdcE");
    desk.sees("/usdc");
    desk.sees("Sum of 3 of 7 orders; 1 failed, 1 without outcome, 2 not sent left out   USDC −12,540");
    desk.sees_no("− written off");
    desk.keys("/");
    desk.tell(Msg::Key(ctrl('u')));
    desk.keys("settledE");
    desk.sees("Sum of 1 order   USDC −500");
    desk.sees("? unknown");
    desk.sees("1 more without outcome in view");
    desk.sees_no("12,000");
    desk.tell(Msg::Key(KeyCode::Esc.into()));
    desk.sees_no("Sum of");
    desk.sees("12,000");
}

#[test]
fn a_filter_that_no_order_matches_says_so() {
    let ended = Story::payment(11, 172_900, "1", "USDT").ended(172_800, OrderEnd::Abandoned(None)).into_order();
    let mut desk = Desk::new((80, 24), vec![ended]);
    desk.keys("4");
    desk.sees("given up before anything was sent");
    desk.keys("/zzzE");
    desk.sees("nothing matches; Esc clears the filter");
    desk.sees_no("given up before anything was sent");
}

#[test]
fn an_order_that_nobody_answers_becomes_unresolved_with_the_time_alone() {
    let mut desk = Desk::new(
        (80, 24),
        vec![Story::payment(1, 9, "5", "USDC").confirmed(4).sent(3, SendReason::Confirmed).into_order()],
    );
    desk.keys("4j");
    desk.sees("◌ sending");
    desk.sees_no("unresolved");
    desk.tell(Msg::Tick(now().plus(Duration::from_secs(17))));
    desk.sees("? unknown");
    desk.sees("1 unresolved");
}

#[test]
fn the_same_request_is_sent_again_only_after_the_word_is_typed() {
    let mut desk = Desk::at(unknown().into_order());
    assert_eq!(desk.keys("SE"), []);
    desk.sees("type “again”, or press Esc");
    assert_eq!(desk.keys("agai"), []);
    desk.tell(Msg::Paste("n".into()));
    desk.sees("typed, not pasted");
    assert_eq!(desk.keys("E"), []);
    let intent = unknown().into_order().id;
    let send = Effect::Send { order_id: intent, reason: SendReason::Operator { warned: false }, confirmation: None };
    assert_eq!(desk.keys("nE"), [send]);
    // The key pressed twice sends once.
    assert_eq!(desk.keys("SagainE"), []);
}

#[test]
fn an_old_key_is_warned_of_before_it_is_sent_again() {
    let mut desk = Desk::at(unknown().into_order());
    desk.keys("S");
    desk.sees_no("older than 12 hours");
    desk.tell(Msg::Tick(now().plus(Duration::from_hours(13))));
    // What was typed before the warning does not count.
    assert_eq!(desk.keys("againE"), []);
    desk.sees("older than 12 hours");
    let intent = unknown().into_order().id;
    let send = Effect::Send { order_id: intent, reason: SendReason::Operator { warned: true }, confirmation: None };
    assert_eq!(desk.keys("againE"), [send]);
}

#[test]
fn writing_off_wants_a_reason_and_the_words() {
    let mut desk = Desk::at(unknown().into_order());
    assert_eq!(desk.keys("WE"), []);
    desk.sees("enter a reason");
    assert_eq!(desk.keys("paid by handEwrite oE"), []);
    let order_id = unknown().into_order().id;
    let reason = Text::clean("paid by hand");
    assert_eq!(desk.keys("ffE"), [Effect::WriteOff { order_id, reason }]);
}

#[test]
fn a_prompt_that_does_not_stand_on_the_screen_whole_confirms_nothing() {
    let intent = unknown().into_order().id;
    let send = Effect::Send { order_id: intent, reason: SendReason::Operator { warned: false }, confirmation: None };
    let written_off = Effect::WriteOff { order_id: intent, reason: Text::clean("by hand") };
    for (keys, effect) in [("Sagain", send), ("Wby handEwrite off", written_off)] {
        let mut desk = Desk::at(unknown().into_order());
        desk.keys(keys);
        for (width, height) in [(40, 10), (80, 10), (40, 13)] {
            desk.tell(Msg::Resized(Size { width, height }));
            assert_eq!(desk.keys("E"), [], "{width}x{height}");
            desk.sees("Screen too small: enlarge it");
        }
        desk.tell(Msg::Resized(Size { width: 80, height: 24 }));
        desk.sees_no("too small");
        assert_eq!(desk.keys("E"), [effect]);
    }
}

#[test]
fn a_prompt_closes_when_its_order_is_found_meanwhile() {
    let mut desk = Desk::at(unknown().into_order());
    desk.keys("Sagai");
    desk.tell(Msg::Orders(Ok(vec![unknown().observed(1, "pending", 1).into_order()])));
    desk.sees("the order has changed: it is accepted now. Nothing was done");
    assert_eq!(desk.keys("nE"), []);
}

#[test]
fn what_cannot_be_done_says_why() {
    let settled_order = mixed().into_iter().find(|order| matches!(order.end, Some((_, OrderEnd::Settled)))).unwrap();
    let mut desk = Desk::at(settled_order);
    for (key, complaint) in [
        ("S", "nothing to send"),
        ("c", "nothing to look for"),
        ("W", "nothing to write off"),
        ("X", "nothing to give up"),
    ] {
        assert_eq!(desk.keys(key), []);
        desk.sees(&format!("{complaint}: this order is settled"));
    }
    // A wallet is not looked for in the history of payments.
    let order = Story::wallet(1, 90, "w").confirmed(80).sent(79, SendReason::Confirmed).into_order();
    let mut desk = Desk::at(order);
    desk.keys("c");
    desk.sees("only payments can be found in the history");
}

#[test]
fn a_key_on_the_list_acts_on_no_order_that_nobody_chose() {
    let mut desk = Desk::new((80, 24), mixed());
    assert_eq!(desk.keys("4W"), []);
    desk.sees("this order: press the same key again");
    desk.sees("▌? unknown");
    desk.keys("W");
    desk.sees("Reason, for the record");
}

#[test]
fn what_never_left_is_given_up_and_sent_by_its_own_word() {
    let order = || Story::payment(4, 90, "1", "USDC").confirmed(80).into_order();
    let mut desk = Desk::at(order());
    assert_eq!(desk.keys("XE"), [Effect::Abandon(order().id)]);
    let mut desk = Desk::at(order());
    desk.keys("S");
    desk.sees("Nothing has left this machine");
    assert_eq!(desk.keys("againE"), []);
    desk.sees("type “send”");
}

#[test]
fn leaving_asks_while_this_console_waits_for_an_answer() {
    let mut desk = Desk::at(unknown().into_order());
    desk.keys("SagainE");
    desk.tell(Msg::Orders(Ok(vec![unknown().sent(0, SendReason::Operator { warned: false }).into_order()])));
    assert_eq!(desk.keys("q"), []);
    desk.sees("Leave?");
    desk.sees("The answer comes by");
    desk.sees("12:03:40Z or not at all");
    assert_eq!(desk.keys("n"), []);
    desk.sees_no("Leave?");
    assert_eq!(desk.keys("qy"), [Effect::Quit]);
    // Once the answer has come, what is left unresolved is still worth a question.
    assert_eq!(desk.keys("<q"), []);
    desk.tell(Msg::Sent { order_id: unknown().into_order().id, result: Ok(OrderState::Unknown) });
    desk.sees("1 order is unresolved");
    desk.tell(Msg::Orders(Ok(Vec::new())));
    desk.sees("no request is on its way any more");
    assert_eq!(desk.keys("q"), [Effect::Quit]);
}

#[test]
fn leaving_asks_once_while_an_order_is_on_its_way_or_unresolved_and_the_second_press_leaves() {
    let on_its_way = Story::payment(1, 100, "25", "USDC").confirmed(9).sent(8, SendReason::Confirmed).into_order();
    for (order, warning) in
        [(unknown().into_order(), "1 order is unresolved"), (on_its_way, "Another console has a request on its way")]
    {
        for key in ["q", "Ctrl-C"] {
            let mut desk = Desk::new((80, 24), vec![order.clone()]);
            assert_eq!(desk.leaves_by(key), [], "{warning}");
            desk.sees("Leave?");
            desk.sees(warning);
            assert_eq!(desk.leaves_by(key), [Effect::Quit], "{warning}");
        }
    }
    // What is settled, refused or given up keeps nobody.
    let settled_story =
        Story::payment(1, 100, "25", "USDC").confirmed(90).sent(89, SendReason::Confirmed).accepted(88, &[]);
    let mut desk = Desk::new((80, 24), vec![settled_story.ended(80, OrderEnd::Settled).into_order()]);
    assert_eq!(desk.keys("q"), [Effect::Quit]);
}

#[test]
fn an_answer_that_differs_is_an_alarm_until_somebody_looks() {
    let sent_story = || Story::payment(1, 100, "25", "USDC").confirmed(90).sent(89, SendReason::Confirmed);
    let difference = "the answer says amount 250, the request 25";
    let mut desk = Desk::new((80, 24), vec![sent_story().accepted(88, &[difference]).into_order()]);
    desk.sees("ALARM");
    desk.keys("4jE");
    desk.sees("the answer says amount 250, the request 25");
    desk.keys("<");
    desk.sees("● accepted !");
    desk.sees_no("ALARM");
    // What comes up after somebody looked is another alarm.
    let order = sent_story().accepted(88, &[difference, "the answer says another chain"]);
    desk.tell(Msg::Orders(Ok(vec![order.into_order()])));
    desk.sees("ALARM");
}

#[test]
fn a_journal_that_cannot_be_read_says_so_and_keeps_what_was_known() {
    let damaged = || Failure::from_read(FailureReason::Local, "the journal is damaged at record 7");
    let mut desk = Desk::new((80, 24), Vec::new());
    desk.tell(Msg::Orders(Err(damaged())));
    desk.keys("4");
    desk.sees("damaged at record 7");
    let mut desk = Desk::new((120, 36), mixed());
    desk.tell(Msg::Orders(Err(damaged())));
    desk.keys("4");
    desk.sees("damaged at record 7");
    desk.sees("? unknown");
}

#[test]
fn a_console_without_a_journal_never_looks_like_one_without_orders() {
    let mut desk = Desk::new((80, 24), Vec::new());
    desk.model.console.read_only = Some(ReadOnlyReason::NoJournal { cause: "the journal is damaged: page 16".into() });
    desk.sees("Payments disabled, no orders shown: the journal is damaged: page 16");
    desk.keys("4");
    desk.sees("orders are not shown, not even open ones: the journal is damaged: page 16");
    desk.model.console.read_only = Some(ReadOnlyReason::ByOption);
    desk.sees("no orders on this machine; this console is read-only");
    desk.sees("read-only");
    desk.sees_no("Payments disabled");
}

#[test]
fn every_size_shows_orders_and_their_prompts() {
    for (width, height) in [(40, 10), (41, 12), (60, 15), (79, 23), (100, 20), (159, 29), (160, 30), (300, 90)] {
        for keys in ["4", "4jE", "4jES", "4jEW", "4q"] {
            let mut desk = Desk::new((width, height), mixed());
            desk.keys(keys);
            // However short room is, where money goes and what nobody knows of stand whole in the first line.
            desk.sees("testnet");
            desk.sees("1 unresolved");
        }
        let mut desk = Desk::new((width, height), vec![unknown().into_order()]);
        desk.keys("4jEW");
        desk.sees("Reason, for the record");
        desk.sees("Type “write off” to close it");
    }
}

#[test]
fn looks_that_found_the_same_are_told_in_one_line_and_bytes_are_shown_whole() {
    let order = unknown().not_seen(50, true).not_seen(40, true).not_seen(30, false);
    let mut desk = Desk::new((200, 90), vec![order.into_order()]);
    desk.keys("4jE");
    desk.sees("history read, 3 times until 11-02 12:02:40: not seen in the whole history since it was sent");
    desk.sees("history read: not seen, but the history was not read back to the sending");
    // Longer than any text that is shown in a list.
    let long = "9".repeat(1_500);
    let order = Story::wallet(1, 90, &format!("{long}z"));
    let mut desk = Desk::new((200, 90), vec![order.into_order()]);
    desk.keys("4jE");
    let screen: String = desk.screen().split_whitespace().collect();
    assert!(screen.contains(&format!("{long}z")), "{screen}");
}

#[test]
fn whoever_receives_is_told_of_chain_and_network() {
    let said_of = |demo: bool, network: Option<&str>, state: State, imported: EntryFieldSet| {
        let mut desk = Desk::new((80, 24), Vec::new());
        desk.model.console.identity.demo = demo;
        desk.model.console.identity.environment = None;
        let wallet = Wallet {
            name: Some("main".into()),
            address: Some(RECIPIENT.into()),
            network: network.map(Text::clean),
            state: Some(state),
            ..Wallet::new(WalletId::from_text("w"), "base".into())
        };
        let wallet = Sourced {
            entry: wallet,
            source: EntrySource::Listed,
            imported_fields: imported,
            conflicting_addresses: Vec::new(),
        };
        address_lines(&desk.model, &wallet).into_iter().map(|(text, _)| text).collect::<Vec<_>>().join("\n")
    };
    let receive_text =
        |demo: bool, network: Option<&str>, state: State| said_of(demo, network, state, EntryFieldSet::default());
    let real = receive_text(false, Some("mainnet"), State::Live);
    let imported = said_of(false, Some("mainnet"), State::Live, [EntryField::Address].into_iter().collect());
    assert!(imported.contains("was imported, not reported by the service") && !real.contains("imported"), "{imported}");
    assert!(real.contains("Base mainnet\n") && real.contains("0x d8dA 6BF2"), "{real}");
    assert!(real.contains("Only what is sent on Base arrives here"), "{real}");
    assert!(!real.contains("Test network") && !real.contains("DEMO") && !real.contains("INACTIVE"), "{real}");
    for network in ["testnet", "sepolia"] {
        assert!(receive_text(false, Some(network), State::Live).contains("real coins sent here are lost"), "{network}");
    }
    assert!(receive_text(true, Some("mainnet"), State::Live).contains("Send nothing real"));
    assert!(receive_text(false, None, State::Inactive).contains("This wallet is INACTIVE"));
}

/// An address that begins and ends like [`RECIPIENT`].
const FORGED: &str = "0xd8dA1111222233334444555566667777a8896045";

#[test]
fn two_recipients_who_look_alike_are_told_apart_wherever_orders_are_named() {
    let unknown = |number, to: &str| {
        let batch = Story::batch(number, 150, "25", &[to]).confirmed(142).sent(140, SendReason::Confirmed);
        batch.answered(120, Outcome::Unknown, None, "no answer in 20 s").into_order()
    };
    let similar = shorten_address(RECIPIENT);
    assert_eq!(similar, shorten_address(FORGED));
    let mut desk = Desk::new((160, 48), Vec::new());
    desk.tell(Msg::Orders(Ok(vec![unknown(1, RECIPIENT), unknown(2, FORGED)])));
    let short = ShortAddresses::new([RECIPIENT, FORGED]);
    let (recipient, forged) = (short.shorten(RECIPIENT), short.shorten(FORGED));
    // What needs somebody, the events, and the order by itself.
    for (keys, shortened_addresses) in
        [("!", [&recipient, &forged]), ("6", [&recipient, &forged]), ("4jE", [&recipient; 2]), ("<jE", [&forged; 2])]
    {
        desk.keys(keys);
        for short in shortened_addresses {
            desk.sees(&format!(" {short}"));
        }
        desk.sees_no(&similar);
    }
    // The question before an order is sent again.
    desk.keys("S");
    desk.sees_no(&similar);
}

#[test]
fn the_recipients_of_a_batch_have_their_names_beside_their_addresses() {
    const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
    let batch = |recipients: &[&str]| Story::batch(1, 30, "25", recipients).into_order();
    let mut desk = Desk::at(batch(&[RECIPIENT, STRANGER]));
    let contact = Contact {
        name: "Zebra Stores".into(),
        address: RECIPIENT.into(),
        blockchain: "ethereum".into(),
        tag: None,
        note: None,
    };
    let book = AddressBook::from_changes([(BookChange::Entered(contact), now())]);
    desk.model.data.analyses.names.names = Arc::new(AddressNames::of_book(&book));
    desk.sees("2 recipients");
    desk.sees(&format!("{} Zebra", format_grouped(RECIPIENT)));
    desk.sees(&format!("{}\n", format_grouped(STRANGER)));
    let mut desk = Desk::at(batch(&[RECIPIENT]));
    desk.model.data.analyses.names.names = Arc::new(AddressNames::of_book(&book));
    desk.sees(&format!("Zebra Stores ({})", shorten_address(RECIPIENT)));
}

#[test]
fn orders_that_cannot_be_read_need_somebody_until_they_can() {
    let mut desk = Desk::new((120, 36), Vec::new());
    desk.tell(Msg::Orders(Err(Failure::from_read(FailureReason::Local, "the disk is gone"))));
    desk.keys("!");
    desk.sees("records unreadable");
    desk.sees("orders cannot be read: ");
    desk.sees("the disk is gone");
    desk.sees(AttentionKind::Records.advice());
    desk.tell(Msg::Orders(Ok(Vec::new())));
    desk.sees_no("records unreadable");
}
