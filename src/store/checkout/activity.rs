//! Counts the data files that the history changed on each of the last 30 days: those that differ between the last commits of two
//! days. A difference of each commit would take twice as long, and count the same files but those that a day changed back.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::Stdio;

use jiff::Timestamp;

use crate::rules::activity::{Activity, DAYS, day_of, first_second};
use crate::store::Error;
use crate::store::checkout::Checkout;
use crate::store::files::is_data_path;
use crate::store::git::{Git, listen};

const DOING: &str = "count changed files";
/// A month of a commit a minute takes 6 MiB.
const LOG_CAP_BYTES: u64 = 32 << 20;
/// Every file of the registry on each of the days takes 40 MiB.
const NAMES_CAP_BYTES: u64 = 128 << 20;
/// Git itself reads no path that is a quarter as long.
const LINE_CAP_BYTES: u64 = 16 << 10;

impl Checkout {
    /// Counts the data files changed on each of the 30 days up to `today`, along the first parents. `known` is an earlier count:
    /// if its commit is met, its days before that commit are taken over. `None`: the registry has no commit.
    ///
    /// # Errors
    /// Git failed, or its answer is too long or has an unexpected form.
    pub(crate) fn activity(&self, today: i64, known: Option<&Activity>) -> Result<Option<Activity>, Error> {
        let (Some(git), Some(head)) = (self.git(), self.head()?) else { return Ok(None) };
        let first_day = today.saturating_sub(DAYS as i64 - 1);
        let since = format!("--max-age={}", first_second(first_day));
        let question = ["log", "--first-parent", &since, "--format=%H %ct %P", &head.commit, "--"];
        let log = git.run(DOING, &question.map(OsStr::new), LOG_CAP_BYTES)?;
        // A clock that was set back makes the days of another window.
        let known = known.filter(|known| known.files.is_some() && known.today <= today);
        let log = String::from_utf8_lossy(&log);
        let days = ActiveDays::read(&log, first_day, known);
        let days = days.ok_or_else(|| git.failed(DOING, "its log has an unexpected form"))?;
        let is_shallow = days.reaches_first_commit && {
            let question = ["rev-parse", "--is-shallow-repository"].map(OsStr::new);
            git.run("ask how far the log goes", &question, LINE_CAP_BYTES)?.starts_with(b"true")
        };
        if is_shallow {
            return Ok(Some(Activity { commit: head.commit, today, files: None }));
        }
        let mut files = [0; DAYS];
        for (place, files) in files.iter_mut().enumerate() {
            let day = first_day + place as i64;
            *files = known.filter(|_| day < days.from).map_or(0, |known| known.on(day));
        }
        count_files(git, &days.spans, &mut |day| {
            let place = usize::try_from(day - first_day).ok();
            if let Some(files) = place.and_then(|place| files.get_mut(place)) {
                *files += 1;
            }
        })?;
        Ok(Some(Activity { commit: head.commit, today, files: Some(files) }))
    }
}

/// The commits of one day.
#[derive(Debug, PartialEq, Eq)]
struct Span<'a> {
    day: i64,
    newest: &'a str,
    /// The commit before the oldest one of the day.
    base: &'a str,
}

/// The days on which the registry has commits.
#[derive(Debug, Default)]
struct ActiveDays<'a> {
    /// The newest first.
    spans: Vec<Span<'a>>,
    /// Days before this one are known from an earlier count.
    from: i64,
    /// The oldest commit has no parent: a first commit, or where a shallow clone was cut off.
    reaches_first_commit: bool,
}

impl<'a> ActiveDays<'a> {
    /// Reads `COMMIT SECONDS PARENTS` of each commit, the newest first; `None` if a line is none of these.
    fn read(log: &'a str, first_day: i64, known: Option<&Activity>) -> Option<Self> {
        let mut days = Self { from: first_day, ..Self::default() };
        for line in log.lines() {
            let mut fields = line.splitn(3, ' ');
            let (id, seconds, parents) = (fields.next()?, fields.next()?, fields.next()?);
            let day = day_of(Timestamp::from_second(seconds.parse().ok()?).ok()?);
            if day < days.from {
                break;
            }
            if known.is_some_and(|known| known.commit == id) {
                // The whole day is counted again: a file that was changed before and after counts once.
                days.from = day;
            }
            let parent = parents.split(' ').next().filter(|parent| !parent.is_empty());
            days.reaches_first_commit = parent.is_none();
            // The first commit of a registry brings all files and bumps none.
            let base = parent.unwrap_or(id);
            match days.spans.last_mut().filter(|span| span.day == day) {
                Some(span) => span.base = base,
                None => days.spans.push(Span { day, newest: id, base }),
            }
        }
        Some(days)
    }
}

/// Says the day of each data file that one of the spans changed.
fn count_files(git: &Git, spans: &[Span<'_>], on_file: &mut dyn FnMut(i64)) -> Result<(), Error> {
    if spans.is_empty() {
        return Ok(());
    }
    let mut command = git.command();
    command.args(["diff-tree", "--stdin", "-r", "--no-renames", "--name-only", "--", "providers", "modules"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|cause| git.not_run(DOING, &cause))?;
    let complaint = listen(&mut child);
    let mut pairs = String::new();
    for span in spans {
        pairs.extend([span.newest, " ", span.base, "\n"]);
    }
    // A few lines, which a pipe holds before anything is read. Why git does not take them is in its complaint.
    let _gone = child.stdin.take().expect("stdin is piped").write_all(pairs.as_bytes());
    let stdout = child.stdout.take().expect("stdout is piped");
    let read = read_names(&mut BufReader::new(stdout.take(NAMES_CAP_BYTES)), spans, on_file);
    if read.is_err() {
        // It may be gone already, and is waited for in any case.
        let _gone = child.kill();
    }
    let status = child.wait().map_err(|cause| git.failed(DOING, cause.to_string()))?;
    let complaint = complaint.join().unwrap_or_default();
    read.map_err(|cause| git.failed(DOING, cause.to_string()))?;
    if status.success() { Ok(()) } else { Err(git.failed(DOING, complaint)) }
}

/// Reads the newest commit of each span, and after it the paths that the span changed.
fn read_names(names: &mut impl BufRead, spans: &[Span<'_>], on_file: &mut dyn FnMut(i64)) -> io::Result<()> {
    let (mut line, mut day) = (Vec::new(), None);
    loop {
        line.clear();
        names.by_ref().take(LINE_CAP_BYTES).read_until(b'\n', &mut line)?;
        let text = match line.strip_suffix(b"\n") {
            None if line.is_empty() => return Ok(()),
            None => return Err(io::Error::other("its answer has a line that does not end")),
            Some(text) => str::from_utf8(text).unwrap_or_default(),
        };
        match day {
            Some(day) if is_data_path(text) => on_file(day),
            _ => day = spans.iter().find(|span| span.newest == text).map(|span| span.day).or(day),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::checkout::tests::{AWS, CONSUL, DEEP, Sample};

    /// 2026-11-21.
    const TODAY: i64 = 20_778;

    /// Changes files in a commit at noon of a day.
    fn commit(sample: &Sample, days_ago: i64, files: &[&str]) {
        for path in files {
            let text = std::fs::read_to_string(sample.root().join(path)).unwrap_or_default();
            sample.put(path, &format!("{text}+"));
        }
        sample.commit_at("Automated bump of versions", first_second(TODAY - days_ago) + 43_200);
    }

    fn open(sample: &Sample) -> Checkout {
        Checkout::open(sample.root(), None).unwrap()
    }

    fn count(checkout: &Checkout, known: Option<&Activity>) -> Activity {
        checkout.activity(TODAY, known).unwrap().unwrap()
    }

    /// The days with files: how many days ago, and the files.
    fn days(activity: &Activity) -> Vec<(i64, u32)> {
        let days = (0..DAYS as i64).map(|back| (back, activity.on(TODAY - back)));
        days.filter(|(_, files)| *files > 0).collect()
    }

    #[test]
    fn files_count_once_a_day_and_a_stalled_day_is_a_hole() {
        let sample = Sample::of_history();
        commit(&sample, 40, &[AWS]);
        commit(&sample, 30, &[AWS]);
        commit(&sample, 29, &[AWS, CONSUL]);
        commit(&sample, 3, &[AWS, CONSUL, DEEP]);
        commit(&sample, 1, &[AWS]);
        commit(&sample, 1, &[AWS, CONSUL, "README.md", "keys/h/hashicorp/k.asc", "providers/note.txt"]);
        commit(&sample, 0, &[DEEP]);
        let counted = count(&open(&sample), None);
        assert_eq!(days(&counted), [(0, 1), (1, 2), (3, 3), (29, 2)]);
        assert_eq!(counted.commit, sample.log()[0]);
        let bare = sample.bare();
        let bare = Checkout::open(&bare.path().join("r.git"), None).unwrap();
        assert_eq!(count(&bare, None), counted, "the objects of a bare clone say it too");
        let earlier = Checkout::open(sample.root(), Some("HEAD~1")).unwrap();
        assert_eq!(days(&count(&earlier, None)), [(1, 2), (3, 3), (29, 2)]);
    }

    #[test]
    fn a_merge_counts_once_with_what_it_brought() {
        let sample = Sample::of_history();
        commit(&sample, 20, &[AWS]);
        sample.run(&["checkout", "--quiet", "-b", "side"]);
        commit(&sample, 10, &[CONSUL]);
        commit(&sample, 9, &[CONSUL, DEEP]);
        sample.run(&["checkout", "--quiet", "main"]);
        sample.merge_at("side", first_second(TODAY - 5));
        assert_eq!(days(&count(&open(&sample), None)), [(5, 2), (20, 1)]);
    }

    #[test]
    fn a_registry_that_began_within_the_window_did_not_bump_all_its_files() {
        let sample = Sample::plain();
        sample.run(&["init", "--quiet", "--initial-branch=main"]);
        assert_eq!(open(&sample).activity(TODAY, None).unwrap(), None, "there is no commit yet");
        commit(&sample, 4, &[AWS]);
        commit(&sample, 2, &[AWS]);
        let counted = count(&open(&sample), None);
        assert_eq!((days(&counted), counted.files.is_some()), (vec![(2, 1)], true));
        assert_eq!(open(&Sample::plain()).activity(TODAY, None).unwrap(), None);
    }

    #[test]
    fn a_shallow_clone_says_so_unless_it_reaches_back_far_enough() {
        let sample = Sample::of_history();
        for days_ago in [35, 31, 20, 2] {
            commit(&sample, days_ago, &[AWS]);
        }
        for (depth, reaches) in [("1", false), ("2", false), ("3", true), ("4", true)] {
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join("clone");
            let url = format!("file://{}", sample.root().display());
            sample.run(&["clone", "--quiet", "--depth", depth, &url, &target.to_string_lossy()]);
            let counted = count(&Checkout::open(&target, None).unwrap(), None);
            assert_eq!(counted.files.is_some(), reaches, "{depth}");
            if reaches {
                assert_eq!(days(&counted), [(2, 1), (20, 1)], "{depth}");
            }
        }
    }

    /// A count with false days shows which days were taken over.
    #[test]
    fn a_new_head_reads_only_from_the_day_of_the_known_one() {
        let sample = Sample::of_history();
        for days_ago in [29, 10, 3, 3] {
            commit(&sample, days_ago, &[AWS]);
        }
        let earlier = Activity { today: TODAY - 2, files: Some([7; DAYS]), ..count(&open(&sample), None) };
        commit(&sample, 3, &[AWS, CONSUL]);
        commit(&sample, 1, &[DEEP]);
        let counted = count(&open(&sample), Some(&earlier));
        let taken_over = (4..30).map(|back| (back, 7));
        let wanted: Vec<_> = [(1, 1), (3, 2)].into_iter().chain(taken_over).collect();
        assert_eq!((days(&counted), &counted.commit), (wanted, &sample.log()[0]));
        let true_days = [(1, 1), (3, 2), (10, 1), (29, 1)];
        for known in [
            Activity { commit: "0".repeat(40), ..earlier.clone() },
            Activity { commit: String::new(), ..earlier.clone() },
            Activity { today: TODAY + 1, ..earlier.clone() },
            Activity { files: None, ..earlier.clone() },
        ] {
            assert_eq!(days(&count(&open(&sample), Some(&known))), true_days, "{known:?}");
        }
        sample.run(&["checkout", "--quiet", "-B", "main", "HEAD~4"]);
        commit(&sample, 0, &[AWS]);
        let rewritten = count(&open(&sample), Some(&earlier));
        assert_eq!(days(&rewritten), [(0, 1), (10, 1), (29, 1)], "the known commit is not in this history");
    }

    #[test]
    fn an_odd_log_is_no_log() {
        let noon = first_second(TODAY) + 43_200;
        let read = |log: &str| {
            let days = ActiveDays::read(log, TODAY - 29, None)?;
            Some(days.spans.iter().map(|span| format!("{} {}", span.newest, span.base)).collect::<Vec<_>>())
        };
        assert_eq!(read(""), Some(vec![]));
        let log = format!("a {noon} b x\nb {noon} c\nc {} d\nd {} \n", noon - 86_400, noon - 172_800);
        assert_eq!(read(&log), Some(vec!["a c".into(), "c d".into(), "d d".into()]));
        for odd in ["\n", "abc\n", "abc 12\n", "abc x def\n", "abc 99999999999999999999 d\n", "\0"] {
            assert_eq!(read(odd), None, "{odd:?}");
        }
    }

    #[test]
    fn an_odd_path_counts_nothing_and_an_endless_one_is_an_error() {
        let spans = [Span { day: 7, newest: "abc", base: "def" }, Span { day: 5, newest: "def", base: "0" }];
        let read = |names: &[u8]| {
            let mut days = Vec::new();
            let end = read_names(&mut &*names, &spans, &mut |day| days.push(day));
            end.map(|()| days).map_err(|error| error.to_string())
        };
        assert_eq!(read(b""), Ok(vec![]));
        assert_eq!(
            read(b"abc\nproviders/a/b/c.json\nmodules/a/b/c/d.json\ndef\nproviders/a/b/c.json\n"),
            Ok(vec![7, 7, 5])
        );
        assert_eq!(read(b"abc\nproviders/\xff.json\n\"providers/\\n.json\"\nREADME.md\n\n"), Ok(vec![]));
        assert_eq!(read(b"providers/a/b/c.json\n"), Ok(vec![]), "a path before any commit");
        let endless = [b"abc\n".to_vec(), vec![b'x'; 40_000]].concat();
        assert_eq!(read(&endless), Err("its answer has a line that does not end".into()));
        assert_eq!(read(b"abc\nproviders/a/b/c.js"), Err("its answer has a line that does not end".into()));
    }

    /// A clock that is wrong, or a commit that was dated by hand.
    #[test]
    fn a_commit_of_tomorrow_counts_on_no_day() {
        let sample = Sample::of_history();
        commit(&sample, 2, &[AWS]);
        commit(&sample, -3, &[AWS, CONSUL]);
        assert_eq!(days(&count(&open(&sample), None)), [(2, 1)]);
    }
}
