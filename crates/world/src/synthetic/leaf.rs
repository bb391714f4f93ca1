//! The pages of a site with sections, and their numbers.

/// A page by what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    Front,
    Robots,
    Style,
    Logo,
    Sitemap,
    Feed,
    Section(usize),
    Cover(usize),
    Thing(u32),
    /// One page of a section's full listing.
    Bucket(usize, usize),
}

const SINGLE: [Leaf; 6] = [Leaf::Front, Leaf::Robots, Leaf::Style, Leaf::Logo, Leaf::Sitemap, Leaf::Feed];

/// Counts leaves: single ones, sections, covers, things, then buckets by turns of the sections.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaves {
    pub sections: usize,
    pub things: usize,
}

impl Leaves {
    /// How many pages there are besides things and buckets.
    pub(super) const fn besides(sections: usize) -> usize {
        SINGLE.len() + 2 * sections
    }

    pub(super) fn number(&self, leaf: Leaf) -> u32 {
        let (sections, single) = (self.sections, SINGLE.len());
        let number = match leaf {
            Leaf::Section(section) => single + section,
            Leaf::Cover(section) => single + sections + section,
            Leaf::Thing(thing) => single + 2 * sections + thing as usize,
            Leaf::Bucket(section, bucket) => single + 2 * sections + self.things + bucket * sections + section,
            _ => SINGLE.iter().position(|&single| single == leaf).expect("all others are single"),
        };
        number as u32
    }

    pub(super) fn leaf(&self, number: u32) -> Leaf {
        let number = number as usize;
        if let Some(&leaf) = SINGLE.get(number) {
            return leaf;
        }
        let rest = number - SINGLE.len();
        let (group, section) = (rest / self.sections, rest % self.sections);
        let beyond = rest.checked_sub(2 * self.sections);
        match beyond {
            None if group == 0 => Leaf::Section(section),
            None => Leaf::Cover(section),
            Some(thing) if thing < self.things => Leaf::Thing(thing as u32),
            Some(beyond) => {
                let bucket = beyond - self.things;
                Leaf::Bucket(bucket % self.sections, bucket / self.sections)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_one_leaf() {
        let leaves = Leaves { sections: 3, things: 10 };
        for number in 0..100 {
            assert_eq!(leaves.number(leaves.leaf(number)), number, "{:?}", leaves.leaf(number));
        }
    }
}
