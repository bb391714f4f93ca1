//! What the end of a URL says about what is behind it. A later learner does this better; this is the table it
//! has to beat, and enough for `--media` to leave out what is plainly something else.

/// Content types by extension; only those that are hardly ever wrong.
const EXTENSIONS: &[(&str, &str)] = &[
    (
        "application",
        "pdf zip gz tgz bz2 xz 7z rar tar exe msi dmg iso deb rpm jar swf js mjs json woff woff2 ttf otf eot doc docx xls xlsx ppt pptx odt ods odp epub bin",
    ),
    ("audio", "mp3 ogg oga wav flac m4a aac opus wma mid"),
    ("image", "jpg jpeg png gif webp svg ico bmp tif tiff avif heic"),
    ("text", "css txt csv md vtt ics"),
    ("video", "mp4 m4v webm mov avi mkv mpg mpeg wmv flv ogv ts"),
];

/// The content type the extension names, when there is one we trust. Pages that may carry links name none.
pub(crate) fn content_type(url: &str) -> Option<&'static str> {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let name = path.rsplit('/').next().filter(|name| name.len() < path.len())?;
    let (_, extension) = name.rsplit_once('.')?;
    if extension.is_empty() || extension.len() > 5 {
        return None;
    }
    let extension = extension.to_ascii_lowercase();
    EXTENSIONS.iter().find(|(_, list)| list.split(' ').any(|known| known == extension)).map(|(kind, _)| *kind)
}

/// Whether a URL is plainly of a content type nobody asked for.
pub(crate) fn is_unwanted(url: &str, wanted: &crate::MediaRules) -> bool {
    let Some(kind) = content_type(url) else { return false };
    let allows = |rule: &crate::MediaRule| rule.range.content_type().is_some_and(|wanted| wanted.name() == kind);
    !wanted.allow.is_empty() && !wanted.allow.iter().any(allows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_extensions_decide() {
        assert_eq!(content_type("http://e.com/a/b.JPG?x=1"), Some("image"));
        assert_eq!(content_type("http://e.com/a.b/c"), None);
        assert_eq!(content_type("http://e.com"), None);
        assert_eq!(content_type("http://e.mp3/"), None);
        let wanted = ["image", "application/pdf"].into_iter().map(|rule| rule.parse().unwrap()).collect();
        assert!(is_unwanted("http://e.com/a.mp3", &wanted));
        assert!(!is_unwanted("http://e.com/a.pdf", &wanted));
        assert!(!is_unwanted("http://e.com/a.html", &wanted));
        assert!(!is_unwanted("http://e.com/a.mp3", &crate::MediaRules::default()));
    }
}
