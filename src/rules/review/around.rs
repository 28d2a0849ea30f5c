//! The surroundings of a pull request: its author, the authors of its commits, its checks, and other open pull requests on its
//! files.
//!
//! None of them changes the word of the review, and sources that could not be read are reported. Pure; `jobs::review` reads.

use serde::Serialize;

use crate::registry::Address;
use crate::registry::keys::KeyScope;
use crate::rules::amount::list_names;
use crate::rules::look_alike::difference;
use crate::rules::markdown::code;
use crate::rules::notice::{Known, Notice};
use crate::rules::plain_text::visible;
use crate::rules::review::{Ground, Point, ReviewedFile};
use crate::rules::sending::Prediction;
use crate::rules::signature::Vouched;
use crate::rules::watch::{Check, CheckState, Checks, Source};

/// Read when one pull request is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct PullContext {
    /// One for each owner of a file.
    pub(crate) owners: Vec<Owner>,
    /// Names that the author's login, or who made a commit, reads like and is not, with what differs.
    pub(crate) reads_like: Vec<LooksLike>,
    /// Oldest first; `None`: not known.
    pub(crate) commits: Option<Vec<PullCommit>>,
    pub(crate) checks: Vec<AroundCheck>,
    /// Names of those that must pass; `None`: not known.
    pub(crate) required: Option<Vec<String>>,
    /// The predicted result of the required check, for each file that was made again.
    pub(crate) predicted: Vec<Predicted>,
    /// Who vouches for the checksums of what it adds.
    pub(crate) signed: Vec<SignedVersions>,
    /// Other open pull requests that change the same files; `None`: not known.
    pub(crate) others: Option<Vec<OtherPull>>,
    /// The notices about its versions that this maintainer keeps.
    pub(crate) notices: Vec<Known>,
    /// The sources that could not be read, and why: sentences.
    pub(crate) unread: Vec<String>,
}

/// The owner of files, and what the author is to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Owner {
    pub(crate) login: String,
    pub(crate) author_is: Standing,
    /// Asks for what is missing, to be posted as a comment; `None`: nothing is.
    pub(crate) request: Option<String>,
}

/// The relation of the author to an owner, as far as everybody can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Standing {
    /// The owner's own account.
    SameAccount,
    PublicMember,
    /// Perhaps a member who does not show it.
    NotVisible,
    Unknown,
}

/// A name that a login, or the name of a commit, reads like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct LooksLike {
    /// Who reads so.
    pub(crate) who: String,
    pub(crate) name: String,
    pub(crate) differs: String,
}

/// A commit, as GitHub shows it. Texts are of others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct PullCommit {
    pub(crate) id: String,
    pub(crate) subject: String,
    /// The login, where GitHub knows it; else the name that the commit has, which anybody can write.
    pub(crate) author: Maker,
    pub(crate) committer: Maker,
    pub(crate) signature: Signature,
}

/// Who made a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Maker {
    Login(String),
    /// As the commit has it.
    Name(String),
}

/// GitHub's statement about a commit's signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Signature {
    Verified,
    Unsigned,
    /// GitHub's word for why it does not vouch for it.
    NotVerified(String),
}

/// A check on the head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct AroundCheck {
    pub(crate) name: String,
    pub(crate) state: CheckState,
    /// GitHub's own word.
    #[serde(rename = "said")]
    pub(crate) word: String,
}

/// The predicted result of the required check for a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Predicted {
    pub(crate) path: String,
    /// `None`: not known.
    pub(crate) passes: Option<bool>,
    /// `passes`; `fails: …`; `is not known: …`.
    pub(crate) text: String,
}

/// Versions of a file for whose checksums the same vouches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct SignedVersions {
    pub(crate) path: String,
    pub(crate) versions: Vec<String>,
    pub(crate) signing: Signing,
    pub(crate) text: String,
}

/// The result of the signature check that a client makes when it installs a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Signing {
    Signed,
    /// No key is on file, so clients check no signature.
    NoKey,
    /// The signature is good, with a caveat.
    Doubtful,
    /// It is not good, or could not be read.
    NotVouched,
}

/// Another open pull request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct OtherPull {
    pub(crate) number: u64,
    pub(crate) title: String,
    pub(crate) author: String,
    /// The files that both change; none: it changes more than GitHub lists.
    pub(crate) paths: Vec<String>,
}

/// The owners of files, each once, in the order of the files: the account or organisation that publishes an entry, or whose key
/// it is.
pub(crate) fn owners<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut owners: Vec<String> = Vec::new();
    for path in paths {
        // A path that the registry's tools do not write names nobody: what is in it is its author's text.
        let owner = match (Ground::of(path), KeyScope::of(path)) {
            (Ground::Entry(address), _) => address.repository().owner.to_string(),
            (Ground::Key, Some(key)) => key.namespace.to_owned(),
            _ => continue,
        };
        if !owners.iter().any(|known| known.eq_ignore_ascii_case(&owner)) {
            owners.push(owner);
        }
    }
    owners
}

impl Owner {
    /// `files`: what of the owner's is changed, as people write it.
    pub(crate) fn new(login: &str, author: &str, author_is: Standing) -> Self {
        let request = (author_is == Standing::NotVisible).then(|| {
            format!(
                "Thank you. This changes what {owner} publishes, and the account {author} is not visible as a member of {owner}. \
                 Please make the membership public at <https://github.com/orgs/{login}/people>, or have somebody who is visible \
                 there confirm this change in a comment here. If {owner} is a person's account, that account can confirm it.",
                owner = code(login),
                author = code(author),
            )
        });
        Self { login: login.to_owned(), author_is, request }
    }
}

impl Prediction {
    fn passes(&self) -> Option<bool> {
        match self {
            Self::Passes => Some(true),
            Self::Fails(_) => Some(false),
            Self::Unknown(_) => None,
        }
    }
}

impl Signing {
    /// The result with its words. The error of `vouched` is the reason why there is no valid signature.
    pub(crate) fn of(vouched: Result<Vouched, String>) -> (Self, String) {
        match vouched {
            Ok(Vouched::By { fingerprint, doubt: None }) => {
                (Self::Signed, format!("the key {fingerprint} on file vouches for the checksums"))
            }
            Ok(Vouched::By { fingerprint, doubt: Some(doubt) }) => (
                Self::Doubtful,
                format!("the key {fingerprint} on file vouches for the checksums, but {doubt}"),
            ),
            Ok(Vouched::ByNobody) => {
                (Self::NoKey, "no key is on file, so nobody vouches for the checksums".to_owned())
            }
            Err(why) => (Self::NotVouched, why),
        }
    }
}

impl SignedVersions {
    pub(crate) fn new(path: &str, versions: Vec<String>, signing: Signing, text: String) -> Self {
        Self { path: path.to_owned(), versions, signing, text }
    }

    /// `1.2.0, 1.1.0: no key is on file, …`.
    pub(crate) fn line(&self) -> String {
        format!("{}: {}", visible(&list_names(&self.versions)), visible(&self.text))
    }
}

impl Predicted {
    pub(crate) fn new(path: &str, prediction: &Prediction) -> Self {
        Self { path: path.to_owned(), passes: prediction.passes(), text: prediction.text() }
    }
}

/// The names that a login reads like, of those.
pub(crate) fn reads_like<'a>(login: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<LooksLike> {
    let likeness = |name: &str| {
        Some(LooksLike { who: login.to_owned(), name: name.to_owned(), differs: difference(login, name)? })
    };
    names.into_iter().filter_map(likeness).collect()
}

/// The notices about versions that a pull request adds or changes. A notice about a field counts if a point names that field.
pub(crate) fn known(kept: &[Notice], files: &[ReviewedFile]) -> Vec<Known> {
    let mut known = Vec::new();
    for file in files {
        let Some(address) = Address::from_path(&file.path) else { continue };
        for notice in kept {
            let is_named = |version: &&str| {
                let Some(field) = &notice.field else { return true };
                let is_of = |point: &&Point| {
                    point.strip_prefix(*version).is_some_and(|rest| rest.starts_with([' ', ':']))
                };
                let words = |point: &Point| point.split([' ', ':', '`']).any(|word| word == field);
                file.points.iter().filter(is_of).any(words)
            };
            known.extend(notice.found(&address, file.versions.iter().map(String::as_str).filter(is_named)));
        }
    }
    known
}

impl PullContext {
    /// Takes in its commits. An author or a committer may read like one of these names, or like the author of the pull request.
    pub(crate) fn set_commits(&mut self, commits: Vec<PullCommit>, author: &str, names: &[&str]) {
        let mut makers: Vec<&Maker> = Vec::new();
        for maker in commits.iter().flat_map(|commit| [&commit.author, &commit.committer]) {
            // The author is told of already.
            if !maker.is(author) && !makers.contains(&maker) {
                makers.push(maker);
            }
        }
        let of = |maker: &Maker| {
            let (Maker::Login(name) | Maker::Name(name)) = maker;
            let who = maker.text();
            let found = reads_like(name, names.iter().copied().chain([author]));
            found.into_iter().map(move |one| LooksLike { who: who.clone(), ..one })
        };
        self.reads_like.extend(makers.into_iter().flat_map(of));
        self.commits = Some(commits);
    }

    /// Takes in what was read of the checks.
    pub(crate) fn checked(&mut self, checks: Checks) {
        let of = |check: Check| AroundCheck { name: check.name, state: check.state, word: check.said };
        self.checks = checks.list.into_iter().map(of).collect();
        self.unread.extend(checks.unread.iter().map(|(source, why)| format!("the {}: {why}", source.word())));
        if checks.read.contains(&Source::Jobs) {
            let text = "checks of other programs than Actions: this token may not read check runs";
            self.unread.push(text.to_owned());
        }
    }

    /// A sentence if the one required check ended otherwise than predicted.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let [required] = self.required.as_deref()? else { return None };
        let check = self.checks.iter().find(|check| check.name == *required)?;
        if self.predicted.is_empty() {
            return None;
        }
        // One file is enough to fail; to pass all have to.
        let fails = self.predicted.iter().any(|one| one.passes == Some(false));
        let passes = !fails && self.predicted.iter().all(|one| one.passes == Some(true));
        let contradicts = match check.state {
            CheckState::Passed => fails,
            CheckState::Failed => passes,
            CheckState::Waiting | CheckState::Running => false,
        };
        let prediction = if passes { "it should pass" } else { "it should fail" };
        contradicts
            .then(|| format!("{required} {}, and by what upstream has now {prediction}", check.state.word()))
    }

    /// A sentence about the versions with this result of the signature check, if there are any.
    pub(crate) fn sentence_for(&self, signing: Signing) -> Option<String> {
        self.signed.iter().find(|one| one.signing == signing).map(SignedVersions::line)
    }

    /// Who made commits besides that login, each once.
    pub(crate) fn strangers(&self, author: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for commit in self.commits.iter().flatten().filter(|commit| !commit.author.is(author)) {
            if !names.contains(&commit.author.text()) {
                names.push(commit.author.text());
            }
        }
        names
    }
}

impl Maker {
    /// `ann`; `"Ann" (not an account that GitHub knows)`.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Login(login) => login.clone(),
            Self::Name(name) => format!("\"{name}\" (not an account that GitHub knows)"),
        }
    }

    /// Returns true if it is that account. A name alone is no account.
    pub(crate) fn is(&self, login: &str) -> bool {
        matches!(self, Self::Login(name) if name.eq_ignore_ascii_case(login))
    }
}

impl Signature {
    /// `signed`, `not signed`, `not verified (bad_email)`.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Verified => "signed".to_owned(),
            Self::Unsigned => "not signed".to_owned(),
            Self::NotVerified(why) => format!("not verified ({why})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::review::Result as Word;
    use crate::rules::sending::Reason;

    fn check(name: &str, state: CheckState) -> AroundCheck {
        AroundCheck { name: name.to_owned(), state, word: String::new() }
    }

    #[test]
    fn owners_are_those_of_entries_and_keys() {
        let paths = [
            "providers/h/hashicorp/null.json",
            "providers/o/opentofu/null.json",
            "modules/f/Fernhollow/vpc/aws.json",
            "providers/a/a> @opentofu <img src=x>/x.json",
            "keys/f/fernhollow/provider-1.asc",
            "README.md",
            "versions_blacklist.json",
        ];
        assert_eq!(owners(paths), ["opentofu", "fernhollow"]);
    }

    #[test]
    fn an_author_who_is_not_visible_gets_a_request() {
        let said = |standing| Owner::new("acme", "@ann](x)`", standing).request;
        for fine in [Standing::SameAccount, Standing::PublicMember, Standing::Unknown] {
            assert_eq!(said(fine), None, "{fine:?}");
        }
        // Nothing of others takes effect in what is posted.
        assert!(said(Standing::NotVisible).unwrap().contains("the account `` @ann](x)` `` is not visible"));
    }

    #[test]
    fn a_check_that_contradicts_the_prediction_is_reported() {
        let fails = Prediction::Fails(vec![Reason::Order]);
        let unknown = Prediction::Unknown("no tags".to_owned());
        for (state, predicted, wanted) in [
            (CheckState::Passed, vec![Prediction::Passes], None),
            (CheckState::Failed, vec![Prediction::Passes, fails.clone()], None),
            (
                CheckState::Failed,
                vec![Prediction::Passes],
                Some("V failed, and by what upstream has now it should pass"),
            ),
            (
                CheckState::Passed,
                vec![fails.clone()],
                Some("V passed, and by what upstream has now it should fail"),
            ),
            (
                CheckState::Passed,
                vec![fails.clone(), unknown.clone()],
                Some("V passed, and by what upstream has now it should fail"),
            ),
            (CheckState::Failed, vec![Prediction::Passes, unknown], None),
            (CheckState::Running, vec![fails], None),
            (CheckState::Failed, vec![], None),
        ] {
            let around = PullContext {
                checks: vec![check("DCO", CheckState::Failed), check("V", state)],
                predicted: predicted.iter().map(|one| Predicted::new("x", one)).collect(),
                required: Some(vec!["V".to_owned()]),
                ..PullContext::default()
            };
            assert_eq!(around.contradiction().as_deref(), wanted, "{state:?} {predicted:?}");
        }
    }

    #[test]
    fn a_name_in_a_commit_is_no_account() {
        let commit = |author: Maker| PullCommit {
            id: String::new(),
            subject: String::new(),
            committer: author.clone(),
            author,
            signature: Signature::Unsigned,
        };
        let (login, name) = (Maker::Login("Ann".to_owned()), Maker::Name("ann".to_owned()));
        let commits = [login, name.clone(), name, Maker::Login("bob".to_owned())].map(commit).to_vec();
        let around = PullContext { commits: Some(commits), ..PullContext::default() };
        assert_eq!(around.strangers("ann"), ["\"ann\" (not an account that GitHub knows)", "bob"]);
    }

    #[test]
    fn the_author_of_a_commit_may_read_like_another_name() {
        let commit = |author: &Maker, committer: &Maker| PullCommit {
            id: String::new(),
            subject: String::new(),
            author: author.clone(),
            committer: committer.clone(),
            signature: Signature::Unsigned,
        };
        let login = |name: &str| Maker::Login(name.to_owned());
        let (zero, one) = (login("0pentofu"), Maker::Name("ida-qui11".to_owned()));
        let ida = login("Ida-quill");
        let commits =
            vec![commit(&zero, &ida), commit(&one, &zero), commit(&login("opentofu"), &login("bob"))];
        let mut around = PullContext::default();
        around.set_commits(commits, "ida-quill", &["acme", "opentofu"]);
        let told: Vec<_> =
            around.reads_like.iter().map(|one| (&*one.who, &*one.name, &*one.differs)).collect();
        let digits = "the digit 1 in the place of the letter l (2 times)";
        let name = "\"ida-qui11\" (not an account that GitHub knows)";
        assert_eq!(
            told,
            [
                ("0pentofu", "opentofu", "the digit 0 in the place of the letter o"),
                (name, "ida-quill", digits)
            ]
        );
    }

    #[test]
    fn a_field_counts_where_it_is_named() {
        let file = ReviewedFile {
            versions: vec!["1.2.0".to_owned(), "1.2.01".to_owned()],
            ..ReviewedFile::of(
                "providers/a/acme/rocket.json",
                Word::Differs,
                vec!["1.2.01 linux_amd64: shasum is \"a\", and upstream gives \"b\"".into()],
            )
        };
        let versions = |field| {
            let known = known(&[Notice::new("acme/*", field, 7, "x").unwrap()], std::slice::from_ref(&file));
            known.into_iter().flat_map(|known| known.versions).collect::<Vec<_>>()
        };
        assert_eq!(versions(None), ["1.2.0", "1.2.01"]);
        assert_eq!(versions(Some("shasum")), ["1.2.01"]);
        assert_eq!(versions(Some("h1")), [""; 0]);
    }
}
