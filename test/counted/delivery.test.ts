// Limits how often an event is rendered, and how many objects a held poll keeps in memory.
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { heapStats } from "bun:jsc";
import { connect } from "node:net";
import { startTestServer, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

/** The net growth: sending a request also releases objects of the client. */
const OBJECTS_MAX = 6;
/** Per user, who can have a hundred queues. */
const POLLS = 80;
const QUEUES_PER_FORM = 20;
const CONTENT = "Rendered once for each form";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const subscriptions = [{ name: "garden" }];
  const principals = [server.idOf("olga"), server.idOf("bo"), server.idOf("cy")];
  await server.request("olga", "POST /users/me/subscriptions", { subscriptions, principals });
});
afterAll(() => server.close());

test("renders a message once for all queues that receive the same form", async () => {
  const forms = [{ apply_markdown: true }, { apply_markdown: false }];
  const listeners = [];
  for (const form of forms) {
    for (let queue = 0; queue < QUEUES_PER_FORM; queue++) {
      listeners.push(await server.listen(queue % 2 === 0 ? "bo" : "cy", form));
    }
  }
  const stringify = spyOn(JSON, "stringify");
  const message = { type: "channel", to: "garden", topic: "forms", content: CONTENT };
  await server.request("olga", "POST /messages", message);
  const received = await Promise.all(listeners.map((listener) => listener.next()));
  const rendered = stringify.mock.results.filter(({ value }) => String(value).includes(CONTENT));
  stringify.mockRestore();
  expect(received.every(({ type }) => type === "message")).toBe(true);
  expect(rendered).toHaveLength(forms.length);
});

test("keeps few objects for a held poll", async () => {
  // The first polls compile code and fill caches.
  await objectsOfPolls("bo");
  expect(await objectsOfPolls("cy")).toBeLessThanOrEqual(OBJECTS_MAX);
});

/** Returns the objects that each held poll keeps. The queues and connections exist before. */
async function objectsOfPolls(name: "bo" | "cy"): Promise<number> {
  const { port, host, hostname } = new URL(server.url);
  const requests: string[] = [];
  for (let count = 0; count < POLLS; count++) {
    const { queue_id, last_event_id } = await server.request(name, "POST /register");
    const path = `/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`;
    const auth = `Authorization: ${server.basicAuthorization(name)}`;
    requests.push(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${auth}\r\n\r\n`);
  }
  const sockets = requests.map(() => connect(Number(port), hostname));
  await until(() => sockets.every(({ readyState }) => readyState === "open"));
  const countParkedPolls = () => server.realm.hub.counts.parked;
  const [before, heldPollsBefore] = [countObjects(), countParkedPolls()];
  for (const [index, socket] of sockets.entries()) socket.write(requests[index]!);
  await until(() => countParkedPolls() === heldPollsBefore + POLLS);
  const each = (countObjects() - before) / POLLS;
  for (const socket of sockets) socket.destroy();
  return each;
}

function countObjects(): number {
  Bun.gc(true);
  return heapStats().objectCount;
}
