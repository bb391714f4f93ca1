//! `[[notify]]`: webhooks are signed, sent again until they are taken and known by their id; mail goes through a mail server or a
//! program; a receiver that is dead keeps nobody from keeping.

use crate::{
    bench::{run, tintype},
    what_happens_to_pages_is_told_once::{captured, items},
};
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    sync::{Arc, Mutex},
    thread,
};
use tintype_live::deliver::signature;

/// What came in over one connection: its head, or the commands; and the body.
type Received = Arc<Mutex<Vec<(String, String)>>>;

/// A receiver of webhooks that answers with these statuses, the last again and again.
fn receiver(statuses: &'static [u16]) -> (String, Received) {
    let (listener, received) = (TcpListener::bind("127.0.0.1:0").unwrap(), Received::default());
    let (address, kept) = (listener.local_addr().unwrap(), received.clone());
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let _ = take_post(stream, statuses, &kept);
        }
    });
    (format!("http://{address}/hook?desk=1"), received)
}

fn take_post(mut stream: TcpStream, statuses: &[u16], received: &Received) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let mut body = vec![0; field(&head, "content-length").parse().unwrap()];
    reader.read_exact(&mut body)?;
    let mut received = received.lock().unwrap();
    received.push((head, String::from_utf8(body).unwrap()));
    let status = statuses[(received.len() - 1).min(statuses.len() - 1)];
    drop(received);
    write!(stream, "HTTP/1.1 {status} So\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

fn field<'h>(head: &'h str, name: &str) -> &'h str {
    let value = head.lines().filter_map(|line| line.split_once(": ")).find(|(of, _)| of.eq_ignore_ascii_case(name));
    value.unwrap_or_else(|| panic!("{name}: {head}")).1
}

/// A mail server that takes everything.
fn mail_server() -> (String, Received) {
    let (listener, received) = (TcpListener::bind("127.0.0.1:0").unwrap(), Received::default());
    let (address, kept) = (listener.local_addr().unwrap(), received.clone());
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let _ = take_mail(stream, &kept);
        }
    });
    (format!("smtp://{address}"), received)
}

fn take_mail(mut stream: TcpStream, received: &Received) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let (mut said, mut mail) = (String::new(), String::new());
    write!(stream, "220 sink\r\n")?;
    while let Some(line) = lines.next().transpose()? {
        said += &format!("{line}\n");
        if line.starts_with("EHLO") {
            write!(stream, "250-sink\r\n250 8BITMIME\r\n")?;
        } else if line == "DATA" {
            write!(stream, "354 go on\r\n")?;
            for line in lines.by_ref().map_while(Result::ok).take_while(|line| line != ".") {
                mail += &format!("{line}\n");
            }
            received.lock().unwrap().push((said.clone(), mail.clone()));
            write!(stream, "250 taken\r\n")?;
        } else {
            write!(stream, "250 yes\r\n")?;
        }
    }
    Ok(())
}

fn add_rules(directory: &Path, rules: &str) {
    let file = directory.join("collection/tintype.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}\n{rules}")).unwrap();
}

fn deliver(directory: &Path) -> Value {
    let output = run(directory, &["changes", "--deliver", "--json"]);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

/// All that waits is due now.
fn let_time_pass(directory: &Path) {
    for entry in fs::read_dir(directory.join("collection/outbox")).unwrap().flatten() {
        if entry.path().extension().is_some_and(|of| of == "json") {
            let mut message: Value = serde_json::from_slice(&fs::read(entry.path()).unwrap()).unwrap();
            message["due"] = 0.into();
            fs::write(entry.path(), message.to_string()).unwrap();
        }
    }
}

#[test]
fn a_webhook_is_signed_and_sent_until_it_is_taken_under_one_id() {
    let directory = tempfile::tempdir().unwrap();
    let _host = captured(directory.path(), &[1, 2]);
    let (url, received) = receiver(&[500, 500, 204]);
    add_rules(
        directory.path(),
        &format!("[[notify]]\nname = \"desk\"\nkind = \"disappeared\"\nwebhook = \"{url}\"\nsecret = \"hush\"\n"),
    );
    let first = deliver(directory.path());
    assert_eq!((&first["queued"], &first["sent"], &first["waiting"]), (&1.into(), &0.into(), &1.into()), "{first}");
    let early = deliver(directory.path());
    assert_eq!(
        (&early["queued"], &early["waiting"]),
        (&0.into(), &1.into()),
        "it waits before it tries again: {early}"
    );
    assert_eq!(received.lock().unwrap().len(), 1);
    let_time_pass(directory.path());
    assert_eq!(deliver(directory.path())["sent"], 0);
    let_time_pass(directory.path());
    assert_eq!(deliver(directory.path())["sent"], 1);
    assert_eq!(deliver(directory.path())["waiting"], 0);
    let received = received.lock().unwrap();
    assert_eq!(received.len(), 3);
    for (attempt, (head, body)) in received.iter().enumerate() {
        assert_eq!(field(head, "idempotency-key"), field(&received[0].0, "idempotency-key"));
        assert_eq!(field(head, "tintype-attempt"), (attempt + 1).to_string());
        let signed = field(head, "tintype-signature");
        let unix = signed.split([',', '=']).nth(1).unwrap().parse().unwrap();
        assert_eq!(signature("hush", unix, body.as_bytes()), signed);
        assert_ne!(signature("guess", unix, body.as_bytes()), signed);
        let said: Value = serde_json::from_str(body).unwrap();
        assert_eq!((&said["rule"], &said["items"][0]["kind"]), (&"desk".into(), &"disappeared".into()), "{said}");
        assert!(!body.contains("hush"), "{body}");
    }
    assert!(
        !fs::read_dir(directory.path().join("collection/outbox"))
            .unwrap()
            .flatten()
            .any(|file| file.file_name().to_string_lossy().ends_with(".json"))
    );
}

#[test]
fn mail_is_one_a_day_or_one_for_each_item_and_says_what_was_written() {
    let directory = tempfile::tempdir().unwrap();
    let _host = captured(directory.path(), &[1, 2]);
    let (server, received) = mail_server();
    add_rules(
        directory.path(),
        &format!(
            "[mail]\nsmtp = \"{server}\"\nfrom = \"Tintype <tintype@example.org>\"\n\
             [[notify]]\nmail = [\"desk@example.org\", \"second@example.org\"]\ndigest = \"daily\"\nmin-importance = 0.03\n\
             [[notify]]\nmail = \"legal@example.org\"\nmatch = [\"never charge\", \"^49$\"]\n"
        ),
    );
    let done = deliver(directory.path());
    assert_eq!((&done["waiting"], &done["failures"]), (&0.into(), &serde_json::json!([])), "{done}");
    let mails = received.lock().unwrap().clone();
    let digest: Vec<_> = mails.iter().filter(|(said, _)| said.contains("<desk@example.org>")).collect();
    assert_eq!(digest.len(), 1, "{mails:#?}");
    assert!(
        digest[0].0.contains("MAIL FROM:<tintype@example.org>") && digest[0].0.contains("RCPT TO:<second@example.org>")
    );
    let text = text_of(&digest[0].1);
    for words in ["/prices", "+ 49", "Gone: Promise", "New page: Harbour tunnel", "http://127.0.0.1:8080/web/"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let legal: Vec<_> = mails.iter().filter(|(said, _)| said.contains("<legal@example.org>")).collect();
    let legal: Vec<String> = legal.iter().map(|(_, mail)| text_of(mail)).collect();
    assert_eq!(legal.len(), 2, "{mails:#?}");
    for path in ["/prices", "/gone"] {
        assert!(legal.iter().any(|text| text.contains(path)), "{path}: {legal:?}");
    }
    assert_eq!(deliver(directory.path())["queued"], 0, "nobody is told twice");
}

fn text_of(mail: &str) -> String {
    let body: String = mail.split_once("\n\n").unwrap().1.split_whitespace().collect();
    String::from_utf8(data_encoding::BASE64.decode(body.as_bytes()).unwrap()).unwrap()
}

#[cfg(unix)]
#[test]
fn a_program_takes_mail_where_there_is_no_server() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let _host = captured(directory.path(), &[1, 2]);
    let (program, taken) = (directory.path().join("sendmail"), directory.path().join("taken"));
    fs::write(&program, format!("#!/bin/sh\necho \"$@\" >> {0}\ncat >> {0}\n", taken.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    add_rules(
        directory.path(),
        &format!(
            "[mail]\nsendmail = \"{}\"\nfrom = \"tintype@example.org\"\n[[notify]]\nmail = \"desk@example.org\"\nkind = [\"moved\"]\n",
            program.display()
        ),
    );
    // A collection may come from somebody else: its file alone runs nothing.
    let refused = run(directory.path(), &["changes", "--deliver"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("TINTYPE_SENDMAIL") && !taken.exists(), "{said}");
    let mut told = tintype();
    told.current_dir(directory.path()).args(["changes", "--deliver", "--json"]).env("TINTYPE_SENDMAIL", &program);
    let output = told.output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["sent"], 1, "{output:?}");
    let taken = fs::read_to_string(taken).unwrap();
    assert!(taken.starts_with("-i -f tintype@example.org -- desk@example.org"), "{taken}");
}

#[test]
fn a_dead_receiver_keeps_nobody_from_keeping() {
    let directory = tempfile::tempdir().unwrap();
    let host = captured(directory.path(), &[1, 2]);
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = nobody.local_addr().unwrap();
    drop(nobody);
    add_rules(
        directory.path(),
        &format!("[[notify]]\nname = \"dead\"\nwebhook = \"http://{address}/\"\nkind = \"refused\"\n"),
    );
    let output = run(directory.path(), &["keep", &host.seed(), "--once", "--budget", "20/day", "--delay", "0"]);
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("not delivered yet: dead"), "{output:?}");
    let waiting = fs::read_dir(directory.path().join("collection/outbox")).unwrap().flatten();
    assert!(waiting.filter(|file| file.path().extension().is_some_and(|of| of == "json")).count() >= 1);
    assert!(!items(directory.path(), &["--kind", "refused"]).is_empty());
}

#[test]
fn rules_that_cannot_be_followed_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let _host = captured(directory.path(), &[1]);
    let file = directory.path().join("collection/tintype.toml");
    let text = fs::read_to_string(&file).unwrap();
    for (rule, words) in [
        ("", "has no [[notify]] rule"),
        ("[[notify]]\nkind = \"moved\"\n", "neither webhook nor mail"),
        ("[[notify]]\nwebhook = \"ftp://x/\"\n", "no http or https address"),
        ("[[notify]]\nmail = \"a@b.example\"\n", "needs a sender"),
        ("[[notify]]\nwebhook = \"http://x/\"\nkind = \"odd\"\n", "odd is no kind of event"),
        ("[[notify]]\nwebhook = \"http://x/\"\nmatch = \"(\"\n", "no regular expression"),
        ("[[notify]]\nwebhook = \"http://x/\"\ndigest = \"yearly\"\n", "yearly is no digest"),
    ] {
        fs::write(&file, format!("{text}\n{rule}")).unwrap();
        let output = run(directory.path(), &["changes", "--deliver"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(words), "{rule}: {said}");
    }
}
