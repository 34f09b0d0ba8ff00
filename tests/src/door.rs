//! A door in front of a server that many tests share: shut for one test and opened again, always at the same address.
//! What goes through it is not looked at.

use std::net::SocketAddr;

use tokio::{
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};

use crate::{program::free_address, wait};

/// A way to a server that can be closed. Shut, it refuses connections.
#[derive(Debug)]
pub struct Door {
    address: SocketAddr,
    server: String,
    passing: Option<JoinHandle<()>>,
}

impl Door {
    /// A door in front of `host:port`, shut.
    #[must_use]
    pub fn before(server: &str) -> Self {
        Self { address: free_address(), server: server.to_owned(), passing: None }
    }

    /// Where it is, open or shut.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Lets connections through from now on.
    pub async fn open(&mut self) {
        let bind = async || TcpListener::bind(self.address).await.ok();
        let listener = wait::until("the address of a door to be free", bind).await;
        self.passing = Some(tokio::spawn(pass(listener, self.server.clone())));
    }

    /// Cuts every connection and refuses new ones.
    pub async fn shut(&mut self) {
        if let Some(passing) = self.passing.take() {
            passing.abort();
            // It ends by being aborted, which is no fault.
            let _ = passing.await;
        }
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        if let Some(passing) = &self.passing {
            passing.abort();
        }
    }
}

async fn pass(listener: TcpListener, server: String) {
    let mut connections = JoinSet::new();
    while let Ok((near, _)) = listener.accept().await {
        connections.spawn(carry(near, server.clone()));
    }
}

async fn carry(mut near: TcpStream, server: String) {
    if let Ok(mut far) = TcpStream::connect(server).await {
        // Either side may end it in any way.
        let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
    }
}
