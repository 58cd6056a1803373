// Hidden and nonexistent objects give the same response, for every id and name in a request.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { routes } from "../src/contract/routes.ts";
import type { Route } from "../src/server/routing.ts";
import * as mentions from "./bad-input/parameter-references.ts";
import {
  REQUESTERS,
  openSecretServer,
  type HiddenAndAbsent,
  type SecretServer,
} from "./bad-input/hidden-objects.ts";
import { validValuesFor } from "./bad-input/fixture.ts";
import type { Name } from "./users.ts";

let secret: SecretServer;
beforeAll(async () => {
  secret = await openSecretServer();
});
afterAll(() => secret?.testServer.close());

test.each([...REQUESTERS])(
  "%s cannot distinguish hidden from missing objects",
  async (requester) => {
    const { channel, channelName, messages, queue, ...more } = secret.secretsOf[requester];
    const received: string[] = [];
    const compare = async (
      places: readonly mentions.Mention[],
      pair?: HiddenAndAbsent<unknown>,
    ) => {
      for (const location of pair === undefined ? [] : places) {
        const hiddenAnswer = await answerTo(requester, location, pair!.hidden);
        const absent = await answerTo(requester, location, pair!.absent);
        const { row, parameter } = location;
        if (hiddenAnswer !== absent)
          received.push(`${row} ${parameter}: ${hiddenAnswer} | ${absent}`);
      }
    };
    await compare(mentions.CHANNEL_IDS, channel);
    await compare(mentions.CHANNEL_NAMES, channelName);
    for (const pair of messages) await compare(mentions.MESSAGES, pair);
    await compare(mentions.QUEUES, queue);
    await compare(mentions.PEOPLE, more.person);
    await compare(mentions.ADDRESSES, more.email);
    for (const [placeholder, pairs] of Object.entries(more.inPaths)) {
      for (const pair of pairs)
        await compare(mentions.pathReferences(placeholder, validValues()), pair);
    }
    expect(received).toEqual([]);
  },
);

function validValues() {
  const { testServer, stream_id, message_id } = secret;
  return validValuesFor(stream_id, message_id, testServer.idOf("bot"), "x");
}

/** Returns the response as text, without the ids and names of the request. */
async function answerTo(
  requester: Name,
  { row, parameter, params }: mentions.Mention,
  value: unknown,
) {
  const [method = "", path = ""] = row.split(" ");
  const input = params?.(value) ?? { [parameter]: value };
  const known: Record<string, unknown> = { ...validValues(), [parameter]: value };
  const filled = path.replaceAll(/\{(\w+)\*?\}/g, (_, hole) =>
    encodeURIComponent(`${known[hole]}`),
  );
  const response = await secret.testServer.send(requester, `${method} ${filled}`, input);
  return `${response.status} ${(await response.text()).replaceAll(`${value}`, "<it>")}`;
}

test("hidden objects exist for users who can see them", async () => {
  const { channel, messages, inPaths } = secret.secretsOf.cy;
  const { testServer } = secret;
  await testServer.request("ada", `GET /streams/${channel!.hidden}`);
  for (const { hidden } of messages) await testServer.request("ada", `GET /messages/${hidden}`);
  await testServer.request("cy", `GET /users/${secret.secretsOf.gus.person!.hidden}`);
  await testServer.request("ada", `DELETE /drafts/${inPaths["draft_id"]![0]!.hidden}`);
  await testServer.request(
    "ada",
    `DELETE /saved_snippets/${inPaths["saved_snippet_id"]![0]!.hidden}`,
  );
  const { scheduled_message_id, reminder_id } = inPaths;
  await testServer.request("ada", `DELETE /scheduled_messages/${scheduled_message_id![0]!.hidden}`);
  await testServer.request("ada", `DELETE /reminders/${reminder_id![0]!.hidden}`);
});

test("covers each parameter that may name a user", () => {
  const requested = new Set(
    [...mentions.PEOPLE, ...mentions.ADDRESSES].map(({ row, parameter }) => `${row} ${parameter}`),
  );
  const isOfPerson = (name: string) => mentions.USER_PARAMETERS.has(name);
  const paths = routes
    .filter(({ gate, path }) => !path.startsWith("root:") && isOpenToGuests(gate))
    .flatMap(({ method, path, endpoint }) =>
      Object.keys(endpoint.params)
        .filter((name) => isOfPerson(name) && !path.includes(`{${name}}`))
        .map((name) => `${method} ${path} ${name}`),
    );
  const absent = paths.filter(
    (path) => !requested.has(path) && !mentions.OTHER_PARAMETERS.has(path),
  );
  expect(absent).toEqual([]);
});

function isOpenToGuests(gate: Route["gate"]): boolean {
  const gus = secret.testServer.realm.read.users.get(secret.testServer.idOf("gus"))!;
  try {
    gate.check?.(gus);
    return true;
  } catch {
    return false;
  }
}

test("covers each path parameter", () => {
  const paths = routes.map(({ path }) => path).filter((path) => !path.startsWith("root:"));
  const holes = paths.flatMap((path) =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, placeholder]) => placeholder),
  );
  const { inPaths } = secret.secretsOf.gus;
  expect([...new Set(holes)].filter((placeholder) => !(placeholder! in inPaths))).toEqual([]);
});
