//! A forum: pictures are attached to some posts, behind `attachment.php?id=`, and the calendar has no end to speak of.

use super::{
    Web, WebConfig,
    draft::{Draft, Host, Number},
};
use crate::synthetic::chance::{below, happens};
use tintype_vocab::Tag;

pub(super) const SUMMARY: &str = "a forum: pictures and packages behind attachment.php?id= in some boards, profiles, replies, and a calendar that leads nowhere";

/// Pages and files per thread, and threads per board and list.
const PER_THREAD: usize = 7;
const BOARDS: usize = 9;
const PER_LIST: usize = 30;
/// Boards in which pictures are shown.
const SHOWING: usize = 3;

pub(super) fn make(wish: &WebConfig) -> Web {
    let mut draft = Draft::new(wish.seed);
    let host = draft.host("http://board.example", &["boards", "memberlist", "calendar"]);
    let threads = (wish.pages / PER_THREAD).max(BOARDS);
    let members = draft.numbered(host, threads / 2 + 1, |nth| format!("/member.php?u={nth}"));
    let mut boards = Vec::new();
    for board in 0..BOARDS {
        let of: Vec<Number> = (board..threads)
            .step_by(BOARDS)
            .map(|id| thread(&mut draft, host, id, board < SHOWING, &members))
            .collect();
        boards.push(draft.list(host, &format!("/forumdisplay.php?f={board}"), &of, PER_LIST)[0]);
    }
    draft.list(host, "/boards/", &boards, BOARDS);
    draft.list(host, "/memberlist/", &members, 50);
    let days = draft
        .numbered(host, threads * 2, |nth| format!("/calendar/{}/{}/{}", 2000 + nth / 372, nth / 31 % 12, nth % 31));
    days.windows(2).for_each(|pair| draft.anchor(pair[0], pair[1], "next"));
    draft.list(host, "/calendar/", &days[..1], 1);
    let entrance = draft.page(host, "/");
    draft.finish(&[entrance], &["image"])
}

/// A thread, what is attached to it, how to answer and print it, and who wrote.
fn thread(draft: &mut Draft, host: Host, id: usize, shows: bool, members: &[Number]) -> Number {
    let page = draft.page(host, &format!("/showthread.php?t={id}"));
    for way in ["newreply.php", "printthread.php"] {
        let other = draft.page(host, &format!("/{way}?t={id}"));
        draft.anchor(page, other, "answer");
        draft.anchor(other, page, "back");
    }
    let files = if shows { 1 + below(&mut draft.dice, 4) } else { 0 };
    for nth in 0..files {
        let packed = happens(&mut draft.dice, 0.15);
        let url = format!("/attachment.php?id={}", id * 8 + nth);
        let file = draft.file(host, &url, if packed { "application/zip" } else { "image/jpeg" });
        if nth == 0 && !packed {
            draft.embed(page, file, Tag::Image);
        } else {
            draft.anchor(page, file, "attachment");
        }
    }
    for _ in 0..2 {
        let member = draft.pick(members);
        draft.anchor(page, member, "by");
        draft.anchor(member, page, "thread");
    }
    page
}
