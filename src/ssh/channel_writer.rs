//! The console's output: a visitor's channel. A write completes when the kernel has taken it.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures::future::BoxFuture;
use russh::ChannelId;
use russh::server::Handle;
use tokio::io::AsyncWrite;

use super::transport::{OutgoingPacket, Transport};

#[cfg(test)]
mod tests;

/// Bytes per packet. A client may ask for packets of a single byte, each of which costs dozens.
const MAX_PACKET_BYTES: usize = 8 * 1024;

pub(super) struct ChannelWriter {
    handle: Handle,
    channel: ChannelId,
    transport: Arc<Transport>,
    /// The packet being passed to the library; `true` once the library has taken it.
    handover: Option<BoxFuture<'static, bool>>,
    /// Bytes of the packet on its way.
    bytes_under_way: usize,
}

impl ChannelWriter {
    pub(super) fn new(handle: Handle, channel: ChannelId, transport: Arc<Transport>) -> Self {
        Self { handle, channel, transport, handover: None, bytes_under_way: 0 }
    }

    /// Waits until the packet on its way has left; returns its length.
    fn poll_packet_sent(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if let Some(handing) = &mut self.handover {
            let handed = ready!(handing.as_mut().poll(context));
            self.handover = None;
            if !handed {
                return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
            }
        }
        ready!(self.transport.poll_packet_sent(context))?;
        Poll::Ready(Ok(std::mem::take(&mut self.bytes_under_way)))
    }
}

impl AsyncWrite for ChannelWriter {
    /// Passes bytes on, and is ready when they have left. Until then it must be called with the same bytes again.
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.bytes_under_way == 0 && !bytes.is_empty() {
            let packet = &bytes[..bytes.len().min(MAX_PACKET_BYTES)];
            self.bytes_under_way = packet.len();
            self.transport.mark_handed_over();
            let parcel = Bytes::from_owner(OutgoingPacket::new(packet.to_vec(), Arc::clone(&self.transport)));
            let (handle, channel) = (self.handle.clone(), self.channel);
            self.handover = Some(Box::pin(async move { handle.data(channel, parcel).await.is_ok() }));
        }
        self.poll_packet_sent(context).map_ok(|count| count.min(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_packet_sent(context).map_ok(drop)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}
