//! The scenarios of the incidents: verdict and proposed bytes, through the real jobs and the loopback world.

use bumpdesk::rules::Class;
use bumpdesk::rules::Depth;
use bumpdesk::rules::Mode;

use crate::stage::Stage;
use crate::stage::line;

#[tokio::test(flavor = "multi_thread")]
async fn s1_older_line_missed() {
    let mut stage = Stage::set(include_str!("../scenarios/s1-old-line.toml")).await;
    let verdicts = stage.survey(Depth::Versions).await;
    let verdict = &verdicts["cloudposse/utils"];
    assert_eq!(line(verdict), "missed-old-line 1.33.0=missed-old-line 1.32.0=missed-old-line");
    assert!(verdict.because.text.contains("below the highest indexed 2.1.0"), "{:?}", verdict.because);

    let before = stage.file("cloudposse/utils");
    let opened = stage.rebuild("cloudposse/utils", Mode::Add).await;
    let proposal = opened.proposal.as_ref().expect("a proposal");
    assert_eq!(proposal.diff.class, Class::Additive);
    assert_eq!(proposal.findings, []);
    let text = String::from_utf8(proposal.bytes.clone()).expect("UTF-8");
    let versions: Vec<&str> =
        text.lines().filter_map(|line| line.trim().strip_prefix("\"version\": ")).collect();
    assert_eq!(
        versions,
        ["\"2.1.0\",", "\"2.0.0\",", "\"1.33.0\",", "\"1.32.0\",", "\"1.31.0\",", "\"1.30.0\","]
    );
    // Taking the two versions out again leaves every other byte as it was.
    let start = text.find("    {\n      \"version\": \"1.33.0\"").expect("the first");
    let end = text.find("    {\n      \"version\": \"1.31.0\"").expect("the next");
    assert_eq!(format!("{}{}", &text[..start], &text[end..]), before);

    assert_eq!(stage.bump().await, ["providers/c/cloudposse/utils.json"]);
    assert_eq!(stage.file("cloudposse/utils"), text);
    stage.restart();
    assert_eq!(line(&stage.survey(Depth::Versions).await["cloudposse/utils"]), "current");
}
