//! What those see who look on while one presents, at the sizes of their own terminals.

use bursar::domain::{Appearance, Glyphs};
use bursar::runtime::Program as _;
use bursar::runtime::presentation::Presentation;
use insta::assert_snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::harness::{Session, Setup, text};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];

/// What a terminal of this size shows of a place where one may present.
fn spectator_screen(presentation: &Presentation, (width, height): (u16, u16), looks: Appearance) -> String {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    presentation.new_spectator(looks).view(area, &mut buffer);
    text(&buffer)
}

#[test]
fn whoever_comes_early_is_told_to_wait() {
    let presentation = Presentation::default();
    for size in SIZES {
        assert_snapshot!(
            format!("presentation-before-{}x{}", size.0, size.1),
            spectator_screen(&presentation, size, Appearance::default())
        );
    }
}

#[test]
fn whoever_stays_while_the_presenter_is_away_is_told_so() {
    let presentation = Presentation::default();
    drop(presentation.take_over_presenter_slot());
    let size = SIZES[0];
    assert_snapshot!("presentation-away-80x24", spectator_screen(&presentation, size, Appearance::default()));
}

#[test]
fn a_presented_screen_is_shown_as_it_is_or_as_much_of_it_as_there_is_room_for() {
    let session = Session::with(Setup { size: (120, 36), with_valuation: false, ..Setup::default() });
    let presentation = Presentation::default();
    let lectern = presentation.take_over_presenter_slot();
    lectern.show_frame(&session.buffer());
    for size in SIZES {
        assert_snapshot!(
            format!("presentation-{}x{}", size.0, size.1),
            spectator_screen(&presentation, size, Appearance::default())
        );
    }
    // What a terminal cannot paint has its stand-in here, too, whatever the presenter's can.
    let ascii =
        spectator_screen(&presentation, SIZES[1], Appearance { glyphs: Glyphs::AsciiOnly, ..Appearance::default() });
    assert!(ascii.is_ascii(), "{ascii}");
}

#[test]
fn what_the_presenter_veils_is_veiled_for_all() {
    let session = Session::with(Setup { veiled: true, ..Setup::default() });
    let presentation = Presentation::default();
    let lectern = presentation.take_over_presenter_slot();
    lectern.show_frame(&session.buffer());
    let screen = spectator_screen(&presentation, (120, 37), Appearance::default());
    assert!(screen.contains("veiled") && !screen.contains("Harbour Trading"), "{screen}");
    assert!(!screen.contains("1,188,314"), "{screen}");
}
