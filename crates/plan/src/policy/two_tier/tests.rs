use super::*;
use crate::{PageInfo, Pages, pages::Found, policy::breadth_first::BreadthFirst};
use tintype_learn::{directory::Unseen, knowledge::Knowledge};

/// Wants nothing, and counts how often it is asked.
#[derive(Debug, Default)]
struct Nobody {
    asked: usize,
}

impl SiteLevel for Nobody {
    fn wanted(&mut self, _aside: &[Aside], _so_far: &SoFar<'_>) -> Vec<usize> {
        self.asked += 1;
        Vec::new()
    }
}

fn add(pages: &mut Pages, url: &str) -> PageId {
    let Found::New { hash, .. } = pages.look_up(url) else { panic!("{url} twice") };
    pages.add(url, hash, PageInfo::waiting(1))
}

/// Remembered pages that come up one by one, as links of others, do not each cost a look at all of them.
#[test]
fn pages_that_come_up_one_by_one_are_looked_at_together() {
    let (mut pages, mut memory) = (Pages::default(), Memory::default());
    for _ in 0..2 {
        memory.begin(Time::default());
        (0..1000).for_each(|nth| memory.see(&format!("/old/{nth}"), 0, 1.0));
        memory.end(Unseen::Kept);
    }
    let mut knowledge = Knowledge::default();
    knowledge.remember_directories(memory);
    let mut tier = TwoTier::new(Nobody::default(), Box::<BreadthFirst>::default());
    let news = (0..1000).map(|nth| format!("http://e.com/new/{nth}"));
    for url in news.chain((0..1000).map(|nth| format!("http://e.com/old/{nth}"))) {
        let page = add(&mut pages, &url);
        let view = View { knowledge: &knowledge, unanswered: pages.len(), ..View::of(&pages, Time::default()) };
        tier.on_known(page, &view);
        if pages.len() > 1000 {
            assert!(matches!(tier.choose(Time::default(), &view), Choice::Visit(_)), "there is something to do");
        }
    }
    assert!(tier.site.asked < 250, "{} times", tier.site.asked);
    assert_eq!(tier.aside.len(), 1000);
}
