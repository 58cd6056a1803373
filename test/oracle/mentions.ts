// Mentions by name, group or all: whom they notify, and who finds the message.
import { CAST, type Name } from "../users.ts";
import type { Json } from "../test-server.ts";
import { difference } from "./difference.ts";
import { type Game, PEOPLE } from "./game.ts";
import { isHere, isInGroup, canRead, seesPerson } from "./visibility.ts";
import type { Call, Mark, ModelMessage, World } from "./model.ts";

const NOBODY: Call = { name: undefined, group: undefined, all: false };

/** Mentions only bots that are in the conversation, since a mention would send it to other bots. */
export function call(game: Game, name: Name, there: readonly Name[]): Call {
  const { world } = game;
  const isCallable = (userName: Name) => userName !== "bot" || there.includes("bot");
  const people = PEOPLE.filter(
    (userName) =>
      isHere(world, userName) && seesPerson(world, name, userName) && isCallable(userName),
  );
  const kind = game.roll(8);
  if (kind < 2) return { ...NOBODY, name: game.pick(people) };
  if (kind === 2) return { ...NOBODY, group: game.pick([...world.groups.keys()]) };
  return kind === 3 ? { ...NOBODY, all: true } : NOBODY;
}

export function textOf({ name, group, all }: Call): string {
  if (name !== undefined) return ` @**${CAST[name].full_name}**`;
  if (group !== undefined) return ` @*${group}*`;
  return all ? " @**all**" : "";
}

/** Flags of a message for a user who receives it or already has it when it mentions them. */
export function marksFor(world: World, userName: Name, { name, group, all }: Call): Mark[] {
  const matches = name === userName || (group !== undefined && isInGroup(world, userName, group));
  return [
    ...(matches ? (["mentioned"] as const) : []),
    ...(all ? (["stream_wildcard_mentioned"] as const) : []),
  ];
}

const isMarked = (name: Name, { rows }: ModelMessage) => {
  const row = rows.get(name);
  return row !== undefined && row.marks.length > 0;
};

/** Compares the narrows that find a user's mentions, and the unread mentions. */
export async function mentions(game: Game, userName: Name): Promise<string[]> {
  const { testServer, world } = game;
  const other = game.pick(PEOPLE.filter((name) => seesPerson(world, userName, name)));
  const all = [...world.said.values()].filter((message) => canRead(world, userName, message));
  const own = all.filter(({ rows }) => rows.has(userName));
  const found = async (operator: string, operand: unknown) => {
    const narrow = [{ operator, operand }];
    const params = { anchor: "newest", num_before: 1000, num_after: 0, narrow };
    const { messages } = await testServer.request(userName, "GET /messages", params);
    const ours = messages.filter(({ sender_id }: Json) => game.names.has(sender_id));
    return ours.map(({ id }: Json) => id);
  };
  const ids = (some: ModelMessage[]) => some.map(({ id }) => id);
  return [
    ...difference(
      "narrow is:mentioned",
      await found("is", "mentioned"),
      ids(own.filter((message) => isMarked(userName, message))),
    ),
    ...difference(
      `narrow mentions:${other}`,
      await found("mentions", testServer.idOf(other)),
      ids(own.filter(({ call: { name } }) => name === other)),
    ),
  ];
}

/** Returns the ids of those unread messages that mention the user. */
export const unreadMentions = (name: Name, unread: readonly ModelMessage[]): number[] =>
  unread.filter((message) => isMarked(name, message)).map(({ id }) => id);
