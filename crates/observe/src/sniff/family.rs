//! Names that bytes of one signature may rightly have.

use super::{containers, signatures};
use tintype_vocab::folded;

/// Each row is one family; its first name is the one we use ourselves. A name that ends in a star is a beginning.
const FAMILIES: [&[&str]; 35] = [
    &["application/pdf", "application/x-pdf", "text/pdf"],
    &["application/postscript", "application/eps", "image/x-eps", "image/eps"],
    &["application/rtf", "text/rtf", "application/msword"],
    &["image/png", "image/x-png", "image/apng", "image/vnd.mozilla.apng"],
    &["image/x-icon", "image/vnd.microsoft.icon", "image/ico", "image/icon", "image/x-win-bitmap"],
    &["image/bmp", "image/x-ms-bmp", "image/x-bmp", "image/x-windows-bmp"],
    &[
        "image/tiff",
        "image/tif",
        "image/x-tiff",
        "image/x-adobe-dng",
        "image/x-nikon-nef",
        "image/x-canon-cr2",
        "image/x-sony-arw",
    ],
    &["image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence"],
    &["image/jp2", "image/jpx", "image/jpm"],
    &[
        "image/vnd.adobe.photoshop",
        "application/photoshop",
        "application/x-photoshop",
        "image/x-photoshop",
        "image/psd",
    ],
    &["image/vnd.djvu", "image/djvu", "image/x-djvu"],
    &[
        "audio/mpeg",
        "audio/mp3",
        "audio/x-mp3",
        "audio/x-mpeg",
        "audio/mpeg3",
        "audio/x-mpeg-3",
        "audio/mpg",
        "audio/mpa",
    ],
    &["audio/aac", "audio/aacp", "audio/x-aac", "audio/x-hx-aac-adts"],
    &["audio/wave", "audio/wav", "audio/x-wav", "audio/vnd.wave", "audio/x-pn-wav"],
    &["audio/aiff", "audio/x-aiff"],
    &["audio/flac", "audio/x-flac"],
    &["audio/midi", "audio/mid", "audio/x-midi", "application/x-midi"],
    &["audio/amr", "audio/amr-wb"],
    &[
        "application/ogg",
        "audio/ogg",
        "video/ogg",
        "audio/opus",
        "audio/vorbis",
        "audio/x-ogg",
        "video/x-ogg",
        "audio/speex",
    ],
    &["video/webm", "audio/webm", "video/x-matroska", "audio/x-matroska", "video/matroska", "audio/matroska"],
    &[
        "video/mp4",
        "audio/mp4",
        "application/mp4",
        "audio/x-m4a",
        "audio/m4a",
        "audio/x-m4b",
        "audio/mp4a-latm",
        "video/x-m4v",
        "video/quicktime",
        "video/3gpp",
        "audio/3gpp",
        "video/3gpp2",
        "audio/3gpp2",
        "video/mpeg4",
    ],
    &["video/mpeg", "video/mpg", "video/x-mpeg", "video/mp2t", "video/mp2p", "video/vnd.dlna.mpeg-tts"],
    &["video/avi", "video/x-msvideo", "video/msvideo", "video/vnd.avi"],
    &["video/x-ms-asf", "video/x-ms-wmv", "audio/x-ms-wma", "video/x-ms-wm", "application/vnd.ms-asf"],
    &["video/x-flv", "video/flv"],
    &["application/x-shockwave-flash", "application/vnd.adobe.flash.movie"],
    &["font/ttf", "font/*", "application/font*", "application/x-font*", "application/vnd.ms-opentype"],
    &[
        "application/gzip",
        "application/x-gzip",
        "application/x-tgz",
        "application/x-compressed-tar",
        "application/x-tar",
    ],
    &["application/zip", "application/x-zip", "application/x-zip-compressed"],
    &[
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
        "application/vnd.ms-word.document.macroenabled.12",
        "application/vnd.ms-word.template.macroenabled.12",
    ],
    &[
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.ms-excel.template.macroenabled.12",
        "application/vnd.ms-excel.sheet.binary.macroenabled.12",
    ],
    &[
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
        "application/vnd.openxmlformats-officedocument.presentationml.template",
        "application/vnd.ms-powerpoint.presentation.macroenabled.12",
        "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
    ],
    &["application/x-ole-storage", "application/msword", "application/vnd.ms-*", "application/x-msi"],
    &["application/x-rar-compressed", "application/vnd.rar", "application/x-rar", "application/rar"],
    &[
        "application/vnd.microsoft.portable-executable",
        "application/x-msdownload",
        "application/x-msdos-program",
        "application/x-dosexec",
    ],
];

/// Whether two names may mean the same bytes.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    folded(one) == folded(other) || FAMILIES.iter().any(|family| is_in(one, family) && is_in(other, family))
}

/// Whether bytes of that name, or of another of its family, are told by a signature.
pub(super) fn has_signature(name: &str) -> bool {
    let told = |name: &str| signatures::tell(name) || containers::tell(name);
    told(name) || FAMILIES.iter().any(|family| is_in(name, family) && told(family[0]))
}

fn is_in(name: &str, family: &[&str]) -> bool {
    family.iter().any(|known| match known.strip_suffix('*') {
        Some(begin) => name.starts_with(begin),
        None => *known == name,
    })
}
