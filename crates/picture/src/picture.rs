//! The finished picture: one SVG text, and the PNG drawn from that very text.

use resvg::{tiny_skia, usvg};
use std::sync::Arc;

/// Pixels of the PNG per unit of the SVG: sharp in print and on dense screens.
const PNG_SCALE: f32 = 2.0;

/// A drawn chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    svg: String,
}

impl Picture {
    /// `svg` is what a [`Sheet`](crate::sheet::Sheet) wrote.
    pub(crate) fn new(svg: String) -> Picture {
        Picture { svg }
    }

    /// A whole SVG document; it may also stand inside an HTML page.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// The same picture as PNG at twice the size, with the font this crate brings along: the same bytes everywhere.
    ///
    /// # Panics
    /// If our own SVG is not one, which is a defect of this room and nothing an input can cause.
    pub fn png(&self) -> Vec<u8> {
        let tree = usvg::Tree::from_str(&self.svg, &options()).expect("a picture is an SVG document");
        let size = tree.size().to_int_size().scale_by(PNG_SCALE).expect("a sheet has an area");
        let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).expect("a sheet is small");
        resvg::render(&tree, tiny_skia::Transform::from_scale(PNG_SCALE, PNG_SCALE), &mut pixels.as_mut());
        pixels.encode_png().expect("pixels in memory can be encoded")
    }
}

fn options() -> usvg::Options<'static> {
    let mut options = usvg::Options { font_family: "Noto Sans".to_owned(), ..usvg::Options::default() };
    let fonts = options.fontdb_mut();
    for face in [notosans::REGULAR_TTF, notosans::BOLD_TTF] {
        fonts.load_font_source(usvg::fontdb::Source::Binary(Arc::new(face)));
    }
    fonts.set_sans_serif_family("Noto Sans");
    options
}
