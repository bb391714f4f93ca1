//! What is expected behind pages that nobody has asked for yet, and whether that is worth a request.

use crate::{MediaRules, pattern_rule::ToldByRules};
use serde::{Deserialize, Serialize};
use tintype_learn::media::{Media, Sight};
use tintype_vocab::Mention;

/// A page that is not wanted itself is asked for if it carries links with this chance: one that is passed over by mistake
/// may hide many that are wanted.
const LINKS_CHANCE_MIN: f32 = 0.1;

/// What is expected behind a page. Four bytes, as every known page has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaGuess {
    wanted: u16,
    links: u16,
}

impl MediaGuess {
    fn new(wanted: f32, links: f32) -> MediaGuess {
        let short = |chance: f32| (chance.clamp(0.0, 1.0) * f32::from(u16::MAX)).round() as u16;
        MediaGuess { wanted: short(wanted), links: short(links) }
    }

    /// The chance that it is what somebody wants.
    pub fn wanted(self) -> f32 {
        f32::from(self.wanted) / f32::from(u16::MAX)
    }

    /// The chance that it carries links.
    pub fn links(self) -> f32 {
        f32::from(self.links) / f32::from(u16::MAX)
    }

    /// The same of what is known to lead on, whatever it is called.
    pub(crate) fn that_leads_on(self) -> MediaGuess {
        MediaGuess { links: u16::MAX, ..self }
    }

    /// Whether it may be asked for the sake of what it leads to.
    pub fn may_lead_on(self) -> bool {
        self.links() >= LINKS_CHANCE_MIN
    }
}

/// Why a page is not worth its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is too unlikely that it is wanted, or leads on.
    Unlikely,
    /// It is likely what somebody does not want, whatever else it may be, by the rule of this number; those for forms of
    /// URLs are counted behind the others.
    Forbidden(usize),
}

/// What is wanted, and what is known of where it is.
#[derive(Clone, Copy, Debug)]
pub struct MediaFilter<'a> {
    pub rules: &'a MediaRules,
    pub model: &'a Media,
}

impl MediaFilter<'_> {
    /// What to expect of a page with this URL that was linked like this.
    pub fn of(&self, url: &str, mention: Mention) -> MediaGuess {
        self.judge(url, mention).0
    }

    /// The same, and what speaks against asking for it.
    pub fn judge(&self, url: &str, mention: Mention) -> (MediaGuess, Option<Refusal>) {
        let guess = self.model.guess(&Sight { url, mention });
        let told = ToldByRules::of(&self.rules.patterns, url);
        let chance = |range: &_| told.chance(range, guess.chance(range));
        let media_guess = MediaGuess::new(self.rules.chance(chance), guess.links());
        let leads_on = media_guess.may_lead_on();
        let never = told.never.map(|nth| Refusal::Forbidden(self.rules.disallow.len() + nth));
        if never.is_some() {
            return (media_guess, never);
        }
        let refusal = match self.rules.forbid(chance) {
            Some(rule) if !(leads_on && self.rules.follow_unwanted) => Some(Refusal::Forbidden(rule)),
            _ if self.rules.is_empty() || leads_on || self.rules.allow(chance) => None,
            _ => Some(Refusal::Unlikely),
        };
        (media_guess, refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::Tag;

    #[test]
    fn what_is_neither_wanted_nor_leads_on_is_refused() {
        let (model, image) = (Media::default(), Mention { tag: Tag::Image, ..Mention::default() });
        let refused = |rules: &[&str], url: &str, mention: Mention| {
            let rules: MediaRules = rules.iter().map(|rule| rule.parse().unwrap()).collect();
            MediaFilter { rules: &rules, model: &model }.judge(url, mention).1.is_some()
        };
        assert!(refused(&["audio"], "http://e.com/a.png", image));
        assert!(!refused(&["image"], "http://e.com/a.png", image));
        assert!(!refused(&["audio:0"], "http://e.com/a.png", image), "who does not mind takes everything");
        assert!(!refused(&[], "http://e.com/a.png", image));
        assert!(!refused(&["audio"], "http://e.com/a/b.html", Mention::default()), "it may lead to some");
    }

    #[test]
    fn who_forbids_something_is_told_so_whatever_else_it_may_be() {
        let (model, image) = (Media::default(), Mention { tag: Tag::Image, ..Mention::default() });
        let refusal = |allow: &str, disallow: &str| {
            let disallow = vec!["font".parse().unwrap(), disallow.parse().unwrap()];
            let rules = MediaRules { allow: vec![allow.parse().unwrap()], disallow, ..MediaRules::default() };
            MediaFilter { rules: &rules, model: &model }.judge("http://e.com/a.png", image).1
        };
        assert_eq!(refusal("image", "video"), None);
        assert_eq!(refusal("image", "image/png"), Some(Refusal::Forbidden(1)));
        assert_eq!(refusal("audio", "image"), Some(Refusal::Forbidden(1)));
        assert_eq!(refusal("audio", "video"), Some(Refusal::Unlikely));
    }

    #[test]
    fn rules_for_forms_of_urls_decide_before_the_model_does() {
        let model = Media::default();
        let patterns =
            ["ALLOW audio/ogg e.com/a/{n}.html", "DISALLOW e.com/x/{n}.ogg"].map(|text| text.parse().unwrap());
        let audio = vec!["audio".parse().unwrap()];
        let rules = MediaRules { allow: audio, patterns: patterns.into(), ..MediaRules::default() };
        let judge = |url: &str| MediaFilter { rules: &rules, model: &model }.judge(url, Mention::default());
        let (song, refusal) = judge("http://e.com/a/7.html");
        assert!(song.wanted() > 0.9 && refusal.is_none());
        assert!(judge("http://e.com/b/7.html").0.wanted() < 0.1);
        assert_eq!(judge("http://e.com/x/7.ogg").1, Some(Refusal::Forbidden(1)));
    }

    #[test]
    fn what_is_forbidden_is_not_asked_for_though_it_leads_on_unless_that_is_said() {
        let model = Media::default();
        let refusal = |follow_unwanted| {
            let rules =
                MediaRules { disallow: vec!["text/html".parse().unwrap()], follow_unwanted, ..Default::default() };
            MediaFilter { rules: &rules, model: &model }.judge("http://e.com/a/b.html", Mention::default()).1
        };
        assert_eq!((refusal(false), refusal(true)), (Some(Refusal::Forbidden(0)), None));
    }

    #[test]
    fn chances_keep_four_digits() {
        let media_guess = MediaGuess::new(0.123_44, 2.0);
        assert!((media_guess.wanted() - 0.123_44).abs() < 1e-4 && media_guess.links() == 1.0);
    }
}
