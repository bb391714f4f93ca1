//! What a first capture knows before it has asked for anything.
//!
//! Made by `tintype lab media --train FILE --keep shipped.bin` from labelled URLs; [`Media::trained_on`] says which. Rows
//! that learned next to nothing are left out, which makes it smaller by a third and costs less than a tenth of a point of accuracy
//! on domains never seen. A change of features or slots needs another one: see [`super::stored`].

use super::ours::Media;

static SHIPPED: &[u8] = include_bytes!("shipped.bin");

impl Default for Media {
    fn default() -> Media {
        Media::from_bytes(SHIPPED).expect("what is shipped can be read: there is a test")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::Sight;
    use tintype_vocab::{ContentType, Mention, Tag};

    #[test]
    fn what_is_shipped_can_be_read_and_is_labelled() {
        let media = Media::default();
        assert!(media.trained_on().contains("labelled URLs"), "{}", media.trained_on());
        assert!(SHIPPED.len() < 600 << 10, "small enough to ship");
    }

    #[test]
    fn a_first_capture_is_not_blind() {
        let media = Media::default();
        for (url, expected) in [
            ("https://new.example/photos/holiday.jpg", ContentType::Image),
            ("https://new.example/", ContentType::Text),
            ("https://new.example/about/team", ContentType::Text),
            ("http://new.example:8000/stream", ContentType::Audio),
            ("https://new.example/report-2024.pdf", ContentType::Application),
            ("https://new.example/clip.mp4", ContentType::Video),
            ("https://img.new.example/thumb.php?src=a.png&w=100&h=80", ContentType::Image),
        ] {
            let chances = media.guess(&Sight::of(url)).folded_content_types();
            let best =
                ContentType::ALL.into_iter().max_by(|a, b| chances[*a as usize].total_cmp(&chances[*b as usize]));
            assert_eq!(best, Some(expected), "{url} {chances:?}");
        }
        let linked =
            |tag| Sight { url: "https://new.example/get?id=7", mention: Mention { tag, ..Mention::default() } };
        let image = |tag| media.guess(&linked(tag)).chance(&"image".parse().unwrap());
        assert!(image(Tag::Image) > 0.6 && image(Tag::Anchor) < 0.4, "{} {}", image(Tag::Image), image(Tag::Anchor));
    }
}
