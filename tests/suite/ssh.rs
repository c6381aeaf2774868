//! The host that lends the demo over SSH: from the real client of OpenSSH in a real terminal, from another client inside
//! the tests, and from sockets that speak no SSH at all.

mod access;
mod algorithms;
mod dropped_connections;
mod floods;
mod four_eyes;
mod host_process;
mod login_time_outs;
mod presenting;
mod queue;
mod refused_requests;
mod session_ends;
mod sessions;
mod stalled_client;
mod test_client;
