// Commands given wrong files print one clear sentence and never a stack trace.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noise } from "../random.ts";
import { type CommandResult, skein } from "./skein.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-wrong-files-"));
const pathOf = (name: string) => join(folder, name);
const data = pathOf("data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  writeFileSync(pathOf("password"), "an uncommon sentence 77\n");
  writeFileSync(pathOf("noise"), noise(20_000));
  writeFileSync(pathOf("empty"), "");
  mkdirSync(pathOf("folder"));
  symlinkSync(pathOf("loop"), pathOf("loop"));
  const owner = ["--owner", "olga@example.com", "--full-name", "Olga Owner"];
  const created = [
    "--name",
    "Town",
    ...owner,
    "--password-file",
    pathOf("password"),
    "--data",
    data,
  ];
  expect(await skein(["init", ...created])).toMatchObject({ code: 0 });
  const backup = ["backup", "run", "--data", data, "--to", pathOf("backups"), "--plain"];
  expect(await skein(backup)).toMatchObject({ code: 0 });
});

/** Checks that the output is readable text without internal details. */
function isSentence({ code, out, err }: CommandResult): void {
  expect([1, 2]).toContain(code);
  expect(err).toStartWith("skein: ");
  expect(err).not.toContain("skein: Cannot use");
  expect(out + err).not.toMatch(/^\s+at |\b[A-Z]\w*Error:|\[object|undefined|\bE[A-Z]{4,}:/m);
}

const PATHS = {
  "that is missing": pathOf("none/x"),
  "below a file": pathOf("noise/x"),
  "that is a directory": pathOf("folder"),
  "of noise": pathOf("noise"),
  "that is empty": pathOf("empty"),
  "that links to itself": pathOf("loop"),
  "with too long a name": pathOf("x".repeat(300)),
};

const BO = ["--email", "bo@example.com", "--full-name", "Bo"];
const FILES: [string, (path: string) => string[]][] = [
  ["user create --from", (path) => ["user", "create", "--from", path]],
  ["user create --password-file", (path) => ["user", "create", ...BO, "--password-file", path]],
  ["serve --oidc-providers", (path) => ["serve", "--oidc-providers", path]],
  ["serve --config", (path) => ["serve", "--config", path]],
];

describe.each(FILES)("%s", (_, command) => {
  test.each(Object.entries(PATHS))("says why it refuses a file %s", async (kind, path) => {
    // A password file may contain any line, and an empty settings file or list of users is valid.
    if (kind === "of noise" && command("").includes("--password-file")) return;
    if (kind === "that is empty" && /config|--from/.test(command("").join(" "))) return;
    const result = await skein(
      [...command(path), "--data", data, "--listen", "127.0.0.1:0"].slice(
        0,
        command(path)[0] === "serve" ? undefined : -2,
      ),
    );
    isSentence(result);
  });
});

const LOCATION_COMMANDS = ["backup list --from", "backup verify --from", "restore --into x --from"];
test.each(LOCATION_COMMANDS)("%s says why a directory cannot contain backups", async (line) => {
  const command = line.replace(" x ", ` ${pathOf("restored")} `).split(" ");
  for (const [kind, path] of Object.entries(PATHS)) {
    // For these, `list` prints an empty list.
    if (line.includes("list") && /missing|directory/.test(kind)) continue;
    const { code, err } = await skein([...command, path]);
    expect([kind, code]).toEqual([kind, 1]);
    expect(err).not.toMatch(/^\s+at /m);
  }
});

const BY_DATA = [
  ...["reload", "health", "doctor", "cert status", "log-level --level debug", "user list"],
  ...["user key --email a@b.c", "user role --email a@b.c --role member", "invite list"],
  ...["org list", "org show", "channel list", "retention plan", "audit list", "audit verify"],
  ...["db stat", "db check", "db compact", "debug heap", "upgrade", "rollback --yes", "reactivate"],
  ...["backup run --plain --to x", "init --name A --owner a@b.c --full-name Aa", "serve"],
];
test.each(BY_DATA)("skein %s rejects a data directory that is a file", async (line) => {
  const command = line.replace("--to x", `--to ${pathOf("to")}`).split(" ");
  isSentence(await skein([...command, "--data", pathOf("noise")]));
});

test("rejects an empty path, as of an unset variable", async () => {
  const { code, err } = await skein(["user", "list", "--data", ""]);
  expect([code, err]).toEqual([2, "skein: --data needs a value: DIR. See: skein help user list\n"]);
});

test("db compact and rollback reject an empty database instead of crashing", async () => {
  const truncated = pathOf("cut");
  cpSync(data, truncated, { recursive: true });
  truncateSync(join(truncated, "data.mdb"), 0);
  isSentence(await skein(["db", "compact", "--data", truncated]));
  // An empty snapshot is rejected too.
  const behind = pathOf("behind");
  cpSync(data, behind, { recursive: true });
  mkdirSync(join(behind, "snapshots"), { recursive: true });
  writeFileSync(join(behind, "snapshots", "before-4-1700000000.mdb"), "");
  isSentence(await skein(["rollback", "--yes", "--data", behind]));
});

interface TamperedFile {
  set: Record<string, unknown> & { manifest: { name: string; size: number; sha256: string } };
}
const sum = (bytes: string | Uint8Array) =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** With updated checksums, as an attacker would write them. */
test.each<[string, (set: TamperedFile["set"]) => string | void]>([
  ["that is no JSON", () => "no JSON"],
  ["that is a list", () => "[]"],
  ["that is null", () => "null"],
  ["of a time that no calendar has", (set) => void (set["created"] = 1e300)],
  ["of a negative size", (set) => void (set.manifest.size = -1)],
  ["whose manifest is its database", (set) => void Object.assign(set.manifest, set["database"])],
  ["that leads out of the place", (set) => void (set.manifest.name = "../../../etc/passwd")],
])("a tampered set %s is refused in a sentence", async (_, change) => {
  const location = pathOf("tampered");
  rmSync(location, { recursive: true, force: true });
  cpSync(pathOf("backups"), location, { recursive: true });
  const [name] = readdirSync(join(location, "sets"));
  const path = join(location, "sets", name!);
  const descriptionOfSet = JSON.parse(readFileSync(path, "utf8")) as { set: string };
  const set = JSON.parse(descriptionOfSet.set) as TamperedFile["set"];
  const text = change(set) ?? JSON.stringify(set);
  writeFileSync(path, `${JSON.stringify({ set: text, sha256: sum(text) })}\n`);
  isSentence(await skein(["restore", "--from", location, "--into", pathOf("restored")]));
  for (const command of ["list", "verify", "prune"]) {
    const { out, err } = await skein(["backup", command, "--from", location]);
    expect(out + err).not.toMatch(/^\s+at |\b[A-Z]\w*Error:/m);
  }
});
