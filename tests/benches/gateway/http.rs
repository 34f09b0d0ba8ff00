//! A lean HTTP/1.1 client: one connection, one request at a time, bodies as bytes. It judges nothing.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// A connection.
#[derive(Debug)]
pub struct Connection {
    sender: SendRequest<Full<Bytes>>,
    address: SocketAddr,
}

impl Connection {
    /// Connects.
    pub async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("a server that takes connections");
        stream.set_nodelay(true).unwrap();
        let (sender, connection) = handshake(TokioIo::new(stream)).await.expect("a handshake");
        tokio::spawn(connection);
        Self { sender, address }
    }

    /// Sends a request, over a new connection where the server has closed this one, which it does when nothing comes for a
    /// while; the answer's body is still to be read.
    pub async fn send(&mut self, method: Method, path: &str, key: &str, body: Vec<u8>) -> Response<Incoming> {
        let mut request = Request::builder().method(method).uri(path).header(HOST, self.address.to_string());
        if !key.is_empty() {
            request = request.header(AUTHORIZATION, format!("Bearer {key}"));
        }
        let request = request.header(CONTENT_TYPE, "application/json").body(Full::new(Bytes::from(body))).unwrap();
        if self.sender.ready().await.is_err() {
            *self = Self::open(self.address).await;
            self.sender.ready().await.expect("a connection that is open");
        }
        self.sender.send_request(request).await.expect("an answer")
    }

    /// Sends a request and reads the answer, which must be a success.
    pub async fn call(&mut self, method: Method, path: &str, key: &str, body: Vec<u8>) -> Bytes {
        let answer = self.send(method, path, key, body).await;
        let status = answer.status();
        let body = answer.into_body().collect().await.expect("a body").to_bytes();
        assert!(status.is_success(), "{path}: {status} {}", String::from_utf8_lossy(&body));
        body
    }
}
