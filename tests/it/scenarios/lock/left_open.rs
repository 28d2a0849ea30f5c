//! What could not be read is left open, and gone on with.

use demo::fault::{Fault, FaultKind, Lane};

use crate::door::{Door, closed_port};
use crate::scenarios::lock::{DATA, WORLD, block_of, checked};

/// What could be read is kept: the same command goes on with it.
#[tokio::test(flavor = "multi_thread")]
async fn the_same_command_goes_on() {
    let door = Door::on(WORLD).await;
    let good = block_of(&door, "acme/rocket", DATA, "1.0.0", None);
    door.server.edit(|world| {
        let kind = FaultKind::try_from("status:451".to_owned()).expect("a kind");
        let mut fault = Fault::new(&[Lane::Object], kind).at("acme/terraform-provider-rocket");
        fault.path = Some("*linux_amd64.zip".into());
        world.faults.push(fault);
    });
    let line = "lock acme/rocket@1.0.0";
    let said = door.said(line).await;
    said.is(5, &["left out: linux_amd64: ", "NOT KNOWN archive (linux_amd64): "]);
    assert_eq!(said.out, "");
    let said = door.said(&format!("{line} --partial")).await;
    said.is(5, &["reused from an earlier run: 1 archive", "left out: linux_amd64: "]);
    assert_eq!(said.out.matches("zh:").count(), 1, "{said}");
    // Of a lock file it is the same: what was not read is left open.
    checked(&door, &good, "").await.is(5, &[
        "? acme/rocket 1.0.0: 2 targets: 1 as the registry has it, archive not read, 1 verified; 4 hashes",
        "warning lock-not-read 1.0.0: the archives of linux_amd64 were not read",
    ]);
    // What is wrong in it is wrong, whatever was not read.
    let foreign = good.replace("  hashes = [", &format!("  hashes = [\n    \"zh:{}\",", "0".repeat(64)));
    checked(&door, &foreign, "")
        .await
        .is(1, &["error lock-hash-foreign", "warning lock-not-read 1.0.0: the archives of linux_amd64"]);
    door.server.edit(|world| world.faults.clear());
    door.server.forget();
    let said = door.said(line).await;
    said.is(0, &["reused from an earlier run: 1 archive"]);
    assert_eq!(said.out, good);
    let exchanges = door.server.exchanges();
    let asked = |end: &str| exchanges.iter().filter(|one| one.target.contains(end)).count();
    assert_eq!(asked("darwin_arm64.zip"), 0);
    assert!(asked("linux_amd64.zip") > 0);
}

/// Nobody answers: nothing is printed, and nothing passes.
#[tokio::test(flavor = "multi_thread")]
async fn offline() {
    let mut door = Door::on(WORLD).await;
    let good = block_of(&door, "acme/rocket", DATA, "1.0.0", None);
    let nobody = closed_port();
    door.point(&nobody, &nobody, &nobody);
    let said = door.said("lock acme/rocket@1.0.0").await;
    said.is(3, &["left out: darwin_arm64, linux_amd64", "NOT KNOWN checksums"]);
    assert_eq!(said.out, "");
    let said = checked(&door, &good, "").await;
    said.is(
        3,
        &[
            "? acme/rocket 1.0.0: 2 targets: 2 not known; 4 hashes",
            "warning lock-platform-not-known 1.0.0: darwin_arm64, linux_amd64: SHA256SUMS could not be read: ",
        ],
    );
    let foreign = good.replace("  hashes = [", &format!("  hashes = [\n    \"zh:{}\",", "0".repeat(64)));
    checked(&door, &foreign, "").await.is(3, &["warning lock-hash-not-known"]);
    // A version that the registry has not is wrong without anybody's answer.
    let other = good.replace("acme/rocket", "acme/gone");
    checked(&door, &format!("{good}\n{other}"), "").await.is(1, &["error lock-no-provider"]);
}
