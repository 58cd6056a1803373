/** Subscriptions are stored by channel; those of earlier versions, by user, are migrated. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configOf } from "../../bench/datasets.ts";
import { createUser } from "../../src/features/accounts/actions.ts";
import { createChannel } from "../../src/features/channels/manage/create.ts";
import { createOrganization } from "../../src/features/organization/actions.ts";
import { openRunning } from "../../src/running.ts";
import { msgpack } from "../../src/store/codec.ts";
import { keyOf } from "../../src/store/key.ts";
import { writeOldFormat, rawDatabase, rowsUnder } from "../store/without-checksums.ts";

const BY_PERSON = 9;
const BY_CHANNEL = 158;

const directory = mkdtempSync(join(tmpdir(), "skein-rows-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("reads and changes subscriptions of an earlier format", async () => {
  const before = await whileOrganizationHas(async (realm) => {
    await realm.write((tx) => {
      const owner = createOrganization(tx, {
        name: "Town",
        owner: { email: "olga@example.com", full_name: "Olga" },
      });
      const people = ["ada", "bo", "cy"].map((name) =>
        createUser(tx, { email: `${name}@example.com`, full_name: name, role: 400 }),
      );
      createChannel(tx, owner, { name: "garden" }, people);
    });
    return inOrder(realm.read.subscriptions.range());
  });
  expect(before.length).toBeGreaterThan(6);
  expect((await keysUnder(BY_CHANNEL)).length).toBe(before.length);

  await writeRowsByPerson();
  expect((await keysUnder(BY_PERSON)).length).toBe(before.length);
  const after = await whileOrganizationHas(async (realm) => {
    const found = inOrder(realm.read.subscriptions.range());
    const [subscription] = found;
    await realm.write((tx) => {
      tx.subscriptions.put({ ...subscription!, color: "#123456" });
      tx.subscriptions.delete(found[1]!.user_id, found[1]!.stream_id);
    });
    return found;
  });
  expect(after).toEqual(before);
  expect(await keysUnder(BY_PERSON)).toEqual([]);
  const last = await whileOrganizationHas((realm) => inOrder(realm.read.subscriptions.range()));
  expect(last).toEqual([{ ...before[0]!, color: "#123456" }, ...before.slice(2)]);
});

async function whileOrganizationHas<T>(
  action: (realm: Awaited<ReturnType<typeof openRunning>>) => T | Promise<T>,
): Promise<T> {
  const realm = await openRunning(configOf(directory));
  try {
    return await action(realm);
  } finally {
    await realm.close();
  }
}

function inOrder<T extends { user_id: number; stream_id: number }>(subs: Iterable<T>): T[] {
  return [...subs].sort((a, b) => a.user_id - b.user_id || a.stream_id - b.stream_id);
}

/** The rows as the previous version stored them. */
function writeRowsByPerson(): Promise<void> {
  return writeOldFormat(directory, 2, (db) => {
    for (const { key, value } of rowsUnder(db, BY_CHANNEL)) {
      const [user_id, stream_id] = msgpack.decode(value) as [number, number];
      void db.remove(key);
      void db.put(keyOf(BY_PERSON, [user_id, stream_id]), value);
    }
  });
}

async function keysUnder(prefix: number): Promise<string[]> {
  const db = rawDatabase(directory);
  const keys = rowsUnder(db, prefix).map(({ key }) => key);
  await db.close();
  return keys;
}
