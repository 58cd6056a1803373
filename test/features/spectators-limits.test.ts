// How often whoever has no account may ask: by address, and by the file that is looked at.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import { API_BY_ADDRESS, SPECTATORS_BY_FILE } from "../../src/server/limit.ts";
import { openTown, type Town } from "../town.ts";
import { read, upload } from "./uploading.ts";

let town: Town;
let urls: string[];
beforeEach(async () => {
  town = await openTown({ rate_limits: true });
  await town.ask("olga", "PATCH /realm", { enable_spectator_access: true });
  const square = { name: "square", subscribers: [town.idOf("bo")], is_web_public: true };
  await town.ask("olga", "POST /channels/create", square);
  urls = [];
  for (const name of ["a.txt", "b.txt"]) {
    const url = await upload(town, "bo", { name, bytes: name });
    const message = { type: "channel", to: "square", topic: "t", content: `[a](${url})` };
    await town.ask("bo", "POST /messages", message);
    urls.push(url);
  }
});
afterEach(() => town.close());

test("rateLimitHit: an address asks so often, and who is signed in is counted apart", async () => {
  for (let calls = 1; calls <= API_BY_ADDRESS.calls; calls++) {
    const { status, headers } = await town.send(null, "POST /register");
    const left = API_BY_ADDRESS.calls - calls;
    expect([status, headers.get("x-ratelimit-remaining")]).toEqual([200, String(left)]);
  }
  const { errCode, message: msg } = errors.rateLimitHit(1);
  const told = await town.refused(null, "GET /users");
  expect(told).toMatchObject({ status: 429, code: errCode, msg });
  await town.ask("bo", "GET /users");
  town.clock.pass(API_BY_ADDRESS.seconds);
  await town.ask(null, "GET /users");
});

test("a file is looked at so often in a day by whoever has no account", async () => {
  const [url, other] = urls as [string, string];
  const statuses = new Set<number>();
  for (let looks = 0; looks < SPECTATORS_BY_FILE.calls; looks++) {
    statuses.add((await read(town, null, url)).status);
  }
  expect([...statuses]).toEqual([200]);
  const refused = await read(town, null, url);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await read(town, null, other)).status).toBe(200);
  expect((await read(town, "cy", url)).status).toBe(200);
  town.clock.pass(SPECTATORS_BY_FILE.seconds);
  expect((await read(town, null, url)).status).toBe(200);
});
