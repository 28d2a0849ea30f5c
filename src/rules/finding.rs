//! Something worth a maintainer's eye. Never an error of ours, and never a change of the status by itself.

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Note,
    Warning,
    Error,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One finding about an entry or one of its versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub severity: Severity,
    /// A stable kebab-case name, such as `repository-id-changed`.
    pub rule: &'static str,
    pub version: Option<String>,
    /// One sentence, lower case, without a full stop.
    pub text: String,
}

impl Finding {
    pub fn note(rule: &'static str, text: impl Into<String>) -> Self {
        Self { severity: Severity::Note, rule, version: None, text: text.into() }
    }

    pub fn warning(rule: &'static str, text: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, rule, version: None, text: text.into() }
    }

    pub fn error(rule: &'static str, text: impl Into<String>) -> Self {
        Self { severity: Severity::Error, rule, version: None, text: text.into() }
    }

    /// Whether a proposal may lack something since it could not be read upstream.
    pub fn is_unread(&self) -> bool {
        self.severity == Severity::Error && matches!(self.rule, "tags-unread" | "version-unread")
    }

    /// What nobody knows because of it, as a part of a sentence; `None`: it hides nothing.
    pub fn leaves_unknown(&self) -> Option<&'static str> {
        match self.rule {
            _ if !self.is_unread() => None,
            "tags-unread" => Some("its tags were not read, so nobody knows what is missing"),
            _ => Some("a version could not be read upstream, so nobody knows whether it is missing"),
        }
    }

    #[must_use]
    pub fn on(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }
}
