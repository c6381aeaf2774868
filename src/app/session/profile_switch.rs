//! Switching to another profile without leaving the program.
//!
//! No state is carried over: this console ends as on quitting, and another one starts in the same terminal. So the
//! switch is refused while this console holds unsaved work, or tracks an order that must not be left alone.

mod switch;

use crate::domain::Text;
pub(in crate::app) use switch::{open_profile, refusal};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherProfile {
    pub name: Text,
    /// Address and network of its service.
    pub destination: Text,
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::*;
    use crate::app::forms::form_state::FormState;
    use crate::app::model::Settings;
    use crate::app::model::{Mode, Model};
    use crate::app::msg::Effect;
    use crate::app::orders;
    use crate::app::orders::unresolved_count;
    use crate::app::{Msg, Size, update};
    use crate::domain::{Operation, Timestamp};

    fn model() -> Model {
        let quay = OtherProfile { name: "quay".into(), destination: "https://quay.example.com (mainnet)".into() };
        let settings = Settings { profiles: vec![quay], ..Settings::sample() };
        Model::new(settings, Size { width: 80, height: 24 }, Timestamp::from_millis(1_793_620_000_000))
    }

    fn type_text(model: &mut Model, text: &str) -> Vec<Effect> {
        let keys = text.chars().map(KeyCode::Char).chain([KeyCode::Enter]);
        keys.flat_map(|key| update(model, Msg::Key(key.into()))).collect()
    }

    #[test]
    fn another_profile_is_opened_by_its_name() {
        let mut model = model();
        assert_eq!(type_text(&mut model, ":profile quay"), [Effect::OpenProfile("quay".into())]);
    }

    #[test]
    fn an_order_that_is_being_sent_keeps_the_profile_open_though_no_answer_is_waited_for() {
        use crate::domain::order::{Confirmation, OrderEvent, SendReason};
        let mut model = model();
        let mut order = crate::app::forms::tests::account_order("Ops");
        let stamp = order.created.clone();
        order.apply(
            stamp.clone(),
            OrderEvent::Confirmed(Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None }),
        );
        let gives_up_at = model.now.plus(std::time::Duration::from_secs(20));
        order.apply(stamp, OrderEvent::Sending { attempt: 1, reason: SendReason::Confirmed, gives_up_at });
        update(&mut model, Msg::Orders(Ok(vec![order])));
        assert!(!orders::is_awaiting_any_answer(&model) && unresolved_count(&model) == 0);
        assert_eq!(type_text(&mut model, ":profile quay"), []);
        assert!(model.notice.as_deref().unwrap().contains("is on its way"), "{:?}", model.notice);
    }

    #[test]
    fn what_would_be_lost_keeps_the_profile_open_and_says_so() {
        let mut model = model();
        model.forms.drafts.push(FormState::new(Operation::Withdraw));
        assert_eq!(type_text(&mut model, ":profile quay"), []);
        assert!(model.notice.as_deref().unwrap().contains("a form holds an unsent draft"), "{:?}", model.notice);
        assert!(matches!(model.mode, Mode::Palette(_)), "the palette stays open");
        model.forms.drafts.clear();
        model.overlays.exports.progress = Some((1, 2));
        update(&mut model, Msg::Key(KeyCode::Esc.into()));
        assert_eq!(type_text(&mut model, ":profile quay"), []);
        assert!(model.notice.as_deref().unwrap().contains("x stops it"), "{:?}", model.notice);
    }
}
