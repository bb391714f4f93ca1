//! Which pages a browser builds, and whether there is one.

use super::Wanted;
use crate::{
    config::{RenderWhen, SiteConfig},
    failure::usage,
    out::mention,
};
use tintype_live::render::{Browser, RenderSettings};
use tintype_plan::{RenderMode, Settings};

fn is_installed() -> bool {
    Browser::is_installed(&RenderSettings::default())
}

/// What a person said; or else what pays, where there is a browser. Captures for proof, for a moment or for certain files
/// spend their requests on those.
pub(super) fn mode(config: &SiteConfig, settings: &Settings, command: &str) -> RenderMode {
    match config.render {
        Some(RenderWhen::Auto) if !is_installed() => RenderMode::Never,
        Some(when) => when.mode(),
        None if is_usual(settings, command) && is_installed() => RenderMode::Auto,
        None => RenderMode::Never,
    }
}

fn is_usual(settings: &Settings, command: &str) -> bool {
    let has_aim = settings.revisit || settings.as_of.is_some() || !settings.media.is_empty();
    command == "capture" && !has_aim && !settings.goes_anywhere()
}

/// Who wants pages built needs a browser that builds them.
pub(super) fn need_browser(wanted: &[Wanted]) -> anyhow::Result<()> {
    let is_wanted = wanted.iter().any(|site| site.settings.render == RenderMode::Always);
    match is_wanted && !is_installed() {
        true => Err(usage(
            "pages are to be built by a browser, and neither chromium nor google-chrome is on the path",
            "install chromium, or leave --render out",
        )),
        false => Ok(()),
    }
}

/// Says once that a browser would be of use.
pub(super) fn tell_missing(wanted: &[Wanted]) {
    let would_build = |site: &Wanted| match site.config().render {
        None => is_usual(&site.settings, "capture"),
        Some(when) => when == RenderWhen::Auto,
    };
    if wanted.iter().any(would_build) && !Browser::is_decided() && !is_installed() {
        mention!(
            "no browser is installed, so what only running scripts put together is missed: install chromium, or say \
             --render never"
        );
    }
}
