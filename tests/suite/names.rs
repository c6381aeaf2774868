//! Names instead of addresses: own wallets, contacts, and what the operator named.

use super::harness::Session;

#[test]
fn movements_between_own_wallets_have_their_own_sign_and_both_names() {
    let mut session = Session::open();
    session.keys("3 / 'wallet:eth-main' Blank 'token:usdc' Enter");
    session.sees("⇄");
    session.sees("eth-main");
    session.sees("cust-");
    session.keys("Esc / 'cust-10006' Enter");
    session.sees("⇄ in");
}

#[test]
fn a_stranger_is_named_with_one_key_and_is_called_so_from_then_on() {
    let mut session = Session::open();
    session.keys("3 / 'dir:out' Blank 'token:dai' Enter j N");
    session.sees("Name this address");
    session.keys("'Coldstore' Enter");
    session.sees("address named Coldstore");
    session.sees("Coldstore");
    session.keys("Enter");
    session.sees("Coldstore · 0x");
    session.keys("Esc Esc / 'coldst' Enter");
    session.sees("Coldstore");
    session.restarts();
    session.connect();
    session.keys("3 / 'coldst' Enter");
    session.sees("Coldstore");
    // The name is given again, and taken back.
    session.keys("j N");
    session.sees("> Coldstore");
    session.keys("C-u Enter");
    session.sees("this address has no name of yours any more");
}

#[test]
fn nobody_is_named_like_somebody_else() {
    let mut session = Session::open();
    session.keys("3 / 'dir:out' Blank 'token:dai' Enter j N 'eth-main' Enter");
    session.sees("would be taken for eth-main");
    session.keys("Esc");
    session.sees_no("Name this address");
}

#[test]
fn a_wallet_and_an_account_are_named() {
    let mut session = Session::open();
    session.keys("1 j N");
    session.sees("Name this account");
    session.keys("'Vault' Enter");
    session.sees("Wallets · Vault");
}
