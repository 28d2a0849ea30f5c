//! One data file: what its head claims, against the same versions made again on the same base.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::registry::version::trim_v;
use crate::registry::{Address, Blacklist, Document, Entry, Json, Kind, Tags};
use crate::rules::amount::{counted, list_names};
use crate::rules::client::{Fault, Refusal, refusal};
use crate::rules::diff::{self, ChangeKind, Diff, FieldChange, Lines, Printed, TargetChange, VersionChange};
use crate::rules::finding::{BROKEN, FAILS, MISMATCH, REPOSITORY_GONE};
use crate::rules::plain_text::visible;
use crate::rules::plan::content_digest;
use crate::rules::review::since::Since;
use crate::rules::review::{
    Difference, Mismatch, OtherLine, Point, Result as Word, Statement, bound, clock, lines, warnings,
};
use crate::rules::warning::{self, Named};
use crate::rules::{Finding, Severity, missing_tags};

/// The rule of a finding that a claimed version is kept out.
pub(crate) const BLACKLISTED: &str = "blacklisted";

/// The changes of a pull request to one data file.
#[derive(Debug)]
pub(crate) struct Claim {
    kind: Kind,
    /// The entry has no file before it.
    is_new: bool,
    base: (Document, Entry),
    head: (Document, Entry),
    bytes: Vec<u8>,
    /// From the merge base to the head.
    difference: Diff,
    /// The changes from the merge base to the branch as it is now.
    since: Since,
    /// Another entry that the registry now has for the repository of a new one.
    pub(crate) registered: Option<Address>,
}

/// The claimed versions as upstream gives them, on the base of the claim.
#[derive(Clone, Debug)]
pub(crate) struct Derived {
    pub(crate) document: Document,
    /// The reasons why something was left out, and notes for the reader.
    pub(crate) findings: Vec<Finding>,
    /// When upstream published each version, where that is known.
    pub(crate) published: BTreeMap<String, Timestamp>,
    /// Versions of which that could not be read, or is not shown, and that it decides about.
    pub(crate) undated: Vec<String>,
    /// Every archive was read, and is what its checksum says.
    pub(crate) hashed: bool,
    /// The addresses that are named in the warnings of the pull request's file.
    pub(crate) named: Vec<Named>,
}

/// The judgement of a file: the word, and its reasons, each as a part of a sentence that names its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    pub(crate) word: Word,
    pub(crate) points: Vec<Point>,
    /// The points that are about one value.
    pub(crate) mismatches: Vec<Mismatch>,
    /// The parts beside the mismatches that were compared and are as upstream gives them.
    pub(crate) equal: Vec<String>,
}

impl Judged {
    /// A judgement that does not rest on single values.
    pub(crate) fn new(word: Word, points: Vec<Point>) -> Self {
        Self { word, points, mismatches: Vec::new(), equal: Vec::new() }
    }
}

impl Claim {
    /// # Errors
    /// The bytes of one side are not a data file, and it says which and where; or the file is beyond a limit, which is unknown.
    /// `base`: `None` for a new entry.
    pub(crate) fn read(kind: Kind, base: Option<&[u8]>, head: &[u8]) -> Result<Self, Judged> {
        let broken = |why: String| Judged::new(Word::Differs, vec![Point::new(why, "not a data file")]);
        let is_new = base.is_none();
        let base = match base {
            Some(base) => Entry::read(kind, base)
                .map_err(|why| broken(format!("the file before it: {}", visible(&why))))?,
            None => Entry::new_file(kind),
        };
        let bytes = head.to_vec();
        let head = Entry::read(kind, head).map_err(|why| broken(visible(&why).into_owned()))?;
        if let Some(limit) = bound::beyond(head.0.root()) {
            return Err(Judged::new(Word::Unknown, vec![Point::new(limit, "too large to compare")]));
        }
        let difference = diff::compare(kind, &base.0, &head.0);
        Ok(Self { kind, is_new, base, head, bytes, difference, since: Since::default(), registered: None })
    }

    /// Compares the claim with the current file, if that is not the file that it changes. `None`: there is no such file.
    pub(crate) fn stands_on(&mut self, now: Option<&[u8]>) {
        self.since = Since::new(self.kind, &self.base.0, &self.difference, (self.is_new, now));
    }

    /// Notes that the current file could not be read.
    pub(crate) fn unread_by_now(&mut self, why: &str) {
        self.since.unread = Since::unread(why).unread;
    }

    /// The notes that decide nothing: changes to the file since then, the future of removed versions, and upstream's versions
    /// that the file leaves out. `tags`: where they are known; `blacklist`: the proposed one.
    pub(crate) fn notes(&self, address: &Address, tags: Option<&Tags>, blacklist: &Blacklist) -> Vec<String> {
        let mut notes = self.since.notes.clone();
        let spelt = self.newly_refused().into_iter().filter(|refusal| refusal.fault == Fault::Spelling);
        notes.extend(spelt.map(|refusal| client_sentence(&refusal)));
        // A list that clients could not read before the pull request may stay unreadable.
        let still =
            self.base.1.as_provider().and_then(|base| {
                refusal::of_list(base.versions.iter().map(|version| version.version.as_str()))
            });
        let head =
            self.head.1.as_provider().and_then(|head| {
                refusal::of_list(head.versions.iter().map(|version| version.version.as_str()))
            });
        notes.extend(still.filter(|still| Some(still) == head.as_ref()).map(|still| still.text()));
        let removed = self.difference.versions.iter().filter(|change| self.removes(&change.version));
        notes.extend(removed.map(|change| {
            let version = visible(&change.version);
            let has_tag =
                |tags: &Tags| tags.list.iter().any(|tag| trim_v(&tag.name) == trim_v(&change.version));
            match (blacklist.find(address, &change.version), tags.map(has_tag)) {
                (Some(_), _) => format!("the blacklist keeps {version} out once it is removed"),
                (None, Some(true)) => format!("a plain removal: the next bump adds {version} again"),
                (None, Some(false)) => format!("a plain removal: upstream has no tag of {version} now"),
                (None, None) => format!("a plain removal: whether a bump adds {version} again is not known"),
            }
        }));
        let stored = self.head.1.versions().into_iter();
        let missing = tags.map(|tags| missing_tags(self.kind, stored, tags));
        let missing = missing.iter().flatten().rev().map(|tag| &*tag.name);
        let is_left_out = |tag: &&str| {
            !self.has(tag) && !is_among(&self.since.added, tag) && blacklist.find(address, tag).is_none()
        };
        let missing: Vec<_> = missing.filter(is_left_out).map(visible).collect();
        if !missing.is_empty() {
            let tags = counted(missing.len(), "other tag");
            notes.push(format!("upstream has {tags} that the file would not have: {}", list_names(&missing)));
        }
        notes
    }

    /// As the digest of a plan has it.
    pub(crate) fn content_digest(&self) -> String {
        content_digest(&self.base.0, &self.head.0)
    }

    /// The file that it changes.
    pub(crate) fn base(&self) -> (&Document, &Entry) {
        (&self.base.0, &self.base.1)
    }

    /// The file as it would be, as it is written and as it is read.
    pub(crate) fn head(&self) -> (&Document, &Entry) {
        (&self.head.0, &self.head.1)
    }

    /// The registry has no such entry before it.
    pub(crate) fn is_new(&self) -> bool {
        self.is_new
    }

    /// The file as it would be.
    pub(crate) fn entry(&self) -> &Entry {
        &self.head.1
    }

    /// Returns true if the proposed file mentions a version: as a version, or as a failed one.
    pub(crate) fn has(&self, version: &str) -> bool {
        let versions = self.head.1.versions().into_iter();
        let failed = self.head.1.errors().iter().map(|one| one.version.as_str());
        versions.chain(failed).any(|one| trim_v(one) == trim_v(version))
    }

    /// The versions that have to come from upstream, as stored: those that it adds or changes.
    pub(crate) fn versions(&self) -> Vec<String> {
        let is_made =
            |change: &&VersionChange| matches!(change.kind, ChangeKind::Added | ChangeKind::Changed);
        self.difference.versions.iter().filter(is_made).map(|change| change.version.clone()).collect()
    }

    /// The versions that it adds with a time of their discovery, as stored, and that time as it is written.
    pub(crate) fn discovered(&self) -> impl Iterator<Item = (&str, &str)> {
        let added = self.difference.versions.iter().filter(|change| change.kind == ChangeKind::Added);
        added.filter_map(|change| {
            let claimed = change.fields.iter().find(|field| field.field == "discovered")?;
            Some((&*change.version, claimed.new.as_deref()?.trim_matches('"')))
        })
    }

    /// Returns true if the pull request adds or changes versions with archives.
    pub(crate) fn has_archives(&self) -> bool {
        self.entry().as_provider().is_some() && !self.versions().is_empty()
    }

    /// The versions that it adds, as stored.
    pub(crate) fn added(&self) -> Vec<String> {
        let added = self.difference.versions.iter().filter(|change| change.kind == ChangeKind::Added);
        added.map(|change| change.version.clone()).collect()
    }

    /// Notes about a difference between the author's clock and GitHub's that is small enough to accept. `published`
    /// holds when upstream published each version; `opened` is the moment when the pull request was opened.
    pub(crate) fn clock_notes(
        &self,
        published: &BTreeMap<String, Timestamp>,
        opened: Timestamp,
    ) -> Vec<String> {
        let mut notes = Vec::new();
        for (stored, text) in self.discovered() {
            let Ok(at) = text.parse::<Timestamp>() else { continue };
            let version = visible(stored);
            let late = clock::ahead(at, opened);
            notes.extend(late.map(|clock| {
                format!(
                    "{version}: it says that it was discovered after the pull request was opened; {clock}"
                )
            }));
            let early = published.get(trim_v(stored)).and_then(|published| clock::behind(at, *published));
            notes.extend(early.map(|clock| {
                format!("{version}: it says that it was discovered before it was published; {clock}")
            }));
        }
        let recorded = self.entry().errors().iter().filter(|one| !self.base.1.errors().contains(one));
        for one in recorded {
            let version = visible(&one.version);
            let late = clock::ahead(one.utc_time, opened);
            notes.extend(late.map(|clock| {
                format!("{version}: its failed try is recorded after the pull request was opened; {clock}")
            }));
        }
        notes
    }

    fn removes(&self, version: &str) -> bool {
        let is_it = |change: &VersionChange| change.kind == ChangeKind::Removed && change.version == version;
        self.difference.versions.iter().any(is_it)
    }

    /// `opened`: when the pull request was.
    pub(crate) fn judge(&self, derived: &Derived, opened: Timestamp) -> Judged {
        let refused = self.refused(derived);
        let unusable = self.unusable();
        let mut unread = if self.rests_on_upstream() { self.unread(derived) } else { Vec::new() };
        let now = self.since.unread.clone();
        unread.extend(now.map(|why| Point::new(why, "registry's file unreadable")));
        let undated = derived.undated.iter().map(|version| visible(version));
        unread.extend(undated.map(|version| {
            Point::new(format!("{version}: when it was published is not known"), "publish time not known")
        }));
        // Of an entry that the form does not take nothing is made.
        let is_made = !self.is_new || refused.is_empty();
        let mut found = if is_made { self.differs(derived, opened) } else { Found::default() };
        let differs = &mut found.points;
        differs.extend(self.since.differs.iter().cloned().map(Point::from));
        let warnings::Changes { faults, points: warned } = self.warnings();
        let mut warned: Vec<Point> =
            warned.into_iter().map(|text| Point::new(text, "warning changes")).collect();
        differs.extend(faults.into_iter().map(|fault| Point::new(fault, "warning cannot be shown")));
        for mismatch in &mut found.mismatches {
            mismatch.point += unusable.len() + refused.len();
        }
        let word = match () {
            () if !refused.is_empty() || !unusable.is_empty() => Word::Refused,
            () if !differs.is_empty() => Word::Differs,
            () if !unread.is_empty() => Word::Unknown,
            () if !warned.is_empty() => Word::PersonDecides,
            () if self.has_archives() && !derived.hashed => Word::NotHashed,
            () => Word::Same,
        };
        if !warned.is_empty() {
            warned.extend(warnings::addresses(&derived.named).map(Point::from));
            if self.difference.versions.is_empty() {
                warned.push("no version changes".into());
            }
            warned.extend(self.misplaced_warnings().map(Point::from));
        }
        let points = [unusable, refused, found.points, unread, warned].concat();
        Judged { word, points, mismatches: found.mismatches, equal: found.equal }
    }

    /// New refusals by clients in the versions that the pull request adds or changes. A version in another spelling
    /// affects no other version, and the registry's own process adds such versions too, so that is only a note.
    fn unusable(&self) -> Vec<Point> {
        let new = self.newly_refused();
        let unusable = new.iter().filter(|refusal| refusal.fault != Fault::Spelling);
        unusable.map(|refusal| Point::new(client_sentence(refusal), "clients refuse it")).collect()
    }

    fn newly_refused(&self) -> Vec<Refusal> {
        let of = |entry: &Entry| entry.as_provider().map(refusal::of_entry).unwrap_or_default();
        let before = of(&self.base.1);
        let made = self.versions();
        let is_made = |refusal: &Refusal| match &refusal.version {
            Some(version) => made.contains(version) && !before.iter().any(|old| old.covers(refusal)),
            // A list that no client could read before counts again only if another such version is added.
            None => {
                !before.iter().any(Refusal::is_of_provider)
                    || refusal::of_list(made.iter().map(String::as_str)).is_some()
            }
        };
        of(&self.head.1).into_iter().filter(is_made).collect()
    }

    /// The lines that differ from upstream; none if part of upstream was not read.
    pub(crate) fn lines(&self, derived: &Derived) -> Vec<OtherLine> {
        if derived.findings.iter().any(|finding| finding.leaves_unknown().is_some()) {
            return Vec::new();
        }
        let made = clock::said_by_upstream(&self.head.0, &self.made(derived));
        lines::otherwise(&made.print(), &self.bytes)
    }

    /// The lines that the pull request changes.
    pub(crate) fn change(&self) -> Arc<Lines> {
        let before = if self.is_new { Vec::new() } else { self.base.0.print() };
        Arc::new(self.lines_from((&self.base.0, before), &self.difference))
    }

    /// The lines that are not what upstream gives.
    pub(crate) fn against_upstream(&self, derived: &Derived) -> Difference {
        if derived.findings.iter().any(|finding| finding.leaves_unknown().is_some()) {
            return Err("part of upstream could not be read".to_owned());
        }
        let made = clock::said_by_upstream(&self.head.0, &self.made(derived));
        let difference = diff::compare(self.kind, &made, &self.head.0);
        Ok(Arc::new(self.lines_from((&made, made.print()), &difference)))
    }

    fn lines_from(&self, before: Printed<'_>, difference: &Diff) -> Lines {
        Lines::of(self.kind, before, (&self.head.0, self.bytes.clone()), difference)
    }

    /// The file rebuilt from upstream, with the moments and the warnings of the pull request's file, because upstream
    /// has neither.
    fn made(&self, derived: &Derived) -> Document {
        let made = clock::with_times_of(&self.head.0, &self.base.0, &derived.document);
        match self.kind {
            Kind::Provider => warnings::carried_over(&made, &self.head.0),
            Kind::Module => made,
        }
    }

    /// The changes of the warnings. A module's file has none.
    fn warnings(&self) -> warnings::Changes {
        match (&self.base.1, &self.head.1) {
            (Entry::Provider(base), Entry::Provider(head)) => {
                warnings::changes(&base.warnings, &head.warnings)
            }
            _ => warnings::Changes::default(),
        }
    }

    /// A note that the list of warnings is new, and not at the place where the registry's own writer puts it.
    fn misplaced_warnings(&self) -> Option<String> {
        let has = |document: &Document| document.root().field(warning::KEY).is_some();
        let (base, head) = (&self.base.0, &self.head.0);
        let is_new = !has(base) && has(head) && !warnings::stand_last(head);
        is_new.then(|| {
            "`warnings` is not where the registry's own writer puts it: the next bump moves it".to_owned()
        })
    }

    /// Returns false if no change in the file comes from upstream. Then upstream does not have to be readable.
    fn rests_on_upstream(&self) -> bool {
        let is_other = |field: &FieldChange| self.kind == Kind::Module || field.field != warning::KEY;
        self.is_new || !self.difference.versions.is_empty() || self.difference.fields.iter().any(is_other)
    }

    /// The changes that the policy refuses without a permit: an indexed version is removed, or changes.
    fn refused(&self, derived: &Derived) -> Vec<Point> {
        let is_refused = |finding: &&Finding| {
            let is_rule = finding.rule == BLACKLISTED || self.is_new;
            is_rule && finding.severity == Severity::Error && finding.leaves_unknown().is_none()
        };
        let mut points: Vec<Point> = derived.findings.iter().filter(is_refused).map(found).collect();
        for change in &self.difference.versions {
            let version = &*change.version;
            match change.kind {
                ChangeKind::Removed => points.push(Point::of(Statement::Removed, version, None, None)),
                ChangeKind::Changed => {
                    points.extend(changed((version, None), &change.fields));
                    for target in &change.targets {
                        let platform = Some(&*target.platform);
                        let of = |statement| Point::of(statement, version, platform, None);
                        match target.kind {
                            ChangeKind::Added => points.push(of(Statement::Added)),
                            ChangeKind::Removed => points.push(of(Statement::Removed)),
                            ChangeKind::Changed => {
                                points.extend(changed((version, platform), &target.fields));
                            }
                            ChangeKind::Moved => {}
                        }
                    }
                }
                ChangeKind::Added | ChangeKind::Moved => {}
            }
        }
        points
    }

    fn unread(&self, derived: &Derived) -> Vec<Point> {
        let claimed = self.versions();
        let is_about = |finding: &&Finding| {
            finding.leaves_unknown().is_some()
                && finding.version.as_ref().is_none_or(|version| self.is_new || is_among(&claimed, version))
        };
        derived.findings.iter().filter(is_about).map(found).collect()
    }

    /// From what upstream gives to what is claimed.
    fn differs(&self, derived: &Derived, opened: Timestamp) -> Found {
        // What was not read may be the same.
        let is_unread = |finding: &&Finding| finding.leaves_unknown().is_some() && self.rests_on_upstream();
        let unread: Vec<&Finding> = derived.findings.iter().filter(is_unread).collect();
        if unread.iter().any(|finding| finding.version.is_none()) {
            return Found { points: self.clocks(derived, opened), ..Found::default() };
        }
        let is_unread = |version: &str| {
            unread.iter().any(|one| one.version.as_deref().map(trim_v) == Some(trim_v(version)))
        };
        let made = self.made(derived);
        let difference = diff::compare(self.kind, &made, &self.head.0);
        let mut all = Found::default();
        if self.is_new && self.versions().is_empty() {
            let text = "it has no version, and the form takes no entry without one";
            all.points.push(Point::new(text, "has no version"));
        }
        for change in difference.versions.iter().filter(|change| !is_unread(&change.version)) {
            let version = visible(&change.version);
            match change.kind {
                ChangeKind::Added => {
                    let is_about = |finding: &&Finding| match &finding.version {
                        Some(version) => trim_v(version) == trim_v(&change.version),
                        None => finding.is_obstacle(),
                    };
                    let why = derived.findings.iter().find(is_about);
                    let stored = self.entry().versions();
                    all.points.push(match why {
                        _ if stored.iter().filter(|one| **one == change.version).count() > 1 => Point::new(
                            format!("{version} stands there more than once"),
                            format!("lists {version} twice"),
                        ),
                        Some(finding) => found(&finding.clone().on(&*change.version)),
                        None => Point::of(Statement::NotUpstream, &change.version, None, None),
                    });
                }
                // What it removes is refused by that name.
                ChangeKind::Removed if self.removes(&change.version) => {}
                ChangeKind::Removed => {
                    all.points.push(Point::of(Statement::Missing, &change.version, None, None));
                }
                ChangeKind::Moved => {
                    all.points.push(Point::of(Statement::Moved, &change.version, None, None));
                }
                ChangeKind::Changed => {
                    let stored = Some(&*change.version);
                    change.fields.iter().for_each(|field| all.differs(stored, None, field));
                    for target in &change.targets {
                        let platform = Some(&*target.platform);
                        let of = |statement| Point::of(statement, &change.version, platform, None);
                        match target.kind {
                            ChangeKind::Added => all.points.push(of(Statement::NotUpstream)),
                            ChangeKind::Removed => all.points.push(of(Statement::Missing)),
                            ChangeKind::Moved => all.points.push(of(Statement::Moved)),
                            ChangeKind::Changed => {
                                target.fields.iter().for_each(|field| all.differs(stored, platform, field));
                            }
                        }
                    }
                    all.equal.extend(self.equal_parts(change, derived.hashed));
                }
            }
        }
        let (tries, fields): (Vec<_>, Vec<_>) =
            difference.fields.iter().partition(|field| field.field == clock::TRIES);
        for field in fields {
            match (self.kind, &*field.field) {
                (Kind::Module, warning::KEY) => all.points.push(Point::new(
                    "the file of a module has no place for `warnings`, and clients never see them",
                    "a module has no warnings",
                )),
                _ => all.differs(None, None, field),
            }
        }
        // A version that was not read may be one that failed.
        if unread.is_empty() && !tries.is_empty() {
            let tries = clock::other_tries(&self.head.0, &made).into_iter();
            all.points.extend(tries.map(|text| Point::new(text, "failed tries differ")));
        }
        if all.points.is_empty() && unread.is_empty() && made.print() != self.bytes {
            all.points.push(Point::new(
                "its bytes are not those that the registry's tool writes: key order, spacing, line ends or a key that stands twice",
                "not the tool's format",
            ));
        }
        all.points.extend(self.clocks(derived, opened));
        all
    }

    /// The platforms and URLs of a version with differences that are as upstream gives them, as a sentence.
    fn equal_parts(&self, change: &VersionChange, is_hashed: bool) -> Option<String> {
        let mut versions = self.entry().as_provider()?.versions.iter();
        let stored = versions.find(|one| one.version == change.version)?;
        let is_other =
            |target: &&TargetChange| matches!(target.kind, ChangeKind::Added | ChangeKind::Changed);
        let platforms = stored.targets.len().saturating_sub(change.targets.iter().filter(is_other).count());
        let is_equal = |name: &str| change.fields.iter().all(|field| field.field != name);
        let mut parts = Vec::new();
        if platforms > 0 {
            // Without the archives nothing confirms their hashes and sizes.
            let limit = if is_hashed { "" } else { " (h1 and size not checked)" };
            let noun = if change.targets.is_empty() { "platform" } else { "other platform" };
            parts.push(format!("{}{limit}", counted(platforms, noun)));
        }
        parts.extend(is_equal("protocols").then(|| "protocols".to_owned()));
        if is_equal("shasums_url") && is_equal("shasums_signature_url") {
            parts.push("URLs of checksums and signature".to_owned());
        }
        let of = visible(&change.version);
        (!parts.is_empty()).then(|| format!("{of}: {} as upstream", parts.join(", ")))
    }

    /// Times of failed tries that are not as the registry's tool writes them.
    fn records(&self) -> Vec<String> {
        let records = |document: &Document| {
            document.root().field("versions_errors").map(Json::items).unwrap_or_default().to_vec()
        };
        let before = records(&self.base.0);
        let text = |record: &Json, key: &str| {
            visible(record.field(key).and_then(Json::as_str).unwrap_or_default()).into_owned()
        };
        let is_other = |record: &&Json| {
            let text = text(record, "utc_time");
            let at: Option<Timestamp> = text.parse().ok();
            !before.contains(record)
                && at.is_none_or(|at| at.to_string() != text || at.as_second() < REGISTRY_BEGAN)
        };
        let other = records(&self.head.0);
        let other = other.iter().filter(is_other).map(|record| text(record, "version"));
        other
            .map(|version| {
                format!("{version}: the time of its failed try is not as the registry's tool writes it")
            })
            .collect()
    }

    /// Checks the times of discovery. They are claims that cannot be found out again, so the form and the limits are checked.
    fn clocks(&self, derived: &Derived, opened: Timestamp) -> Vec<Point> {
        let mut points = Vec::new();
        let impossible = |text: String| Point::new(text, "impossible discovery time");
        for (stored, text) in self.discovered() {
            let version = visible(stored);
            let at: Option<Timestamp> = text.parse().ok();
            let Some(at) = at.filter(|at| at.to_string() == text) else {
                points.push(impossible(format!(
                    "{version}: its `discovered` is not a time as the registry's tool writes it"
                )));
                continue;
            };
            if at.as_second() < REGISTRY_BEGAN {
                let text = format!("{version}: it says that it was discovered before there was a registry");
                points.push(impossible(text));
            }
            if clock::is_too_late(at, opened) {
                points.push(impossible(format!(
                    "{version}: it says that it was discovered after the pull request was opened"
                )));
            }
            let published = derived.published.get(trim_v(stored));
            if published.is_some_and(|published| clock::is_too_late(*published, at)) {
                let text = format!("{version}: it says that it was discovered before it was published");
                points.push(impossible(text));
            }
        }
        let failed = |text: String| Point::new(text, "impossible time of a failed try");
        points.extend(self.records().into_iter().map(failed));
        let recorded = self.entry().errors().iter().filter(|one| !self.base.1.errors().contains(one));
        for late in recorded.filter(|one| clock::is_too_late(one.utc_time, opened)) {
            let version = visible(&late.version);
            let text = format!("{version}: its failed try is recorded after the pull request was opened");
            points.push(failed(text));
        }
        points
    }
}

/// A sentence such as `1.1.0: clients refuse every platform of it: …`.
fn client_sentence(refusal: &Refusal) -> String {
    match &refusal.version {
        Some(version) => format!("{}: {}", visible(version), refusal.text()),
        None => refusal.text(),
    }
}

/// When the registry's first file was written: August 2023, in seconds since 1970 (UTC).
pub(super) const REGISTRY_BEGAN: i64 = 1_690_848_000;

/// The fields of a published version or target that change.
fn changed((version, platform): (&str, Option<&str>), fields: &[FieldChange]) -> Vec<Point> {
    let changed = fields.iter().filter(|field| !field.fills());
    changed.map(|field| Point::of(Statement::Changes, version, platform, Some(&field.field))).collect()
}

/// `1.9.0: left out: its checksums could not be read`.
fn found(finding: &Finding) -> Point {
    let text = match &finding.version {
        Some(version) => format!("{}: {}", visible(version), visible(&finding.text)),
        None => visible(&finding.text).into_owned(),
    };
    match &*finding.rule {
        "tags-unread" => Point::new(text, "upstream unreadable"),
        REPOSITORY_GONE => Point::new(text, "repository gone"),
        "version-unread" => Point::new(text, "release unreadable"),
        MISMATCH => Point::new(text, "archive is not its checksum"),
        BROKEN => Point::new(text, "archive missing or broken"),
        FAILS => Point::new(text, "the bump cannot index it"),
        BLACKLISTED => Point::new(text, "on the blacklist"),
        _ => text.into(),
    }
}

fn is_among(versions: &[String], version: &str) -> bool {
    versions.iter().any(|one| trim_v(one) == trim_v(version))
}

/// The differences between a file and its rebuild from upstream.
#[derive(Default)]
struct Found {
    points: Vec<Point>,
    mismatches: Vec<Mismatch>,
    equal: Vec<String>,
}

impl Found {
    /// Adds a field that upstream gives differently.
    fn differs(&mut self, version: Option<&str>, platform: Option<&str>, change: &FieldChange) {
        if let Some(mismatch) = Mismatch::of(version, platform, change) {
            let point = self.points.len();
            self.points.push(Point::differs(&mismatch));
            self.mismatches.push(Mismatch { point, ..mismatch });
            return;
        }
        let place = [version, platform].into_iter().flatten().map(visible).collect::<Vec<_>>().join(" ");
        let (place, field) = (if place.is_empty() { "the file" } else { &place }, visible(&change.field));
        let text = match &change.old {
            Some(_) if change.field == clock::FOUND_AT => {
                format!("{place}: {field} is missing, and the registry's tool writes when it found a version")
            }
            Some(empty) => format!(
                "{place}: {field} is missing, and the registry's tool writes {} where it knows no value",
                visible(empty)
            ),
            None => format!("{place}: {field} differs"),
        };
        let brief = if change.old.is_some() { format!("lacks {field}") } else { format!("{field} differs") };
        self.points.push(Point::new(text, brief));
    }
}
