use super::*;
use serde::Serialize;

use crate::cli::diff::ProposalObject;
use crate::cli::doctor::CheckObject;
use crate::cli::list::RowObject;
use crate::desk::objects::{EntryObject, VerdictObject, write};
use crate::jobs::data::{Failure, FailureKind, Outcome as Ended, Summary};
use crate::print::exit::Exit;
use crate::print::json::{Note, Outcome};
use crate::print::text::tests as made;
use crate::registry::Address;
use crate::rules::{Finding, Status};

fn line<T: Serialize>(kind: &'static str, body: &T) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes, kind, body).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.starts_with(&format!("{{\"v\":1,\"type\":\"{kind}\",")), "{text}");
    assert_eq!(text.matches('\n').count(), 1);
    text.trim_end().to_owned()
}

const VERDICT: &str = r#""address":"newrelic/newrelic","kind":"provider","path":"providers/n/newrelic/newrelic.json","level":"wait","status":"behind","depth":"versions","because":{"text":"3.70.1: tagged upstream, complete, not indexed","source":"tags","at":"2026-09-22T11:54:00Z"},"indexed":"3.69.0","upstream":"3.70.1","missing":1,"since":"2026-09-22T06:00:00Z","checked_at":"2026-09-22T11:54:00Z","versions":[{"version":"3.70.1","tag":"v3.70.1\u001b[2J","status":"behind","reason":"complete upstream","published":"2026-09-22T06:00:00Z","published_by":"feed","targets":14,"attempts":1,"next_try":"2026-09-22T12:00:00Z"}],"findings":[{"severity":"warning","rule":"feed-unread","version":"3.70.0","text":"the feed could not be read"}]"#;

#[test]
fn entries_have_their_shapes() {
    let verdict = made::verdict();
    assert_eq!(
        line("verdict", &VerdictObject::new(&Address::provider("newrelic", "newrelic"), &verdict)),
        format!(r#"{{"v":1,"type":"verdict",{VERDICT}}}"#)
    );
    assert_eq!(
        line("row", &RowObject::new(&made::row(), &verdict)),
        format!(
            r#"{{"v":1,"type":"row",{VERDICT},"version_count":1,"target_count":0,"unhashed_targets":0,"error_count":0,"warning_count":0,"size_bytes":0,"dirty":null,"broken":null}}"#
        )
    );
    let row = Status::Behind.row();
    assert_eq!(
        line("entry", &EntryObject::new(&made::opened())),
        format!(
            r#"{{"v":1,"type":"entry",{VERDICT},"repository":"https://github.com/newrelic/terraform-provider-newrelic","means":"{}","if_left":"{}","can_do":"{}","indexed_versions":["3.69.0"],"warnings":["moved"],"errors":[{{"version":"3.70.1","message":"no sums\nat all","at":"2026-09-22T11:00:00Z"}}],"lint":[{{"severity":"note","rule":"crlf","version":null,"text":"lines end in CR LF"}}],"keys":null,"notices":[]}}"#,
            row.means, row.if_left, row.can_do
        )
    );
}

#[test]
fn proposals_have_their_shape() {
    let text = line("proposal", &ProposalObject::new(&made::rebuild(), &made::verdict(), None));
    let start = r#"{"v":1,"type":"proposal","address":"newrelic/newrelic","path":"providers/n/newrelic/newrelic.json","status":"behind","because":{"text":"3.70.1: tagged upstream, complete, not indexed","source":"tags","at":"2026-09-22T11:54:00Z"},"blocked":null,"mode":"add","class":"mutates","base_sha256":"aa","sha256":"bb","size_bytes":2,"versions":[{"version":"3.70.1","change":"added","old_place":null,"new_place":0,"fields":[],"targets":[{"platform":"linux_amd64","change":"changed","fields":[{"field":"shasum","old":"\"a\"","new":null}]}"#;
    assert!(text.starts_with(start), "{text}");
    let end = r#""fields":[{"field":"warnings","old":"\"a\"","new":null}],"normalises":{"key_orders":1,"empty_fields":3,"moved_versions":0,"layout":true},"unchanged_versions":204,"findings":[{"severity":"note","rule":"left-out","version":"3.70.0","text":"no sums"}]}"#;
    assert!(text.ends_with(end), "{text}");
    let patched = line("proposal", &ProposalObject::new(&made::rebuild(), &made::verdict(), Some("+x\n")));
    assert!(patched.ends_with(r#","patch":"+x\n"}"#), "{patched}");
}

#[test]
fn outcomes_end_the_stream() {
    let done =
        Ended::Done(Summary { entries: 3, failed: 1, limits: vec!["no token".into()], ..Summary::default() });
    let counts = statuses([Status::Behind, Status::Current, Status::Behind].into_iter());
    assert_eq!(
        line("outcome", &Outcome::new("survey", &done, Exit::Incomplete, &counts)),
        r#"{"v":1,"type":"outcome","command":"survey","result":"done","exit":5,"summary":{"entries":3,"fresh":0,"requests":0,"not_modified":0,"failed":1,"broken":0,"applied":0,"findings":0,"limits":["no token"]},"failure":null,"statuses":{"behind":2,"current":1}}"#
    );
    let failed = Ended::Failed(Failure::new(FailureKind::RateLimited, "reading tags").cause("429"));
    assert_eq!(
        line("outcome", &Outcome::new("bump", &failed, Exit::Upstream, &())),
        r#"{"v":1,"type":"outcome","command":"bump","result":"failed","exit":3,"summary":null,"failure":{"kind":"rate-limited","doing":"reading tags","causes":["429"],"hint":null}}"#
    );
}

#[test]
fn remarks_have_their_shapes() {
    let finding = Finding::error("bytes", "odd\u{202e}\u{9b}order");
    assert_eq!(
        line("finding", &Found { path: "modules/a/b/c/d.json", finding: &finding }),
        r#"{"v":1,"type":"finding","path":"modules/a/b/c/d.json","severity":"error","rule":"bytes","version":null,"text":"odd\u202e\u009border"}"#
    );
    assert_eq!(line("note", &Note { text: "a" }), r#"{"v":1,"type":"note","text":"a"}"#);
    assert_eq!(
        line("check", &CheckObject { topic: "git", state: "ok", text: "2.47", remedy: None }),
        r#"{"v":1,"type":"check","topic":"git","state":"ok","text":"2.47","remedy":null}"#
    );
}
