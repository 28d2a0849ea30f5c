//! The GitHub token: from the environment, else from the `gh` program. Never printed, not even its length.

use std::time::Duration;

use secrecy::SecretString;

use crate::boot::{Environment, far_sides, program};

/// Where the token came from, or why there is none. The words are fit for `doctor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenSource {
    Variable(&'static str),
    /// `gh auth token --hostname HOST`.
    Gh(String),
    /// `--no-token`.
    Refused,
    /// Nobody looked: the command asks no server.
    NotNeeded,
    /// None found; the reason.
    Missing(String),
}

impl TokenSource {
    /// Where to mend it: `GH_TOKEN`.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Variable(name) => (*name).into(),
            Self::Gh(host) => format!("`gh auth token --hostname {host}`"),
            Self::Refused | Self::NotNeeded | Self::Missing(_) => "nowhere".into(),
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Self::Variable(name) => format!("present, from {name}"),
            Self::Gh(host) => format!("present, from `gh auth token --hostname {host}`"),
            Self::Refused => "not used, because of --no-token".into(),
            Self::NotNeeded => "not looked for".into(),
            Self::Missing(why) => format!("none: {why}"),
        }
    }
}

/// What `gh` may take; it only reads its own store.
const GH_LIMIT: Duration = Duration::from_secs(3);
/// No token of GitHub is longer.
const LONGEST: usize = 4096;

/// Looks for the token for a web base. `gh` is asked only when no variable has one, and never for a loopback host.
pub(crate) async fn find(environment: &Environment, web: &str) -> (Option<SecretString>, TokenSource) {
    let mut odd = Vec::new();
    for name in ["GH_TOKEN", "GITHUB_TOKEN"] {
        let Some(text) = environment.variable(name) else { continue };
        match text.to_str().and_then(clean) {
            Some(token) => return (Some(token), TokenSource::Variable(name)),
            None => odd.push(name),
        }
    }
    let unset = match odd[..] {
        [] => "GH_TOKEN and GITHUB_TOKEN are not set".to_owned(),
        _ => format!(
            "{} is set, and what it holds cannot be a token (it contains a space, a line break or the like)",
            odd.join(" and ")
        ),
    };
    let missing = |why: String| (None, TokenSource::Missing(why));
    if far_sides::is_loopback(web) {
        return missing(format!("{unset} (`gh` is not asked for a loopback host)"));
    }
    let Some(host) = far_sides::host(web) else { return missing(unset) };
    match program::ask(environment, "gh", &["auth", "token", "--hostname", &host], GH_LIMIT).await {
        Ok(answer) if answer.success => match std::str::from_utf8(&answer.stdout).ok().and_then(clean) {
            Some(token) => (Some(token), TokenSource::Gh(host)),
            None => missing(format!("{unset}, and `gh` gave nothing usable")),
        },
        Ok(_) => missing(format!("{unset}, and `gh` is not logged in to {host}")),
        Err(error) => missing(format!("{unset}, and {error}")),
    }
}

/// A token without white space around it; `None` for what no header could carry.
fn clean(text: &str) -> Option<SecretString> {
    let text = text.trim();
    let fit = !text.is_empty() && text.len() <= LONGEST && text.bytes().all(|byte| byte.is_ascii_graphic());
    fit.then(|| SecretString::from(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    const WEB: &str = "https://github.com";

    async fn found(variables: &[(&str, &str)], web: &str) -> (Option<String>, TokenSource) {
        let environment = Environment::made_up("/", variables);
        let (token, source) = find(&environment, web).await;
        assert!(!format!("{token:?} {source:?} {}", source.text()).contains("canary"));
        (token.map(|token| token.expose_secret().to_owned()), source)
    }

    #[tokio::test]
    async fn variables_come_in_order() {
        let both = [("GITHUB_TOKEN", "canary-b"), ("GH_TOKEN", " canary-a\n")];
        assert_eq!(found(&both, WEB).await, (Some("canary-a".into()), TokenSource::Variable("GH_TOKEN")));
        let one = [("GITHUB_TOKEN", "canary-b"), ("GH_TOKEN", "")];
        assert_eq!(found(&one, WEB).await, (Some("canary-b".into()), TokenSource::Variable("GITHUB_TOKEN")));
        for odd in ["canary\r\nX-Evil: 1", "canary canary", "\t"] {
            let (token, source) = found(&[("GH_TOKEN", odd)], "http://127.0.0.1:1").await;
            assert_eq!(token, None);
            assert!(source.text().starts_with("none: GH_TOKEN is set, and what it holds cannot be a token"));
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    #[expect(clippy::disallowed_methods, reason = "a stand-in for the gh program")]
    async fn gh_is_asked_last_and_not_for_loopback() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let gh = folder.path().join("gh");
        std::fs::write(&gh, "#!/bin/sh\n[ \"$1 $2 $3\" = 'auth token --hostname' ] && echo canary-$4\n")
            .unwrap();
        std::fs::set_permissions(&gh, std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = [("PATH", folder.path().to_str().unwrap())];
        let (token, source) = found(&path, WEB).await;
        assert_eq!(token.as_deref(), Some("canary-github.com"));
        assert_eq!(source, TokenSource::Gh("github.com".into()));
        assert_eq!(found(&path, "http://127.0.0.1:9").await.0, None);
        let (token, source) = found(&[], WEB).await;
        assert_eq!(token, None);
        assert_eq!(source.text(), "none: GH_TOKEN and GITHUB_TOKEN are not set, and `gh` is not in PATH");
    }
}
