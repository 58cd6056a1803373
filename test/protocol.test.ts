// Every response, error and event matches the protocol: all fields, and no unknown one.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { routes } from "../src/contract/routes.ts";
import type { Route } from "../src/server/routing.ts";
import { faultsOfAnswer } from "./protocol/check-responses.ts";
import { requestRoute, rollBackWrites } from "./roles/requests.ts";
import { openWorld, type RolesFixture } from "./roles/fixture.ts";

const rowOf = ({ method, path }: Route) => `${method} ${path}`;
const API = routes.filter(({ path }) => !path.startsWith("root:"));

/** Routes that do not return JSON, or are not set up. */
const UNSENT_TYPES = [
  ...["GET /openapi.json", "POST /tus/", "GET /tus/{path_id*}", "PATCH /tus/{path_id*}"],
  ...["DELETE /tus/{path_id*}", "GET /realm/icon", "GET /realm/logo", "GET /messages/summary"],
  ...["POST /jwt/fetch_api_key", "POST /dev_fetch_api_key", "GET /dev_list_users"],
  ...["GET /calls/bigbluebutton/create", "POST /calls/zoom/create", "POST /calls/webex/create"],
  ...["POST /calls/constructorgroups/create", "POST /calls/nextcloud_talk/create"],
];

let world: RolesFixture;
beforeAll(async () => {
  world = await openWorld();
  rollBackWrites(world);
});
afterAll(() => world?.testServer.close());

test("every route of the API has a documented response", () => {
  const silent = API.filter(({ endpoint }) => endpoint.answer === undefined).map(rowOf);
  expect(silent.sort()).toEqual([...UNSENT_TYPES].sort());
});

test.each(["owner", "bot", "guest", "nobody"])("errors of %s at every route", async (requester) => {
  const faults: string[] = [];
  for (const route of API) {
    const { body } = await requestRoute(world, requester, route);
    if (UNSENT_TYPES.includes(rowOf(route)) && body?.["result"] !== "error") continue;
    if (body !== undefined) faults.push(...faultsOfAnswer(route.method, route.path, body));
  }
  expect(faults).toEqual([]);
});

test("requires a queue id and an event id for polls", async () => {
  const { testServer } = world;
  const params = { queue_id: "x", last_event_id: -1 };
  for (const name of ["queue_id", "last_event_id"]) {
    const refusal = await testServer.refused("bo", "GET /events", { ...params, [name]: undefined });
    expect(refusal).toMatchObject({ code: "BAD_REQUEST", msg: `Missing '${name}' argument` });
  }
});
