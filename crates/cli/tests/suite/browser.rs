//! `tintype serve` as a process, and a client that shows every header.

use crate::bench::tintype;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Stdio},
};

/// A past being served until this is dropped.
pub(crate) struct Past {
    process: Child,
    /// Such as `127.0.0.1:40123`.
    pub(crate) address: String,
    /// Where the proxy listens, if one was asked for.
    pub(crate) proxy: Option<String>,
}

/// An answer, taken apart.
pub(crate) struct Got {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Got {
    pub(crate) fn header(&self, name: &str) -> &str {
        let named = |(known, _): &&(String, String)| known.eq_ignore_ascii_case(name);
        self.headers.iter().find(named).map_or("", |(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

impl Past {
    pub(crate) fn serve(directory: &Path, arguments: &[&str]) -> Past {
        Past::attempt(directory, arguments, Stdio::inherit()).unwrap()
    }

    /// The same of what may not be fit to be served; nothing if the program ended instead.
    pub(crate) fn attempt(directory: &Path, arguments: &[&str], complaints: Stdio) -> Option<Past> {
        let mut process = tintype()
            .current_dir(directory)
            // The token is no business of whoever runs the tests.
            .env("XDG_DATA_HOME", directory.join("own-data"))
            .args(["serve", "--bind", "127.0.0.1:0", "--json"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(complaints)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let Ok(said) = serde_json::from_str::<serde_json::Value>(&line) else {
            assert!(process.wait().unwrap().code().is_some_and(|code| code <= 2), "{line}");
            return None;
        };
        let address = said["address"].as_str().unwrap();
        let address = address.strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        Some(Past { process, address, proxy: said["proxy"].as_str().map(str::to_owned) })
    }

    pub(crate) fn get(&self, target: &str) -> Got {
        self.get_with(target, &[])
    }

    pub(crate) fn get_with(&self, target: &str, headers: &[(&str, &str)]) -> Got {
        self.ask("GET", target, headers)
    }

    pub(crate) fn ask(&self, method: &str, target: &str, headers: &[(&str, &str)]) -> Got {
        self.send(method, target, headers, "")
    }

    /// Sends a form, as the browser of a person does who was shown it here.
    pub(crate) fn post(&self, target: &str, headers: &[(&str, &str)], form: &str) -> Got {
        let length = form.len().to_string();
        let mut all = vec![("Content-Type", "application/x-www-form-urlencoded"), ("Content-Length", length.as_str())];
        all.extend(headers);
        self.send("POST", target, &all, form)
    }

    /// What is still being made is asked for again: the server waits for it every time.
    fn send(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> Got {
        loop {
            let got = self.send_once(method, target, headers, body);
            if got.status != 503 || got.header("refresh").is_empty() {
                return got;
            }
        }
    }

    fn send_once(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> Got {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let mut request = format!("{method} {target} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        // A server that refuses may do so before it has read everything.
        let _ = stream.write_all((request + "\r\n" + body).as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        read(&answer)
    }

    /// The address of something on this server, as its answers name it.
    pub(crate) fn url(&self, target: &str) -> String {
        format!("http://{}{target}", self.address)
    }
}

fn read(answer: &[u8]) -> Got {
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("an answer has a head");
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let pair = |line: &str| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned()));
    let headers: Vec<(String, String)> = lines.filter_map(pair).collect();
    let mut got = Got { status, headers, body: answer[end + 4..].to_vec() };
    if got.header("transfer-encoding") == "chunked" {
        got.body = dechunked(&got.body);
    }
    got
}

fn dechunked(mut framed: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = framed.windows(2).position(|bytes| bytes == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&framed[..end]).unwrap().trim(), 16).unwrap();
        body.extend_from_slice(&framed[end + 2..end + 2 + size]);
        framed = &framed[end + 2 + size + 2..];
        if size == 0 {
            break;
        }
    }
    body
}

impl Drop for Past {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
