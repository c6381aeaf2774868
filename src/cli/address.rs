//! Addresses to listen on, as they are written.

use std::net::SocketAddr;

/// Reads an address and a port; `port` stands in the example of what would be right.
pub(super) fn read(text: &str, port: u16) -> Result<SocketAddr, String> {
    let numeric = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let address = numeric.as_deref().unwrap_or(text).parse();
    address.map_err(|_| format!("write an address and a port, as in 127.0.0.1:{port} or [::1]:{port}"))
}
