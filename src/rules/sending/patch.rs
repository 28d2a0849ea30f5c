//! A sending as a patch that `git am` takes, for whoever wants to look at it, or apply it, without bumpdesk.

use std::fmt::Write;

use jiff::Timestamp;
use jiff::fmt::rfc2822;

use crate::rules::plain_text::visible;

const ENCODED: &str =
    "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: quoted-printable";

/// A commit as a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    /// Head and message.
    message: String,
    /// Of all files, in git's own form.
    differences: String,
}

impl Patch {
    /// `at`: when it was made ready.
    pub(crate) fn of(
        (base, author, at): (&str, &str, Timestamp),
        (headline, message): (&str, &str),
        differences: &[String],
    ) -> Self {
        let date = rfc2822::to_string(&at.to_zoned(jiff::tz::TimeZone::UTC)).unwrap_or_default();
        let mut text = format!("From {base} Mon Sep 17 00:00:00 2001\nFrom: {author}\nDate: {date}\n");
        let _ = write!(text, "Subject: [PATCH] {}\n\n{message}\n\n", visible(headline));
        Self { message: text, differences: differences.concat() }
    }

    /// What `git am` takes.
    pub(crate) fn mail(&self) -> String {
        self.with("")
    }

    /// The same with notes behind the message, where git reads over them. No line of them begins as one of a difference does.
    pub(crate) fn with(&self, notes: &str) -> String {
        let mail = format!("{}---\n{notes}{}-- \nbumpdesk\n", self.message, self.differences);
        // Git takes the CR off the end of a line unless it stands there encoded, and a key most often has it.
        match mail.split_once("\n\n") {
            Some((head, text)) if text.contains('\r') => {
                format!("{head}\n{ENCODED}\n\n{}", text.replace('=', "=3D").replace('\r', "=0D"))
            }
            _ => mail,
        }
    }

    /// Notes alone: git says that the patch is empty.
    pub(crate) fn without_differences(&self, notes: &str) -> String {
        format!("{}---\n{notes}-- \nbumpdesk\n", self.message)
    }
}
