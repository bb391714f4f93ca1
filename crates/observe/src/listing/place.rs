//! Objects that are links of a page.

use super::{
    gather::Gatherer,
    template::Template,
    way::{Field, Way},
};
use crate::Look;
use tintype_vocab::LinkKind;

/// Every link of the page that is of the declared form.
pub(super) fn links(look: &Look, template: &Template, way: &Way, gatherer: &mut Gatherer<'_>) {
    let findings = look.findings;
    gatherer.findings.broken |= findings.markup_broken;
    gatherer.findings.over_limit += findings.links_over_limit;
    for link in look.links.iter().filter(|link| matches!(link.kind, LinkKind::Anchor | LinkKind::Listed)) {
        let Some(parts) = template.parts(link.url) else { continue };
        let part = |wanted: &str| parts.iter().find(|(name, _)| *name == wanted).map(|(_, part)| *part);
        let value = |field: &Field| match field {
            Field::Part(name) => part(name),
            _ => Some(link.url),
        };
        let id = way.id.as_ref().map_or_else(|| part("id").or(Some(link.url)), value);
        gatherer.add(id, gatherer.attributes.iter().map(|(_, field)| value(field).map(str::to_owned)));
    }
}
