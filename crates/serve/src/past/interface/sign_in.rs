//! Where somebody shows the token that lets them change something.

use super::{Frame, Past, Reply, rendered};
use crate::past::{ask::Ask, cdx::parameter, prepared::NotReady};
use askama::Template;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignIn {
    frame: Frame,
    to: String,
}

pub(super) fn page(past: &Past, ask: &Ask) -> Result<Reply, NotReady> {
    let parameters = ask.parameters();
    let to = parameter(&parameters, &["back"]).unwrap_or("/").to_owned();
    rendered(200, &SignIn { frame: Frame::new(past, ask), to })
}
