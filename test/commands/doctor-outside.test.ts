// Doctor checks other servers: the DNS record of the mail key, and whether push services respond.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { DnsServer } from "./dns-server.ts";
import { changeData, DoctorFixture } from "./doctor-fixture.ts";
import { Server } from "./skein.ts";

const fixture = new DoctorFixture();
beforeAll(() => fixture.initialize());
afterAll(() => fixture.close());

/** Simulates the health endpoint of an ntfy server. */
class Ntfy {
  isHealthy = false;
  readonly server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const isRequested = new URL(url).pathname === "/v1/health";
      return isRequested ? Response.json({ healthy: this.isHealthy }) : new Response("");
    },
  });
}

test("checks whether push services are reachable", async () => {
  const data = fixture.pathOf("pushes");
  const ntfy = new Ntfy();
  await changeData(data, (tx) => {
    const row = { kind: "ntfy", key_id: 0, p256dh: "", auth: "", sealed_token: null, name: "" };
    const rest = { with_content: true, with_removals: true, registered: 1, failure: null };
    const address = `${ntfy.server.url.origin}/topic`;
    const own = { push_id: 1, user_id: 4, hash: "h", after_message_id: 0, endpoint: address };
    tx.push_subscriptions.put({ ...row, ...rest, ...own } as never);
  });
  const server = await Server.start(["--data", data, "--outbound-allow", "127.0.0.0/8"]);
  const examine = async () =>
    (await fixture.examine(data, "--only", "outbound")).get("outbound.push")!;
  try {
    expect((await examine()).message).toContain("it is not available");
    ntfy.isHealthy = true;
    expect((await examine()).state).toBe("ok");
    await ntfy.server.stop(true);
    expect((await examine()).state).toBe("fail");
  } finally {
    await server.stop();
    await ntfy.server.stop(true);
  }
});

function publicRsa(modulusLength: number): string {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength });
  return publicKey.export({ format: "der", type: "spki" }).toString("base64");
}

test("looks up the DKIM key in the DNS", async () => {
  const data = fixture.pathOf("mail");
  const names = await DnsServer.open();
  const mail = ["--smtp-url", "smtp://127.0.0.1:9", "--mail-from", "chat@town.test"];
  const dns = ["--mail-dkim", "s2026", "--dns-servers", names.address];
  const server = await Server.start(["--data", data, ...mail, ...dns]);
  const examine = () => fixture.examine(data, "--only", "mail");
  const name = "s2026._domainkey.town.test";
  try {
    const before = await examine();
    expect(before.get("mail.dkim")).toMatchObject({ state: "fail" });
    expect(before.get("mail.dkim")!.message).toContain(`${name} does not exist`);
    expect(before.get("mail.records")).toMatchObject({ state: "warn" });
    const der = publicRsa(2048);
    names.texts.set(name, `v=DKIM1; k=rsa; p=${der}`);
    names.texts.set("town.test", "v=spf1 -all");
    names.texts.set("_dmarc.town.test", "v=DMARC1; p=reject");
    const after = await examine();
    for (const id of ["mail.dkim", "mail.records"]) {
      expect(after.get(id)).toMatchObject({ state: "ok" });
    }
    for (const [record, fault] of [
      ["v=DKIM1; p=", "was revoked"],
      [`v=DKIM1; t=y; p=${der}`, "is marked as a test"],
      ["v=DKIM1; p=AAAA", "contains an invalid key"],
      ["v=DKIM1", "contains no key"],
      [`v=DKIM1; p=${publicRsa(512)}`, "has only 512 bits"],
    ] as const) {
      names.texts.set(name, record);
      expect((await examine()).get("mail.dkim")!.message).toContain(fault);
    }
  } finally {
    await server.stop();
    names.close();
  }
});
