//! The file with everything that would be sent, for reading, keeping, or applying without bumpdesk. It is one
//! mail for `git am`; every request stands behind the commit message, where git ignores it. The file is
//! written whole or not at all.

use std::fmt::Write;
use std::path::Path;

use crate::jobs::data::Prepared;
use crate::rules::plain_text::visible;

/// The text of the file. It holds no patch if a gate fails: a change that may not be sent should not be
/// applied by hand either.
pub(crate) fn file(prepared: &Prepared) -> String {
    let mut notes = notes(prepared);
    let Some(planned) = prepared.planned() else { return notes };
    let failing = prepared.failed_gates();
    if failing.is_empty() {
        notes.push_str("The commit follows, as `git am` takes it.\n\n");
        return planned.patch.with(&notes);
    }
    notes.push_str("No patch follows:\n");
    for gate in failing {
        let _ = writeln!(notes, "  {}", visible(&gate));
    }
    notes.push('\n');
    planned.patch.without_differences(&notes)
}

/// The account, the servers, the base and the digits; the gates; and each request with its body as it is
/// sent.
fn notes(prepared: &Prepared) -> String {
    let mut text = String::from(
        "This is what bumpdesk would send to GitHub. Nothing of it was sent when this was written.\n\n",
    );
    let sending = &prepared.sending;
    let commit = prepared.subject.commit();
    let on = match prepared.planned() {
        Some(planned) => ("base", format!("{}@{commit}", planned.base.0)),
        None => ("commit", commit.to_owned()),
    };
    let facts = [
        ("digits", prepared.digits().to_owned()),
        ("digest", prepared.digest.clone()),
        prepared.subject.labelled(),
        ("account", sending.account.clone()),
        ("API", sending.servers[0].clone()),
        ("GraphQL", sending.servers[1].clone()),
        on,
    ];
    for (label, value) in &facts {
        let _ = writeln!(text, "{label:<9}{}", visible(value));
    }
    text.push_str("\nGates:\n");
    for (number, gate) in (1..).zip(&prepared.gates) {
        let line = format!("{number} {}: {}, {}", gate.name.word(), gate.state.word(), gate.evidence);
        let _ = writeln!(text, "  {}", visible(&line));
    }
    text.push_str(match prepared.planned() {
        Some(_) => "\nRequests, one after the other; {pull} is the number of the pull request:\n",
        None => "\nThe request:\n",
    });
    for (number, request) in (1..).zip(&sending.requests) {
        let _ = writeln!(text, "  {number} {}", visible(&request.purpose()));
        let _ = writeln!(text, "    {} {}", request.method(), request.path());
        let _ = writeln!(text, "    {}", request.body());
    }
    text.push('\n');
    text
}

/// Shown while the file is written.
pub(crate) const WRITING: &str = "writing it";

/// Confirms that the file was written.
pub(crate) fn written(file: &Path, prepared: &Prepared) -> String {
    let what = match prepared.failing().next() {
        _ if prepared.planned().is_none() => "the request with its body",
        None => "every request, and a patch that `git am` takes",
        Some(_) => "every request, and no patch, since a gate fails",
    };
    format!("written to {}: {what}; nothing was sent", file.display())
}

/// The default name of the file.
pub(crate) fn file_name(prepared: &Prepared) -> String {
    let ending = if prepared.planned().is_some() { "patch" } else { "txt" };
    format!("bumpdesk-{}.{ending}", prepared.digits())
}
