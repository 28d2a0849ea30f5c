//! What `demo --serve` prints: where the world is, and how bumpdesk, tofu and terraform come to it.

use std::path::Path;

use demo::Addresses;
use serde::Serialize;

use crate::print::output::{Color, Line};
use crate::rules::plain_text::shell_word;

/// For people. The lines that a shell takes begin with two blanks.
pub(crate) fn page(addresses: &Addresses, registry: &Path) -> Vec<Line> {
    let registry = registry.display().to_string();
    let ca_file = addresses.ca_file.as_ref().map(|path| path.display().to_string());
    let set = |pairs: &[(&str, &str)]| {
        let words = pairs.iter().map(|(name, value)| format!("{name}={}", shell_word(value)));
        Line::of(format!("  export {}", words.collect::<Vec<_>>().join(" ")))
    };
    let mut lines = vec![
        Line::of("The demo world answers on this machine until Ctrl-C."),
        Line::default(),
        Line::default().color(Color::Bold, "bumpdesk with it, in another terminal:"),
        set(&[("BUMPDESK_REGISTRY", &registry)]),
        set(&[("BUMPDESK_API_URL", &addresses.api), ("BUMPDESK_GRAPHQL_URL", &addresses.graphql)]),
        set(&[("BUMPDESK_WEB_URL", &addresses.web), ("BUMPDESK_SERVED_URL", &addresses.served)]),
        set(&[("BUMPDESK_SEARCH_URL", &addresses.search), ("GH_TOKEN", "demo")]),
    ];
    lines.extend(ca_file.as_ref().map(|path| set(&[("BUMPDESK_CA_FILE", path)])));
    lines.push(Line::of("  bumpdesk survey --no-throttle"));
    lines.push(Line::default());
    lines.push(Line::default().color(Color::Bold, "tofu or terraform with it:"));
    match (&addresses.cli_config_file, &ca_file) {
        (Some(cli_config), Some(ca_file)) => {
            let cli_config = cli_config.display().to_string();
            lines.push(set(&[("TF_CLI_CONFIG_FILE", &cli_config), ("CHECKPOINT_DISABLE", "1")]));
            lines.push(set(&[("SSL_CERT_FILE", ca_file), ("GIT_SSL_CAINFO", ca_file)]));
            lines.extend(
                [
                    "  That configuration points both programs' default registry here, so a source such as",
                    "  \"registry.opentofu.org/stonewharf/sundial\" is installed from this world. terraform installs only",
                    "  what is signed by a key on file. SSL_CERT_FILE is read on Linux and the BSDs.",
                ]
                .map(Line::of),
            );
        }
        _ => lines.push(Line::of(
            "  Not yet: its answers name github.com. `bumpdesk demo --serve --self-urls` names this world instead.",
        )),
    }
    lines
}

/// Type `addresses`.
#[derive(Serialize)]
pub(crate) struct AddressesObject<'a> {
    api: &'a str,
    graphql: &'a str,
    web: &'a str,
    object: &'a str,
    served: &'a str,
    search: &'a str,
    /// The authority to trust; null without TLS.
    ca_file: Option<&'a Path>,
    /// The registry's folder.
    registry: &'a Path,
    /// For tofu and terraform; null unless the world names itself in its URLs.
    cli_config_file: Option<&'a Path>,
}

impl<'a> AddressesObject<'a> {
    pub(crate) fn of(addresses: &'a Addresses, registry: &'a Path) -> Self {
        Self {
            api: &addresses.api,
            graphql: &addresses.graphql,
            web: &addresses.web,
            object: &addresses.object,
            served: &addresses.served,
            search: &addresses.search,
            ca_file: addresses.ca_file.as_deref(),
            registry,
            cli_config_file: addresses.cli_config_file.as_deref(),
        }
    }
}
