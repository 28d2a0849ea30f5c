//! A key that a pull request submits, checked against the file that the registry's form writes, and against upstream's
//! signatures.

use jiff::Timestamp;

use crate::registry::Address;
use crate::registry::keys::{KeyFile, KeyScope};
use crate::rules::amount::counted;
use crate::rules::retry::NEXT_BUMP;
use crate::rules::review::file::REGISTRY_BEGAN;
use crate::rules::review::{Judged, Point, Result as Word, clock};
use crate::rules::signature::{KeyRing, ReadFile};
use crate::rules::submission::{self, NewKey, REQUESTER};
use crate::rules::{KeyPreview, Severity};

/// One new key file.
#[derive(Debug)]
pub(crate) struct KeyClaim {
    key: NewKey,
    /// The differences from the file that the form would write, as sentences.
    other: Vec<String>,
    /// The time by which the author's clock is ahead of GitHub's, if the key's name shows it and it is small enough
    /// to accept.
    clock: Option<String>,
}

impl KeyClaim {
    /// Reads the file as it would be. `opened`: when the pull request was.
    ///
    /// # Errors
    /// The form does not take it: why.
    pub(crate) fn read(path: &str, bytes: &[u8], opened: Timestamp, now: Timestamp) -> Result<Self, String> {
        let key = NewKey::at(path.to_owned(), bytes, now)?;
        let name = KeyScope::of(path).map(|scope| scope.file).unwrap_or_default();
        let (mut other, mut clock) = (Vec::new(), None);
        let seconds = || name.strip_prefix("provider-")?.strip_suffix(".asc")?.parse::<i64>().ok();
        let is_own = |seconds: &i64| *seconds >= REGISTRY_BEGAN && name == format!("provider-{seconds}.asc");
        match seconds().filter(is_own) {
            None => other.push(
                "the form would name it `provider-`, then a time in seconds since 1970, then `.asc`"
                    .to_owned(),
            ),
            Some(seconds) => match Timestamp::from_second(seconds) {
                Ok(at) if !clock::is_too_late(at, opened) => clock = clock::ahead(at, opened),
                _ => other.push("its name is of a time after the pull request was opened".to_owned()),
            },
        }
        if key.file().is_none_or(|file| file.text != bytes) {
            other.push(
                "the form would write the block of the key alone, from its first line to its last".to_owned(),
            );
        }
        let clock = clock
            .map(|clock: String| format!("its name is of a time after the pull request was opened; {clock}"));
        Ok(Self { key, other, clock })
    }

    /// The note about an accepted difference of clocks.
    pub(crate) fn clock_note(&self) -> Option<&str> {
        self.clock.as_deref()
    }

    pub(crate) fn key(&self) -> &NewKey {
        &self.key
    }

    /// Whose providers it would speak for.
    pub(crate) fn namespace(&self) -> &str {
        self.key.scope().map_or("", |scope| scope.namespace)
    }

    /// Judges it by what it changes for each provider that it speaks for. `on_file`: the keys that speak there today.
    pub(crate) fn judge(
        &self,
        on_file: Vec<KeyFile>,
        previews: &[(Address, KeyPreview)],
        now: Timestamp,
    ) -> Judged {
        let mut on_file = self.key.beside(on_file);
        let own = self.key.file();
        let at_its_path = |file: &KeyFile| own.as_ref().is_some_and(|own| own.path == file.path);
        let form = |text: &String| Point::new(text, "not as the form writes it");
        let mut points: Vec<Point> = self.other.iter().map(form).collect();
        // It may have been merged by now.
        if on_file.iter().any(|file| at_its_path(file) && Some(file) != own.as_ref()) {
            points.push("the registry has something else at its path by now".into());
        }
        on_file.retain(|file| !at_its_path(file));
        let is_telling = |(_, of): &&(Address, KeyPreview)| {
            let preview = &of.preview;
            [preview.verified_by_it.len(), preview.stops.len(), preview.unknown.len()] != [0; 3]
        };
        let telling: Vec<(Address, KeyPreview)> = previews.iter().filter(is_telling).cloned().collect();
        let (shown, silent) =
            if telling.is_empty() { (previews, 0) } else { (&*telling, previews.len() - telling.len()) };
        let mut findings = submission::key_preview(&self.key, &on_file, shown, now);
        findings.retain(|finding| !matches!(&*finding.rule, NEXT_BUMP | REQUESTER));
        let has = |of: fn(&KeyPreview) -> usize| previews.iter().any(|(_, preview)| of(preview) > 0);
        let is_refused = findings.iter().any(|finding| finding.severity == Severity::Error);
        let word = match () {
            () if is_refused => Word::Refused,
            () if !points.is_empty() || has(|of| of.preview.stops.len()) => Word::Differs,
            () if previews.is_empty() || has(|of| of.preview.unknown.len()) => Word::Unknown,
            () if !has(|of| of.preview.verified_by_it.len()) => Word::Differs,
            () => Word::Same,
        };
        // What decides stands first, and what it does before what it is.
        let is_harmless = |rule: &str| rule == "key-expired" || rule == "key-renewed";
        findings.sort_by_key(|finding| (std::cmp::Reverse(finding.severity), is_harmless(&finding.rule)));
        if previews.is_empty() {
            let text = "the registry has no provider that it would speak for, so nothing shows whose it is";
            points.push(Point::new(text, "speaks for no provider"));
        } else if !has(|of| of.preview.verified_by_it.len()) && !has(|of| of.preview.unknown.len()) {
            points.push(Point::new("it signs nothing that is indexed", "signs nothing indexed"));
        }
        let place = self.key.file().map(|file| format!("{}: ", file.path)).unwrap_or_default();
        points.extend(findings.iter().map(|found| {
            let text = found.text.replacen(&place, "", 1);
            match word {
                Word::Same => Point::new(text, "key signs what is indexed"),
                _ => text.into(),
            }
        }));
        if silent > 0 {
            points.push(format!("it signs nothing of {}", counted(silent, "other provider")).into());
        }
        points.push(format!("its fingerprint is {}", self.key.fingerprint()).into());
        Judged::new(word, points)
    }
}

/// The sentence about a changed or removed key on file; no form does that. `after` is `None` if the key is removed.
pub(crate) fn replaced(path: &str, before: &[u8], after: Option<&[u8]>) -> Point {
    let named = |bytes: &[u8]| {
        let ring = KeyRing::read(&[KeyFile { path: path.to_owned(), text: bytes.to_vec() }]);
        let keys = ring.files().iter().flat_map(ReadFile::keys);
        let keys: Vec<String> = keys.map(|key| format!("the key {}", key.primary.fingerprint)).collect();
        if keys.is_empty() { "no key that can be read".to_owned() } else { keys.join(" and ") }
    };
    match after.map(named) {
        None => {
            let text = "a key that is on file is removed, and people decide that: it held";
            Point::new(format!("{text} {}", named(before)), "removes a key on file")
        }
        Some(after) => Point::new(
            format!(
                "a key that is on file changes, and people decide that: it held {}, and would hold {after}",
                named(before)
            ),
            "changes a key on file",
        ),
    }
}
