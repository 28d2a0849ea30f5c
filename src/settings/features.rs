//! The gate table of the registry's format fields: each newer field is a feature that can be switched off, so that data
//! of an older format can be rebuilt byte for byte.

use std::fmt;

/// A gated format field of the registry (`spec/registry.md` §1.2, §1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// `h1` and `size` on every provider target (registry PR#3744, March 2026).
    TargetHashes,
    /// `discovered` on versions (registry PR#4113, April 2026).
    DiscoveredTimestamps,
    /// `versions_errors` on providers (registry PR#3807, March 2026).
    VersionsErrors,
    /// `commit` on module versions (registry PR#4113, April 2026).
    ModuleCommits,
}

impl Feature {
    pub const ALL: [Self; 4] =
        [Self::TargetHashes, Self::DiscoveredTimestamps, Self::VersionsErrors, Self::ModuleCommits];

    /// The name used on the command line, in the configuration and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::TargetHashes => "target-hashes",
            Self::DiscoveredTimestamps => "discovered-timestamps",
            Self::VersionsErrors => "versions-errors",
            Self::ModuleCommits => "module-commits",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|feature| feature.name() == name)
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
    pub fn has(self, feature: Feature) -> bool {
        self.off & (1 << feature as u8) == 0
    }

    pub fn set(&mut self, feature: Feature, on: bool) {
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

    /// Applies `NAME=on` or `NAME=off`.
    ///
    /// # Errors
    /// The text has another form, or names no feature.
    pub fn apply(&mut self, text: &str) -> Result<(), FeatureError> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(FeatureError::Form(text.into()));
        };
        let feature = Feature::from_name(name).ok_or_else(|| FeatureError::Unknown(name.into()))?;
        match value {
            "on" | "true" => self.set(feature, true),
            "off" | "false" => self.set(feature, false),
            _ => return Err(FeatureError::Form(text.into())),
        }
        Ok(())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureError {
    #[error("`{0}` is not of the form NAME=on or NAME=off")]
    Form(String),
    #[error(
        "there is no feature `{0}`; known: target-hashes, discovered-timestamps, versions-errors, module-commits"
    )]
    Unknown(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_switch_one_by_one() {
        let mut features = Features::default();
        assert!(Feature::ALL.into_iter().all(|feature| features.has(feature)));
        features.apply("module-commits=off").unwrap();
        assert!(!features.has(Feature::ModuleCommits) && features.has(Feature::TargetHashes));
        features.apply("module-commits=on").unwrap();
        assert_eq!(features, Features::default());
        assert_eq!(features.apply("h1=off"), Err(FeatureError::Unknown("h1".into())));
        assert_eq!(features.apply("target-hashes"), Err(FeatureError::Form("target-hashes".into())));
        assert!(Feature::ALL.into_iter().all(|feature| !Features::none().has(feature)));
    }
}
