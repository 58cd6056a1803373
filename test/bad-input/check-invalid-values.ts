// Checks that invalid values in any parameter, from any user, are rejected and change nothing.
import { afterAll, expect, test } from "bun:test";
import { routes } from "../../src/contract/routes.ts";
import type { Route } from "../../src/server/routing.ts";
import { type Encoded, faultOf, send } from "./request.ts";
import { isSame, StoreReader } from "./store-digest.ts";
import { ENCODED, LONG_LENGTH, LONG_IN_ADDRESS, VALUES } from "./values.ts";
import { otherParameters, openWorld, type RequestFixture } from "./fixture.ts";
import type { Name } from "../users.ts";
import { countOf } from "../repetitions.ts";
import { SEED } from "../random.ts";

const LISTED_FAULTS_MAX = 20;

/**
 * All kinds of callers. Endpoints that hash a password per request are called without a session
 * only.
 */
const ALL_REQUESTERS: readonly (Name | null)[] = [null, "gus", "bot", "bo", "olga"];
const requestersOf = ({ path }: Route) => (path === "/fetch_api_key" ? [null] : ALL_REQUESTERS);

/** Routes that share an endpoint are tested once. */
const distinct = [...new Map(routes.map((route) => [route.endpoint, route])).values()];

/**
 * Defines a test for each route with some methods; each kind has a file so that they run in
 * parallel.
 */
export function testInvalidValues(selectsMethod: (method: Route["method"]) => boolean): void {
  const its = distinct.filter(({ method }) => selectsMethod(method));
  // Requests that only read can share one test server.
  const isRequested = its.every(({ method }) => method === "GET");
  let shared: RequestFixture | undefined;
  afterAll(() => shared?.testServer.close());
  test.each(its.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s takes nonsense",
    async (_, route) => {
      const fixture = shared ?? (await openWorld());
      if (isRequested) shared = fixture;
      try {
        expect(await faultsOf(fixture, route)).toEqual([]);
      } finally {
        if (!isRequested) await fixture.testServer.close();
      }
    },
  );
}

async function faultsOf(fixture: RequestFixture, route: Route): Promise<string[]> {
  const { testServer } = fixture;
  const store = new StoreReader(testServer);
  const faults: string[] = [];
  const requesters = requestersOf(route);
  // Records the use of each key before digests are compared.
  for (const requester of requesters) await testServer.send(requester, "GET /users/me");
  let round = 0;
  // The data must not change until a request succeeds.
  let digest = await store.digestNow();
  for (const { pairs, sendsAll } of invalidRequestsFor(fixture, route)) {
    round = (round + 1) % requesters.length;
    for (const requester of sendsAll ? requesters : [requesters[round]!]) {
      const before = digest;
      const response = await send(testServer, requester, route, pairs);
      const fault = await faultOf(response, route);
      digest = await store.digestNow();
      const isStored = response.ok || isSame(before, digest);
      const received = fault ?? (isStored ? undefined : "refused, and yet something changed");
      if (received === undefined || faults.length === LISTED_FAULTS_MAX) continue;
      faults.push(`${requester} ${JSON.stringify(pairs).slice(0, 300)}: ${received}`);
    }
  }
  const alive = await testServer.send(null, "GET /server_settings");
  if (alive.status !== 200) faults.push("the server does not answer any more");
  return faults;
}

interface InvalidRequest {
  readonly pairs: Encoded;
  /** If false, users take turns, and the first parameter of each type stands for the others. */
  readonly sendsAll: boolean;
}

/** Returns a sample of the values, chosen by the seed and the place. */
function sampleOf(values: readonly string[], path: string): string[] {
  const rank = (value: string) => Bun.hash.xxHash32(path + value, SEED);
  return values.toSorted((a, b) => rank(a) - rank(b)).slice(0, countOf("nonsense"));
}

/**
 * Omits and doubles each parameter, and tries some invalid values and encodings, chosen by the
 * seed.
 */
function* invalidRequestsFor(fixture: RequestFixture, route: Route): Generator<InvalidRequest> {
  const input = otherParameters(route, fixture.validValues);
  const values = [...VALUES, "x".repeat(route.method === "GET" ? LONG_IN_ADDRESS : LONG_LENGTH)];
  const all = [...ENCODED, ...values.map(encodeURIComponent)];
  const parameters = Object.entries(route.endpoint.params).map(([name, { form }]) => ({
    name,
    form,
  }));
  const forms = new Set<unknown>();
  for (const { name, form } of [
    ...parameters,
    { name: "unknown", form: 0 },
    { name: "client", form: 0 },
  ]) {
    const sendsAll = form !== 0 && !forms.has(form);
    forms.add(form);
    const others = Object.entries(input)
      .filter(([other]) => other !== name)
      .map(([other, value]) => [other, encodeURIComponent(value)] as const);
    const requestWith = (...pairs: [string, string][]) => ({
      pairs: [...others, ...pairs],
      sendsAll,
    });
    const chosen = sampleOf(all, `${route.method} ${route.path} ${name}`);
    if (form === 0) {
      for (const value of chosen.filter((item) => ENCODED.includes(item)))
        yield requestWith([name, value]);
      continue;
    }
    const segment = encodeURIComponent(input[name] ?? "1");
    const inPath = new RegExp(`[{]${name}[*]?[}]`).test(route.path);
    if (!inPath)
      yield* [
        requestWith(),
        requestWith([name, segment], [name, "%5B%5D"]),
        requestWith([`${name}[]`, segment]),
      ];
    for (const value of chosen) {
      if (!inPath || value.length <= LONG_IN_ADDRESS) yield requestWith([name, value]);
    }
  }
}
