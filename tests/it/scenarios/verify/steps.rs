//! What a row says while it is worked on: fetched, then hashed when its last byte is there, then over.

use bumpdesk::surface::jobs::{Job, JobEvent, VerifyNews};
use bumpdesk::surface::rules::verify::State;

use super::plan;
use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn each_archive_is_fetched_and_then_hashed() {
    let world =
        "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/rocket\"\nstored = [\"1.0.0\"]\n";
    let mut stage = Stage::set(world).await;
    let (events, _) = stage.run(Job::Verify(plan(&["acme/rocket"]))).await;
    let mut told: Vec<Vec<(State, u64)>> = vec![Vec::new(); 11];
    let mut sizes = vec![0; 11];
    for event in events {
        match event {
            JobEvent::Verify(VerifyNews::Active(place, doing, bytes)) => told[place].push((doing, bytes)),
            JobEvent::Verify(VerifyNews::Row(place, row)) => {
                sizes[place] = row.size_bytes().expect("a stored size");
                if row.state() == State::Ok {
                    told[place].push((State::Ok, sizes[place]));
                }
            }
            _ => {}
        }
    }
    for (said, size) in told.iter().zip(sizes) {
        let wanted = [(State::Fetching, 0), (State::Hashing, size), (State::Ok, size)];
        assert_eq!(said[..], wanted);
    }
}
