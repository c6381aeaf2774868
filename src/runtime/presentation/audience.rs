//! The number of spectators, and the sizes of their windows, for the presenter.

use std::collections::BTreeMap;

use crate::app::Size;

use super::Presentation;

/// The windows of all spectators, by order of arrival.
#[derive(Debug, Clone, Default)]
pub(super) struct Audience {
    next_number: u64,
    /// `None` while the size is unknown.
    spectator_windows: BTreeMap<u64, Option<Size>>,
}

impl Audience {
    pub(super) fn spectator_count(&self) -> usize {
        self.spectator_windows.len()
    }

    /// A summary for a presenter with this window, and whether any spectator sees only a part of it.
    pub(super) fn summary(&self, own: Size) -> (String, bool) {
        let count = self.spectator_count();
        if count == 0 {
            return ("presenting: no spectators yet; they log in as watch".into(), false);
        }
        let windows = || self.spectator_windows.values().flatten();
        let smaller = windows().filter(|window| window.width < own.width || window.height < own.height).count();
        let width = windows().map(|window| window.width).min();
        let height = windows().map(|window| window.height).min();
        let Some((width, height)) = width.zip(height).filter(|_| smaller > 0) else {
            return (format!("presenting to {count}: all see it whole"), false);
        };
        let see = if smaller == 1 { "sees" } else { "see" };
        (format!("presenting to {count}: {smaller} {see} only a part; all would see {width}×{height} whole"), true)
    }
}

/// Counts a spectator until dropped.
#[derive(Debug)]
pub(super) struct SpectatorCountGuard {
    presentation: Presentation,
    number: u64,
}

impl SpectatorCountGuard {
    pub(super) fn new(presentation: Presentation) -> Self {
        let mut number = 0;
        presentation.0.audience.send_modify(|audience| {
            number = audience.next_number;
            audience.next_number = audience.next_number.wrapping_add(1);
            audience.spectator_windows.insert(number, None);
        });
        Self { presentation, number }
    }

    pub(super) fn set_window(&self, window: Size) {
        self.presentation.0.audience.send_if_modified(|audience| {
            audience.spectator_windows.insert(self.number, Some(window)) != Some(Some(window))
        });
    }
}

impl Drop for SpectatorCountGuard {
    fn drop(&mut self) {
        self.presentation.0.audience.send_modify(|audience| {
            audience.spectator_windows.remove(&self.number);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window_size(width: u16, height: u16) -> Size {
        Size { width, height }
    }

    #[test]
    fn a_presenter_is_told_how_many_look_on_and_what_the_smallest_of_them_would_see_whole() {
        let presentation = Presentation::default();
        let summary = |width, height| presentation.0.audience.borrow().summary(window_size(width, height)).0;
        assert!(summary(80, 24).starts_with("presenting: no spectators yet"));
        let (one, other) =
            (SpectatorCountGuard::new(presentation.clone()), SpectatorCountGuard::new(presentation.clone()));
        assert_eq!(summary(80, 24), "presenting to 2: all see it whole", "no size is known yet");
        one.set_window(window_size(120, 30));
        other.set_window(window_size(100, 50));
        assert_eq!(summary(100, 30), "presenting to 2: all see it whole");
        // Neither window is that small, and both show that much.
        assert_eq!(summary(120, 30), "presenting to 2: 1 sees only a part; all would see 100×30 whole");
        assert_eq!(summary(200, 60), "presenting to 2: 2 see only a part; all would see 100×30 whole");
        drop(other);
        assert_eq!(summary(200, 60), "presenting to 1: 1 sees only a part; all would see 120×30 whole");
        drop(one);
        assert!(summary(80, 24).starts_with("presenting: no spectators yet"));
    }
}
