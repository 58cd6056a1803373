// A tab of an earlier version and one of this version share storage and messages.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { REGISTER } from "../../src/web/sync/versions.ts";
import { BrowserFixture, waitForMessage, waitForConnection, write } from "./browser-fixture.ts";
import { device, PLAIN_PAGE, restore, rowsOfToday } from "./device-data/restore.ts";
import { SESSION } from "./device-data/recorded.ts";
import { readStoredRows } from "./stored-data.ts";
import type { Json } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { routeUntilEnd } from "./failing-network.ts";

const fixture = await BrowserFixture.forTestFile();
const me = fixture.testServer.idOf("bo");

/** Acts like a tab of the recorded version, without running its client. */
class EarlierTab {
  private constructor(readonly page: Page) {}

  static async open(page: Page): Promise<EarlierTab> {
    await page.goto(PLAIN_PAGE);
    const session = (await page.evaluate(nameOfSession)) as string;
    const names = Object.keys(device.messages).map((name) => name.replace(SESSION, session));
    const lock = device.locks.find((name) => name.includes("leader"))!.replace(SESSION, session);
    await page.evaluate(joinChannel, [names[0]!, lock, JSON.stringify(REGISTER)] as const);
    return new EarlierTab(page);
  }

  notify = (message: Json): Promise<void> =>
    this.page.evaluate(
      (item) => (globalThis as unknown as EarlierTabGlobals).notify(item),
      message,
    );

  /** Returns the messages that other tabs have sent. */
  receivedMessages = (): Promise<Json[]> =>
    this.page.evaluate(() => (globalThis as unknown as EarlierTabGlobals).receivedMessages);

  /** Sends a message as the recorded version sends a row of its outbox. */
  send = ({ idempotency_key, target, text, local_id }: Json): Promise<number> =>
    this.page.evaluate(
      async ([key, to, topic, content, local]) => {
        const token = /csrftoken=([^;]*)/.exec(document.cookie)![1]!;
        const body = new URLSearchParams({ type: "channel", to, topic, content, local_id: local });
        const headers = { "X-CSRFToken": token, "Idempotency-Key": key };
        return (await fetch("/json/messages", { method: "POST", headers, body })).status;
      },
      [idempotency_key, `${target.stream_id}`, target.topic, text, local_id] as const,
    );
}

interface EarlierTabGlobals {
  notify(message: Json): void;
  receivedMessages: Json[];
}

/** Runs in the page: returns the name of the session, as every version computes it. */
function nameOfSession(): string {
  let hash = 0xcbf29ce484222325n;
  for (const unit of /csrftoken=([^;]*)/.exec(document.cookie)![1]!)
    hash = BigInt.asUintN(64, (hash ^ BigInt(unit.charCodeAt(0))) * 0x100000001b3n);
  return hash.toString(36);
}

/** Runs in the page: becomes the leading tab, registers, polls, and informs the other tabs. */
async function joinChannel([name, lock, register]: readonly [
  string,
  string,
  string,
]): Promise<void> {
  const channel = new BroadcastChannel(name);
  const received: any[] = [];
  const token = /csrftoken=([^;]*)/.exec(document.cookie)![1]!;
  let state: any;
  let location: any;
  const notify = (message: any) => channel.postMessage(message);
  channel.onmessage = ({ data }) => {
    received.push(data);
    if (data.kind === "wanted" && state)
      notify({ kind: "state", isNew: false, place: location, snapshot: state });
    if (data.kind === "wanted" || data.kind === "joined")
      notify({ kind: "reached", isReached: true });
  };
  Object.assign(globalThis, { receivedMessages: received, notify });
  await new Promise<void>((leads) => {
    void navigator.locks.request(lock, () => {
      leads();
      return new Promise(() => undefined);
    });
  });
  const params = Object.entries(JSON.parse(register)).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const headers = { "X-CSRFToken": token };
  const body = new URLSearchParams(params);
  state = await (await fetch("/json/register", { method: "POST", headers, body })).json();
  location = { queue_id: state.queue_id, last_event_id: state.last_event_id };
  void poll();
  async function poll(): Promise<void> {
    for (;;) {
      const response = await fetch(`/json/events?${new URLSearchParams(location)}`);
      const { events } = await response.json();
      const from = location.last_event_id;
      location = { ...location, last_event_id: events.at(-1).id };
      notify({ kind: "events", place: location, from, events });
    }
  }
}

/** A message that waits to be sent, from the recorded rows. */
function waitingMessage(text: string): Json {
  const row = rowsOfToday().outbox.find(({ state }) => state === "waiting")!;
  const target = { type: "channel", stream_id: fixture.stream_id, topic: "logo" };
  return { ...row, target, text, first_tried: Date.now() };
}

const fields = (row: Json) => Object.keys(row).toSorted();

test("receives events of an earlier leading tab, and sends no message twice", async () => {
  const session = await fixture.sessionOf("bo");
  const earlier = await EarlierTab.open(await session.context.newPage());
  const row = waitingMessage("From the earlier tab");
  await restore(earlier.page, { outbox: [row] });
  const page = await session.context.newPage();
  await page.goto(fixture.topicUrl);
  await waitForConnection(page, "live");
  expect(await earlier.send(row)).toBe(200);
  await fixture.post("ada", "To both tabs");
  await waitForMessage(page, "To both tabs");
  await waitForMessage(page, "From the earlier tab");
  await until(async () => (await readStoredRows(page, me, "outbox")).length === 0);
  await write(page, "From the later tab");
  await fixture.untilPosted(page, "From the later tab");
  const own = (await fixture.listPosted()).filter(({ sender_id }) => sender_id === me);
  expect(own.map(({ content }) => content)).toEqual(["From the earlier tab", "From the later tab"]);
  // The earlier tab polls for both tabs until it closes.
  expect(await page.evaluate(async () => (await navigator.locks.query()).pending!.length)).toBe(1);
  await earlier.page.close();
  await fixture.post("ada", "After the earlier tab");
  await waitForMessage(page, "After the earlier tab");
});

test("rolls back what an earlier tab rolls back, and sends it its own rollbacks", async () => {
  const { id } = await fixture.post("ada", "Look at this");
  const session = await fixture.sessionOf("bo");
  const earlier = await EarlierTab.open(await session.context.newPage());
  const page = await session.context.newPage();
  const connect = await routeUntilEnd(page, "**/json/messages/flags", (route) =>
    route.request().postData()!.includes("starred") ? route.abort() : route.continue(),
  );
  await page.goto(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator("body[data-whole]").waitFor();
  await page.locator(`#m${id}`).press("Control+s");
  await page.locator(`#m${id}[data-starred]`).waitFor();
  const isStar = ({ params }: Json) => params.flag === "starred";
  let row: Json;
  await until(async () => (row = (await readStoredRows(page, me, "doings")).find(isStar)));
  const recorded = device.rows.doings.find(isStar)!;
  expect(fields(row)).toEqual(fields(recorded));
  await earlier.notify({ ...device.messages[`skein-${SESSION}`]!.find(isRollback)!, key: row.key });
  await page.locator(`#m${id}:not([data-starred])`).waitFor();

  connect();
  const refusal = { status: 400, json: { result: "error", code: "BAD_REQUEST", msg: "Not today" } };
  await page.route("**/json/messages/flags", (route) => route.fulfill(refusal));
  await page.locator(`#m${id}`).press("Control+s");
  await page.getByRole("alert").getByText("Not today").waitFor();
  await page.locator(`#m${id}:not([data-starred])`).waitFor();
  await until(async () => (await earlier.receivedMessages()).some(isRollback));
  const received = (await earlier.receivedMessages()).find(isRollback)!;
  expect(fields(received)).toEqual(["key", "kind"]);
});

const isRollback = ({ kind }: Json) => kind === "taken-back";

test("stores messages as the earlier version did", async () => {
  const session = await fixture.sessionOf("bo");
  const page = await session.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.route("**/json/messages", (route) => route.abort());
  await write(page, "Not sent yet");
  let rows: Json[] = [];
  while (!rows.some((row) => row.first_tried)) rows = await readStoredRows(page, me, "outbox");
  const recorded = device.rows.outbox.find(({ first_tried }) => first_tried === null)!;
  expect(fields(rows[0]!)).toEqual(fields(recorded));
});
