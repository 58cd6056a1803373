// Names have a single line, so that they can be written to headers and lists.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { routes } from "../src/contract/routes.ts";
import { tables } from "../src/schema/schema.ts";
import type { Route } from "../src/server/routing.ts";
import { send } from "./bad-input/request.ts";
import { otherParameters, openWorld, type RequestFixture } from "./bad-input/fixture.ts";

let fixture: RequestFixture;
beforeAll(async () => {
  fixture = await openWorld();
});
afterAll(() => fixture.testServer.close());

const NAME = /(?:^|_)(?:name|title|topic)$/;
const LINE_BREAKS = ["\r\n", "\n", "\r"];

/** Returns the parameters of a route that are new names; names in the path already exist. */
const namesOf = ({ path, endpoint }: Route) =>
  Object.entries(endpoint.params)
    .filter(([name, { form }]) => form.as === "text" && NAME.test(name))
    .map(([name]) => name)
    .filter((name) => !path.includes(`{${name}}`));

const rows = routes.flatMap((route) => {
  // Every request can contain the client's name; one route tests it.
  const names = [...namesOf(route), ...(route.path === "/messages" ? ["client"] : [])];
  return names.map((name) => ({ route, name }));
});

test.each(rows.map((row) => [`${row.route.method} ${row.route.path} ${row.name}`, row] as const))(
  "%s keeps no line break",
  async (_, { route, name }) => {
    const { testServer, validValues } = fixture;
    const before = storedWithLineBreaks();
    for (const character of LINE_BREAKS) {
      const input = { ...otherParameters(route, validValues), [name]: `one${character}two` };
      const pairs = Object.entries(input).map(([key, value]) => {
        return [key, encodeURIComponent(value)] as const;
      });
      const response = await send(testServer, "olga", route, pairs);
      expect(response.status).toBeLessThan(500);
      // Pages do not accept API keys.
      if (!route.path.startsWith("root:")) expect(response.status).not.toBe(401);
    }
    const storedNames = storedWithLineBreaks();
    expect(storedNames.filter((row) => !before.includes(row))).toEqual([]);
  },
);

function storedWithLineBreaks(): string[] {
  const { read } = fixture.testServer.realm;
  return Object.keys(tables).flatMap((table) => {
    const retained = read[table as "users"];
    const texts = [...retained.range()].map((row) => JSON.stringify(row));
    return texts
      .filter((text) => /one(?:\\r|\\n)+two/.test(text))
      .map((text) => `${table} ${text}`);
  });
}

test("names are among the tested parameters", () => {
  const testedParameters = rows.map(({ route, name }) => `${route.method} ${route.path} ${name}`);
  expect(testedParameters).toContain("PATCH /realm name");
  expect(testedParameters).toContain("POST /saved_snippets title");
});
