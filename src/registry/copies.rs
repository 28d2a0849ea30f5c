//! Addresses whose pages the registry copies from the entry of another owner (`registry.md#copies-of-archived-providers`).

use crate::registry::{Address, Kind};

/// The namespaces in which a copy appears.
const COPIED_TO: [&str; 2] = ["hashicorp", "opentofu"];

/// The name of each copied provider and the namespace of its successor, sorted by name. The successor has the same name.
///
/// Source: `overrides.go` in the provider package of `opentofu/registry`, at commit
/// `4a1b4169a298fff82a75ec653a860c4c434d960d`. Names are in lower case here, as in the paths of data files, although
/// GitHub has some with capital letters.
const COPIES: [(&str, &str); 77] = [
    ("aci", "ciscodevnet"),
    ("acme", "vancluever"),
    ("akamai", "akamai"),
    ("alicloud", "aliyun"),
    ("avi", "vmware"),
    ("aviatrix", "aviatrixsystems"),
    ("azuredevops", "microsoft"),
    ("baiducloud", "baidubce"),
    ("bigip", "f5networks"),
    ("brightbox", "brightbox"),
    ("checkpoint", "checkpointsw"),
    ("circonus", "circonus-labs"),
    ("cloudflare", "cloudflare"),
    ("cloudscale", "cloudscale-ch"),
    ("constellix", "constellix"),
    ("datadog", "datadog"),
    ("digitalocean", "digitalocean"),
    ("dme", "dnsmadeeasy"),
    ("dnsimple", "dnsimple"),
    ("dome9", "dome9"),
    ("exoscale", "exoscale"),
    ("fastly", "fastly"),
    ("flexibleengine", "flexibleenginecloud"),
    ("fortios", "fortinetdev"),
    ("github", "integrations"),
    ("gitlab", "gitlabhq"),
    ("grafana", "grafana"),
    ("gridscale", "gridscale"),
    ("hcloud", "hetznercloud"),
    ("heroku", "heroku"),
    ("huaweicloud", "huaweicloud"),
    ("huaweicloudstack", "huaweicloud"),
    ("icinga2", "icinga"),
    ("launchdarkly", "launchdarkly"),
    ("linode", "linode"),
    ("logicmonitor", "logicmonitor"),
    ("mongodbatlas", "mongodb"),
    ("ncloud", "navercloudplatform"),
    ("newrelic", "newrelic"),
    ("ns1", "ns1-terraform"),
    ("nsxt", "vmware"),
    ("nutanix", "nutanix"),
    ("oci", "oracle"),
    ("okta", "oktadeveloper"),
    ("oktaasa", "oktadeveloper"),
    ("opennebula", "opennebula"),
    ("openstack", "terraform-provider-openstack"),
    ("opentelekomcloud", "opentelekomcloud"),
    ("opsgenie", "opsgenie"),
    ("ovh", "ovh"),
    ("packet", "packethost"),
    ("pagerduty", "pagerduty"),
    ("panos", "paloaltonetworks"),
    ("powerdns", "pan-net"),
    ("prismacloud", "paloaltonetworks"),
    ("profitbricks", "ionos-cloud"),
    ("rancher2", "rancher"),
    ("rundeck", "rundeck"),
    ("scaleway", "scaleway"),
    ("selectel", "selectel"),
    ("signalfx", "splunk-terraform"),
    ("skytap", "skytap"),
    ("spotinst", "spotinst"),
    ("stackpath", "stackpath"),
    ("statuscake", "statuscakedev"),
    ("sumologic", "sumologic"),
    ("tencentcloud", "tencentcloudstack"),
    ("triton", "joyent"),
    ("turbot", "turbot"),
    ("ucloud", "ucloud"),
    ("vcd", "vmware"),
    ("venafi", "venafi"),
    ("vmc", "vmware"),
    ("vra7", "vmware"),
    ("vultr", "vultr"),
    ("wavefront", "vmware"),
    ("yandex", "yandex-cloud"),
];

/// The entry whose pages the registry serves under an address without a data file; `None` if the address is not a
/// copy.
pub(crate) fn copy_source(address: &Address) -> Option<Address> {
    if address.kind() != Kind::Provider || !COPIED_TO.contains(&address.namespace()) {
        return None;
    }
    let at = COPIES.binary_search_by(|(name, _)| (*name).cmp(address.name())).ok()?;
    Some(Address::provider(COPIES[at].1, COPIES[at].0))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn copies_are_sorted_and_found_in_both_namespaces() {
        assert!(COPIES.is_sorted_by(|a, b| a.0 < b.0));
        for (requested, source) in [
            ("hashicorp/github", Some("integrations/github")),
            ("opentofu/github", Some("integrations/github")),
            ("hashicorp/aci", Some("ciscodevnet/aci")),
            ("hashicorp/yandex", Some("yandex-cloud/yandex")),
            ("hashicorp/aws", None),
            ("acme/github", None),
            ("hashicorp/github/aws", None),
            ("hashicorp/githu", None),
        ] {
            let found = copy_source(&Address::parse(requested).unwrap()).map(|source| source.to_string());
            assert_eq!(found.as_deref(), source, "{requested}");
        }
    }

    #[test]
    fn the_page_lists_every_copy() {
        let mut owners: Vec<&str> = COPIES.iter().map(|(_, owner)| *owner).collect();
        owners.sort_unstable();
        owners.dedup();
        let mut table = String::from("| successor's namespace | names |\n|---|---|\n");
        for owner in owners {
            let names: Vec<&str> = COPIES.iter().filter(|copy| copy.1 == owner).map(|copy| copy.0).collect();
            let _ = writeln!(table, "| {owner} | {} |", names.join(", "));
        }
        assert!(include_str!("registry.md").contains(&table), "registry.md lacks this table:\n{table}");
    }
}
