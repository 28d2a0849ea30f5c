#!/usr/bin/env python3
"""Makes vectors.toml: odd zips byte by byte, and what they hash to.

The zips are put together with struct; the expectations come from a reader of its own (`Archive`), written after what Go's
archive/zip and sumdb/dirhash do, and, for the form of a directory, from really unpacking into a folder and hashing what lies
there. Nothing here knows the Rust code; zh is hashlib's. With `--go PROGRAM` (a Go toolchain) the same is asked of Go itself,
of the dirhash that comes with it, and must agree but for what AN_OLDER_GO_SAYS:

    python3 make.py              writes vectors.toml
    python3 make.py --go go      also holds every zh, h1 and directory form against oracle.go; fails where one differs
"""

import base64
import hashlib
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
W32, W64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


def deflate(data, level=6):
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def forged(data, wanted):
    """data and four bytes more, so that the CRC-32 of all is as wanted."""
    table = [zlib.crc32(bytes([i])) ^ zlib.crc32(b"\0") for i in range(256)]
    # crc of one byte from a zero register, by the definition
    table = []
    for i in range(256):
        value = i
        for _ in range(8):
            value = (value >> 1) ^ (0xEDB88320 if value & 1 else 0)
        table.append(value)
    state = wanted ^ W32
    for _ in range(4):
        index = next(i for i in range(256) if table[i] >> 24 == state >> 24)
        state = ((state ^ table[index]) << 8 | index) & W32
    now = zlib.crc32(data) ^ W32
    tail = struct.pack("<I", state ^ now)
    assert zlib.crc32(data + tail) == wanted
    return data + tail


class Entry:
    """One entry. `local`, `central` and `behind` replace single fields of the three records."""

    def __init__(self, name, data=b"", method=8, flags=0, descriptor=None, packed=None, local=None, central=None,
                 behind=None, local_extra=b"", central_extra=b"", comment=b"", creator=0x0314, attributes=0o100644 << 16, before=b"",
                 at=None, hidden=False, ghost=False, sized=False):
        self.name = name if isinstance(name, bytes) else name.encode()
        self.data, self.method, self.descriptor = data, method, descriptor
        self.flags = flags | (8 if descriptor else 0)
        self.packed = packed if packed is not None else (deflate(data) if method == 8 else data)
        self.local, self.central, self.behind = local or {}, central or {}, behind or {}
        self.local_extra, self.central_extra, self.comment = local_extra, central_extra, comment
        self.creator, self.attributes, self.before = creator, attributes, before
        self.at, self.hidden, self.ghost, self.sized = at, hidden, ghost, sized

    def fields(self):
        return dict(flags=self.flags, method=self.method, crc=zlib.crc32(self.data), packed=len(self.packed),
                    raw=len(self.data), name=self.name)

    def front(self):
        said = self.fields()
        if self.descriptor and not self.sized:
            said.update(crc=0, packed=0, raw=0)
        said.update(self.local)
        return struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, said["flags"], said["method"], 0, 0x21, said["crc"],
                           said["packed"], said["raw"], len(said["name"]), len(self.local_extra)) + said["name"] + self.local_extra

    def back(self):
        if not self.descriptor:
            return b""
        said = self.fields()
        said.update(self.behind)
        width = "Q" if "64" in self.descriptor else "I"
        sign = b"" if "bare" in self.descriptor else struct.pack("<I", 0x08074B50)
        return sign + struct.pack("<I" + width * 2, said["crc"], said["packed"], said["raw"])

    def listed(self, offset):
        said = self.fields()
        said.update(offset=offset, disk=0)
        said.update(self.central)
        return struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, self.creator, 20, said["flags"], said["method"], 0, 0x21,
                           said["crc"], said["packed"], said["raw"], len(said["name"]), len(self.central_extra),
                           len(self.comment), said["disk"], 0, self.attributes, said["offset"]) \
            + said["name"] + self.central_extra + self.comment


def archive(entries, comment=b"", prefix=b"", counted=True, before_directory=b"", after_directory=b"", trailing=b"",
            order=None, end=None, end64=None, locator=None, end64_tail=b""):
    """`prefix` stands in front; with counted=False the places are as if it did not. end64: fields of a zip64 end record."""
    out = bytearray(prefix)
    base = 0 if counted else len(prefix)
    places = []
    for entry in entries:
        out += entry.before
        place = len(out) - base
        if not entry.ghost:
            out += entry.front() + entry.packed + entry.back()
        places.append(place if entry.at is None else places[entry.at])
    out += before_directory
    start = len(out) - base
    kept = [i for i in (order or range(len(entries))) if not entries[i].hidden]
    for i in kept:
        out += entries[i].listed(places[i])
    size = len(out) - base - start
    out += after_directory
    said = dict(disk=0, start_disk=0, here=len(kept), count=len(kept), size=size, offset=start)
    if end64 is not None:
        at = len(out) - base
        wide = dict(said)
        wide.update(length=44 + len(end64_tail))
        wide.update(end64)
        out += struct.pack("<IQHHIIQQQQ", 0x06064B50, wide["length"], 45, 45, wide["disk"], wide["start_disk"],
                           wide["here"], wide["count"], wide["size"], wide["offset"]) + end64_tail
        where = dict(disk=0, at=at, disks=1)
        where.update(locator or {})
        out += struct.pack("<IIQI", 0x07064B50, where["disk"], where["at"], where["disks"])
    said.update(end or {})
    out += struct.pack("<IHHHHIIH", 0x06054B50, said["disk"], said["start_disk"], said["here"], said["count"],
                       said["size"], said["offset"], said.get("comment", len(comment))) + comment
    return bytes(out + trailing)


def wide(*values):
    return struct.pack("<HH", 1, 8 * len(values)) + b"".join(struct.pack("<Q", value) for value in values)


# --- the independent reader ---------------------------------------------------------------------------------------------


class Bad(Exception):
    pass


def widened(raw, packed, offset, extra):
    values = [raw, packed, offset]
    while len(extra) >= 4:
        tag, size = struct.unpack_from("<HH", extra)
        if len(extra) - 4 < size:
            break
        body, extra = extra[4:4 + size], extra[4 + size:]
        if tag != 1:
            continue
        # Sizes by their 32 bits, in each field anew; the place only as long as it is still saturated.
        for i, narrow in enumerate((raw, packed, values[2])):
            if narrow == W32:
                if len(body) < 8:
                    return None
                values[i], body = struct.unpack_from("<Q", body)[0], body[8:]
    return values


class Archive:
    """A zip as Go reads it (archive/zip from 1.27 on)."""

    def __init__(self, data):
        self.data = data
        self.files = []
        end = self.find_end()
        here, count, size, offset, _ = struct.unpack_from("<HHIIH", data, end + 8)
        stop = end
        if count == 0xFFFF or size == W32 or offset == W32:
            found = self.find_wide(end)
            if found is not None:
                if len(data) - found < 56 or data[found:found + 4] != b"PK\6\6":
                    raise Bad("not-zip")
                _, count, size, offset = struct.unpack_from("<QQQQ", data, found + 24)
                stop = found
        if size > W64 >> 1 or offset > W64 >> 1:
            raise Bad("not-zip")
        base = stop - size - offset
        if not 0 <= base + offset < len(data):
            raise Bad("not-zip")
        if base > 0 and self.record(offset) is not None:
            base = 0
        self.base = base
        at = base + offset
        while (record := self.record(at)) is not None or len(data) in (at, at + 46) and data[at:at + 4] in (b"", b"PK\1\2"):
            if record is None:
                raise Bad("not-zip")  # to Go, the end of the file is another thing here than half of a record
            record["offset"] += base
            self.files.append(record)
            at += record["length"]
        if len(self.files) & 0xFFFF != count & 0xFFFF:
            raise Bad("not-zip")

    def find_end(self):
        data = self.data
        for window in (1024, 65 * 1024):
            low = max(0, len(data) - window)
            at = data.rfind(b"PK\5\6", low, max(low, len(data) - 18))
            if at >= 0 and at + 22 + struct.unpack_from("<H", data, at + 20)[0] <= len(data):
                return at
        raise Bad("not-zip")

    def find_wide(self, end):
        at = end - 20
        if at < 0 or self.data[at:at + 4] != b"PK\6\7":
            return None
        disk, place, disks = struct.unpack_from("<IQI", self.data, at + 4)
        return place if disk == 0 and disks == 1 and place <= W64 >> 1 else None

    def record(self, at):
        data = self.data
        if at < 0 or len(data) - at < 46 or data[at:at + 4] != b"PK\1\2":
            return None
        (made, _, flags, method, _, _, crc, packed, raw, names, extras, comments, _, _, attributes,
         offset) = struct.unpack_from("<HHHHHHIIIHHHHHII", data, at + 4)
        length = 46 + names + extras + comments
        if len(data) - at < length:
            return None
        name = data[at + 46:at + 46 + names]
        values = widened(raw, packed, offset, data[at + 46 + names:at + 46 + names + extras])
        if values is None:
            return None
        unix = made >> 8 in (3, 19) and attributes >> 16 & 0xF000 == 0x4000
        dos = made >> 8 in (0, 11, 14) and attributes & 0x10 != 0
        return dict(name=name, flags=flags, method=method, crc=crc, raw=values[0], packed=values[1], offset=values[2],
                    length=length, folder=name.endswith(b"/") or unix or dos)

    def content(self, file):
        data, at = self.data, file["offset"]
        if at < 0 or len(data) - at < 30 or data[at:at + 4] != b"PK\3\4":
            raise Bad("entry")
        names, extras = struct.unpack_from("<HH", data, at + 26)
        start = at + 30 + names + extras
        if file["name"].endswith(b"/"):
            if file["raw"]:
                raise Bad("entry")
            return b""
        packed = data[start:start + file["packed"]]
        if file["method"] == 0:
            raw = packed
        elif file["method"] == 8:
            unpacker = zlib.decompressobj(-15)
            try:
                raw = unpacker.decompress(packed)
            except zlib.error:
                raise Bad("entry")
            if not unpacker.eof:
                raise Bad("entry")
        else:
            raise Bad("entry")
        if len(raw) != file["raw"]:
            raise Bad("entry")
        if file["flags"] & 8:
            behind = data[start + file["packed"]:][:16]
            if behind[:4] == b"PK\7\x08":
                behind = behind[4:]
            if len(behind) < 12 or struct.unpack_from("<I", behind)[0] != file["crc"]:
                raise Bad("entry")
        if (file["crc"] or file["flags"] & 8) and zlib.crc32(raw) != file["crc"]:
            raise Bad("entry")
        return raw


def lines(named):
    text = b"".join(hashlib.sha256(data).hexdigest().encode() + b"  " + name + b"\n" for name, data in named)
    return "h1:" + base64.b64encode(hashlib.sha256(text).digest()).decode()


def zip_form(data):
    try:
        zip_ = Archive(data)
        if any(b"\n" in file["name"] for file in zip_.files):
            raise Bad("line-break")
        last = {file["name"]: file for file in zip_.files}
        names = sorted(file["name"] for file in zip_.files)
        return lines((name, zip_.content(last[name])) for name in names)
    except Bad as bad:
        return str(bad)


def directory_form(data):
    """Unpacks into a real folder as the client does, and hashes what is there."""
    files = Archive(data).files
    if not files:
        return "empty"
    with tempfile.TemporaryDirectory() as root:
        root = os.fsencode(root)
        for file in files:
            if b".." in file["name"].replace(b"\\", b"/").split(b"/"):
                return "outside"
            path = os.path.normpath(root + b"/" + file["name"])
            try:
                if file["folder"]:
                    os.makedirs(path, exist_ok=True)
                    continue
                os.makedirs(os.path.dirname(path), exist_ok=True)
                content = Archive(data).content(file)
                with open(path, "wb") as out:
                    out.write(content)
            except Bad as bad:
                return str(bad)
            except ValueError:
                return "name"
            except OSError as error:
                if path == root or error.errno == 36:
                    return "name"
                return "file-and-folder"
        found = []
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as content:
                    found.append((os.path.relpath(path, root), content.read()))
        return lines(sorted(found))


def unpacked_all_the_same(data):
    """The directory form of an archive without an h1, where clients unpack it: they do not open the entries of folders."""
    try:
        if any(b"\n" in file["name"] and not file["folder"] for file in Archive(data).files):
            return ""
        directory = directory_form(data)
    except Bad:
        return ""
    return directory if directory.startswith("h1:") else ""


# --- the cases ----------------------------------------------------------------------------------------------------------

BIN = b"X" * 300 + bytes(range(256)) * 3
README = b"a provider, and what it is for\n" * 12


def plain(**more):
    return [Entry("README.md", README, **more), Entry("bin", BIN, attributes=0o100755 << 16, **more)]


# A stored entry of 100 bytes, whose first zip64 field says 100 and whose second says 50.
TWO_HASHES = (
    "UEsDBBQAAAAAAAAAIQAAAAAAZAAAAGQAAAAaAAAAdGVycmFmb3JtLXByb3ZpZGVyLXppcHNfdjFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB"
    "QUFBQUFBQUFBQUFBQUFBQUJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCUEsBAhQDFAAAAAAAAAAhAAAAAAD/////"
    "/////xoAKAAAAAAAAAAAAO2BAAAAAHRlcnJhZm9ybS1wcm92aWRlci16aXBzX3YxAQAQAGQAAAAAAAAAZAAAAAAAAAABABAAMgAAAAAAAAAyAAAAAAAAAFBL"
    "BQYAAAAAAQABAHAAAACcAAAAAAA="
)


def cases():
    d = "signed32"
    yield "empty", "hashed", archive([])
    yield "empty-commented", "hashed", archive([], comment=b"nothing")
    yield "specified", "hashed", archive([Entry("bin", b"X"), Entry("README.md", b"r")])
    yield "specified-folder", "hashed", archive([Entry("docs/", method=0), Entry("bin", b"X"), Entry("README.md", b"r")])
    yield "specified-duplicate", "hashed", archive([Entry("bin", b"Y"), Entry("bin", b"X"), Entry("README.md", b"r")])
    # As Go writes it, as Info-ZIP does, and the other forms of a descriptor.
    yield "go-made", "hashed", archive(plain(descriptor=d, flags=0x800))
    times = struct.pack("<HHBI", 0x5455, 5, 1, 1700000000)
    owner = struct.pack("<HHBBIBI", 0x7875, 11, 1, 4, 0, 4, 0)
    yield "info-zip-made", "hashed", archive(plain(local_extra=times + owner, central_extra=times + owner), comment=b"by zip")
    for form in ("bare32", "signed64", "bare64"):
        yield "descriptor-" + form, "hashed", archive(plain(descriptor=form))
    for form in ("signed32", "bare32", "signed64", "bare64"):
        yield "descriptor-nothing-" + form, "hashed", archive([Entry("a", descriptor=form), Entry("b", descriptor=form)])
    yield "descriptor-sized", "hashed", archive(plain(descriptor=d, sized=True))
    yield "descriptor-sized-wrong", "PackedSize", archive(plain(descriptor=d, sized=True, local=dict(packed=9)))
    yield "descriptor-sized-wrong-raw", "RawSize", archive(plain(descriptor=d, sized=True, local=dict(raw=9)))
    yield "descriptor-local-crc", "Descriptor", archive(plain(descriptor=d, local=dict(crc=9)))
    yield "descriptor-crc", "Differs(Checksum)", archive(plain(descriptor=d, behind=dict(crc=9)))
    yield "descriptor-packed", "Descriptor", archive(plain(descriptor=d, behind=dict(packed=9)))
    yield "descriptor-raw", "Descriptor", archive(plain(descriptor=d, behind=dict(raw=9)))
    yield "descriptor-raw-64", "Descriptor", archive(plain(descriptor="signed64", behind=dict(raw=9)))
    yield "descriptor-missing", "Descriptor", archive([Entry("a", README, local=dict(flags=8, crc=0, packed=0, raw=0), central=dict(flags=8))])
    tricky = forged(b"a checksum that is a signature", 0x08074B50)
    yield "descriptor-crc-is-signature", "hashed", archive([Entry("a", tricky, descriptor="signed32")])
    yield "descriptor-bare-crc-is-signature", "Descriptor", archive([Entry("a", tricky, descriptor="bare32")])
    # Stored.
    yield "stored", "hashed", archive(plain(method=0))
    yield "stored-nothing", "hashed", archive([Entry("a", method=0), Entry("b", method=0)])
    yield "stored-descriptor", "StoredWithDescriptor", archive(plain(method=0, descriptor=d))
    yield "stored-descriptor-sized", "hashed", archive(plain(method=0, descriptor=d, sized=True))
    yield "stored-zip", "hashed", archive([Entry("inner.zip", archive(plain(), comment=b"inner"), method=0)])
    yield "stored-zip-descriptor", "StoredWithDescriptor", archive([Entry("inner.zip", archive(plain()), method=0, descriptor=d)])
    yield "stored-raw-claim", "RawSize", archive([Entry("a", README, method=0, local=dict(raw=5), central=dict(raw=5))])
    # Folders.
    yield "folder-deflated", "hashed", archive([Entry("docs/", descriptor=d)] + plain())
    yield "folder-deflated-no-bytes", "hashed", archive([Entry("docs/", packed=b"")] + plain())
    yield "folder-content", "FolderContent", archive([Entry("docs/", b"text")] + plain())
    yield "folder-packed-content", "FolderContent", archive([Entry("docs/", b"text", local=dict(raw=4), central=dict(raw=0))] + plain())
    yield "folder-by-mode", "hashed", archive([Entry("docs", method=0, attributes=0o40755 << 16)] + plain())
    yield "folder-by-dos", "hashed", archive([Entry("docs", method=0, creator=20, attributes=0x10)] + plain())
    yield "folder-twice", "hashed", archive([Entry("docs/", method=0), Entry("docs/", method=0)] + plain())
    yield "folders-alone", "hashed", archive([Entry("docs/", method=0), Entry("docs/a/", method=0)])
    yield "link", "hashed", archive([Entry("latest", b"bin", method=0, attributes=0o120777 << 16)] + plain())
    yield "file-and-folder", "hashed", archive([Entry("a", b"1"), Entry("a/b", b"2")])
    yield "folder-and-file", "hashed", archive([Entry("a/b", b"2"), Entry("a-", b"3"), Entry("a", b"1")])
    yield "folder-then-file", "hashed", archive([Entry("a/", method=0), Entry("a", b"1")])
    # Duplicates.
    yield "duplicate-broken-first", "Deflate", archive([Entry("a", b"one", packed=b"\7\7\7"), Entry("a", b"two")])
    yield "duplicate-broken-last", "Deflate", archive([Entry("a", b"two"), Entry("a", b"one", packed=b"\7\7\7")])
    yield "duplicate-reversed", "Differs(Offset)", archive([Entry("a", b"same"), Entry("a", b"same")], order=[1, 0])
    # Encryption and methods.
    yield "encrypted-claim", "Encrypted", archive(plain(flags=1))
    yield "encrypted", "Encrypted", archive([Entry("a", b"secret", flags=1, packed=b"\xff" * 18)])
    yield "masked", "Encrypted", archive(plain(flags=0x2040))
    yield "method-lzma", "Method(14)", archive([Entry("a", b"x", method=14, packed=b"zzzz")])
    yield "method-aes", "Encrypted", archive([Entry("a", b"x", method=99, flags=1, packed=b"zzzz")])
    yield "method-hidden", "Method(12)", archive([Entry("a", b"x", method=12, packed=b"zzzz"), Entry("a", b"y")])
    # What stands where nothing should.
    yield "leading", "Start", archive(plain(), prefix=b"#!/bin/sh\n")
    yield "leading-uncounted", "Start", archive(plain(), prefix=b"#!/bin/sh\n", counted=False)
    yield "leading-zip", "Trailing", archive(plain(), prefix=archive([Entry("old", b"old")]))
    yield "leading-spanned", "Start", archive(plain(), prefix=b"PK\7\x08", counted=True)
    yield "trailing-byte", "Trailing", archive(plain(), trailing=b"\n")
    yield "trailing-kib", "Trailing", archive(plain(), trailing=b"\0" * 1100)
    yield "trailing-entry", "Trailing", archive(plain(), trailing=Entry("late", b"late").front())
    yield "gap-between", "Gap", archive([Entry("a", b"1"), Entry("b", b"2", before=b"????????")])
    yield "gap-short", "Gap", archive([Entry("a", b"1"), Entry("b", b"2", before=b"\0")])
    yield "gap-before-directory", "Gap", archive(plain(), before_directory=b"????????")
    yield "gap-after-directory", "Gap", archive(plain(), after_directory=b"????????")
    yield "signed-directory", "Gap", archive(plain(), after_directory=struct.pack("<IH", 0x05054B50, 4) + b"sign")
    yield "archive-extra", "Gap", archive(plain(), before_directory=struct.pack("<II", 0x08064B50, 4) + b"more")
    yield "packed-junk", "PackedSize", archive([Entry("a", README, packed=deflate(README) + b"junk")])
    yield "hidden-entry", "Differs(Name)", archive([Entry("a", b"1", hidden=True), Entry("b", b"2")])
    yield "hidden-last-entry", "Count", archive([Entry("a", b"1"), Entry("b", b"2", hidden=True)])
    # Sizes, checksums, names, places.
    yield "local-crc", "Differs(Checksum)", archive(plain(local=dict(crc=9)))
    yield "central-crc", "Differs(Checksum)", archive(plain(central=dict(crc=9)))
    yield "both-crc", "Checksum", archive(plain(local=dict(crc=9), central=dict(crc=9)))
    yield "no-crc", "Checksum", archive(plain(local=dict(crc=0), central=dict(crc=0)))
    yield "no-crc-descriptor", "Checksum", archive(plain(descriptor=d, behind=dict(crc=0), central=dict(crc=0)))
    yield "local-raw", "RawSize", archive(plain(local=dict(raw=9)))
    yield "local-raw-more", "RawSize", archive(plain(local=dict(raw=99999)))
    yield "local-packed-less", "PackedSize", archive(plain(local=dict(packed=9)))
    yield "local-packed-more", "PackedSize", archive(plain(local=dict(packed=99999)))
    yield "local-packed-none", "Deflate", archive(plain(local=dict(packed=0)))
    yield "central-raw", "Differs(RawSize)", archive(plain(central=dict(raw=9)))
    yield "central-packed-less", "Differs(PackedSize)", archive(plain(central=dict(packed=9)))
    yield "central-packed-more", "Differs(PackedSize)", archive(plain(central=dict(packed=99999)))
    yield "central-raw-4gib", "Differs(RawSize)", archive(plain(central=dict(raw=W32)))
    yield "central-packed-4gib", "Differs(PackedSize)", archive(plain(central=dict(packed=W32)))
    yield "all-raw-4gib", "RawSize", archive(plain(local=dict(raw=W32), central=dict(raw=W32)))
    yield "all-packed-4gib", "PackedSize", archive(plain(local=dict(packed=W32 - 1), central=dict(packed=W32 - 1)))
    yield "stored-packed-4gib", "RawSize", archive([Entry("a", README, method=0, local=dict(packed=W32 - 1), central=dict(packed=W32 - 1))])
    yield "names-differ", "Differs(Name)", archive([Entry("a", b"1", local=dict(name=b"b"))])
    yield "flags-differ", "Differs(Flags)", archive(plain(local=dict(flags=0x800)))
    yield "methods-differ", "Differs(Method)", archive([Entry("a", b"1", central=dict(method=0))])
    yield "methods-differ-back", "Differs(Method)", archive([Entry("a", b"1", method=0, central=dict(method=8))])
    yield "offset-wrong", "Differs(Offset)", archive([Entry("a", b"1", central=dict(offset=1))])
    yield "offset-outside", "Differs(Offset)", archive([Entry("a", b"1", central=dict(offset=W32 - 1))])
    yield "offset-other", "Differs(Offset)", archive([Entry("a", b"1"), Entry("b", b"2", central=dict(offset=0))])
    yield "order-reversed", "Differs(Name)", archive([Entry("a", b"1"), Entry("b", b"2")], order=[1, 0])
    yield "overlap-same", "Count", archive([Entry("a", b"1"), Entry("b", b"1", at=0, ghost=True)])
    inner = Entry("b", b"inside")
    quoted = inner.front() + inner.packed
    outer = Entry("a", quoted, method=0)
    yield "overlap-inside", "Count", archive([outer, Entry("b", b"inside", ghost=True, central=dict(offset=len(outer.front())))])
    yield "disk", "Disks", archive(plain(central=dict(disk=1)))
    # The end.
    yield "count-more", "End", archive(plain(), end=dict(here=3, count=3))
    yield "count-less", "End", archive(plain(), end=dict(here=1, count=1))
    yield "count-here", "End", archive(plain(), end=dict(here=1))
    yield "count-none", "End", archive(plain(), end=dict(here=0, count=0))
    yield "size-more", "End", archive(plain(), end=dict(size=500))
    yield "size-less", "End", archive(plain(), end=dict(size=4))
    yield "size-4gib", "End", archive(plain(), end=dict(size=W32))
    yield "start-wrong", "End", archive(plain(), end=dict(offset=4))
    yield "start-outside", "End", archive(plain(), end=dict(offset=W32 - 1))
    yield "end-disk", "Disks", archive(plain(), end=dict(disk=1, start_disk=1))
    yield "comment", "hashed", archive(plain(), comment=b"a comment of no consequence " * 60)
    yield "comment-cut", "Truncated", archive(plain(), comment=b"short", end=dict(comment=9))
    yield "comment-long", "Trailing", archive(plain(), comment=b"longer than said", end=dict(comment=4))
    yield "comment-signature", "Comment", archive(plain(), comment=b"-- PK\5\6 --")
    other = archive([Entry("evil", b"other content")])
    yield "comment-archive", "Comment", archive(plain(), comment=other)
    yield "comment-end", "Comment", archive(plain(), comment=struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 0, 0, 0, 0, 0))
    yield "end-inside-record", "Truncated", archive([], after_directory=b"PK\1\2" + bytes(20), end=dict(disk=1, size=24))
    # Extra fields, comments of entries, zip64.
    yield "entry-comments", "hashed", archive(plain(comment=b"of the entry"))
    yield "extra-broken", "hashed", archive(plain(local_extra=b"\1\0\xff\xffxx", central_extra=b"abc"))
    yield "zip64-local", "hashed", archive([Entry("a", README, local=dict(packed=W32, raw=W32), local_extra=wide(len(README), len(deflate(README))))])
    yield "zip64-all", "hashed", archive([Entry("a", README, local=dict(packed=W32, raw=W32), central=dict(packed=W32, raw=W32, offset=W32),
                                                local_extra=wide(len(README), len(deflate(README))),
                                                central_extra=wide(len(README), len(deflate(README)), 0))])
    yield "zip64-descriptor", "hashed", archive([Entry("a", README, descriptor="signed64", local=dict(packed=W32, raw=W32), local_extra=wide(0, 0))])
    yield "zip64-unneeded", "hashed", archive(plain(local_extra=wide(7, 7), central_extra=wide(7, 7, 7)))
    yield "zip64-short", "Zip64", archive([Entry("a", README, local=dict(packed=W32, raw=W32), local_extra=wide(len(README)))])
    yield "zip64-missing", "PackedSize", archive([Entry("a", README, local=dict(packed=W32, raw=W32))])
    yield "zip64-central-short", "Zip64", archive([Entry("a", README, central=dict(packed=W32, raw=W32), central_extra=wide(len(README)))])
    yield "zip64-huge-raw", "Differs(RawSize)", archive([Entry("a", README, central=dict(raw=W32), central_extra=wide(1 << 62))])
    yield "zip64-negative-offset", "Differs(Offset)", archive([Entry("a", README, central=dict(offset=W32), central_extra=wide(W64 - 3))])
    # Several zip64 fields, and none where one is needed: since Go 1.27 the last field gives the sizes, the first the place.
    right = (len(README), len(deflate(README)))
    sizes = dict(packed=W32, raw=W32)
    text = Entry("b", b"text")

    def first(fields, **central):
        return archive([Entry("a", README, central=central or sizes, central_extra=b"".join(fields)), text])

    yield "zip64-fields-last-right", "hashed", first([wide(7, 7), wide(*right)])
    yield "zip64-fields-last-wrong", "Differs(PackedSize)", first([wide(*right), wide(7, 7)])
    yield "zip64-fields-between", "hashed", first([wide(7, 7), b"UT\5\0\1abcd", wide(7, 7), wide(*right)])
    yield "zip64-fields-first-short", "Zip64", first([wide(7), wide(*right)])
    yield "zip64-fields-last-short", "Zip64", first([wide(*right), wide(7)])
    yield "zip64-fields-last-empty", "Zip64", first([wide(*right), wide()])
    yield "zip64-fields-cut", "hashed", first([wide(*right), b"\1\0\x10\0" + bytes(15)])
    yield "zip64-fields-packed", "hashed", first([wide(7), wide(right[1])], packed=W32)
    yield "zip64-fields-saturated", "hashed", first([wide(W32, W32), wide(*right)])
    yield "zip64-fields-place", "hashed", first([wide(0), wide(9)], offset=W32)
    yield "zip64-fields-place-empty", "hashed", first([wide(0), wide()], offset=W32)
    yield "zip64-fields-place-saturated", "hashed", first([wide(W32), wide(0)], offset=W32)
    yield "zip64-fields-place-short", "Zip64", first([wide(W32), wide()], offset=W32)
    yield "zip64-fields-all", "hashed", first([wide(7, 7, 0), wide(*right, 9)], offset=W32, **sizes)
    yield "zip64-fields-local", "hashed", archive([Entry("a", README, local=sizes, local_extra=wide(7, 7) + wide(*right)), text])
    yield "zip64-place-without-field", "Differs(Offset)", first([], offset=W32)
    yield "zip64-place-without-field-twice", "Differs(Offset)", archive([Entry("b", b"old", central=dict(offset=W32)), text])
    # Asked of Go 1.27.3: either field makes a hash of the 100 bytes, since the checksum is left out.
    yield "zip64-fields-two-hashes", "Differs(PackedSize)", base64.b64decode(TWO_HASHES)
    saturated = dict(here=0xFFFF, count=0xFFFF, size=W32, offset=W32)
    yield "zip64-end", "hashed", archive(plain(), end64={}, end=saturated)
    yield "zip64-end-half", "hashed", archive(plain(), end64={}, end=dict(offset=W32))
    yield "zip64-end-empty", "hashed", archive([], end64={}, end=saturated)
    yield "zip64-end-unasked-empty", "End", archive([], end64={})
    yield "zip64-end-unasked", "hashed", archive(plain(), end64={})
    yield "zip64-end-missing", "End", archive(plain(), end=saturated)
    yield "zip64-end-count", "End", archive(plain(), end64=dict(count=3), end=saturated)
    yield "zip64-end-count-16", "End", archive(plain(), end64=dict(count=2 + (1 << 16)), end=saturated)
    yield "zip64-end-size", "End", archive(plain(), end64=dict(size=1 << 63), end=saturated)
    yield "zip64-end-start", "End", archive(plain(), end64=dict(offset=3), end=saturated)
    yield "zip64-end-more", "Zip64", archive(plain(), end64={}, end64_tail=b"extensible", end=saturated)
    yield "zip64-end-disagrees", "End", archive(plain(), end64={}, end=dict(here=3, count=3, size=W32, offset=W32))
    yield "zip64-locator-place", "Zip64", archive(plain(), end64={}, locator=dict(at=5), end=saturated)
    yield "zip64-locator-negative", "Zip64", archive(plain(), end64={}, locator=dict(at=W64), end=saturated)
    yield "zip64-locator-disks", "Disks", archive(plain(), end64={}, locator=dict(disks=2), end=saturated)
    fake = struct.pack("<IIQI", 0x07064B50, 0, 0, 1)
    yield "zip64-locator-in-comment", "End", archive([Entry("a", b"1", comment=fake)], end=dict(offset=W32))
    # Names.
    yield "name-utf8", "hashed", archive([Entry("Grüße.md", b"1", flags=0x800)])
    yield "name-utf8-unsaid", "hashed", archive([Entry("Grüße.md", b"1")])
    yield "name-cp437", "hashed", archive([Entry(b"Gr\x81\xe1e.md", b"1")])
    yield "name-line-break", "LineBreak", archive([Entry("a\nb", b"1")])
    yield "name-line-break-folder", "LineBreak", archive([Entry("a\nb/", method=0)])
    yield "name-carriage-return", "hashed", archive([Entry("a\rb", b"1")])
    yield "name-nul", "hashed", archive([Entry("a\0b", b"1")])
    yield "name-outside", "hashed", archive([Entry("../a", b"1")])
    yield "name-outside-backslash", "hashed", archive([Entry("x\\..\\a", b"1")])
    yield "name-dots", "hashed", archive([Entry("..a/b..", b"1"), Entry("...", b"2")])
    yield "name-absolute", "hashed", archive([Entry("/etc/a", b"1")])
    yield "name-drive", "hashed", archive([Entry("C:/a", b"1"), Entry("a\\b", b"2")])
    yield "name-unclean", "hashed", archive([Entry("./a", b"1"), Entry("b//c", b"2"), Entry("d/./e", b"3")])
    yield "name-unclean-twice", "hashed", archive([Entry("./a", b"1"), Entry("a", b"2")])
    yield "name-empty", "hashed", archive([Entry("", b"1")])
    yield "name-dot-folder", "hashed", archive([Entry("./", method=0), Entry("a", b"1")])
    yield "name-long", "hashed", archive([Entry("a" * 256, b"1")])
    yield "name-order", "hashed", archive([Entry(name, b"1") for name in ("a-b", "a/b", "a.b", "B", "ab", "a0")])
    # No zips.
    yield "nothing", "Truncated", b""
    yield "html", "Start", b"<!DOCTYPE html>\n<html><body>Not Found</body></html>\n"
    yield "signature-alone", "Truncated", b"PK\3\4"
    yield "end-alone-cut", "Truncated", b"PK\5\6" + bytes(17)
    yield "gzip", "Start", b"\x1f\x8b\x08\0\0\0\0\0\0\3\3\0\0\0\0\0\0\0\0\0"


# Go 1.19.8 was asked last. What it says of these four is not what later ones say, whose rules the expectations follow: since
# 1.20 `File.Open` does not read the content of a folder's entry, and calls it broken if a size is said; and a directory that is
# where the end says, were there nothing in front of the archive, is taken before one that its size leads to.
AN_OLDER_GO_SAYS = {
    "folder-deflated-no-bytes": "unexpected EOF",
    "folder-content": "h1:6muk1SVF0n6HZoVmq4BuH32w8srmvnEdRVF97RJ5iEs=",
    "folder-packed-content": "zip: not a valid zip file",
    "size-less": "unexpected EOF",
}


def only_since_1_27(name):
    """Whether Go before 1.27 reads it in another way: it took the first zip64 field, and wanted one wherever the packed size or
    the place is saturated. What 1.27.3 says of such archives was compared case by case, with the stored answers of clients."""
    return name.startswith(("zip64-fields-", "zip64-place-without-field")) or name == "central-packed-4gib"


def ask_go(program, archives):
    """zh, h1 and directory form of each archive, or why there is none, by Go's own sha256, archive/zip and dirhash."""
    with tempfile.TemporaryDirectory() as place:
        # The toolchain brings golang.org/x/mod for its own use: nothing needs to be fetched.
        root = subprocess.run([program, "env", "GOROOT"], check=True, capture_output=True, text=True).stdout.strip()
        package = os.path.join(place, "src", "golang.org", "x", "mod", "sumdb", "dirhash")
        shutil.copytree(os.path.join(root, "src", "cmd", "vendor", "golang.org", "x", "mod", "sumdb", "dirhash"), package)
        folder, spare = os.path.join(place, "archives"), os.path.join(place, "spare")
        for path in (folder, spare):
            os.mkdir(path)
        for name, data in archives.items():
            with open(os.path.join(folder, name), "wb") as out:
                out.write(data)
        own = dict(os.environ, GO111MODULE="off", GOPATH=place, GOFLAGS="")
        version = subprocess.run([program, "env", "GOVERSION"], check=True, capture_output=True, text=True).stdout
        is_old = int(version.split(".")[1]) < 27
        command = [program, "run", os.path.join(HERE, "oracle.go"), folder, spare]
        told = subprocess.run(command, check=True, capture_output=True, text=True, env=own).stdout
    answers = {name: rest for name, *rest in (line.split("\t") for line in told.splitlines())}
    return {name: rest for name, rest in answers.items() if not (is_old and only_since_1_27(name))}


def differing(archives, said, go):
    """What Go says otherwise: in words alone it may."""
    for name in go:
        sums, h1, directory = go[name]
        zh = hashlib.sha256(archives[name]).hexdigest()
        if sums != zh:
            yield f"{name}: zh {zh} here, {sums} there"
        here = said[name][0]
        if name in AN_OLDER_GO_SAYS:
            if h1 not in (here, AN_OLDER_GO_SAYS[name]):
                yield f"{name}: {here} here, {h1} there"
            continue
        if h1 != here and (h1 + here).count("h1:"):
            yield f"{name}: {here} here, {h1} there"
        here = said[name][1]
        if said[name][0].startswith("h1:") and directory != here and (directory + here).count("h1:"):
            yield f"{name}: directory {here} here, {directory} there"


HEAD = """# Made by make.py; see there. `zh` is the SHA-256 in hex. `h1` and `directory` say a hash, or in one word why there is none.
# Judged by Go 1.19.8 (its archive/zip and golang.org/x/mod/sumdb/dirhash): all agree but for those that later releases of Go read
# in another way. make.py names them and says in which.
"""


def main():
    archives, out = {}, [HEAD]
    said = {}
    for name, stream, data in cases():
        assert name not in archives, name
        archives[name] = data
        h1 = zip_form(data)
        directory = directory_form(data) if h1.startswith("h1:") else unpacked_all_the_same(data)
        said[name] = (h1, directory)
        zh = hashlib.sha256(data).hexdigest()
        text = base64.b64encode(data).decode()
        wrapped = "\\\n".join(text[i:i + 120] for i in range(0, len(text), 120))
        out.append(f'\n[[vector]]\nname = "{name}"\nstream = "{stream}"\nzh = "{zh}"\nh1 = "{h1}"\n'
                   f'directory = "{directory}"\nzip = """\\\n{wrapped}"""\n')
    with open(os.path.join(HERE, "vectors.toml"), "w") as file:
        file.write("".join(out))
    print(f"{len(archives)} vectors")
    if "--go" in sys.argv:
        odd = list(differing(archives, said, ask_go(sys.argv[sys.argv.index("--go") + 1], archives)))
        print("\n".join(["differs from Go: " + line for line in odd] or ["all agree with Go, or are known not to"]))
        sys.exit(1 if odd else 0)


main()
