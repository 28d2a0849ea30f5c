#!/usr/bin/env bash
# Makes the OpenPGP vectors beside this script anew, and asks GnuPG what it thinks of each: keys/, signatures/, two documents,
# and expected.toml. Needs gpg 2.2 (another version may word its verdicts in another way). Every key is new each time; nothing
# secret is kept. The tests read what is here and need no GnuPG.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=$(mktemp -d)
trap 'gpgconf --homedir "$home" --kill all >/dev/null 2>&1 || true; rm -rf "$home" "$home".*' EXIT
chmod 700 "$home"
cd "$here"
rm -rf keys signatures sums.txt sums-changed.txt sums-crlf.txt expected.toml
mkdir keys signatures
NOW=20260601T000000

# at TIME ARGUMENTS…: gpg as if it were that time.
at() { local time=$1; shift; gpg --homedir "$home" --batch --yes --quiet --no-tty --pinentry-mode loopback --passphrase '' \
  --ignore-time-conflict --ignore-valid-from --faked-system-time "$time!" "$@" 2>>"$home/log"; }
fpr() { gpg --homedir "$home" --batch --with-colons --list-keys "=$1" 2>/dev/null | awk -F: '/^fpr/{print $10; exit}'; }
export_key() { at $NOW --armor --export-options no-export-attributes --export "$(fpr "$1 <$1@example.org>")" > "keys/$1.asc"; }
# make NAME ALGORITHM USAGE EXPIRY [TIME] [MORE…]
make() { local name=$1 algorithm=$2 usage=$3 expiry=$4 time=${5:-20230101T000000}; shift 5 || shift $#
  at "$time" "$@" --quick-generate-key "$name <$name@example.org>" "$algorithm" "$usage" "$expiry"; }
id() { fpr "$1 <$1@example.org>"; }

zips() { for target in darwin_amd64 linux_386 linux_amd64 windows_amd64; do
  printf '%s  terraform-provider-rocket_1.2.0_%s.zip\n' "$(printf %s "$target" | sha256sum | cut -c1-64)" $target; done; }
zips > sums.txt
sed 's/^./0/; 2s/linux_386/linux_387/' sums.txt > sums-changed.txt
sed 's/$/\r/' sums.txt > sums-crlf.txt

make rsa2048 rsa2048 sign none
make rsa4096 rsa4096 sign none
make rsa1024 rsa1024 sign none
make dsa2048 dsa2048 sign none
make dsa1024 dsa1024 sign none
make nistp256 nistp256 sign none
make nistp521 nistp521 sign none
make brainpool brainpoolP256r1 sign none
make ed25519 ed25519 sign none
make other rsa2048 sign none
make sha1self rsa2048 sign none 20230101T000000 --cert-digest-algo SHA1
make expired rsa2048 sign 2024-01-01
make revoked rsa2048 sign none
make compromised rsa2048 sign none
make shortened rsa2048 sign none
make late rsa2048 sign none 20240101T000000
make subkey rsa2048 cert none
at 20230101T000000 --quick-add-key "$(id subkey)" rsa2048 sign none
make expired-subkey rsa2048 cert none
at 20230101T000000 --quick-add-key "$(id expired-subkey)" rsa2048 sign 2024-01-01
make revoked-subkey rsa2048 cert none
at 20230101T000000 --quick-add-key "$(id revoked-subkey)" ed25519 sign none
make certified rsa2048 sign none
make uids rsa2048 sign none
at 20230201T000000 --quick-add-uid "$(id uids)" 'uids old <uids-old@example.org>'
at 20230301T000000 --quick-revoke-uid "$(id uids)" 'uids old <uids-old@example.org>'

# sign NAME TIME OUT [MORE…]
sign() { local name=$1 time=$2 out=$3; shift 3; at "$time" "$@" --local-user "$(id "$name")" --output "signatures/$out" --detach-sign sums.txt; }
for name in rsa2048 rsa4096 rsa1024 dsa2048 dsa1024 nistp256 nistp521 brainpool ed25519 other sha1self expired revoked compromised \
  shortened late subkey expired-subkey revoked-subkey certified uids; do
  time=20230601T000000; [ $name != late ] || time=20240601T000000; [ $name != shortened ] || time=20250601T000000
  sign $name $time $name.sig
done
sign rsa2048 20230601T000000 armored.asc --armor
sign ed25519 20230601T000000 ed25519-armored.asc --armor
sign rsa2048 20230601T000000 sha1.sig --digest-algo SHA1
sign rsa2048 20230601T000000 sha512.sig --digest-algo SHA512
sign rsa2048 20230601T000000 text.sig --textmode
sign rsa2048 20300101T000000 future.sig
sign late 20231201T000000 before-key.sig
sign rsa2048 20230601T000000 brief.sig --default-sig-expire 30d
sign rsa2048 20230601T000000 critical.sig --sig-notation '!binding@example.org=yes'
sign rsa2048 20230601T000000 notation.sig --sig-notation 'plain@example.org=yes'
at 20230601T000000 --local-user "$(id other)" --local-user "$(id rsa2048)" --output signatures/two.sig --detach-sign sums.txt
at 20230601T000000 --armor --local-user "$(id ed25519)" --local-user "$(id dsa2048)" --output signatures/two.asc --detach-sign sums.txt
at 20230601T000000 --local-user "$(id rsa2048)" --output "$home/changed.sig" --detach-sign sums-changed.txt
cat "$home/changed.sig" signatures/ed25519.sig > signatures/bad-and-good.sig
printf '<!DOCTYPE html><html><body>Not Found</body></html>\n' > signatures/page.sig
: > signatures/empty.sig
head -c 100 signatures/rsa2048.sig > signatures/cut.sig
{ cat signatures/rsa2048.sig; printf 'words after it\n'; } > signatures/trailing.sig
head -c 200 sums.txt > signatures/sums.sig
printf '\x99\x01\x0d\x04\x63' > signatures/noise.sig

# What happened to keys after they signed.
sed 's/^:-----/-----/' "$home/openpgp-revocs.d/$(id revoked).rev" > "$home/revoke"
at 20250101T000000 --import "$home/revoke"
printf 'y\n1\nleaked\n\ny\n' | gpg --homedir "$home" --quiet --no-tty --command-fd 0 --pinentry-mode loopback --passphrase '' \
  --faked-system-time '20250101T000000!' --output "$home/compromise" --gen-revoke "$(id compromised)" 2>>"$home/log" >/dev/null
at 20250101T000000 --import "$home/compromise"
printf 'key 1\nrevkey\ny\n3\n\ny\nsave\n' | gpg --homedir "$home" --quiet --no-tty --command-fd 0 --pinentry-mode loopback --passphrase '' \
  --faked-system-time '20250101T000000!' --edit-key "$(id revoked-subkey)" 2>>"$home/log" >/dev/null
at 20230301T000000 --quick-set-expire "$(id shortened)" 2024-01-01
at 20230301T000000 --local-user "$(id other)" --quick-sign-key "$(id certified)" >/dev/null
at 20230401T000000 --allow-weak-key-signatures --cert-digest-algo SHA1 --local-user "$(id rsa4096)" --quick-sign-key "$(id certified)" >/dev/null

for name in rsa2048 rsa4096 rsa1024 dsa2048 dsa1024 nistp256 nistp521 brainpool ed25519 other sha1self expired revoked compromised \
  shortened late subkey expired-subkey revoked-subkey certified uids; do export_key $name; done
at $NOW --armor --export "$(id rsa2048)" "$(id ed25519)" > keys/two-keys.asc
cat keys/rsa2048.asc keys/ed25519.asc > keys/two-blocks.asc
sed '0,/^$/s/^$/\xc2\xa0/; s/$/\r/' keys/rsa2048.asc > keys/crlf.asc
sed '5,8s/$/  /' keys/rsa2048.asc > keys/spaces.asc
grep -v '^=' keys/rsa2048.asc > keys/no-checksum.asc
printf 'not a key\n' > keys/words.asc
head -n 6 keys/rsa2048.asc > keys/cut.asc

# What GnuPG says: of keys…
{
  echo "# Made by make.sh with $(gpg --version | head -n 1). What GnuPG says of each key, and of each pair of keys and signature."
  echo
  for file in rsa2048 rsa4096 rsa1024 dsa2048 dsa1024 nistp256 nistp521 ed25519 sha1self expired revoked compromised shortened \
    subkey expired-subkey revoked-subkey certified uids; do
    gpg --homedir "$home" --batch --faked-system-time "$NOW!" --with-colons --with-fingerprint --with-fingerprint \
      --import-options show-only --import "keys/$file.asc" 2>/dev/null | awk -F: -v file="$file" '
      $1=="pub"||$1=="sub"{kind=$1; validity=$2; bits=$3; algorithm=$4; id=$5; created=$6; expires=$7; usage=$12}
      $1=="fpr"{printf "[[part]]\nfile = \"%s\"\nprimary = %s\nkey_id = \"%s\"\nfingerprint = \"%s\"\nalgorithm = %s\nbits = %s\ncreated = %s\nexpires = %s\nsigns = %s\nrevoked = %s\n\n",
        file, kind=="pub"?"true":"false", id, $10, algorithm, bits, created, expires==""?0:expires, usage~/s/?"true":"false", validity=="r"?"true":"false"}'
  done
} > expected.toml
# …and of signatures: case NAME DOCUMENT SIGNATURE KEYS-FOR-GPG [KEYS-IN-TEST]
case_of() {
  local name=$1 document=$2 signature=$3 keys=$4 files=${5:-$4} ring=$home.$RANDOM said key
  mkdir -m 700 "$ring"
  for key in ${keys//,/ }; do gpg --homedir "$ring" --batch --quiet --import "keys/$key.asc" 2>/dev/null; done
  said=$(gpg --homedir "$ring" --batch --faked-system-time "$NOW!" --ignore-valid-from --status-fd 1 \
    --verify "signatures/$signature" "$document" 2>/dev/null |
    awk '$2~/^(GOODSIG|EXPSIG|EXPKEYSIG|REVKEYSIG|BADSIG)$/{printf "\"%s %s\", ", $2, $3} $2=="ERRSIG"{printf "\"ERRSIG %s %s\", ", $3, $8} $2=="NODATA"&&!n++{printf "\"NODATA\", "}' || true)
  printf '[[case]]\nname = "%s"\nkeys = [%s]\ndocument = "%s"\nsignature = "%s"\ngpg = [%s]\n\n' "$name" \
    "$(for key in ${files//,/ }; do printf '"%s", ' "$key"; done | sed 's/, $//')" "$document" "$signature" "${said%, }" >> expected.toml
  gpgconf --homedir "$ring" --kill all >/dev/null 2>&1 || true
  rm -rf "$ring"
}
for name in rsa2048 rsa4096 rsa1024 dsa2048 dsa1024 nistp256 nistp521 brainpool ed25519 sha1self expired revoked compromised \
  shortened late subkey expired-subkey revoked-subkey certified uids; do
  case_of $name sums.txt $name.sig $name
done
for name in armored.asc sha1.sig sha512.sig text.sig future.sig brief.sig critical.sig notation.sig two.sig; do
  case_of "${name%.*}" sums.txt $name rsa2048
done
case_of ed25519-armored sums.txt ed25519-armored.asc ed25519
case_of before-key sums.txt before-key.sig late
case_of changed sums-changed.txt rsa2048.sig rsa2048
case_of changed-dsa sums-changed.txt dsa2048.sig dsa2048
case_of changed-nistp256 sums-changed.txt nistp256.sig nistp256
case_of changed-ed25519 sums-changed.txt ed25519.sig ed25519
case_of changed-subkey sums-changed.txt subkey.sig subkey
case_of crlf sums-crlf.txt rsa2048.sig rsa2048
case_of crlf-text sums-crlf.txt text.sig rsa2048
case_of wrong-key sums.txt rsa2048.sig other
case_of wrong-keys sums.txt rsa2048.sig other,ed25519,subkey
case_of one-of-many sums.txt ed25519.sig other,rsa2048,ed25519
case_of two-armored-first sums.txt two.asc ed25519
case_of two-armored-second sums.txt two.asc dsa2048
case_of two-unknown sums.txt two.sig ed25519
case_of bad-and-good sums.txt bad-and-good.sig rsa2048,ed25519
case_of expired-beside-good sums.txt rsa2048.sig expired,rsa2048
case_of two-keys sums.txt ed25519.sig two-keys
case_of two-blocks-first sums.txt rsa2048.sig rsa2048 two-blocks
case_of crlf-key sums.txt rsa2048.sig rsa2048 crlf
case_of spaces-key sums.txt rsa2048.sig rsa2048 spaces
case_of no-checksum sums.txt rsa2048.sig rsa2048 no-checksum
for name in page empty sums noise; do case_of $name sums.txt $name.sig rsa2048; done
case_of trailing sums.txt trailing.sig rsa2048
case_of cut sums.txt cut.sig rsa2048
