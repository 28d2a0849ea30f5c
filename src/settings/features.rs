//! The gate table of the registry's format fields: each newer field is a feature that can be switched off, so that data
//! of an older format can be rebuilt byte for byte.

use std::fmt;

use crate::settings::words;

words! {
    /// A gated format field of the registry (`registry.md#provider-files`).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Feature: [ALL, name, from_name] {
        /// `h1` and `size` on every provider target (registry PR#3744, March 2026).
        TargetHashes = "target-hashes",
        /// `discovered` on versions (registry PR#4113, April 2026).
        DiscoveredTimestamps = "discovered-timestamps",
        /// `versions_errors` on providers (registry PR#3807, March 2026).
        VersionsErrors = "versions-errors",
        /// `commit` on module versions (registry PR#4113, April 2026).
        ModuleCommits = "module-commits",
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which features are on; all of them by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features {
    off: u8,
}

impl Features {
    pub(crate) fn has(self, feature: Feature) -> bool {
        self.off & (1 << feature as u8) == 0
    }

    pub(crate) fn set(&mut self, feature: Feature, on: bool) {
        let bit = 1 << feature as u8;
        if on {
            self.off &= !bit;
        } else {
            self.off |= bit;
        }
    }

    /// The format of before March 2026: none of the newer fields.
    pub fn none() -> Self {
        let mut features = Self::default();
        for feature in Feature::ALL {
            features.set(feature, false);
        }
        features
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_switch_one_by_one() {
        let mut features = Features::default();
        assert!(Feature::ALL.into_iter().all(|feature| features.has(feature)));
        features.set(Feature::ModuleCommits, false);
        assert!(!features.has(Feature::ModuleCommits) && features.has(Feature::TargetHashes));
        features.set(Feature::ModuleCommits, true);
        assert_eq!(features, Features::default());
        assert!(Feature::ALL.into_iter().all(|feature| !Features::none().has(feature)));
    }
}
