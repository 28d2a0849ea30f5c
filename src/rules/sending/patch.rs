//! A sending as a patch that `git am` takes, for whoever wants to look at it, or apply it, without bumpdesk.

use std::fmt::Write;

use jiff::Timestamp;
use jiff::fmt::rfc2822;

use crate::rules::plain_text::visible;

/// The commit as a mail. `differences`: those of each file, in git's own form. `at`: when it was made ready.
pub(crate) fn patch(
    (base, author, at): (&str, &str, Timestamp),
    (headline, message): (&str, &str),
    differences: &[String],
) -> String {
    let date = rfc2822::to_string(&at.to_zoned(jiff::tz::TimeZone::UTC)).unwrap_or_default();
    let mut text = format!("From {base} Mon Sep 17 00:00:00 2001\nFrom: {author}\nDate: {date}\n");
    let _ = write!(text, "Subject: [PATCH] {}\n\n{message}\n\n---\n", visible(headline));
    for difference in differences {
        text.push_str(difference);
    }
    text.push_str("-- \nbumpdesk\n");
    text
}
