//! The hashes and sizes that the registry's files lack, without any network.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, JobEvent, Scope};
use crate::jobs::session::Session;
use crate::registry::{Kind, ProviderEntry, Row};
use crate::rules::backfill::{FileGaps, Item, Selection, items, plan_digest};
use crate::settings::Feature;

/// The most broken files that are listed.
const MOST_LISTED: usize = 5;
/// Files are read by so many threads at most: more only wait for the disk.
const MOST_THREADS: usize = 4;

/// Everything that is lacking, of what is asked for.
#[derive(Debug)]
pub(super) struct Gaps {
    /// The commit; empty where there is no git.
    pub(super) base: String,
    pub(super) files: Vec<FileGaps>,
    /// Empty where they were not asked for.
    pub(super) items: Vec<Item>,
    /// Files that cannot be read, and why.
    pub(super) broken: Vec<String>,
}

/// The result for one file: its place, and the missing hashes or the reason why they are not known.
type Found = (usize, Result<Option<(FileGaps, Vec<Item>)>, String>);

impl Gaps {
    pub(super) async fn read(
        env: &Arc<Env>,
        session: &Arc<Session>,
        selection: &Selection,
        with_items: bool,
    ) -> Result<Self, Failure> {
        if !env.features.has(Feature::TargetHashes) {
            return Err(Failure::new(FailureKind::Config, "looking for what is to be filled in")
                .cause("the feature target-hashes is off, so files have no h1 and no size")
                .hint("Switch it on in the configuration."));
        }
        let places = select(session, selection)?;
        let (session, selection) = (Arc::clone(session), selection.clone());
        let read = tokio::task::spawn_blocking(move || {
            let base = session.checkout.head().ok().flatten().map(|head| head.commit);
            let rows: Vec<&Row> = places.iter().map(|place| &session.catalog.rows[*place]).collect();
            let mut gaps = Self {
                base: base.unwrap_or_default(),
                files: Vec::new(),
                items: Vec::new(),
                broken: Vec::new(),
            };
            let mut found = read_all(&session, &rows, &selection, with_items);
            found.sort_by_key(|(place, _)| *place);
            for (_, found) in found {
                match found {
                    Ok(None) => {}
                    Ok(Some((file, items))) => {
                        gaps.files.push(file);
                        gaps.items.extend(items);
                    }
                    Err(why) => gaps.broken.push(why),
                }
            }
            gaps
        });
        let gaps = read.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
        Ok(gaps)
    }

    pub(super) fn digest(&self) -> String {
        plan_digest(&self.base, self.files.iter().map(|file| (&file.address, &*file.digest)))
    }

    pub(super) fn tell_broken(&self, context: &Context) {
        for why in self.broken.iter().take(MOST_LISTED) {
            context.send(JobEvent::Note(why.clone()));
        }
        if let Some(more) = self.broken.len().checked_sub(MOST_LISTED).filter(|more| *more > 0) {
            context.send(JobEvent::Note(format!(
                "{more} more files cannot be read; `bumpdesk lint` names them"
            )));
        }
    }
}

/// The places of the providers that are asked for.
fn select(session: &Session, selection: &Selection) -> Result<Vec<usize>, Failure> {
    let rows = &session.catalog.rows;
    let Selection::These(these) = selection else {
        return Ok((0..rows.len()).filter(|place| rows[*place].kind() == Kind::Provider).collect());
    };
    let wrong = |text: String, hint: &str| {
        Err(Failure::new(FailureKind::Usage, "asking what to fill in").cause(text).hint(hint))
    };
    for one in these {
        if one.address.kind() == Kind::Module {
            let text = format!("`{}` is a module: it has no archives", one.address);
            return wrong(text, "Name providers.");
        }
        let place = session.select(&Scope::Addresses(vec![one.address.clone()]))?[0];
        let has = rows[place].shape.version_list().any(|version| one.admits(version));
        // What is broken is told where it is read.
        if one.versions.is_some() && !has && rows[place].shape.broken.is_none() {
            let version = one.version().map(|version| format!("no version {version}"));
            let what = version.unwrap_or_else(|| "no version within these bounds".to_owned());
            let text = format!("`{}` has {what}", one.address);
            return wrong(text, "Run `bumpdesk show ADDRESS` to see its versions.");
        }
    }
    session.select(&Scope::Addresses(these.iter().map(|one| one.address.clone()).collect()))
}

fn read_all(session: &Session, rows: &[&Row], selection: &Selection, with_items: bool) -> Vec<Found> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    let threads = threads.min(rows.len().div_ceil(16)).max(1);
    std::thread::scope(|scope| {
        let read = |first: usize| {
            move || {
                let places: Vec<usize> = (first..rows.len()).step_by(threads).collect();
                read_some(session, (rows, &places), selection, with_items)
            }
        };
        let running: Vec<_> = (0..threads).map(|first| scope.spawn(read(first))).collect();
        let ended = running.into_iter().map(std::thread::ScopedJoinHandle::join);
        ended.flat_map(|found| found.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

fn read_some(
    session: &Session,
    (rows, places): (&[&Row], &[usize]),
    selection: &Selection,
    with_items: bool,
) -> Vec<Found> {
    let paths: Vec<String> = places.iter().map(|place| rows[*place].path()).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let (mut found, mut at) = (Vec::new(), 0);
    let read = session.checkout.read_many(&paths, &mut |path, bytes| {
        let place = places[at];
        at += 1;
        let address = &rows[place].address;
        let entry = bytes
            .map_err(|error| error.to_string())
            .and_then(|bytes| ProviderEntry::parse(bytes).map_err(|error| format!("`{path}`: {error}")));
        let gaps = entry.map(|entry| {
            let items = items(address, &entry, selection);
            let file = FileGaps::new(address, &entry, &items)?;
            Some((file, if with_items { items } else { Vec::new() }))
        });
        found.push((place, gaps));
    });
    if let Err(error) = read {
        found.extend(places[at.min(places.len())..].iter().map(|place| (*place, Err(error.to_string()))));
    }
    found
}
