/** After clock changes and sleep, no queue is lost and heartbeats arrive. */
import { expect, test } from "bun:test";
import { canFault, Faults } from "./faults.ts";
import { type Account, organization, ServeProcess } from "./serve-process.ts";

const DAY_S = 86_400;
const HOUR_S = 3_600;

async function register(server: ServeProcess, account: Account) {
  const { body } = await server.request(account, "POST /register", { event_types: ["message"] });
  return { queue_id: body.queue_id, last_event_id: body.last_event_id };
}

/** A waiting poll gets its heartbeat once the server has been awake for long enough. */
async function countHeartbeats(
  server: ServeProcess,
  faults: Faults,
  account: Account,
  steady_s: number,
) {
  const poll = server.request(account, "GET /events", await register(server, account));
  let isOver = false;
  void poll.finally(() => (isOver = true));
  for (let passed = steady_s; !isOver; passed += 4) {
    faults.set("steady", passed);
    await Promise.race([poll, Bun.sleep(1_000)]);
  }
  const { body } = await poll;
  expect(body.events).toMatchObject([{ type: "heartbeat" }]);
}

test.skipIf(!canFault).each([
  ["a clock set ahead by a day", DAY_S, 0],
  ["a clock set back by an hour", -HOUR_S, 0],
  ["a machine that slept for a day", DAY_S, DAY_S],
])("%s ends no queue and stops no heartbeat", async (_title, wall_s, steady_s) => {
  using faults = new Faults();
  using testServer = await organization();
  await using server = await new ServeProcess(testServer.directory, faults).untilServing();
  const queue = await register(server, testServer.olga);
  faults.set("wall", wall_s);
  faults.set("steady", steady_s);
  await countHeartbeats(server, faults, testServer.olga, steady_s);
  const polled = await server.request(testServer.olga, "GET /events", {
    ...queue,
    dont_block: true,
  });
  expect(polled).toMatchObject({ status: 200, body: { events: [] } });
});
