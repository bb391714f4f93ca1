//! nginx, as most of the web runs it: validators, gzip, directory redirects. `./check` installs it.

use crate::bench::{capture, files, run};
use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command},
    time::{Duration, Instant},
};

fn nginx() -> Option<PathBuf> {
    let found = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]
        .iter()
        .map(PathBuf::from)
        .find(|path| path.exists());
    assert!(found.is_some() || std::env::var_os("TINTYPE_PEERS").is_none(), "nginx is not installed");
    if found.is_none() {
        println!("skipped, no nginx: run ./check once");
    }
    found
}

/// nginx over a folder, until dropped.
struct Nginx {
    process: Child,
    seed: String,
}

impl Nginx {
    fn start(program: &Path, here: &Path) -> Nginx {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let config = format!(
            "daemon off; master_process off; pid {0}/pid; error_log {0}/error.log; events {{}}\n\
             http {{ access_log off; types {{ text/html html; text/css css; image/png png; }} gzip on; gzip_min_length 1; gzip_types text/css;\n\
             client_body_temp_path {0}/b; proxy_temp_path {0}/p; fastcgi_temp_path {0}/f; uwsgi_temp_path {0}/u; scgi_temp_path {0}/s;\n\
             server {{ listen 127.0.0.1:{port}; root {0}/www; absolute_redirect off; }} }}\n",
            here.display()
        );
        fs::write(here.join("nginx.conf"), config).unwrap();
        let process = Command::new(program).arg("-p").arg(here).arg("-c").arg(here.join("nginx.conf")).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < deadline, "nginx does not start");
            std::thread::yield_now();
        }
        Nginx { process, seed: format!("http://127.0.0.1:{port}/") }
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Index lines of "not modified" answers: duplicates without a status of their own.
fn not_modified(index: &Path) -> usize {
    let lines = fs::read_to_string(index).unwrap();
    lines.lines().filter(|line| line.contains("warc/revisit") && !line.contains("\"status\"")).count()
}

#[test]
fn a_static_site_is_captured_and_confirmed_unchanged_by_not_modified_answers() {
    let Some(program) = nginx() else { return };
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fs::create_dir_all(here.join("www/docs")).unwrap();
    let text = "a sentence that packs well, again and again. ".repeat(200);
    fs::write(here.join("www/index.html"), format!("<link rel=stylesheet href=s.css><a href=docs>docs</a><p>{text}"))
        .unwrap();
    fs::write(here.join("www/docs/index.html"), format!("<img src=/i.png><a href=/missing>x</a><p>{text}")).unwrap();
    fs::write(here.join("www/s.css"), "p { color: #123456 }\n".repeat(100)).unwrap();
    fs::write(here.join("www/i.png"), b"\x89PNG\r\n\x1a\n not much of a picture").unwrap();
    let server = Nginx::start(&program, here);

    let first = capture(here, &server.seed, &[]);
    let site = &first["sites"][0];
    assert_eq!((&site["pages"], &site["first"], &site["redirects"]), (&4.into(), &4.into(), &1.into()), "{first}");
    assert_eq!(site["failures"]["404 not there"], 1);
    let again = capture(here, &server.seed, &[]);
    assert_eq!((&again["sites"][0]["unchanged"], &again["sites"][0]["changed"]), (&4.into(), &0.into()), "{again}");
    let indexes = files(here, "index");
    assert_eq!(indexes.iter().map(|index| not_modified(index)).sum::<usize>(), 4);

    fs::write(here.join("www/s.css"), "p { color: #654321; margin: 0 }\n").unwrap();
    let third = capture(here, &server.seed, &[]);
    assert_eq!((&third["sites"][0]["unchanged"], &third["sites"][0]["changed"]), (&3.into(), &1.into()), "{third}");
    assert!(run(here, &["verify"]).status.success());
}
