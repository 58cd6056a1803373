// Mentions by name, group or all: whom they notify, and who finds the message.
import { CAST, type Name } from "../users.ts";
import type { Json } from "../test-server.ts";
import { difference } from "./difference.ts";
import { type Simulation, PEOPLE } from "./simulation.ts";
import { isActive, isInGroup, canRead, canSeePerson } from "./visibility.ts";
import type { Call, Mark, ModelMessage, Model } from "./model.ts";

const NO_MENTION: Call = { name: undefined, group: undefined, all: false };

/** Mentions only bots that are in the conversation, since a mention would send it to other bots. */
export function call(sim: Simulation, name: Name, audience: readonly Name[]): Call {
  const { model } = sim;
  const isCallable = (userName: Name) => userName !== "bot" || audience.includes("bot");
  const people = PEOPLE.filter(
    (userName) =>
      isActive(model, userName) && canSeePerson(model, name, userName) && isCallable(userName),
  );
  const kind = sim.roll(8);
  if (kind < 2) return { ...NO_MENTION, name: sim.pick(people) };
  if (kind === 2) return { ...NO_MENTION, group: sim.pick([...model.groups.keys()]) };
  return kind === 3 ? { ...NO_MENTION, all: true } : NO_MENTION;
}

export function textOf({ name, group, all }: Call): string {
  if (name !== undefined) return ` @**${CAST[name].full_name}**`;
  if (group !== undefined) return ` @*${group}*`;
  return all ? " @**all**" : "";
}

/** Flags of a message for a user who receives it or already has it when it mentions them. */
export function marksFor(model: Model, userName: Name, { name, group, all }: Call): Mark[] {
  const matches = name === userName || (group !== undefined && isInGroup(model, userName, group));
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
export async function compareMentions(sim: Simulation, userName: Name): Promise<string[]> {
  const { testServer, model } = sim;
  const other = sim.pick(PEOPLE.filter((name) => canSeePerson(model, userName, name)));
  const all = [...model.messages.values()].filter((message) => canRead(model, userName, message));
  const own = all.filter(({ rows }) => rows.has(userName));
  const searchIds = async (operator: string, operand: unknown) => {
    const narrow = [{ operator, operand }];
    const params = { anchor: "newest", num_before: 1000, num_after: 0, narrow };
    const { messages } = await testServer.request(userName, "GET /messages", params);
    const ownMessages = messages.filter(({ sender_id }: Json) => sim.names.has(sender_id));
    return ownMessages.map(({ id }: Json) => id);
  };
  const ids = (items: ModelMessage[]) => items.map(({ id }) => id);
  return [
    ...difference(
      "narrow is:mentioned",
      await searchIds("is", "mentioned"),
      ids(own.filter((message) => isMarked(userName, message))),
    ),
    ...difference(
      `narrow mentions:${other}`,
      await searchIds("mentions", testServer.idOf(other)),
      ids(own.filter(({ call: { name } }) => name === other)),
    ),
  ];
}

/** Returns the ids of those unread messages that mention the user. */
export const unreadMentions = (name: Name, unread: readonly ModelMessage[]): number[] =>
  unread.filter((message) => isMarked(name, message)).map(({ id }) => id);
