//! Scenario files that come with the program.

/// The world that `bumpdesk demo` shows: sixty invented entries, in which every bump status occurs.
pub const NEWCOMER: &str = include_str!("newcomer.toml");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;
    use crate::forge::Role;

    #[test]
    fn the_newcomers_world_is_whole() {
        let world = World::parse(NEWCOMER).unwrap();
        let is_entry = |path: &&String| path.starts_with("providers/") || path.starts_with("modules/");
        let entries = world.files.keys().filter(is_entry).count();
        assert!((55..=65).contains(&entries), "{entries}");
        for fault in &world.faults {
            for repository in &fault.repositories {
                assert!(world.repositories.contains_key(&**repository), "{repository}");
            }
        }
        let registry = world.forge.find("opentofu", "registry").unwrap();
        let owner = world.forge.of_token("demo").unwrap();
        assert!(registry.role(&owner.login) >= Role::Write, "its console may open pull requests");
        let days = |world: &World| -> Vec<i64> {
            let days =
                world.history().into_iter().map(|(at, _)| world.now.duration_since(at).as_hours() / 24);
            days.collect()
        };
        let with_one_hole: Vec<i64> = (0..30).rev().filter(|day| *day != 10).collect();
        assert_eq!(days(&world), [&[40][..], &with_one_hole].concat(), "a bump a day, but for one");
        let later = "2027-03-01T08:30:00Z".parse().unwrap();
        let moved = World::parse_at(NEWCOMER, later).unwrap();
        let at = |world: &World| {
            world.repositories["emberlight/terraform-provider-kiln"].release("v5.3.0").unwrap().published
        };
        assert_eq!(days(&moved), days(&world));
        assert_eq!(later.duration_since(at(&moved)), world.now.duration_since(at(&world)));
    }
}
