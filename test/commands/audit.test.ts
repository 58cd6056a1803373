// The audit log in the terminal, read from a directory and from a running server.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operatorOf } from "../../src/commands/process/operator.ts";
import { linesOf, Server, skein } from "./skein.ts";

const uid = process.geteuid!();
const folder = mkdtempSync(join(tmpdir(), "skein-audit-"));
const data = join(folder, "data");
const password = join(folder, "password");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  await Bun.write(password, "an uncommon sentence 77\n");
  const owner = ["--owner", "olga@example.com", "--full-name", "Olga Owner"];
  await runCommand(["init", "--name", "Town", ...owner, "--password-file", password]);
});

async function runCommand(args: string[]) {
  const result = await skein([...args, "--data", data]);
  if (result.code !== 0) throw new Error(`skein ${args.join(" ")}: ${result.err}`);
  return result;
}

test("lists and verifies entries, with a server and without", async () => {
  await runCommand(["user", "create", "--email", "bo@example.com", "--full-name", "Bo"]);
  const actsOfUser = linesOf(
    await runCommand(["audit", "list", "--user", "bo@example.com", "--json"]),
  );
  expect(actsOfUser.map(({ act }) => act)).toEqual(["key_made", "user_created"]);
  expect(actsOfUser[1]).toMatchObject({
    via: "command",
    actor_id: null,
    words: { full_name: "Bo", delivery_email: "bo@example.com" },
    where: { command: "createUsers" },
  });
  const newestEntry = /Newest entry: (\S+)/.exec((await runCommand(["audit", "verify"])).out)![1]!;

  const server = await Server.start(["--data", data]);
  try {
    await runCommand(["user", "key", "--email", "bo@example.com"]);
    const [newest] = linesOf(await runCommand(["audit", "list", "--limit", "1", "--json"]));
    expect(newest).toMatchObject({ act: "key_made", where: { command: "makeKey" } });
    expect((newest!["where"] as { operator: string }).operator).toBe(operatorOf(uid));
    expect((await runCommand(["audit", "verify", "--seen", newestEntry])).out).toContain(
      "entries are unchanged",
    );
  } finally {
    await server.stop();
  }
  const other = `${newestEntry.split(":")[0]}:${"0".repeat(64)}`;
  const afterChange = await skein(["audit", "verify", "--seen", other, "--data", data]);
  expect(afterChange).toMatchObject({ code: 1 });
  expect(afterChange.err).toContain("differs from the one in --seen");
});

test("names the operator by the effective uid, whatever the environment says", async () => {
  const env = { USER: "mallory", LOGNAME: "mallory", USERNAME: "mallory" };
  await runCommand(["user", "create", "--email", "cy@example.com", "--full-name", "Cy"]);
  const newestActAfterKey = async (extra: Record<string, string>) => {
    const created = ["user", "key", "--email", "cy@example.com", "--data", data];
    expect(await skein(created, { env: { ...env, ...extra } })).toMatchObject({ code: 0 });
    const [entry] = linesOf(await runCommand(["audit", "list", "--limit", "1", "--json"]));
    return (entry!["where"] as { operator: string }).operator;
  };
  expect(await newestActAfterKey({})).toBe(operatorOf(uid));
  expect(await newestActAfterKey({ SUDO_USER: "ada", SUDO_UID: "1234" })).toBe(
    `${operatorOf(uid)}; sudo user ada (uid 1234)`,
  );
  const passwd = "root:x:0:0::/root:/bin/sh\nskein:x:990:990::/:/bin/false\n:x:7:7:::\n";
  expect(operatorOf(990, passwd)).toBe("skein (uid 990)");
  expect([operatorOf(7, passwd), operatorOf(99, passwd)]).toEqual(["uid 7", "uid 99"]);
});

test("rejects invalid command lines", async () => {
  const { code, err } = await skein(["audit", "verify", "--seen", "12:abc", "--data", data]);
  expect(code).toBe(2);
  expect(err).toContain("--seen must be an entry");
});
