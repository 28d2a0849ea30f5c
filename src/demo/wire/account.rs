//! Who asks, and how much they have left: `/user` and `/rate_limit`.

use serde_json::{Value, json};

use crate::wire::answer::Site;
use crate::wire::call::{Call, Reply};
use crate::wire::quota::Resource;
use crate::wire::{objects, trouble};

/// `/rate_limit`: costs nothing.
pub(crate) fn rate_limit(site: &Site<'_>, call: &Call, version: &str) -> Reply {
    let core = if call.token().is_some() { Resource::Core } else { Resource::Anonymous };
    let show = |resource: Resource| -> Value {
        let limit = resource.limit(&site.world.limits);
        let usage = site.quota.spend(resource, limit, site.world.now, 0).unwrap_or_else(|usage| usage);
        json!({ "limit": limit, "used": usage.used, "remaining": usage.remaining(), "reset": usage.reset })
    };
    let unused = |limit: u64| {
        let reset = site.quota.spend(core, u64::MAX, site.world.now, 0).map_or(0, |usage| usage.reset);
        json!({ "limit": limit, "used": 0, "remaining": limit, "reset": reset })
    };
    let core = show(core);
    let mut answer = json!({
        "resources": { "core": core, "graphql": show(Resource::Graphql), "search": unused(30) },
    });
    if version == "2022-11-28" {
        answer["rate"] = core;
    }
    Reply::json(200, &answer)
}

/// `/user`: whose token it is.
pub(crate) fn user(site: &Site<'_>, call: &Call) -> Reply {
    let Some(login) = site.caller(call) else {
        return trouble::api(401, "Requires authentication");
    };
    let mut user = objects::owner(site, &login, "User");
    for field in
        ["name", "company", "location", "email", "hireable", "bio", "twitter_username", "notification_email"]
    {
        user[field] = Value::Null;
    }
    let name = site.world.forge.account(&login).and_then(|account| account.name.as_ref());
    user["name"] = json!(name);
    user["blog"] = json!("");
    for field in [
        "public_repos",
        "public_gists",
        "followers",
        "following",
        "private_gists",
        "total_private_repos",
        "owned_private_repos",
        "disk_usage",
        "collaborators",
    ] {
        user[field] = json!(0);
    }
    user["two_factor_authentication"] = json!(true);
    user["user_view_type"] = json!("private");
    user["created_at"] = json!("2018-02-03T04:05:06Z");
    user["updated_at"] = json!("2026-02-03T04:05:06Z");
    Reply::json(200, &user).with("x-oauth-scopes", "public_repo")
}
