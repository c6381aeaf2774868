//! The host that lends the demo over SSH: from the real client of OpenSSH in a real terminal, from another client inside
//! the tests, and from sockets that speak no SSH at all.

mod access;
mod algorithms;
mod arriving;
mod caller;
mod drops;
mod ends;
mod floods;
mod lender;
mod line;
mod presenting;
mod refusals;
mod standstill;
mod visits;
