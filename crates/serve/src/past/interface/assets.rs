//! The files every page uses: one style sheet, one script, one picture.

use crate::past::reply::Reply;

const MARK: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect x="2" y="3" width="20" height="18" rx="3" fill="#8a3a10"/><circle cx="12" cy="12" r="5.5" fill="none" stroke="#fff" stroke-width="2"/><circle cx="12" cy="12" r="2" fill="#fff"/></svg>"##;

pub(super) fn asset(name: &str) -> Option<Reply> {
    let (media_type, text) = match name {
        "style.css" => ("text/css; charset=utf-8", include_str!("../../../assets/style.css")),
        "interface.js" => ("text/javascript; charset=utf-8", include_str!("../../../assets/interface.js")),
        "mark.svg" => ("image/svg+xml", MARK),
        _ => return None,
    };
    Some(Reply::text(200, media_type, text).with("Cache-Control", "max-age=60"))
}
