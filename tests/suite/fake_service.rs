//! A service that says what it is told to say, byte by byte, over a real socket.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bursar::api::{Connection, Limits, Reader, Route, WireNames};
use bursar::domain::Redaction;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// How one request is answered. Each request comes on a connection of its own.
#[derive(Clone)]
pub(crate) enum Answer {
    /// These bytes, and the connection is closed.
    Bytes(Vec<u8>),
    /// These bytes, and then nothing: the connection stays open.
    Silence(Vec<u8>),
    /// These bytes, and then one blank every so often, without end.
    Drip(Vec<u8>, Duration),
}

/// The service, until it is dropped.
pub(crate) struct FakeService {
    pub(crate) base_url: String,
    heads: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

impl FakeService {
    /// Answers requests in this order, the last answer for ever.
    pub(crate) async fn new(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let shared_heads = Arc::clone(&heads);
        let task = tokio::spawn(async move {
            let mut turn = 0;
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let answer = answers[turn.min(answers.len() - 1)].clone();
                turn += 1;
                tokio::spawn(serve(stream, answer, Arc::clone(&shared_heads)));
            }
        });
        Self { base_url, heads, task }
    }

    /// Answers every request with this JSON and status 200.
    pub(crate) async fn json(body: &str) -> Self {
        Self::new(vec![ok(body)]).await
    }

    /// What was asked: the first line and the headers of each request.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    /// The first line of each request, without method and version.
    pub(crate) fn targets(&self) -> Vec<String> {
        self.heads().iter().map(|head| head.split(' ').nth(1).unwrap().to_owned()).collect()
    }

    pub(crate) fn reader(&self) -> Reader {
        self.reader_with(Limits::default())
    }

    pub(crate) fn reader_with(&self, limits: Limits) -> Reader {
        Reader::new(self.connection(limits)).unwrap()
    }

    /// What it takes to reach it: `KEY`, and no wallet secret.
    pub(crate) fn connection(&self, limits: Limits) -> Connection {
        Connection {
            base_url: self.base_url.clone(),
            api_key: KEY.into(),
            wallet_secret: None,
            redaction: Redaction::default(),
            limits,
            wire_names: WireNames::default(),
            route: Route::default(),
        }
    }
}

/// The key under which `reader` asks.
pub(crate) const KEY: &str = "sk_test_4f9a1c";

impl Drop for FakeService {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A whole answer.
pub(crate) fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Answer {
    let body = body.as_ref();
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n", body.len());
    Answer::Bytes([head.as_bytes(), body].concat())
}

/// A whole answer of status 200 with JSON in it.
pub(crate) fn ok(body: &str) -> Answer {
    answer("200 OK", "Content-Type: application/json\r\n", body)
}

async fn serve(mut stream: TcpStream, answer: Answer, heads: Arc<Mutex<Vec<String>>>) {
    let mut head = Vec::new();
    let mut byte = [0; 1];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte).await {
            Ok(1) => head.push(byte[0]),
            _ => return,
        }
    }
    heads.lock().unwrap().push(String::from_utf8(head).unwrap());
    // A client that has seen enough closes its end, which is its right.
    match answer {
        Answer::Bytes(bytes) => drop(stream.write_all(&bytes).await),
        Answer::Silence(bytes) => {
            drop(stream.write_all(&bytes).await);
            std::future::pending::<()>().await;
        }
        Answer::Drip(bytes, pause) => {
            let mut result = stream.write_all(&bytes).await;
            let mut drops = tokio::time::interval(pause);
            while result.is_ok() {
                drops.tick().await;
                result = stream.write_all(b" ").await;
            }
        }
    }
}
