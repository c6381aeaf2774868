//! Markets: listed tokens and their blockchains.

pub mod view;

use super::super::keys::moved;
use super::super::update;
use crate::app::Model;
use crate::app::keymap::Command;
use crate::app::msg::Effect;
use crate::app::screen::Pane;

/// Moves in a list of the page; another token has other pairs and chains.
pub(in crate::app) fn motion(model: &mut Model, pane: Pane, command: Command) -> Vec<Effect> {
    match pane {
        Pane::Chains => moved(&mut model.chains, command, false),
        Pane::Pairs => moved(&mut model.pairs, command, false),
        _ => {
            moved(&mut model.tokens, command, false);
            model.chains.reset();
            model.pairs.reset();
            update::show_chains(model);
            false
        }
    };
    Vec::new()
}
