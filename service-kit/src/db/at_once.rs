//! Sends statements to PostgreSQL at once. sqlx leaves Nagle's algorithm on: the end of a statement that does not fit one
//! segment, or one record of TLS, then waits for the acknowledgement that the other side delays by up to 40 ms. sqlx shows
//! its sockets to nobody, so a new one is found among the open files by its peer.
//!
//! Not here: other systems than Linux, on which nothing is done.

use std::io;

/// Takes Nagle's algorithm off the newest connection to this port that still has it. True when one was found.
///
/// # Errors
///
/// When the system does not let a process look at its own files; everything works then, with those delays.
#[cfg(target_os = "linux")]
pub(super) fn send_at_once(port: u16) -> io::Result<bool> {
    use std::net::SocketAddr;

    use rustix::net::{getpeername, sockopt};
    use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};

    let own = pidfd_open(getpid(), PidfdFlags::empty())?;
    for number in newest_first()? {
        let socket = match pidfd_getfd(&own, number, PidfdGetfdFlags::empty()) {
            Err(rustix::io::Errno::PERM) => return Err(io::ErrorKind::PermissionDenied.into()),
            // Closed in the meantime.
            Err(_) => continue,
            Ok(socket) => socket,
        };
        // What is no socket has no peer.
        let peer = getpeername(&socket).ok().flatten().and_then(|peer| SocketAddr::try_from(peer).ok());
        let is_meant = peer.is_some_and(|peer| peer.port() == port);
        if is_meant && !sockopt::tcp_nodelay(&socket)? {
            sockopt::set_tcp_nodelay(&socket, true)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// The numbers of this process's open files.
#[cfg(target_os = "linux")]
fn newest_first() -> io::Result<Vec<i32>> {
    let files = std::fs::read_dir("/proc/self/fd")?;
    let mut numbers: Vec<i32> = files.filter_map(|file| file.ok()?.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable_by(|one, other| other.cmp(one));
    Ok(numbers)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn send_at_once(_: u16) -> io::Result<bool> {
    Ok(false)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn every_connection_to_the_port_sends_at_once_and_no_other_is_touched() {
        let [database, other] = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let to = |listener: &TcpListener| TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (first, second, elsewhere) = (to(&database), to(&database), to(&other));
        let port = database.local_addr().unwrap().port();
        assert_eq!([(); 3].map(|()| send_at_once(port).unwrap()), [true, true, false]);
        let at_once = [&first, &second, &elsewhere].map(|stream| stream.nodelay().unwrap());
        assert_eq!(at_once, [true, true, false]);
    }
}
