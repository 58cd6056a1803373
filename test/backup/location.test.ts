// Doctor and the backup commands report a backup location that is missing or unwritable.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { missingAmong, mountPoints } from "../../src/features/backup/mounts.ts";
import { builtBinary } from "../built-executable.ts";
import { linesOf, skein } from "../commands/skein.ts";
import { canHaveRoot, shell } from "../packaging/packages.ts";

let folder: string;
let data: string;
let settings: string;
let location: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-place-"));
  data = join(folder, "data");
  location = join(folder, "backups");
  settings = join(folder, "skein.toml");
  writeFileSync(settings, `backup_to = "${location}"\n`);
  const owner = ["--owner", "olga@example.com", "--full-name", "Olga Owner"];
  const created = await skein(["init", "--name", "Town", ...owner, "--data", data]);
  expect(created.err).toBe("");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DOCTOR = ["doctor", "--only", "outbound", "--quick", "--json"];

/** Returns the doctor's finding about the backup location. */
async function backupCheck() {
  const result = await skein([...DOCTOR, "--data", data, "--config", settings]);
  return linesOf(result).find(({ id }) => id === "outbound.backups");
}

const rememberBackup = (id: string) =>
  writeFileSync(join(data, "backups.json"), JSON.stringify({ made: { id, at: Date.now() } }));

test("doctor reports a location that is missing or lacks the newest backup", async () => {
  rmSync(location, { recursive: true, force: true });
  rmSync(join(data, "backups.json"), { force: true });
  expect(await backupCheck()).toMatchObject({ state: "warn" });
  expect(existsSync(location)).toBe(false);
  rememberBackup("20260101-000000-0000");
  const afterRemoval = await backupCheck();
  expect(afterRemoval).toMatchObject({ state: "fail" });
  expect(afterRemoval!["message"]).toContain(
    `There is no directory ${location}. Create it, or mount its disk`,
  );
  mkdirSync(location);
  const empty = await backupCheck();
  expect(empty).toMatchObject({ state: "fail" });
  expect(empty!["message"]).toContain("The newest backup, 20260101-000000-0000, is not in");
  const run = ["backup", "run", "--data", data, "--to", location, "--json"];
  rememberBackup(String(linesOf(await skein(run))[0]!["id"]));
  expect(await backupCheck()).toMatchObject({ state: "ok" });
  expect(readdirSync(location).filter((name) => name.startsWith("probe"))).toEqual([]);
});

test.each([["list"], ["verify"], ["prune"]])(
  "backup %s rejects a missing location",
  async (verb) => {
    const missing = join(folder, "missing");
    const { code, out, err } = await skein(["backup", verb, "--from", missing]);
    const text = `skein: There is no directory ${missing}. Create it, or mount its disk`;
    expect([code, out, err]).toEqual([1, "", `${text}\n`]);
  },
);

test("restore rejects a missing location, and list reports an empty one", async () => {
  const missing = join(folder, "missing");
  const restore = await skein(["restore", "--from", missing, "--into", missing]);
  expect([restore.code, restore.err]).toEqual([
    1,
    expect.stringContaining(`There is no directory ${missing}`),
  ]);
  mkdirSync(missing);
  const list = await skein(["backup", "list", "--from", missing]);
  expect(list).toEqual({ code: 0, out: `There is no backup in ${missing}.\n`, err: "" });
  rmSync(missing, { recursive: true });
});

const MOUNT_SCRIPT = `
  echo "UUID=1 $PLACE ext4 defaults 0 2" > "$FSTAB"
  mount --bind "$FSTAB" /etc/fstab
  for words in "backup list --from" "backup prune --from" "backup run --data $DATA --to"; do
    $SKEIN $words "$PLACE" 2>&1 || echo "exit $?"
  done
  $SKEIN ${DOCTOR.join(" ")} --data "$DATA" --config "$SETTINGS" | grep outbound.backups
  mount --bind "$PLACE" "$PLACE"
  $SKEIN backup list --from "$PLACE" | sed 's/.*:/mounted:/'
  umount /etc/fstab
  mount -o remount,bind,ro "$PLACE"
  $SKEIN backup prune --from "$PLACE" 2>&1 || echo "exit $?"
  $SKEIN ${DOCTOR.join(" ")} --data "$DATA" --config "$SETTINGS" | grep outbound.backups
`;

test.skipIf(!canHaveRoot() || !existsSync("/etc/fstab"))(
  "a place whose disk is not mounted, or is read-only, is refused",
  async () => {
    mkdirSync(location, { recursive: true });
    const env = { PLACE: location, DATA: data, SETTINGS: settings, FSTAB: join(folder, "fstab") };
    const { out, err } = shell(MOUNT_SCRIPT, { ...env, SKEIN: await builtBinary() });
    expect(err).toBe("");
    const lines = out.replaceAll(location, "PLACE").trim().split("\n");
    const unmounted = "PLACE is on PLACE, where no disk is mounted. Mount it first: mount PLACE";
    for (let index = 0; index < 6; index += 2) {
      expect(lines.slice(index, index + 2)).toEqual([`skein: ${unmounted}`, "exit 1"]);
    }
    const [, , , , , , first = "", , pruned, code, last = ""] = lines;
    expect(JSON.parse(first)).toMatchObject({ state: "fail" });
    expect(first).toContain(unmounted);
    expect([pruned, code]).toEqual([
      expect.stringContaining("Cannot write to PLACE: it is read-only"),
      "exit 1",
    ]);
    expect(JSON.parse(last)).toMatchObject({ state: "fail" });
    expect(last).toContain("Backups cannot be written: Cannot write to PLACE");
  },
);

const FSTAB = `# a comment
UUID=1 / ext4 defaults 0 1
UUID=2 none swap sw 0 0
UUID=3 /mnt ext4 defaults 0 2
  UUID=4 /mnt/my\\040backups/ ext4 noauto 0 2
`;

test.each([
  ["/mnt/my backups/skein", ["/mnt"], "/mnt/my backups"],
  ["/mnt/my backups", ["/mnt", "/mnt/my backups"], undefined],
  ["/mnt/other", [], "/mnt"],
  ["/mnt/other", ["/mnt"], undefined],
  ["/mntother", [], undefined],
  ["/var/backups", [], undefined],
])("%s with %p mounted lacks the mount point %p", (path, mounted, missing) => {
  expect(missingAmong([path], mountPoints(FSTAB, 1), new Set(mounted))).toBe(missing);
});
