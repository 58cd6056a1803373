// The Debian package, installed by dpkg into a temporary copy of this system.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ARCHITECTURES, contentsOf, VERSION } from "../../packaging/contents.ts";
import { debNameOf, debOf } from "../../packaging/deb.ts";
import { membersOf } from "../../packaging/ar.ts";
import { entriesIn } from "../../packaging/tar.ts";
import { countOf } from "../repetitions.ts";
import { skein } from "../commands/skein.ts";
import { ARCH, canHaveRoot, packageParts, shell } from "./packages.ts";

let folder: string;
let deb: string;
let bytes: Uint8Array;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-deb-"));
  mkdirSync(join(folder, "top"));
  bytes = debOf({ arch: ARCH, level: 1, ...(await packageParts()) });
  deb = join(folder, debNameOf(ARCH));
  writeFileSync(deb, bytes);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("contains the executable, its unit and other files", async () => {
  const members = membersOf(bytes);
  expect([...members.keys()]).toEqual(["debian-binary", "control.tar.gz", "data.tar.zst"]);
  const control = Bun.gunzipSync(members.get("control.tar.gz") as Uint8Array<ArrayBuffer>);
  const [text] = [...entriesIn(control)].filter(({ name }) => name === "control");
  expect(Buffer.from(text!.bytes!).toString()).toContain(
    `Version: ${VERSION}-1\nArchitecture: ${ARCHITECTURES[ARCH]}\n`,
  );
  const data = [...entriesIn(Bun.zstdDecompressSync(members.get("data.tar.zst")!))];
  const find = (path: string) => data.find(({ name }) => name === path);
  expect(find("usr/bin/skein")?.mode).toBe(0o755);
  expect(find("etc/skein/skein.toml")?.mode).toBe(0o600);
  const unit = Buffer.from(find("usr/lib/systemd/system/skein.service")!.bytes!).toString();
  const printed = await skein(["service", "print", "--executable", "/usr/bin/skein"]);
  expect(unit).toBe(printed.out);
});

test("its page names it", () => {
  const page = readFileSync(join(import.meta.dir, "../../docs/operate/debian.md"), "utf8");
  expect(page).toContain(`sudo apt install ./${debNameOf("x64")}\n`);
});

/** Mounts an overlay of this system in memory; each command prints its result for the test. */
const ROOT = `
  mount -t tmpfs -o size=2g none "$TOP"
  mkdir "$TOP/upper" "$TOP/work" "$TOP/root"
  mount -t overlay none -o "lowerdir=/,upperdir=$TOP/upper,workdir=$TOP/work" "$TOP/root"
  rm -rf "$TOP/root/var/lib/skein" "$TOP/root/etc/skein"
  mount -t proc none "$TOP/root/proc"
  # Others may install something meanwhile.
  cp -a /var/lib/dpkg "$TOP/dpkg"
  mount --bind "$TOP/dpkg" "$TOP/root/var/lib/dpkg"
  rm -f "$TOP/dpkg/lock" "$TOP/dpkg/lock-frontend"
  cp "$DEB" "$TOP/root/skein.deb"
  in_root() { chroot "$TOP/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C "$@"; }
  as_skein() { in_root setpriv --reuid=skein --regid=skein --clear-groups \\
    env TMPDIR=/var/lib/skein/tmp "$@"; }
  # As dpkg does when it has unpacked a newer one.
  upgraded() { in_root DPKG_MAINTSCRIPT_PACKAGE=skein DPKG_MAINTSCRIPT_NAME=postinst \\
    /var/lib/dpkg/info/skein.postinst configure 0.0.1-1; }
`;

const SETUP_SCRIPT = `${ROOT}
  in_root dpkg --force-unsafe-io --no-triggers -i /skein.deb
  echo "settings: $(in_root stat -c '%U %a' /etc/skein/skein.toml /var/lib/skein | tr '\\n' ' ')"
  echo "enabled: $(ls "$TOP/root/etc/systemd/system/multi-user.target.wants" | grep skein)"
  as_skein skein config check
  as_skein skein init --data /var/lib/skein --name Town --owner o@example.com --full-name Olga
  echo "version: $(as_skein skein version)"
  as_skein sh -c 'mv /var/lib/skein/data.mdb /var/lib/skein/kept; echo no > /var/lib/skein/data.mdb'
  upgraded && echo "unexpected" || echo "upgrade: refused"
  as_skein mv /var/lib/skein/kept /var/lib/skein/data.mdb
  upgraded
  in_root dpkg --no-triggers --purge skein
  echo "left: $(in_root ls /usr/bin/skein /etc/skein/skein.toml /var/lib/skein/data.mdb 2>&-)"
`;

test.skipIf(!canHaveRoot("dpkg", "systemd-sysusers", "setpriv"))(
  "dpkg installs it, it runs as its account, tries an upgrade, and leaves the data",
  () => {
    const { code, out, err } = shell(SETUP_SCRIPT, { TOP: join(folder, "top"), DEB: deb });
    if (code !== 0 && /overlay/.test(err)) return console.log("skipped: no overlay can be mounted");
    expect([code, code === 0 ? "" : err]).toEqual([0, ""]);
    expect(out).toContain("settings: skein 600 skein 700");
    expect(out).toContain("enabled: skein.service");
    expect(out).toContain(`version: Skein ${VERSION}`);
    expect(out).toContain("The data already has this version's format.");
    expect(out).toContain("upgrade: refused");
    expect(err).toContain("this version cannot upgrade the data, so the server was not restarted");
    expect(out).not.toContain("unexpected");
    expect(out).toContain("the data in /var/lib/skein was kept");
    expect(out).toEndWith("left: /var/lib/skein/data.mdb\n");
  },
);

/** Makes the root read-only except for the directories that the unit names. */
const STRICT = `
  writable() { sed -n 's/^StateDirectory=//p' "$TOP/root/usr/lib/systemd/system/skein.service"; }
  strict() {
    for name in $(writable); do
      mount --bind "$TOP/root/var/lib/$name" "$TOP/root/var/lib/$name"
    done
    mount -o remount,bind,ro "$TOP/root"
  }
  loose() {
    mount -o remount,bind,rw "$TOP/root"
    for name in $(writable | tr ' ' '\\n' | sort -r); do umount "$TOP/root/var/lib/$name"; done
  }
`;

const RESTORE = `${ROOT}${STRICT}
  in_root dpkg --force-unsafe-io --no-triggers -i /skein.deb
  mkdir -p "$TOP/root/mnt/backups"
  as_skein skein init --name Town --owner o@example.com --full-name Olga
  strict
  echo "users: $(as_skein skein user list | grep -c o@example.com)"
  as_skein skein backup run --to /var/lib/skein-backups
  as_skein skein backup run --to /mnt/backups && echo "unexpected"
  loose
  echo "nobody: $(in_root setpriv --reuid=65534 --clear-groups skein user list 2>&1)"
  echo "root: $(in_root skein user list --json 2>&1)"
  # The new machine: the package has made its own organization by now.
  cp -a "$TOP/root/var/lib/skein-backups/." "$TOP/root/mnt/backups"
  rm -r "$TOP/root/var/lib/skein"
  install -d -o 0 -m 0755 "$TOP/root/var/lib/skein"
  in_root chown skein:skein /var/lib/skein
  in_root setpriv --reuid=skein --regid=skein --clear-groups install -d /var/lib/skein/tmp
  as_skein skein init --name New --owner n@example.com --full-name Nora
  in_root skein restore --from /mnt/backups --into /var/lib/skein && echo "unexpected"
  PAGE
  echo "foreign: $(find "$TOP/root/var/lib/skein" ! -uid "$(in_root id -u skein)")"
  echo "aside: $(ls "$TOP/root/var/lib/skein" | grep -c before-restore)"
  strict
  echo "restored: $(as_skein skein user list)"
`;

/** Returns the commands of the page for a system with the service, which uses the same paths. */
function commandsForService(): string {
  const page = readFileSync(
    join(import.meta.dir, "../../docs/operate/the-disk-is-gone.md"),
    "utf8",
  );
  const [before = "", after = ""] = page.split("Without systemd");
  expect(after).not.toBe("");
  const lines = [...before.matchAll(/^ +(?:sudo )?(skein .*)$/gm)];
  return lines.map(([, line]) => `in_root ${line}`).join("\n");
}

test.skipIf(!canHaveRoot("dpkg", "systemd-sysusers", "setpriv"))(
  "a packaged server is backed up under its unit, and restored as the page says",
  () => {
    const script = RESTORE.replace("PAGE", commandsForService);
    const { code, out, err } = shell(script, { TOP: join(folder, "top"), DEB: deb });
    if (code !== 0 && /overlay/.test(err)) return console.log("skipped: no overlay can be mounted");
    expect([code, code === 0 ? "" : err]).toEqual([0, ""]);
    expect(out).not.toContain("unexpected");
    expect(out).toContain("users: 1");
    expect(err).toContain("Cannot write to /mnt/backups: it is read-only for this process");
    expect(out).toMatch(
      /nobody: skein: Cannot open \S+: permission denied\. Run: sudo -u skein skein user list\n/,
    );
    expect(out).toContain("root: skein: /var/lib/skein belongs to skein, which could not use");
    expect(err).toContain("/var/lib/skein is not empty");
    expect(out).toContain("Next: systemctl start skein");
    expect(out).toContain("foreign: \n");
    expect(out).toContain("aside: 1\n");
    expect(out).toMatch(/restored: [^]*o@example\.com/);
  },
);

/**
 * Accepted findings of lintian. Distributors of the package set the maintainer's address
 * themselves.
 */
const EXPECTED_WARNINGS = /bogus-mail-host|^N: /;

const lints = Bun.which("lintian") !== null && countOf("lints") > 0;

test.skipIf(!lints)("lintian finds nothing unexpected", () => {
  // Uses a small executable: lintian takes half a minute for ours, and its findings are overridden.
  const executable = readFileSync("/bin/true");
  const package_ = debOf({ arch: ARCH, level: 1, executable, contents: contentsOf() });
  const path = join(folder, "small", debNameOf(ARCH));
  mkdirSync(join(folder, "small"));
  writeFileSync(path, package_);
  const requests = ["lintian", "--allow-root", "--fail-on", "none", path];
  const lines = Bun.spawnSync(requests).stdout.toString().trim().split("\n");
  expect(lines.filter((line) => line !== "" && !EXPECTED_WARNINGS.test(line))).toEqual([]);
});

test("builds the Debian package reproducibly", async () => {
  const repeated = debOf({ arch: ARCH, level: 1, ...(await packageParts()) });
  expect(Buffer.compare(repeated, bytes)).toBe(0);
  expect(Buffer.compare(readFileSync(deb), bytes)).toBe(0);
});
