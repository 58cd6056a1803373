// A server killed between the steps of a move: later requests see the whole topic moved.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAIN, linesOf, skein } from "../commands/skein.ts";
import { killAll, Server } from "../crash/server.ts";
import { PAGE_MS } from "../patience.ts";
import { formOf, type Json, type Params } from "../test-server.ts";

const MESSAGES = 520;
const ROUNDS = 4;
/** Concurrent sends share their commits. */
const AT_ONCE = 52;

const directory = mkdtempSync(join(tmpdir(), "skein-moves-"));
afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true, force: true });
});

let authorization: string;
const server = new Server(directory, MAIN, [process.execPath]);

async function request(line: string, params: Params = {}): Promise<Json> {
  const [method, path] = line.split(" ") as [string, string];
  const url = new URL(`${server.url}/api/v1${path}`);
  const headers = { Authorization: authorization };
  if (method === "GET") url.search = formOf(params).toString();
  const body = method === "GET" ? {} : { body: formOf(params) };
  const response = await fetch(url, { method, headers, ...body });
  const answer = (await response.json()) as Json;
  if (!response.ok) throw new Error(`${line}: ${JSON.stringify(answer)}`);
  return answer;
}

const send = async (stream_id: number, topic: string): Promise<number> =>
  (await request("POST /messages", { type: "stream", to: stream_id, topic, content: "words" })).id;

async function fill(stream_id: number, topic: string): Promise<number[]> {
  const ids: number[] = [];
  for (let sentCount = 0; sentCount < MESSAGES; sentCount += AT_ONCE) {
    const sends = Array.from({ length: AT_ONCE }, () => send(stream_id, topic));
    ids.push(...(await Promise.all(sends)));
  }
  return ids.sort((a, b) => a - b);
}

async function make(name: string): Promise<number> {
  return (await request("POST /channels/create", { name, subscribers: [] })).id;
}

/** Message ids by topic of the channel. */
async function topicsOf(stream_id: number): Promise<Record<string, number[]>> {
  const idsByPlace: Record<string, number[]> = {};
  const { topics } = await request(`GET /users/me/${stream_id}/topics`);
  for (const { name } of topics) {
    const narrow = [
      { operator: "channel", operand: stream_id },
      { operator: "topic", operand: name },
    ];
    const params = { narrow, anchor: "oldest", num_before: 0, num_after: 5000 };
    const { messages } = await request("GET /messages", params);
    idsByPlace[name] = messages.map((message: Json) => message.id);
  }
  return idsByPlace;
}

/** Starts the move, and kills the server when some but not all messages are moved. */
async function killHalfway(id: number, to: number): Promise<number> {
  const quiet = { send_notification_to_new_thread: false };
  const move = { stream_id: to, propagate_mode: "change_all", ...quiet };
  const requested = request(`PATCH /messages/${id}`, move).catch(() => undefined);
  for (const end_ms = performance.now() + PAGE_MS; performance.now() < end_ms;) {
    const moved = Object.values(await topicsOf(to)).flat().length;
    if (moved === 0) continue;
    await server.end("SIGKILL");
    await requested;
    return moved;
  }
  throw new Error("no message was moved");
}

test("a second move after the crash moves all messages", async () => {
  const init = ["init", "--data", directory, "--name", "Town", "--owner", "olga@example.com"];
  const [olga] = linesOf(await skein([...init, "--full-name", "Olga Owner", "--json"]));
  authorization = `Basic ${btoa(`olga@example.com:${olga!["api_key"]}`)}`;
  await server.start();
  let torn = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [from, to] = [await make(`from ${round}`), await make(`to ${round}`)];
    const ids = await fill(from, "tea");
    torn += Number((await killHalfway(ids[0]!, to)) < MESSAGES);
    await server.start();
    const second = round % 2 === 0 ? ids.at(-1)! : ids[0]!;
    await request(`PATCH /messages/${second}`, { topic: "milk", propagate_mode: "change_all" });
    expect(await topicsOf(from)).toEqual({});
    const { milk, ...others } = await topicsOf(to);
    expect(milk!.filter((id) => ids.includes(id))).toEqual(ids);
    expect(others).toEqual({});
  }
  expect(torn).toBeGreaterThan(0);
  await server.end("SIGTERM");
  expect(server.errors).toEqual([]);
});
