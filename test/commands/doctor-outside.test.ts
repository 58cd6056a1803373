// The doctor asks others: what the DNS says of the key of mail, and whether push services answer.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configFor } from "../../src/commands/control.ts";
import type { Checked } from "../../src/features/doctor/rules.ts";
import type { Writer } from "../../src/realm.ts";
import { openRunning } from "../../src/running.ts";
import { Commands } from "./commands.ts";
import { NameServer } from "./names.ts";
import { linesOf, Server } from "./skein.ts";

let folder: string;
let sample: string;
const commands = new Commands();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-outside-"));
  sample = join(folder, "sample");
  const owner = ["--owner", "olga@example.com", "--full-name", "Olga Owner"];
  const made = await commands.run(["init", "--name", "Town", ...owner, "--data", sample]);
  expect(made).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await commands.stop();
  rmSync(folder, { recursive: true, force: true });
});

function patient(name: string): string {
  const data = join(folder, name);
  cpSync(sample, data, { recursive: true });
  return data;
}

async function examined(data: string, ...args: string[]) {
  const ended = await commands.run(["doctor", "--data", data, "--json", ...args]);
  if (ended.out === "") throw new Error(ended.err);
  const all = linesOf(ended) as unknown as Checked[];
  return new Map(all.map((checked) => [checked.id, checked]));
}

async function changed(data: string, change: (tx: Writer) => void): Promise<void> {
  const realm = await openRunning(configFor(data));
  await realm.write(change);
  await realm.close();
}

/** Answers as an ntfy server says how it is. */
class Ntfy {
  isHealthy = false;
  readonly server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const isAsked = new URL(url).pathname === "/v1/health";
      return isAsked ? Response.json({ healthy: this.isHealthy }) : new Response("");
    },
  });
}

test("services of pushes are asked whether they are there", async () => {
  const data = patient("pushes");
  const ntfy = new Ntfy();
  await changed(data, (tx) => {
    const row = { kind: "ntfy", key_id: 0, p256dh: "", auth: "", sealed_token: null, name: "" };
    const rest = { with_content: true, with_removals: true, registered: 1, failure: null };
    const address = `${ntfy.server.url.origin}/topic`;
    const own = { push_id: 1, user_id: 4, hash: "h", after_message_id: 0, endpoint: address };
    tx.push_subscriptions.put({ ...row, ...rest, ...own } as never);
  });
  const server = await Server.start(["--data", data, "--outbound-allow", "127.0.0.0/8"]);
  const looked = async () => (await examined(data, "--only", "outbound")).get("outbound.push")!;
  try {
    expect((await looked()).says).toContain("it is not well");
    ntfy.isHealthy = true;
    expect((await looked()).state).toBe("ok");
    await ntfy.server.stop(true);
    expect((await looked()).state).toBe("fail");
  } finally {
    await server.stop();
    await ntfy.server.stop(true);
  }
});

function publicRsa(modulusLength: number): string {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength });
  return publicKey.export({ format: "der", type: "spki" }).toString("base64");
}

test("the key that mail is signed with is looked for in the DNS", async () => {
  const data = patient("mail");
  const names = await NameServer.open();
  const mail = ["--smtp-url", "smtp://127.0.0.1:9", "--mail-from", "chat@town.test"];
  const dns = ["--mail-dkim", "s2026", "--dns-servers", names.address];
  const server = await Server.start(["--data", data, ...mail, ...dns]);
  const looked = () => examined(data, "--only", "mail");
  const name = "s2026._domainkey.town.test";
  try {
    const before = await looked();
    expect(before.get("mail.dkim")).toMatchObject({ state: "fail" });
    expect(before.get("mail.dkim")!.says).toContain(`${name} is not there`);
    expect(before.get("mail.records")).toMatchObject({ state: "warn" });
    const der = publicRsa(2048);
    names.texts.set(name, `v=DKIM1; k=rsa; p=${der}`);
    names.texts.set("town.test", "v=spf1 -all");
    names.texts.set("_dmarc.town.test", "v=DMARC1; p=reject");
    const after = await looked();
    for (const id of ["mail.dkim", "mail.records"]) {
      expect(after.get(id)).toMatchObject({ state: "ok" });
    }
    for (const [record, fault] of [
      ["v=DKIM1; p=", "was revoked"],
      [`v=DKIM1; t=y; p=${der}`, "is marked as a trial"],
      ["v=DKIM1; p=AAAA", "holds what is no key"],
      ["v=DKIM1", "holds no key"],
      [`v=DKIM1; p=${publicRsa(512)}`, "has only 512 bits"],
    ] as const) {
      names.texts.set(name, record);
      expect((await looked()).get("mail.dkim")!.says).toContain(fault);
    }
  } finally {
    await server.stop();
    names.close();
  }
});
