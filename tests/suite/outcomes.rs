use super::harness::{Session, Setup};
use std::time::Duration;

#[test]
fn scratch() {
    let mut session = Session::with(Setup { size: (120, 40), ..Setup::default() });
    session.keys("Tab j");
    println!("{}", session.screen());
    session.keys("w");
    println!("{}", session.screen());
    for step in ["Enter", "Tab", "'USDC'", "Enter"] {
        session.keys(step);
        println!("== {step}\n{}", session.screen());
    }
}
