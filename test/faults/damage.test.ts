/** A damaged data file: requests for damaged data get an error, and all others succeed. */
import { expect, test } from "bun:test";
import { tables } from "../../src/schema/schema.ts";
import { keyOf } from "../../src/store/key.ts";
import { rawDatabase, rowsUnder } from "../store/without-checksums.ts";
import { organization, sendParams, ServeProcess } from "./serve-process.ts";

const NEWEST = { anchor: "newest", num_before: 2, num_after: 0 };

/** Flips a bit in rows of a directory without a running server. */
async function damageRows(directory: string, keys: readonly string[]): Promise<void> {
  const db = rawDatabase(directory);
  await db.transaction(() => {
    for (const key of keys) {
      const row = db.getBinary(key)!;
      row[row.length >>> 1]! ^= 1;
      void db.put(key, row);
    }
  });
  await db.close();
}

async function keysUnder(directory: string, prefix: number): Promise<string[]> {
  const db = rawDatabase(directory);
  const keys = rowsUnder(db, prefix).map(({ key }) => key);
  await db.close();
  return keys;
}

test("a damaged message returns 500 with table and key, without other effects", async () => {
  using testServer = await organization();
  const { directory, olga } = testServer;
  const ids: number[] = [];
  {
    await using server = await new ServeProcess(directory).untilServing();
    for (const text of ["one", "two", "three"]) {
      const { body } = await server.request(olga, "POST /messages", sendParams(text));
      ids.push(body.id);
    }
    server.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  }
  await damageRows(directory, [keyOf(tables.messages.prefix, [ids[1]!])]);

  await using server = await new ServeProcess(directory).untilServing();
  const message = await server.request(olga, `GET /messages/${ids[1]}`);
  expect(message).toMatchObject({
    status: 500,
    body: { result: "error", code: "INTERNAL_SERVER_ERROR" },
  });
  await server.untilPrinted(new RegExp(`"RowDamaged: messages ${ids[1]} is damaged on the disk"`));
  expect((await server.request(olga, `GET /messages/${ids[0]}`)).status).toBe(200);
  expect((await server.request(olga, "GET /messages", NEWEST)).status).toBe(500);
  expect((await server.request(olga, "GET /messages", { ...NEWEST, num_before: 1 })).status).toBe(
    200,
  );
  expect((await server.request(olga, "POST /messages", sendParams("four"))).status).toBe(200);
  expect((await server.request(olga, "POST /register")).status).toBe(200);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test("clients register anew after a damaged event or queue, and jobs continue", async () => {
  using testServer = await organization();
  const { directory, olga } = testServer;
  let queue: { queue_id: string; last_event_id: number };
  {
    await using server = await new ServeProcess(directory).untilServing();
    queue = (await server.request(olga, "POST /register")).body;
    await server.request(olga, "POST /messages", sendParams("logged"));
    server.kill("SIGKILL");
    await server.ended;
  }
  const events = await keysUnder(directory, tables.log.prefix);
  expect(events.length).toBeGreaterThan(0);
  await damageRows(directory, [events.at(-1)!]);

  await using server = await new ServeProcess(directory).untilServing();
  const { queue_id, last_event_id } = queue;
  const params = { queue_id, last_event_id, dont_block: true };
  const polled = await server.request(olga, "GET /events", params);
  expect(polled).toMatchObject({ status: 400, body: { code: "BAD_EVENT_QUEUE_ID" } });
  await server.untilPrinted(/RowDamaged: log \d+ is damaged/);
  const secondResponse = (await server.request(olga, "POST /register")).body;
  await server.request(olga, "POST /messages", sendParams("heard"));
  const response = await server.request(olga, "GET /events", {
    queue_id: secondResponse.queue_id,
    last_event_id: secondResponse.last_event_id,
  });
  expect(response.body.events.map(({ type }: { type: string }) => type)).toContain("message");
});
