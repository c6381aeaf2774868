//! Listening addresses as arguments.

use std::net::SocketAddr;

/// Parses an address and a port; `port` is used in the example of the error message.
pub(super) fn parse_socket_address(text: &str, port: u16) -> Result<SocketAddr, String> {
    let numeric = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let address = numeric.as_deref().unwrap_or(text).parse();
    address.map_err(|_| format!("write an address and a port, as in 127.0.0.1:{port} or [::1]:{port}"))
}
