//! A tree read back, not believed before its lists fit together.

use super::{Mark, Shape, Standing, Touched, Tree};
use serde::Deserialize;

#[derive(Deserialize)]
struct Saved {
    shape: Shape,
    version: u32,
    contents: Vec<u64>,
    marks: Vec<Mark>,
    standings: Vec<Standing>,
    born: Vec<u32>,
    touched: Vec<Touched>,
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Tree, D::Error> {
        Tree::try_from(Saved::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl TryFrom<Saved> for Tree {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<Tree, &'static str> {
        let Saved { shape, version, contents, marks, standings, born, touched } = saved;
        let pages = shape.pages();
        let is_page = |page: u32| (page as usize) < pages;
        if contents.len() != pages || marks.len() != pages || standings.len() > shape.directories() {
            return Err("a tree whose lists are not of one length");
        }
        if !born.iter().copied().all(is_page) || !touched.iter().all(|touched| is_page(touched.page)) {
            return Err("a change of a page that is none");
        }
        if !(1..=Mark::VERSION_MAX).contains(&version) {
            return Err("a tree without a version");
        }
        let mut tree = Tree { shape, version, contents, marks, standings, born, touched, sums: Vec::new() };
        tree.settle_directories();
        Ok(tree)
    }
}
