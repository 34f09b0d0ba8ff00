//! Static files, embedded in the binary: style sheets, ES modules, images.
//!
//! The address of a file names the state of all of them (`/assets/<hash>/js/board.js`), so that it may be kept for ever and
//! modules find each other by relative addresses. Without the hash, or with that of another release, a file is found as
//! well and asked for again each time. Not here: what the files do. A new file is one line in [`FILES`].

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::problem::Problem;

/// A file: its name below `gateway/assets/`, and what is in it.
struct File {
    name: &'static str,
    bytes: &'static [u8],
}

macro_rules! file {
    ($name:literal) => {
        File { name: $name, bytes: include_bytes!(concat!("../../assets/", $name)) }
    };
}

/// Every file that is served.
const FILES: &[File] = &[
    file!("css/board.css"),
    file!("css/farside.css"),
    file!("css/table.css"),
    file!("img/icon.svg"),
    file!("js/api.js"),
    file!("js/board.js"),
    file!("js/challenge.js"),
    file!("js/clock.js"),
    file!("js/copy.js"),
    file!("js/engine.js"),
    file!("js/history.js"),
    file!("js/lobby.js"),
    file!("js/makers.js"),
    file!("js/offers.js"),
    file!("js/pawns.js"),
    file!("js/play.js"),
    file!("js/refresh.js"),
    file!("js/replay.js"),
    file!("js/scores.js"),
    file!("js/seats.js"),
    file!("js/set.js"),
    file!("js/sound.js"),
    file!("js/squares.js"),
    file!("js/stream.js"),
    file!("js/table.js"),
    file!("js/verify.js"),
    file!("js/words.js"),
];

/// Hex digits of the hash in an address.
const VERSION_LENGTH: usize = 16;
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("public, no-cache");

/// The state of all files together.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for file in FILES {
        hash.update(file.name);
        hash.update([0]);
        hash.update(Sha256::digest(file.bytes));
    }
    hex::encode(hash.finalize())[..VERSION_LENGTH].to_owned()
});

/// The address of a file, for templates.
pub(crate) fn address(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}

/// Serves `/assets/{*path}`.
pub(super) async fn serve(Path(path): Path<String>, headers: HeaderMap) -> Response {
    let (version, name) = split(&path);
    let Some(file) = FILES.iter().find(|file| file.name == name) else {
        return Problem::not_found("file").into_response();
    };
    let cache = if version == Some(VERSION.as_str()) { FOR_EVER } else { ASK_AGAIN };
    let etag = format!("\"{}\"", *VERSION);
    if headers.get(IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == etag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(CACHE_CONTROL, cache)]).into_response();
    }
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(content_type(name))),
        (CACHE_CONTROL, cache),
        (ETAG, HeaderValue::try_from(etag).unwrap_or(HeaderValue::from_static("\"\""))),
    ];
    (headers, file.bytes).into_response()
}

/// A path with its hash, if it begins with one.
fn split(path: &str) -> (Option<&str>, &str) {
    let is_version = |part: &str| part.len() == VERSION_LENGTH && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    match path.split_once('/') {
        Some((version, name)) if is_version(version) => (Some(version), name),
        _ => (None, path),
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_type_and_is_found_by_its_address() {
        for file in FILES {
            assert_ne!(content_type(file.name), "application/octet-stream", "{}", file.name);
            let address = address(file.name);
            let (version, name) = split(address.strip_prefix("/assets/").unwrap());
            assert_eq!((version, name), (Some(VERSION.as_str()), file.name));
        }
    }

    #[test]
    fn every_file_in_the_folder_is_listed() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        for folder in std::fs::read_dir(&root).unwrap() {
            for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
                let path = file.unwrap().path();
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                assert!(FILES.iter().any(|file| file.name == name), "{name} is not in FILES");
            }
        }
    }
}
