// `skein backup` and `skein restore`, beside a server that runs and without one.
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

const at = (name: string) => join(folder, name);
const run = (...args: string[]) => skein(["backup", ...args]);

test("a backup is made with a server and without one, listed, verified and pruned", async () => {
  const to = at("kept");
  expect((await run("run", "--data", data, "--to", to)).out).toContain("4 accounts");
  const server = await Server.start(["--data", data]);
  const [made] = linesOf(await run("run", "--data", data, "--to", to, "--json"));
  expect(await server.stop()).toBe(0);
  const listed = linesOf(await run("list", "--from", to, "--json"));
  expect(listed.map(({ is_whole }) => is_whole)).toEqual([true, true]);
  expect(listed.at(-1)!["id"]).toBe(made!["id"]!);
  expect((await run("verify", "--from", to)).out.match(/good$/gm)).toHaveLength(2);
  expect((await run("prune", "--from", to, "--keep", "1,0,0")).out).toContain("1 sets stay");
  const restored = await skein(["restore", "--from", to, "--into", at("restored")]);
  expect(restored.out).toContain("The server was configured so");
  expect(restored.out).toContain("has to lead to the new machine");
  const people = await skein(["user", "list", "--data", at("restored")]);
  expect(people.out).toContain("olga@example.com");
});

test("an archive on standard output is restored from what tar makes of it", async () => {
  const identity = await generateX25519Identity();
  writeFileSync(at("key"), `${identity}\n`);
  const recipient = await identityToRecipient(identity);
  const to = ["--data", data, "--to", "-"];
  expect((await run("run", ...to)).err).toContain("--plain says that it is not");
  const args = [process.execPath, MAIN, "backup", "run", ...to, "--recipient", recipient];
  const child = Bun.spawn(args, { stdout: Bun.file(at("archive.tar")), stderr: "ignore" });
  expect(await child.exited).toBe(0);
  mkdirSync(at("unpacked"));
  expect(Bun.spawnSync(["tar", "xf", at("archive.tar"), "-C", at("unpacked")]).success).toBe(true);
  const into = ["--into", at("of-archive"), "--identity", at("key")];
  expect((await skein(["restore", "--from", at("unpacked"), ...into])).code).toBe(0);
  const left = readdirSync(join(data, "snapshots")).filter((name) => !name.startsWith("sent-"));
  expect(left).toEqual([]);
});

const wrong: [string[], string][] = [
  [["run", "--to", "s3:nowhere"], "is not s3://BUCKET/PREFIX"],
  [["run", "--to", "s3://b"], "--backup-s3-endpoint is an address"],
  [["run", "--to", "x", "--recipient", "age1nobody"], "is no recipient"],
  [["run", "--to", "x", "--data", "nowhere"], "there is no organization in"],
  [["verify", "--from", "."], "there is no backup"],
  [["verify", "--from", ".", "--set", "one"], "there is no set one"],
  [["prune", "--from", "nowhere", "--keep", "7"], "--keep is days,weeks,months"],
];

test.each(wrong)("%p is refused in words", async (args, words) => {
  const child = Bun.spawn([process.execPath, MAIN, "backup", ...args], {
    cwd: folder,
    stdout: "ignore",
    stderr: "pipe",
  });
  expect(await new Response(child.stderr).text()).toContain(words);
  expect(await child.exited).toBeGreaterThan(0);
});
