//! A listener that answers byte by byte what it is told to, and remembers what it was told.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// What the other end does with one connection.
pub(super) enum ServerStep {
    /// Reads the whole request, writes these bytes, and ends.
    Answer(Vec<u8>),
    /// Reads so many bytes of the request and cuts the connection.
    CutAfter(usize),
    /// Reads the whole request, writes these bytes, and holds the connection until the client lets go of it.
    Hold(Vec<u8>),
    /// The same, with one more blank every few milliseconds.
    Drip(Vec<u8>),
}

/// One end of a wire, on a thread of its own. Each connection takes the next part; after the last one it listens no
/// more.
pub(super) struct ScriptedServer {
    pub(super) base_url: String,
    requests: UnboundedReceiver<Vec<u8>>,
}

impl ScriptedServer {
    pub(super) fn new(parts: Vec<ServerStep>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let (tell, requests) = unbounded_channel();
        std::thread::spawn(move || {
            for part in parts {
                let (mut stream, _) = listener.accept().unwrap();
                let request = play_step(&mut stream, part);
                if tell.send(request).is_err() {
                    return;
                }
            }
        });
        Self { base_url, requests }
    }

    /// One answer to one request.
    pub(super) fn answering_once(bytes: impl AsRef<[u8]>) -> Self {
        Self::new(vec![ServerStep::Answer(bytes.as_ref().to_vec())])
    }

    /// What came over the next connection, once it has ended.
    pub(super) async fn next_request(&mut self) -> String {
        String::from_utf8(self.requests.recv().await.unwrap()).unwrap()
    }

    /// What came over each connection, once every part was played.
    pub(super) async fn all_requests(mut self) -> Vec<Vec<u8>> {
        let mut requests = Vec::new();
        while let Some(one) = self.requests.recv().await {
            requests.push(one);
        }
        requests
    }
}

fn play_step(stream: &mut TcpStream, part: ServerStep) -> Vec<u8> {
    stream.set_nodelay(true).unwrap();
    match part {
        ServerStep::CutAfter(most) => {
            let mut request = vec![0; most];
            stream.read_exact(&mut request).unwrap();
            request
        }
        ServerStep::Answer(bytes) => {
            let mut request = read_request(stream);
            // A client that has seen enough closes its end, which is its right.
            if stream.write_all(&bytes).is_ok() && stream.shutdown(Shutdown::Write).is_ok() {
                drop(stream.read_to_end(&mut request));
            }
            request
        }
        ServerStep::Hold(bytes) => {
            let mut request = read_request(stream);
            if stream.write_all(&bytes).is_ok() {
                drop(stream.read_to_end(&mut request));
            }
            request
        }
        ServerStep::Drip(bytes) => {
            let request = read_request(stream);
            let mut outcome = stream.write_all(&bytes);
            stream.set_read_timeout(Some(std::time::Duration::from_millis(5))).unwrap();
            while outcome.is_ok() {
                // The pause between two drops is how long a read takes that gets nothing.
                drop(stream.read(&mut [0]));
                outcome = stream.write_all(b" ");
            }
            request
        }
    }
}

/// One whole request: its head, and as many bytes as that says.
fn read_request(stream: &mut TcpStream) -> Vec<u8> {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).unwrap_or(0) == 0 {
            return request;
        }
        request.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&request).to_ascii_lowercase();
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next()).unwrap_or("0");
    let mut body = vec![0; length.parse().unwrap()];
    stream.read_exact(&mut body).unwrap();
    request.extend(body);
    request
}

/// A whole answer with its length.
pub(super) fn http_answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// A whole answer that is JSON.
pub(super) fn json_answer(status: &str, body: &str) -> Vec<u8> {
    http_answer(status, "Content-Type: application/json\r\n", body)
}
