use super::super::model::Settings;
use super::*;
use crate::app::model::Model;
use crate::app::screen::{MIN_SCREEN_SIZE, Page};
use crate::domain::{ServicePreferences, Timestamp};

fn model(width: u16, height: u16) -> Model {
    let settings = Settings { preferences: ServicePreferences::default(), ..Settings::sample() };
    Model::new(settings, Size { width, height }, Timestamp::from_millis(0))
}

/// At every size and on every page: places lie within the screen, and boxed panes side by side do not overlap.
#[test]
fn every_pane_lies_within_the_screen() {
    for width in (1..=260).step_by(3) {
        for height in 1..=80 {
            for page in Page::ALL {
                for zoomed in [false, true] {
                    let mut model = model(width, height);
                    model.page = page;
                    model.pages.is_zoomed = zoomed;
                    let ScreenLayout::Full { page: Arrangement { panes: places, detail, .. }, footer, .. } =
                        plan_layout(&model)
                    else {
                        assert!(width < MIN_SCREEN_SIZE.width || height < MIN_SCREEN_SIZE.height);
                        continue;
                    };
                    for area in places.iter().map(|place| place.area).chain(detail) {
                        assert!(
                            area.x + area.width <= width && area.y + area.height <= footer.y,
                            "{width}x{height} {area:?}"
                        );
                        assert!(area.height >= 3, "{width}x{height} {page:?} {area:?}");
                    }
                    assert!(
                        places.iter().all(|place| place.visible_rows() >= 1),
                        "{width}x{height} {page:?} {places:?}"
                    );
                    assert!(places.iter().any(|place| place.pane == model.focus()));
                }
            }
        }
    }
}
