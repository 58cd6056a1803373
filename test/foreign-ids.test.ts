// What an asker may not see answers just as what does not exist, wherever an id or name goes in.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { routes } from "../src/routes.ts";
import * as mentions from "./bad-input/mentions-of.ts";
import { ASKERS, openSecretTown, type Pair, type SecretTown } from "./bad-input/secrets.ts";
import { sensibleWith } from "./bad-input/world.ts";
import type { Name } from "./cast.ts";

let secret: SecretTown;
beforeAll(async () => {
  secret = await openSecretTown();
});
afterAll(() => secret?.town.close());

test.each([...ASKERS])("%s cannot tell what is hidden from what is not there", async (asker) => {
  const { channel, channelName, messages, queue, ...more } = secret.secretsOf[asker];
  const told: string[] = [];
  const compare = async (places: readonly mentions.Mention[], pair?: Pair<unknown>) => {
    for (const place of pair === undefined ? [] : places) {
      const hidden = await answerTo(asker, place, pair!.hidden);
      const absent = await answerTo(asker, place, pair!.absent);
      const { row, parameter } = place;
      if (hidden !== absent) told.push(`${row} ${parameter}: ${hidden} | ${absent}`);
    }
  };
  await compare(mentions.CHANNEL_IDS, channel);
  await compare(mentions.CHANNEL_NAMES, channelName);
  for (const pair of messages) await compare(mentions.MESSAGES, pair);
  await compare(mentions.QUEUES, queue);
  await compare(mentions.PEOPLE, more.person);
  await compare(mentions.ADDRESSES, more.email);
  for (const [hole, pairs] of Object.entries(more.inPaths)) {
    for (const pair of pairs) await compare(mentions.inPaths(hole, sensible()), pair);
  }
  expect(told).toEqual([]);
});

function sensible() {
  const { town, stream_id, message_id } = secret;
  return sensibleWith(stream_id, message_id, town.idOf("bot"), "x");
}

/** The answer as text, with what was asked about taken out. */
async function answerTo(asker: Name, { row, parameter, params }: mentions.Mention, it: unknown) {
  const [method = "", path = ""] = row.split(" ");
  const given = params?.(it) ?? { [parameter]: it };
  const known: Record<string, unknown> = { ...sensible(), [parameter]: it };
  const filled = path.replaceAll(/\{(\w+)\*?\}/g, (_, hole) =>
    encodeURIComponent(`${known[hole]}`),
  );
  const response = await secret.town.send(asker, `${method} ${filled}`, given);
  const text = (await response.text()).replaceAll(`${it}`, "<it>");
  // The protocol's one exception: a guest is told that a person is there, and hidden.
  return `${response.status} ${text.replace("Insufficient permission", "No such user")}`;
}

test("what is asked about in this way is there for those who may see it", async () => {
  const { channel, messages, inPaths } = secret.secretsOf.cy;
  const { town } = secret;
  await town.ask("ada", `GET /streams/${channel!.hidden}`);
  for (const { hidden } of messages) await town.ask("ada", `GET /messages/${hidden}`);
  await town.ask("cy", `GET /users/${secret.secretsOf.gus.person!.hidden}`);
  await town.ask("ada", `DELETE /drafts/${inPaths["draft_id"]![0]!.hidden}`);
  await town.ask("ada", `DELETE /saved_snippets/${inPaths["saved_snippet_id"]![0]!.hidden}`);
  const { scheduled_message_id, reminder_id } = inPaths;
  await town.ask("ada", `DELETE /scheduled_messages/${scheduled_message_id![0]!.hidden}`);
  await town.ask("ada", `DELETE /reminders/${reminder_id![0]!.hidden}`);
});

test("each hole of a path is asked about", () => {
  const paths = routes.map(({ path }) => path).filter((path) => !path.startsWith("root:"));
  const holes = paths.flatMap((path) => [...path.matchAll(/\{(\w+)\}/g)].map(([, hole]) => hole));
  const { inPaths } = secret.secretsOf.gus;
  expect([...new Set(holes)].filter((hole) => !(hole! in inPaths))).toEqual([]);
});
