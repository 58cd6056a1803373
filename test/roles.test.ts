// Permissions of all endpoints for each kind of caller.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { noSession } from "../src/contract/errors/people.ts";
import { routes } from "../src/contract/routes.ts";
import type { Route } from "../src/server/routing.ts";
import { PAGES } from "./roles/pages.ts";
import { requestRoute, rejectAfterWrite, type ApiResponse } from "./roles/requests.ts";
import { BY_KEY, ROUTE_ACCESS } from "./roles/table.ts";
import { REQUESTERS, type AccessLevel, refusalFor } from "./roles/callers.ts";
import { openWorld, type RolesFixture } from "./roles/fixture.ts";

const TABLE = { ...ROUTE_ACCESS, ...PAGES };
const rowOf = ({ method, path }: Route) => `${method} ${path}`;

let fixture: RolesFixture;
beforeAll(async () => {
  fixture = await openWorld();
  rejectAfterWrite(fixture);
});
afterAll(() => fixture?.testServer.close());

test("every route is in the table, and no other", () => {
  expect(Object.keys(TABLE).sort()).toEqual(routes.map(rowOf).sort());
});

test.each([...REQUESTERS])("%s has access to the right routes only", async (requester) => {
  const faults: string[] = [];
  for (const route of routes) {
    const row = TABLE[rowOf(route)];
    if (row === undefined) continue;
    const [user, permitted = "all", otherwise] = row;
    const hasJsonRoute = !BY_KEY.has(rowOf(route));
    const refusal = refusalFor(requester, {
      gate: user,
      permitted,
      otherwise: otherwise?.(),
      hasJsonRoute,
    });
    const expected = refusal === undefined ? "let in" : `${refusal.status} ${refusal.message}`;
    const received = await requestRoute(fixture, requester, route);
    const isIncluded =
      received.status < 400 || (refusal === undefined && isPastGate(route, user, received));
    const response = isIncluded ? "let in" : `${received.status} ${received.msg}`;
    if (response !== expected) faults.push(`${rowOf(route)}: ${response}, and not ${expected}`);
  }
  expect(faults).toEqual([]);
});

/** The page behind a form or link may itself report an invalid token. */
function isPastGate({ path }: Route, gate: AccessLevel, { status, msg }: ApiResponse): boolean {
  const isPage = path.startsWith("root:/account") && msg === undefined;
  const isTwin = path.startsWith("root:/json/account/") && msg !== noSession().message;
  return status < 500 && (gate === "P" || isPage || isTwin);
}
