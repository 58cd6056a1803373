// Clients that register for all public channels, or for the messages of a narrow.
import { emailOf, type Name } from "../users.ts";
import type { Listener, Params } from "../test-server.ts";
import { difference } from "./difference.ts";
import type { Game, ExpectedEvent } from "./game.ts";
import { channelOf, flagsOf, isGuest, isPrivate } from "./visibility.ts";
import type { ModelMessage } from "./model.ts";

interface Wide {
  who: Name;
  asks: Params;
  /** Whether the client can receive the message at all. */
  wants: (game: Game, message: ModelMessage) => boolean;
}

const narrow = (...terms: [string, string][]): Params => ({ narrow: terms });

/** Only users whose accounts the game never deactivates. */
const WIDE: readonly Wide[] = [
  { who: "mo", asks: { all_public_streams: true }, wants: () => true },
  { who: "bot", asks: { all_public_streams: true }, wants: () => true },
  { who: "bo", asks: narrow(["is", "dm"]), wants: (_, { channel }) => channel === undefined },
  { who: "mo", asks: narrow(["topic", "TEA"]), wants: (_, { topic }) => topic === "tea" },
  {
    who: "ada",
    asks: narrow(["sender", emailOf("bo")]),
    wants: (_, { sender }) => sender === "bo",
  },
  {
    who: "bot",
    asks: narrow(["channel", "Public 1"], ["is", "unread"]),
    wants: (game, message) =>
      channelOf(game.world, message)?.name === "public 1" && isNew("bot", message),
  },
  {
    who: "olga",
    asks: narrow(["is", "mentioned"]),
    wants: (_, { rows }) => rows.get("olga")?.marks.includes("mentioned") === true,
  },
  {
    who: "ada",
    asks: { ...narrow(["stream", "web 0"], ["topic", "jam"]), all_public_streams: true },
    wants: (game, message) =>
      channelOf(game.world, message)?.name === "web 0" && message.topic === "jam",
  },
];

/**
 * Whether the event lacks the read flag: false for the sender. Users without a row get no flags.
 */
const isNew = (name: Name, message: ModelMessage) =>
  !message.rows.has(name) || !flagsOf(name, message).includes("read");

export class WideClients {
  private readonly listeners: { wide: Wide; listener: Listener }[] = [];

  static async open(game: Game): Promise<WideClients> {
    const ears = new WideClients();
    for (const wide of WIDE) {
      const requests = { event_types: ["message"], idle_queue_timeout: 604_800, ...wide.asks };
      ears.listeners.push({ wide, listener: await game.testServer.listen(wide.who, requests) });
    }
    return ears;
  }

  async check(game: Game, payload: readonly ExpectedEvent[]): Promise<string[]> {
    const wrong: string[] = [];
    const sent = sentBy(payload).map((id) => game.world.said.get(id)!);
    for (const { wide, listener } of this.listeners) {
      const { who: name, asks: requests, wants } = wide;
      const events = await listener.all();
      const received = events.filter(({ message }) => game.names.has(message.sender_id));
      const expected = sent.filter((message) => hears(game, name, message) && wants(game, message));
      const [ids, others] = [
        received.map(({ message }) => message.id),
        expected.map(({ id }) => id),
      ];
      wrong.push(...difference(`${name}, listening with ${JSON.stringify(requests)}`, ids, others));
    }
    return wrong;
  }
}

function hears({ world }: Game, name: Name, message: ModelMessage): boolean {
  const channel = channelOf(world, message);
  const isOpen = channel !== undefined && !isPrivate(channel) && !isGuest(world, name);
  return isOpen || message.rows.has(name);
}

const sentBy = (received: readonly ExpectedEvent[]): number[] =>
  received.flatMap(({ event }) => event.match(/^message (\d+)$/)?.[1] ?? []).map(Number);
