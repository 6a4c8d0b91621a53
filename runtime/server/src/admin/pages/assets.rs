//! What pages load beside themselves: styles and scripts, kept in the program. The name of each has a hash of what it
//! holds, so browsers keep it for good; it is compressed once. Nothing of it is secret, and none asks who loads it.

use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use service::secrets;
use std::io::Write as _;
use std::sync::LazyLock;

/// Letters of a hash that stand in a name.
const HASH_LENGTH: usize = 12;

/// One of them.
pub(super) struct Asset {
    /// What templates call it.
    name: &'static str,
    /// What browsers call it.
    hashed_name: String,
    pub(super) kind: &'static str,
    pub(super) plain: &'static [u8],
    pub(super) packed: Bytes,
}

macro_rules! assets {
    ($($name:literal: $kind:literal,)*) => {
        vec![$(Asset::new(
            $name,
            $kind,
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/", $name)),
        ),)*]
    };
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    assets! {
        "tokens.css": "text/css; charset=utf-8",
        "app.css": "text/css; charset=utf-8",
        "pages.css": "text/css; charset=utf-8",
        "app.js": "text/javascript; charset=utf-8",
        "grid.js": "text/javascript; charset=utf-8",
        "palette.js": "text/javascript; charset=utf-8",
        "query.js": "text/javascript; charset=utf-8",
        "range.js": "text/javascript; charset=utf-8",
        "icon.svg": "image/svg+xml",
        "vendor/htmx/htmx.min.js": "text/javascript; charset=utf-8",
    }
});

impl Asset {
    fn new(name: &'static str, kind: &'static str, plain: &'static [u8]) -> Self {
        let text = String::from_utf8_lossy(plain);
        let hash = &secrets::hash(&text)[..HASH_LENGTH];
        let base = name.rsplit('/').next().unwrap_or(name);
        let (stem, ending) = base.rsplit_once('.').unwrap_or((base, "bin"));
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        // INVARIANT: a vector takes any bytes
        let _ = packer.write_all(plain);
        Asset {
            name,
            hashed_name: format!("{stem}-{hash}.{ending}"),
            kind,
            plain,
            packed: packer.finish().unwrap_or_default().into(),
        }
    }
}

/// What browsers call an asset.
pub(super) fn hashed_name(name: &str) -> &'static str {
    let own = ASSETS.iter().find(|asset| asset.name == name);
    own.map_or("", |asset| &asset.hashed_name)
}

/// The asset that browsers call so.
pub(super) fn named(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.hashed_name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_assets_together_are_few_bytes() {
        const BYTES_MAX: usize = 150_000;
        const OWN_SCRIPTS_MAX: usize = 42_000;
        let all: usize = ASSETS.iter().map(|asset| asset.packed.len()).sum();
        assert!(all < BYTES_MAX, "{all}");
        let own = ASSETS.iter().filter(|it| {
            it.name.rsplit_once('.').is_some_and(|(_, end)| end == "js") && !it.name.contains('/')
        });
        let own: usize = own.map(|it| it.plain.len()).sum();
        assert!(own < OWN_SCRIPTS_MAX, "{own}");
    }
}
