// After a kill, users still receive channel messages sent while they were subscribed.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "../built-executable.ts";
import { type Account, killAll, Server, setUp } from "../crash/server.ts";
import { formOf, type Json, type Params } from "../test-server.ts";

const directory = mkdtempSync(join(tmpdir(), "skein-quiet-"));
afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true, force: true });
});

let server: Server;

async function request(
  { email, api_key }: Account,
  line: string,
  params: Params = {},
): Promise<Json> {
  const [method, path] = line.split(" ") as [string, string];
  const url = new URL(`${server.url}/api/v1${path}`);
  const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
  if (method === "GET") url.search = formOf(params).toString();
  const body = method === "GET" ? {} : { body: formOf(params) };
  const response = (await (await fetch(url, { method, headers, ...body })).json()) as Json;
  expect(response).toMatchObject({ result: "success" });
  return response;
}

test("also without messages between joining and leaving", async () => {
  const accounts = await setUp(directory);
  const [ada, bo] = [accounts.ada, accounts.bo];
  server = new Server(directory, await builtBinary());
  await server.start();
  const params = { name: "quiet", subscribers: [ada.user_id] };
  const { id: to } = await request(ada, "POST /channels/create", params);
  const message = { type: "channel", to, topic: "t", content: "words" };
  const { id } = await request(ada, "POST /messages", message);
  const expected = { event_types: ["reaction"] };
  const { queue_id, last_event_id } = await request(bo, "POST /register", expected);
  const quiet = [{ name: "quiet" }];
  await request(bo, "POST /users/me/subscriptions", { subscriptions: quiet });
  await request(ada, `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  await request(bo, "DELETE /users/me/subscriptions", { subscriptions: ["quiet"] });
  await request(ada, `POST /messages/${id}/reactions`, { emoji_name: "smile" });
  await server.end("SIGKILL");
  await server.start();
  const polled = { queue_id, last_event_id, dont_block: true };
  const { events } = await request(bo, "GET /events", polled);
  expect(events.map((event: Json) => event.emoji_name)).toEqual(["tada"]);
  await server.end("SIGTERM");
});
