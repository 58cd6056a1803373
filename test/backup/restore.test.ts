// A restored server has the same content, settings and sign-ins as the lost one.
import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/running.ts";
import { noise } from "../random.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { post, read, striped, upload } from "../features/upload-fixture.ts";
import { backUpTo, restoreInto, scratch, tryRestore } from "./backup-fixture.ts";

const picture = { name: "p.png", bytes: striped(900, 700), type: "image/png" };

/** Creates a test server with some of everything that is stored in files. */
async function createUsedServer() {
  const testServer = await startTestServer();
  const file = await upload(testServer, "bo", { name: "a.bin", bytes: noise(300_000) });
  const drawnFile = await upload(testServer, "bo", picture);
  await testServer.request("bo", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "yard" }],
  });
  const to = { type: "channel", to: "yard", topic: "t" };
  for (const content of [`[a](${file})`, `[p](${drawnFile})`, "plain"]) {
    await testServer.request("bo", "POST /messages", { ...to, content });
  }
  await post(testServer, "bo", "POST /users/me/avatar", [{ ...picture, name: "me.png" }]);
  await post(testServer, "olga", "POST /realm/icon", [{ ...picture, name: "icon.png" }]);
  await post(testServer, "olga", "POST /realm/emoji/wave", [{ ...picture, name: "wave.png" }]);
  return { testServer, file, drawn: drawnFile };
}

/** Fields with times and places, which differ after a restore. */
const VOLATILE_FIELDS =
  /^(queue_id|last_event_id|presence_last_update_id|server_timestamp|presences|max_message_id)$/;

async function readState(testServer: TestServer) {
  const snapshot = await testServer.request("bo", "POST /register", { client_gravatar: false });
  const facts = Object.entries(snapshot).filter(([name]) => !VOLATILE_FIELDS.test(name));
  const window = { anchor: "newest", num_before: 100, num_after: 0 };
  const { messages } = await testServer.request("bo", "GET /messages", window);
  const addresses = [
    snapshot.realm_icon_url,
    ...Object.values(snapshot.realm_emoji as Record<string, { source_url: string }>).map(
      ({ source_url }) => source_url,
    ),
    ...snapshot.realm_users.map(({ avatar_url }: { avatar_url: string | null }) => avatar_url),
  ].filter((address): address is string => typeof address === "string");
  const pictures = await Promise.all(
    addresses.map(async (address) => {
      const path = address.startsWith("http")
        ? address.slice(new URL(address).origin.length)
        : address;
      const response = await read(testServer, null, path);
      return [path, response.status, Bun.hash(await response.bytes()).toString()];
    }),
  );
  return { facts: Object.fromEntries(facts), messages, pictures };
}

async function restartOn(testServer: TestServer, data: string): Promise<void> {
  const { config } = testServer.realm;
  const { url } = config;
  await testServer.stop();
  testServer.resume(
    await run({ ...config, data, port: Number(new URL(url).port) }, testServer.clock),
  );
}

test("a restored server responds like the lost one", async () => {
  const { testServer, file, drawn } = await createUsedServer();
  try {
    const before = await readState(testServer);
    const bytes = await (await read(testServer, "bo", file)).bytes();
    const thumbnail = `${drawn.replace("uploads/", "uploads/thumbnail/")}/840x560.webp`;
    const thumbnailBytes = await (await read(testServer, "bo", thumbnail)).bytes();
    const backupResult = await backUpTo(testServer, scratch());
    expect(backupResult).toMatchObject({ missing: [], damage: [], counts: { messages: 3 } });
    const to = scratch();
    await backUpTo(testServer, to);
    await restartOn(testServer, await restoreInto(to));
    expect(await readState(testServer)).toEqual(before);
    expect(await (await read(testServer, "bo", file)).bytes()).toEqual(bytes);
    expect(await (await read(testServer, "bo", thumbnail)).bytes()).toEqual(thumbnailBytes);
  } finally {
    await testServer.close();
  }
});

test("clients register anew, and no id is reused", async () => {
  const { testServer } = await createUsedServer();
  try {
    const listener = await testServer.listen("bo");
    const to = scratch();
    await backUpTo(testServer, to);
    const message = { type: "channel", to: "yard", topic: "t", content: "after the backup" };
    const { id } = await testServer.request("bo", "POST /messages", message);
    await restartOn(testServer, await restoreInto(to));
    const poll = { queue_id: listener.queue_id, last_event_id: -1, dont_block: true };
    expect((await testServer.refused("bo", "GET /events", poll)).code).toBe("BAD_EVENT_QUEUE_ID");
    expect((await testServer.refused("bo", `GET /messages/${id}`)).status).toBe(400);
    const secondResponse = await testServer.request("bo", "POST /messages", message);
    expect(secondResponse.id).toBeGreaterThan(id + 1_000);
    expect(
      (await testServer.request("bo", `GET /messages/${secondResponse.id}`)).message.subject,
    ).toBe("t");
  } finally {
    await testServer.close();
  }
});

test("sends files once, readable only for their owner", async () => {
  const { testServer } = await createUsedServer();
  try {
    const to = scratch();
    const first = await backUpTo(testServer, to);
    const second = await backUpTo(testServer, to);
    expect(first.sent_bytes).toBeGreaterThan(300_000);
    expect(second.sent_bytes).toBeLessThan(100_000);
    expect(second.bytes).toBeGreaterThan(300_000);
    await upload(testServer, "bo", { name: "more.bin", bytes: noise(50_000) });
    const third = await backUpTo(testServer, to);
    expect(third.sent_bytes).toBeGreaterThan(50_000);
    expect(third.sent_bytes).toBeLessThan(200_000);
    for (const name of readdirSync(to, { recursive: true }) as string[]) {
      expect(statSync(join(to, name)).mode & 0o077).toBe(0);
    }
    const remaining = readdirSync(join(testServer.realm.config.data, "snapshots"));
    expect(remaining.filter((name) => !name.startsWith("sent-"))).toEqual([]);
  } finally {
    await testServer.close();
  }
});

test("includes the encryption key of secrets on request", async () => {
  const { testServer } = await createUsedServer();
  try {
    const [without, including] = [scratch(), scratch()];
    await backUpTo(testServer, without);
    await backUpTo(testServer, including, { with_secrets: true });
    const own = await Bun.file(join(testServer.realm.config.data, "secrets")).text();
    expect(await Bun.file(join(await restoreInto(including), "secrets")).text()).toBe(own);
    expect(await Bun.file(join(await restoreInto(without), "secrets")).text()).not.toBe(own);
    const { out } = await tryRestore(without, scratch(), "--only-look");
    expect(out).toContain("authenticator apps again");
  } finally {
    await testServer.close();
  }
});

test("restores into a new directory, and restarts an interrupted restore", async () => {
  const { testServer } = await createUsedServer();
  try {
    const to = scratch();
    await backUpTo(testServer, to);
    const used = await restoreInto(to);
    const repeated = await tryRestore(to, used);
    expect([repeated.code, repeated.err]).toEqual([1, expect.stringContaining("is not empty")]);
    const destination = scratch();
    await Bun.write(join(destination, "restoring/data.mdb"), "half of it");
    await Bun.write(join(destination, "uploads/files/00/x"), "half of it");
    expect((await tryRestore(to, destination)).code).toBe(0);
    expect(readdirSync(destination).toSorted()).toEqual(["data.mdb", "secrets", "uploads"]);
    expect(readdirSync(join(destination, "uploads/files"))).not.toContain("00x");
  } finally {
    await testServer.close();
  }
});
