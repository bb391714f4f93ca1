//! Captures for those who only look: what the catalogue does not say yet, or any more, is read from the logs.

use super::{Catalogue, directories::Changed};
use crate::{
    CaptureId, CaptureInfo, Error, door,
    layout::Layout,
    log::range::{FoundCapture, LogFile, LogRange},
};
use hashbrown::HashMap;
use std::path::Path;

/// One capture.
pub(crate) fn find(layout: &Layout, id: &CaptureId) -> Result<Option<CaptureInfo>, Error> {
    let known = Catalogue::read(layout).and_then(|catalogue| catalogue.info(id).ok().flatten());
    match known.filter(|info| door::is_file(&info.log.path)) {
        Some(info) => Ok(Some(info)),
        None => Ok(all(layout, None)?.into_iter().find(|info| info.id == *id)),
    }
}

/// The capture that has this number in a segment, as far as it was noted.
pub(crate) fn numbered(layout: &Layout, segment: &str, number: u32) -> Option<CaptureId> {
    Catalogue::read(layout)?.numbered(segment, number).ok().flatten()
}

/// All captures of a site, or of all, whose head can be read, oldest first.
pub(crate) fn all(layout: &Layout, site: Option<&str>) -> Result<Vec<CaptureInfo>, Error> {
    let known = Catalogue::read(layout).and_then(|catalogue| {
        let changed = catalogue.changed_logs(layout).ok()?;
        Some((catalogue.infos(site).ok()?, changed))
    });
    let (infos, changed) = match known {
        Some(known) => known,
        None => (Vec::new(), Changed::everything(layout)?),
    };
    let mut infos = Infos(infos.into_iter().map(|info| (info.id.clone(), info)).collect());
    changed.gone.iter().for_each(|name| infos.forget(&layout.log_file(name)));
    for log in changed.logs {
        infos.read(&layout.log_file(&log.name), log.known.filter(|known| *known <= log.len))?;
    }
    let mut infos: Vec<CaptureInfo> = infos.0.into_values().collect();
    infos.retain(|info| site.is_none_or(|site| info.head.site == site));
    infos.sort_unstable_by(|one, other| one.id.cmp(&other.id));
    Ok(infos)
}

struct Infos(HashMap<CaptureId, CaptureInfo>);

impl Infos {
    fn forget(&mut self, path: &Path) {
        self.0.retain(|_, info| info.log.path != path);
    }

    /// Brings up to date what is known of the captures in a log, of which so many bytes are known.
    fn read(&mut self, path: &Path, known: Option<u64>) -> Result<(), Error> {
        if known.is_none() {
            self.forget(path);
        }
        let file = LogFile::read(path, known.unwrap_or_default())?;
        let here = self.0.values_mut().filter(|info| info.log.path == path);
        if let (Some(last), Some(end)) = (here.max_by_key(|info| info.log.from), file.end_before) {
            last.end.get_or_insert(end);
        }
        for found in file.captures {
            if found.anew || !self.0.contains_key(&found.id) {
                self.0.insert(found.id.clone(), info_of(path, found));
            }
        }
        Ok(())
    }
}

fn info_of(path: &Path, found: FoundCapture) -> CaptureInfo {
    let FoundCapture { id, head, from, to, end, .. } = found;
    let log = LogRange { path: path.to_owned(), from, to: end.is_some().then_some(to) };
    CaptureInfo { id, log, head, end, sequence: None }
}
