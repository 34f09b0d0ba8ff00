//! A socket in the file system: reached by whoever may enter its folder, and by nobody over a network.
//!
//! Not here: what is said through it.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use tokio::net::UnixListener;

/// A listener at a socket, and its file.
#[derive(Debug)]
pub(super) struct Socket {
    listener: UnixListener,
    file: SocketFile,
}

/// The file of a socket; removed with it.
#[derive(Debug)]
pub(super) struct SocketFile(PathBuf);

impl Socket {
    /// Listens at `path`. A file that a crash left behind is replaced; one that somebody answers at is not.
    pub(super) fn bind(path: &Path) -> std::io::Result<Self> {
        match std::os::unix::net::UnixStream::connect(path) {
            Ok(_) => return Err(Error::new(ErrorKind::AddrInUse, "somebody listens there already")),
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => std::fs::remove_file(path)?,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(Self { listener: UnixListener::bind(path)?, file: SocketFile(path.to_owned()) })
    }

    pub(super) fn into_parts(self) -> (UnixListener, SocketFile) {
        (self.listener, self.file)
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        // A file that stays is replaced at the next start.
        let _ = std::fs::remove_file(&self.0);
    }
}
