// `skein backup` and `skein restore`, with and without a running server.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { linesOf, MAIN, Server, skein } from "./skein.ts";

let folder: string;
let data: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-backup-"));
  data = join(folder, "data");
  const owner = ["--owner", "olga@example.com", "--full-name", "Olga"];
  expect((await skein(["init", "--data", data, "--name", "Town", ...owner])).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (name: string) => join(folder, name);
const run = (...args: string[]) => skein(["backup", ...args]);

test("makes, lists, verifies and prunes backups, with a server and without", async () => {
  const to = pathOf("kept");
  expect((await run("run", "--data", data, "--to", to)).out).toContain("4 accounts");
  const server = await Server.start(["--data", data, "--url", "https://chat.example.org:8443"]);
  const [created] = linesOf(await run("run", "--data", data, "--to", to, "--json"));
  expect(await server.stop()).toBe(0);
  const list = linesOf(await run("list", "--from", to, "--json"));
  expect(list.map(({ is_whole }) => is_whole)).toEqual([true, true]);
  expect(list.at(-1)!["id"]).toBe(created!["id"]!);
  expect((await run("verify", "--from", to)).out.match(/good$/gm)).toHaveLength(2);
  expect((await run("prune", "--from", to, "--keep", "1,0,0")).out).toContain("kept 1 sets");
  const restored = await skein(["restore", "--from", to, "--into", pathOf("restored")]);
  expect(restored.out).toContain("Configuration of the server");
  expect(restored.out).toContain("Point the DNS name chat.example.org to the new machine.");
  const people = await skein(["user", "list", "--data", pathOf("restored")]);
  expect(people.out).toContain("olga@example.com");
});

test("a restore needs only settings that no backup contains", async () => {
  const to = pathOf("served");
  const smtp = ["--smtp-url", "smtp://skein@mail.example.org", "--mail-from", "s@example.org"];
  for (const [settings, needs] of [
    [[], []],
    [[...smtp, "--smtp-password-file", pathOf("password")], ["password for mail.example.org"]],
  ]) {
    writeFileSync(pathOf("password"), "secret\n");
    const server = await Server.start(["--data", data, ...settings!]);
    expect((await run("run", "--data", data, "--to", to)).code).toBe(0);
    expect(await server.stop()).toBe(0);
    const look = ["restore", "--from", to, "--only-look"];
    expect(linesOf(await skein([...look, "--json"]))).toMatchObject([{ needs }]);
    // The server has only a local address.
    expect((await skein(look)).out).not.toContain("DNS name");
  }
});

test("restores an archive of standard output that tar has unpacked", async () => {
  const identity = await generateX25519Identity();
  writeFileSync(pathOf("key"), `${identity}\n`);
  const recipient = await identityToRecipient(identity);
  const to = ["--data", data, "--to", "-"];
  expect((await run("run", ...to)).err).toContain("--plain for none");
  const args = [process.execPath, MAIN, "backup", "run", ...to, "--recipient", recipient];
  const child = Bun.spawn(args, { stdout: Bun.file(pathOf("archive.tar")), stderr: "ignore" });
  expect(await child.exited).toBe(0);
  mkdirSync(pathOf("unpacked"));
  expect(
    Bun.spawnSync(["tar", "xf", pathOf("archive.tar"), "-C", pathOf("unpacked")]).success,
  ).toBe(true);
  const destination = ["--into", pathOf("of-archive"), "--identity", pathOf("key")];
  expect((await skein(["restore", "--from", pathOf("unpacked"), ...destination])).code).toBe(0);
  const remaining = readdirSync(join(data, "snapshots")).filter(
    (name) => !name.startsWith("sent-"),
  );
  expect(remaining).toEqual([]);
});

const wrong: [string[], string][] = [
  [["run", "--to", "s3:nowhere"], "is not s3://BUCKET/PREFIX"],
  [["run", "--to", "s3://b"], "--backup-s3-endpoint must be a URL"],
  [["run", "--to", "x", "--recipient", "age1nobody"], "is not an age public key"],
  [["run", "--to", "x", "--data", "nowhere"], "there is no organization in"],
  [["verify", "--from", "."], "there is no backup"],
  [["verify", "--from", ".", "--set", "one"], "there is no set one"],
  [["prune", "--from", "nowhere", "--keep", "7"], "--keep must be DAYS,WEEKS,MONTHS"],
];

test.each(wrong)("%p is rejected with a message", async (args, text) => {
  const child = Bun.spawn([process.execPath, MAIN, "backup", ...args], {
    cwd: folder,
    stdout: "ignore",
    stderr: "pipe",
  });
  expect(await new Response(child.stderr).text()).toContain(text);
  expect(await child.exited).toBeGreaterThan(0);
});
