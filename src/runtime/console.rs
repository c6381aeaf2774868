//! The console as a program for the loop: messages into the model, effects out of it.

use std::io;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::perform::{Delivery, Performer, Request, World};
use crate::app::{self, Effect, Model, Msg, Settings, Size};
use crate::domain::Timestamp;

/// Model, performer, and what the performer delivers.
pub struct Console {
    model: Model,
    performer: Performer,
    deliveries: UnboundedReceiver<Delivery>,
    under_way: usize,
    changed: bool,
    request: Option<Request>,
}

impl Console {
    /// A console over its world. Its first questions go to the store at once, its first reads when
    /// [`Console::connect`] is called.
    pub fn new(settings: Settings, world: World, handle: Handle, size: Size) -> io::Result<Self> {
        let (sender, deliveries) = unbounded_channel();
        let model = Model::new(settings, size, world.clock.now());
        let performer = Performer::new(world, handle, sender)?;
        let mut console = Self { model, performer, deliveries, under_way: 0, changed: true, request: None };
        let effects = app::start(&mut console.model);
        console.perform(effects);
        Ok(console)
    }

    /// Starts to read from the service.
    pub fn connect(&mut self) {
        let effects = app::connect(&mut self.model);
        self.perform(effects);
    }

    /// What the screen shows.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How many effects are still to deliver something.
    pub fn under_way(&self) -> usize {
        self.under_way
    }

    /// Takes in a message; says what the loop must do itself.
    pub fn receive(&mut self, msg: Msg) -> Option<Request> {
        self.changed = true;
        let effects = app::update(&mut self.model, msg);
        self.perform(effects);
        self.request.take()
    }

    fn take(&mut self, delivery: Delivery) {
        match delivery {
            Delivery::Message(msg) => {
                self.receive(msg);
            }
            Delivery::Done => self.under_way = self.under_way.saturating_sub(1),
        }
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match self.performer.perform(effect) {
                Some(request) => self.request = Some(request),
                None => self.under_way += 1,
            }
        }
    }
}
