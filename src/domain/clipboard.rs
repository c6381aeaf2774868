//! The operator's clipboard, as seen through the terminal. The escape sequences are in `runtime`, the messages in
//! `app`.

/// The program that receives a text for the clipboard. It is recognised by names in the environment, never queried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClipboardRoute {
    /// The terminal itself. Most terminals accept it, some only when configured to, and none confirms it.
    #[default]
    Terminal,
    /// tmux, which forwards it to the terminal only when configured to.
    Tmux,
    /// GNU screen, or a remote tmux under its name.
    Screen,
    /// This kind of terminal has no clipboard.
    Missing,
}
