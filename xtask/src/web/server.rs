//! A server for the page, for one machine: it listens on loopback only and reads nothing but the folder of the page.

use super::Error;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path};
use std::thread;
use std::time::Duration;

/// The port, unless another is given.
pub const DEFAULT_PORT: u16 = 8000;

/// The longest request that is read. Browsers send less than a tenth of it.
const MAX_REQUEST_BYTES: u64 = 64 << 10;
const PATIENCE: Duration = Duration::from_secs(10);

/// What the page may do: the same as in its `<meta>` element, and `frame-ancestors`, which counts only as a header.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' blob: data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// An answer to a request.
#[derive(Debug, PartialEq, Eq)]
pub struct Response {
    /// The status line.
    pub status: &'static str,
    /// The type of the content.
    pub mime: &'static str,
    /// The content.
    pub body: Vec<u8>,
}

impl Response {
    fn plain(status: &'static str) -> Self {
        Self { status, mime: "text/plain; charset=utf-8", body: format!("{status}\n").into() }
    }
}

/// Serves a folder until the program is ended. Port 0 takes any free port; the address is printed.
///
/// # Errors
/// If the port is taken.
pub fn serve(folder: &Path, port: u16) -> Result<(), Error> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| format!("port {port}: {error}; give another port after --serve"))?;
    println!("http://localhost:{}/  (end with Ctrl-C)", listener.local_addr()?.port());
    for stream in listener.incoming() {
        let folder = folder.to_path_buf();
        // A connection that fails concerns only the browser that made it.
        thread::spawn(move || stream.map(|stream| answer(&folder, &stream)));
    }
    Ok(())
}

/// Answers the requests of a connection, one after the other.
fn answer(folder: &Path, stream: &TcpStream) -> Option<()> {
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.set_nodelay(true).ok()?;
    loop {
        let mut reader = BufReader::new(stream.take(MAX_REQUEST_BYTES));
        let mut first = String::new();
        reader.read_line(&mut first).ok()?;
        let mut line = String::new();
        loop {
            line.clear();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let Response { status, mime, body } = respond(folder, &first);
        let mut writer = stream;
        // Isolated, so that the page may share memory with its worker: that is how a solve is told to stop.
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {mime}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
             Content-Security-Policy: {POLICY}\r\nCross-Origin-Opener-Policy: same-origin\r\n\
             Cross-Origin-Embedder-Policy: require-corp\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\r\n",
            body.len()
        );
        writer.write_all(head.as_bytes()).ok()?;
        if !first.starts_with("HEAD ") {
            writer.write_all(&body).ok()?;
        }
    }
}

/// The answer to a request with this first line.
pub fn respond(folder: &Path, request: &str) -> Response {
    let mut words = request.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if !matches!(method, "GET" | "HEAD") {
        return Response::plain("405 Method Not Allowed");
    }
    let path = target.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
    let path = Path::new(if path.is_empty() { "index.html" } else { path });
    // No file of the page has a name that would have to be encoded.
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    match is_below.then(|| fs::read(folder.join(path))) {
        Some(Ok(body)) => Response { status: "200 OK", mime: mime_of(path), body },
        _ => Response::plain("404 Not Found"),
    }
}

fn mime_of(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root;

    #[test]
    fn files_of_the_page_are_served_with_their_type_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("page");
        fs::create_dir_all(folder.join("js")).unwrap();
        fs::write(dir.path().join("secret.html"), "secret").unwrap();
        fs::write(folder.join("index.html"), "page").unwrap();
        fs::write(folder.join("js/main.js"), "script").unwrap();
        fs::write(folder.join("module.wasm"), "module").unwrap();
        for (request, mime, body) in [
            ("GET / HTTP/1.1", "text/html; charset=utf-8", "page"),
            ("HEAD /index.html HTTP/1.1", "text/html; charset=utf-8", "page"),
            ("GET /js/main.js?v=1 HTTP/1.1", "text/javascript; charset=utf-8", "script"),
            ("GET /module.wasm HTTP/1.1", "application/wasm", "module"),
        ] {
            let found = respond(&folder, request);
            assert_eq!((found.status, found.mime), ("200 OK", mime), "{request}");
            assert_eq!(found.body, body.as_bytes());
        }
        for request in
            ["GET /../secret.html HTTP/1.1", "GET /js/../../secret.html", "GET /none", "GET /js"]
        {
            assert_ne!(respond(&folder, request).status, "200 OK", "{request}");
        }
        assert_eq!(respond(&folder, "POST / HTTP/1.1").status, "405 Method Not Allowed");
    }

    #[test]
    fn the_page_and_its_server_have_the_same_policy() {
        let page = fs::read_to_string(root().join("web/page/index.html")).unwrap();
        let policy = POLICY.strip_suffix("; frame-ancestors 'none'").unwrap();
        assert!(page.contains(&format!("content=\"{policy}\"")), "{policy}");
    }
}
