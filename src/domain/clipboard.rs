//! The way to the clipboard of whoever sits at the terminal, as a name alone: what is written on it stands in
//! `runtime`, and what is said of it in `app`.

/// What takes a text on its way to the clipboard. It is told from names and never asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clipboard {
    /// The terminal itself. Most take it, some only when they are told to, and none says so.
    #[default]
    Terminal,
    /// tmux, which hands it on to the terminal only when it is told to.
    Tmux,
    /// GNU screen, or at the other end of a line a tmux that goes by its name.
    Screen,
    /// Nothing: this kind of terminal has no clipboard.
    Missing,
}
