/** Authentication, permissions and rate limits of requests. */
import { afterAll, expect, test } from "bun:test";
import {
  type Refusal,
  accountDeactivated,
  basicAuthenticationRequired,
  botsNotAllowed,
  guestsNotAllowed,
  keyInvalid,
  keyMalformed,
  keyOfAnotherRealm,
  malformedAuthorization,
  missingParameter,
  mustBeAdministrator,
  mustBeOwner,
  notLoggedIn,
  rateLimitHit,
  spectatorsNotAllowed,
  webhookBotNotAllowed,
} from "../../src/contract/errors/general.ts";
import { bool, defaulted, endpoint, int, openEndpoint } from "../../src/endpoint.ts";
import * as gates from "../../src/server/gate.ts";
import type { Route } from "../../src/server/routing.ts";
import {
  type CountingServer,
  credentials,
  keyOf,
  NOW,
  open,
  smallRealm,
  payloadOf,
} from "./sample-server.ts";

const whoami = endpoint({
  summary: "A thing",
  tag: "Server",
  params: {},
  run: ({ user, key }) => ({ id: user.user_id, key: key?.key_id }),
});
const optionalUserEndpoint = openEndpoint({
  summary: "A thing",
  tag: "Server",
  params: {},
  run: ({ user }) => ({ id: user?.user_id ?? null }),
});
const partly = openEndpoint({
  summary: "A thing",
  tag: "Server",
  params: { secret: defaulted(bool, false) },
  run: ({ user }, { secret }) => {
    if (secret && user === undefined) throw spectatorsNotAllowed();
    return { id: user?.user_id ?? null };
  },
});
const guarded = endpoint({
  summary: "A thing",
  tag: "Server",
  params: { n: int },
  run: (_, { n }) => ({ n }),
});

const routes: Route[] = [
  { method: "GET", path: "/whoami", gate: gates.signedIn, endpoint: whoami },
  { method: "POST", path: "/messages", gate: gates.senders, endpoint: whoami },
  { method: "GET", path: "/anyone", gate: gates.anyone, endpoint: optionalUserEndpoint },
  { method: "GET", path: "/spectators", gate: gates.spectators, endpoint: partly },
  { method: "GET", path: "/people", gate: gates.people, endpoint: guarded },
  { method: "GET", path: "/no-guests", gate: gates.noGuests, endpoint: guarded },
  { method: "GET", path: "/member-people", gate: gates.memberPeople, endpoint: guarded },
  { method: "GET", path: "/administrators", gate: gates.administrators, endpoint: guarded },
  { method: "GET", path: "/owners", gate: gates.owners, endpoint: guarded },
  { method: "GET", path: "root:/page", gate: gates.anyone, endpoint: optionalUserEndpoint },
];

const opened: CountingServer[] = [];
afterAll(() => Promise.all(opened.map((counter) => counter.stop())));

async function counterOf(options: Parameters<typeof open>[1] = {}) {
  const counter = await open(routes, options);
  opened.push(counter);
  return counter;
}

const requestAs = (name: string, key?: string) => ({ headers: credentials(name, key) });
const header = (Authorization: string) => ({ headers: { Authorization } });

test("the key identifies the account, with the address in any letter case", async () => {
  const { request } = await counterOf();
  for (const email of ["Mona@Example.com", "mona@example.com", "MONA@EXAMPLE.COM"]) {
    expect((await request("GET /whoami", requestAs(email, keyOf(3)))).body).toMatchObject({
      id: 3,
      key: 3,
    });
  }
  expect((await request("GET /whoami", requestAs("Bot"))).body.id).toBe(5);
  const { Authorization = "" } = credentials("Mona");
  const lower = header(Authorization.replace("Basic", "basic "));
  expect((await request("GET /whoami", lower)).body.id).toBe(3);
});

test("each authentication failure has its own message", async () => {
  const other = smallRealm();
  const outsider = other.keys[0];
  if (outsider === undefined) throw new Error("no key");
  const { realm, keys } = smallRealm();
  keys.splice(0, 1);
  const { request } = await counterOf({ realm, neighbours: [other.realm] });
  const cases: [RequestInit, () => Refusal, string][] = [
    [{}, notLoggedIn, "Not logged in: API authentication or user session required"],
    [requestAs("Mona", "short"), keyMalformed, "Malformed API key"],
    [requestAs("Mona", "z".repeat(32)), keyInvalid, "Invalid API key"],
    [requestAs("Adam", keyOf(3)), keyInvalid, "Invalid API key"],
    [requestAs("Gone"), accountDeactivated, "Account is deactivated"],
    [requestAs("Olga"), keyOfAnotherRealm, "Account is not associated with this subdomain"],
    [
      requestAs("Hook"),
      webhookBotNotAllowed,
      "This API is not available to incoming webhook bots.",
    ],
    [header("Basic !!!"), malformedAuthorization, "Invalid authorization header for basic auth"],
    [header("Basic"), malformedAuthorization, "Invalid authorization header for basic auth"],
    [
      header(`Basic ${btoa("x")}`),
      malformedAuthorization,
      "Invalid authorization header for basic auth",
    ],
    [
      header("Bearer x"),
      basicAuthenticationRequired,
      "This endpoint requires HTTP basic authentication.",
    ],
  ];
  for (const [init, refusal, msg] of cases) {
    const { status, body, headers } = await request("GET /whoami", init);
    expect([status, body]).toEqual(payloadOf(refusal()));
    expect(body.msg).toBe(msg);
    const isBasic = refusal !== basicAuthenticationRequired;
    expect([status, body.code]).toEqual(isBasic ? [401, "UNAUTHORIZED"] : [400, "BAD_REQUEST"]);
    expect(headers.get("www-authenticate")).toBe(isBasic ? 'Basic realm="zulip"' : null);
  }
});

test("rejects a deleted key at once", async () => {
  const { realm, keys } = smallRealm();
  const { request } = await counterOf({ realm });
  expect((await request("GET /whoami", requestAs("Mona"))).status).toBe(200);
  keys.splice(2, 1);
  expect((await request("GET /whoami", requestAs("Mona"))).body.msg).toBe("Invalid API key");
});

test("records the use of a key once an hour", async () => {
  let now = NOW;
  const { realm, puts } = smallRealm({ now: () => now });
  const { request } = await counterOf({ realm });
  await request("GET /whoami", requestAs("Mona"));
  expect(puts).toEqual([]);
  now += 3_600_000;
  await request("GET /whoami", requestAs("Mona"));
  await request("GET /whoami", requestAs("Mona"));
  expect(puts.map(({ key_id, last_used }) => [key_id, last_used])).toEqual([[3, now / 1000]]);
});

test("a public route admits anyone, and other routes reject wrong credentials", async () => {
  const { request } = await counterOf();
  expect((await request("GET /anyone")).body.id).toBeNull();
  expect((await request("GET /anyone", requestAs("Mona"))).body.id).toBe(3);
  expect((await request("GET /anyone", requestAs("Mona", "z".repeat(32)))).body.id).toBeNull();
  expect((await request("GET /spectators")).body.id).toBeNull();
  expect((await request("GET /spectators", requestAs("Mona"))).body.id).toBe(3);
  expect((await request("GET /spectators", requestAs("Mona", "z".repeat(32)))).status).toBe(401);
  const { status, body } = await request("GET /spectators?secret=true");
  expect([status, body]).toEqual(payloadOf(spectatorsNotAllowed()));
  expect([status, body.code]).toEqual([401, "UNAUTHENTICATED_USER"]);
});

test("each gate rejects callers before it reads parameters", async () => {
  const { request } = await counterOf();
  const bots = botsNotAllowed();
  const guests = guestsNotAllowed();
  const admins = mustBeAdministrator();
  const owners = mustBeOwner();
  const passed = missingParameter("n").withField("n");
  expect([bots, guests, admins, owners].map(({ errCode, message }) => [errCode, message])).toEqual([
    ["BAD_REQUEST", "This endpoint does not accept bot requests."],
    ["BAD_REQUEST", "Not allowed for guest users"],
    ["UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator"],
    ["UNAUTHORIZED_PRINCIPAL", "Must be an organization owner"],
  ]);
  const names = ["Olga", "Adam", "Mona", "Gus", "Bot", "GuestBot", "AdminBot"];
  const table: Record<string, Refusal[]> = {
    people: [passed, passed, passed, passed, bots, bots, bots],
    "no-guests": [passed, passed, passed, guests, passed, guests, passed],
    "member-people": [passed, passed, passed, guests, bots, guests, bots],
    administrators: [passed, passed, admins, admins, admins, admins, passed],
    owners: [passed, owners, owners, owners, owners, owners, owners],
  };
  for (const [gate, expected] of Object.entries(table)) {
    for (const [index, name] of names.entries()) {
      const { status, body } = await request(`GET /${gate}`, requestAs(name));
      const refusal = expected[index] ?? passed;
      expect([gate, name, status, body]).toEqual([gate, name, ...payloadOf(refusal)]);
    }
  }
});

test("an incoming webhook bot can only send", async () => {
  const { request } = await counterOf();
  expect((await request("POST /messages", requestAs("Hook"))).body.id).toBe(6);
  for (const path of ["whoami", "people", "owners"]) {
    expect((await request(`GET /${path}`, requestAs("Hook"))).status).toBe(401);
  }
});

test("counts a user's requests, and rejects excess until the window ends", async () => {
  let now = NOW + 250;
  const { realm } = smallRealm({ now: () => now });
  const { request } = await counterOf({ realm, rate_limits: true });
  const first = await request("GET /whoami", requestAs("Mona"));
  const limits = ({ headers }: typeof first) =>
    ["Limit", "Remaining", "Reset"].map((name) => headers.get(`X-RateLimit-${name}`));
  const reset = String(NOW / 1000 + 61);
  expect(limits(first)).toEqual(["200", "199", reset]);
  for (let call = 2; call <= 200; call++) await request("GET /owners", requestAs("Mona"));
  now += 12_500;
  const over = await request("GET /whoami", requestAs("Mona"));
  expect([over.status, over.body]).toEqual(payloadOf(rateLimitHit(47.5)));
  expect(over.body).toMatchObject({ msg: "API usage exceeded rate limit", "retry-after": 47.5 });
  expect([over.status, over.body.code]).toEqual([429, "RATE_LIMIT_HIT"]);
  expect(over.headers.get("retry-after")).toBe("48");
  expect(limits(over)).toEqual(["200", "0", reset]);
  expect((await request("GET /whoami", requestAs("Adam"))).status).toBe(200);
  expect(limits(await request("GET root:/page", requestAs("Mona")))).toEqual([
    "300",
    "299",
    expect.anything(),
  ]);
  now += 47_500;
  expect(limits(await request("GET /whoami", requestAs("Mona")))[1]).toBe("199");
});

test("counts unauthenticated requests by address, including failures", async () => {
  const { request } = await counterOf({ rate_limits: true });
  const requestFrom = (address: string, headers = {}) => ({
    headers: { ...headers, "X-Forwarded-For": address },
  });
  const wrong = credentials("Mona", "z".repeat(32));
  for (let call = 0; call < 50; call++) {
    expect((await request("GET /anyone", requestFrom("2001:db8::1"))).status).toBe(200);
    expect((await request("GET /whoami", requestFrom("2001:db8:0:0:9::", wrong))).status).toBe(401);
  }
  expect((await request("GET /anyone", requestFrom("2001:db8::2"))).status).toBe(429);
  expect((await request("GET /whoami", requestFrom("2001:db8::2", wrong))).status).toBe(429);
  expect((await request("GET /anyone", requestFrom("2001:db8:1::2"))).status).toBe(200);
  expect(
    (await request("GET /whoami", requestFrom("2001:db8::2", credentials("Mona")))).status,
  ).toBe(200);
});

test("limits can be disabled", async () => {
  const { request } = await counterOf();
  const { headers } = await request("GET /whoami", requestAs("Mona"));
  expect(headers.get("x-ratelimit-limit")).toBeNull();
});
