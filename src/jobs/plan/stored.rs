//! The plan between runs: the state database on one side, the rules' types on the other.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::jobs::Env;
use crate::jobs::data::{Failure, FailureKind};
use crate::jobs::session::Session;
use crate::registry::{Address, BlacklistEntry};
use crate::rules::diff::Lines;
use crate::rules::edit::Edit;
use crate::rules::plan::{Kept, Mark, Marks, PieceId, Plan, PlannedFile, Remark};
use crate::rules::{Finding, Mode};
use crate::store::{Error, RegistryKey, State, StoredPlanFile};

/// The way a planned file was built, as it is stored.
#[derive(Serialize, Deserialize)]
struct Body {
    mode: String,
    /// The versions of mode `refresh`.
    #[serde(default)]
    versions: Vec<String>,
    /// The edit, if the file is an edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edit: Option<Edit>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    blocks: Vec<BlacklistEntry>,
    revision: String,
    built_at: Timestamp,
    /// Older ones did not say.
    #[serde(default)]
    made_with: String,
    #[serde(default)]
    remarks: Vec<Remark>,
    /// True if the remarks include warnings about the versions. Older plans did not look for them.
    #[serde(default)]
    warned: bool,
}

/// The plan of one registry.
pub(in crate::jobs) struct StoredPlan<'a> {
    env: &'a Env,
    session: &'a Session,
    registry: String,
}

impl<'a> StoredPlan<'a> {
    pub(in crate::jobs) fn new(env: &'a Env, session: &'a Session) -> Self {
        Self { env, session, registry: session.checkout.root().display().to_string() }
    }

    fn key(&self) -> RegistryKey<'_> {
        RegistryKey { world: &self.env.world, registry: &self.registry }
    }

    /// The whole plan, and notes about files that could not be read.
    pub(in crate::jobs) fn plan(&self) -> Result<(Plan, Vec<String>), Failure> {
        let (mut files, mut unreadable, mut why_not) = (Vec::new(), Vec::new(), Vec::new());
        for text in self.addresses()? {
            let read = Address::parse(&text).map_err(|error| error.to_string()).and_then(|address| {
                let kept = self.kept(&address).map_err(|failure| failure.causes.join("; "))?;
                let (kept, marks) = kept.ok_or("it is gone")?;
                self.read(&kept, &marks)
            });
            match read {
                Ok(file) => files.push(file),
                Err(why) => {
                    why_not.push(format!("the plan of `{text}` cannot be read: {why}"));
                    unreadable.push(text);
                }
            }
        }
        Ok((Plan { unreadable, ..Plan::new(files) }, why_not))
    }

    pub(super) fn addresses(&self) -> Result<Vec<String>, Failure> {
        self.ask(|state| state.plan_addresses(self.key()))
    }

    pub(in crate::jobs) fn kept(&self, address: &Address) -> Result<Option<(Kept, Marks)>, Failure> {
        let Some(stored) = self.ask(|state| state.plan_file(self.key(), &address.to_string()))? else {
            return Ok(None);
        };
        let unread = |cause: String| {
            Failure::new(FailureKind::Data, format!("reading the plan of {address}"))
                .cause(cause)
                .hint("Drop it from the plan and add it again.")
        };
        let body: Body = serde_json::from_str(&stored.body)
            .map_err(|error| unread(format!("how it was built cannot be read: {error}")))?;
        let mode = match (body.edit, body.mode.as_str()) {
            (Some(edit), _) => Mode::Edit(edit),
            (None, "add") => Mode::Add,
            (None, "scratch") => Mode::Scratch,
            (None, "refresh") => Mode::Refresh(body.versions),
            (None, other) => {
                let cause = format!("this bumpdesk does not know how `{other}` builds a file");
                return Err(unread(cause));
            }
        };
        let remarks = remarks(body.remarks, body.warned, &mode);
        let kept = Kept {
            address: address.clone(),
            mode,
            revision: body.revision,
            built_at: body.built_at,
            made_with: body.made_with,
            base: stored.base,
            proposed: stored.proposed,
            blocks: body.blocks,
            remarks,
        };
        // A mark that cannot be read counts as not made.
        let read =
            |(piece, body): (String, String)| Some((PieceId(piece), serde_json::from_str(&body).ok()?));
        Ok(Some((kept, stored.marks.into_iter().filter_map(read).collect())))
    }

    /// Compares the kept file with the file that lies in the registry now.
    pub(in crate::jobs) fn read(&self, kept: &Kept, marks: &Marks) -> Result<PlannedFile, String> {
        let now = self.session.checkout.read(&kept.address.path()).ok();
        // A new entry was built on no file, and there is none.
        let now = now.or_else(|| kept.base.is_empty().then(Vec::new));
        PlannedFile::read(kept, marks, now.as_deref(), self.env.features)
    }

    /// The lines of a planned file, and of the blacklist where it goes with it.
    pub(super) fn lines(&self, file: &PlannedFile, kept: &Kept) -> Result<Lines, String> {
        let blacklist = self.session.checkout.blacklist().map_err(|error| error.to_string())?;
        file.lines(kept, blacklist.as_deref())
    }

    /// Puts a file into the plan. Of the earlier marks, those of changes that it still has stay.
    pub(super) fn save(&self, kept: &Kept, marks: &Marks) -> Result<(), Failure> {
        let versions = match &kept.mode {
            Mode::Refresh(versions) => versions.clone(),
            Mode::Add | Mode::Scratch | Mode::Edit(_) => Vec::new(),
        };
        let body = Body {
            mode: kept.mode.name().to_owned(),
            versions,
            edit: kept.mode.edit().cloned(),
            blocks: kept.blocks.clone(),
            revision: kept.revision.clone(),
            built_at: kept.built_at,
            made_with: kept.made_with.clone(),
            remarks: kept.remarks.clone(),
            warned: !kept.remarks.contains(&not_known()),
        };
        let file = StoredPlanFile {
            address: kept.address.to_string(),
            body: text(&body),
            base: kept.base.clone(),
            proposed: kept.proposed.clone(),
            marks: marks.iter().map(|(id, mark)| (id.0.clone(), text(mark))).collect(),
        };
        self.change(|state, key| state.save_plan_file(key, &file))
    }

    pub(super) fn save_marks(&self, marks: &[(Address, PieceId, Mark)]) -> Result<(), Failure> {
        let marks: Vec<_> =
            marks.iter().map(|(address, id, mark)| (address.to_string(), id.0.clone(), text(mark))).collect();
        self.change(|state, key| state.save_plan_marks(key, &marks))
    }

    pub(super) fn drop_files(&self, addresses: &[String]) -> Result<(), Failure> {
        self.change(|state, key| state.drop_plan_files(key, addresses).map(drop))
    }

    /// Checks that the plan may be changed from here, before anything takes long.
    pub(super) fn check_writable(&self) -> Result<(), Failure> {
        self.change(|state, key| state.save_plan_marks(key, &[]))
    }

    fn ask<T>(&self, question: impl FnOnce(&State) -> Result<T, Error>) -> Result<T, Failure> {
        match &*self.env.state() {
            Some(state) => question(state).map_err(|error| failed(&error)),
            None => Err(self.no_state()),
        }
    }

    fn change(
        &self,
        change: impl FnOnce(&mut State, RegistryKey<'_>) -> Result<(), Error>,
    ) -> Result<(), Failure> {
        match &mut *self.env.state() {
            Some(state) => change(state, self.key()).map_err(|error| failed(&error)),
            None => Err(self.no_state()),
        }
    }

    fn no_state(&self) -> Failure {
        Failure::new(FailureKind::Config, "opening the plan")
            .causes(self.env.state_notice.iter().cloned())
            .hint("Name a folder that can be written with --state-dir.")
    }
}

/// The remarks of a stored file. If the plan was built without looking for warnings, a remark says so; otherwise the
/// versions would seem to have no warnings. An edit adds no upstream version unless it makes a new entry.
fn remarks(mut stored: Vec<Remark>, is_warned: bool, mode: &Mode) -> Vec<Remark> {
    let adds = mode.edit().is_none() || mode.is_submission();
    stored.extend((adds && !is_warned).then(not_known));
    stored
}

/// The remark for a file of a plan that did not look for warnings.
fn not_known() -> Remark {
    let text = "an older bumpdesk built this, so warnings about its versions are not known; `bumpdesk plan rebuild` finds them";
    Remark::from(&Finding::note("warnings-not-known", text))
}

fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain structs of texts are JSON")
}

fn failed(error: &Error) -> Failure {
    let (kind, hint) = match error {
        Error::ReadOnly { because, .. } => (FailureKind::Conflict, because.remedy()),
        Error::Locked { .. } => {
            (FailureKind::Conflict, "Close the other bumpdesk, or change the plan there.")
        }
        _ => (FailureKind::Internal, "Check the state folder, then do the same again."),
    };
    Failure::new(kind, "keeping the plan").cause(error.to_string()).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P9: a plan that an older bumpdesk stored still loads, and its warnings are shown as not known.
    #[test]
    fn p9_a_plan_without_warnings_is_not_known() {
        let old = r#"{"mode":"add","revision":"main@f00f6d5","built_at":"2026-11-21T12:00:00Z"}"#;
        let body: Body = serde_json::from_str(old).unwrap();
        assert!(!body.warned && body.remarks.is_empty());
        let edits = [Edit::Warn("w".into()), Edit::ClearErrors(vec!["1.0.0".into()])].map(Mode::Edit);
        let adds = [Mode::Add, Mode::Scratch, Mode::Refresh(vec!["1.0.0".into()]), Mode::Edit(Edit::Submit)];
        for mode in adds {
            let known = remarks(Vec::new(), true, &mode);
            let found = remarks(Vec::new(), false, &mode);
            assert_eq!((known.len(), &*found[0].rule), (0, "warnings-not-known"), "{mode:?}");
        }
        for mode in edits {
            assert_eq!(remarks(Vec::new(), false, &mode), [], "{mode:?}");
        }
    }
}
