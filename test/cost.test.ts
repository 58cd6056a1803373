// Processing time grows linearly with text length: tries difficult and longer texts everywhere.
import { expect, test } from "bun:test";
import { Requester } from "./cost/request-runner.ts";
import { GROWTH_MAX, growthOf } from "./cost/growth.ts";
import { type ParameterLocation, LOCATIONS } from "./cost/requests.ts";
import { type TextPattern, SHAPES } from "./cost/shapes.ts";
import { countOf } from "./repetitions.ts";
import { SEED } from "./random.ts";

/** Requests that had higher costs in the past. */
const ALWAYS = [
  "GET //livez Authorization: Basic a",
  "GET /messages narrow as JSON 0",
  "POST /messages content",
  "POST /messages/render content",
  "POST /users full_name",
  "POST /channels/create description",
  "POST /users/me/push_subscriptions p256dh",
  "POST /external/slack_incoming",
];

type Case = readonly [place: ParameterLocation, shape: TextPattern];

const isAlways = ([{ name }]: Case) => ALWAYS.some((item) => name.startsWith(item));

test("four times the text takes at most six times the work", async () => {
  const all = LOCATIONS.flatMap((location) => SHAPES.map((schema): Case => [location, schema]));
  const chosen = shuffled(all).slice(0, countOf("costs"));
  const faults = await faultsOf([...new Set([...all.filter(isAlways), ...chosen])]);
  expect({ SEED, faults }).toEqual({ SEED, faults: [] });
});

async function faultsOf(cases: readonly Case[]): Promise<string[]> {
  const faults: string[] = [];
  const requester = new Requester();
  for (const [location, [name, make]] of cases) {
    await requester.nextTick();
    const growth = await growthOf(
      (length) => requester.ask(location, make(length)),
      location.length,
    );
    if (growth > GROWTH_MAX) faults.push(`${location.name}, ${name}: ${growth.toFixed(1)} times`);
  }
  await requester.close();
  return faults;
}

/** Returns the items in an order that depends on the seed. */
function shuffled<T>(items: readonly T[]): T[] {
  const positions = items.map(
    (item, index) => [Bun.hash.wyhash(`${index}`, BigInt(SEED)), item] as const,
  );
  return positions.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}
