//! placeholder
use tintype_vocab::Span;
#[derive(Clone, Debug)]
pub struct Robots;
#[derive(Clone, Debug)]
pub struct Verdict {
    pub allowed: bool,
}
impl Robots {
    pub fn parse(_text: &[u8], _agent: &str) -> Robots {
        Robots
    }
    pub fn allow_all() -> Robots {
        Robots
    }
    pub fn disallow_all() -> Robots {
        Robots
    }
    pub fn verdict(&self, _path: &str) -> Verdict {
        Verdict { allowed: true }
    }
    pub fn crawl_delay(&self) -> Option<Span> {
        None
    }
    pub fn sitemaps(&self) -> &[String] {
        &[]
    }
}
