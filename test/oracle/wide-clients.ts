// Clients that register for all public channels, or for the messages of a narrow.
import { emailOf, type Name } from "../users.ts";
import type { Listener, Params } from "../test-server.ts";
import { difference } from "./difference.ts";
import type { Simulation, ExpectedEvent } from "./simulation.ts";
import { channelOf, flagsOf, isGuest, isPrivate } from "./visibility.ts";
import type { ModelMessage } from "./model.ts";

interface WideClient {
  who: Name;
  asks: Params;
  /** Whether the client can receive the message at all. */
  matches: (sim: Simulation, message: ModelMessage) => boolean;
}

const narrow = (...terms: [string, string][]): Params => ({ narrow: terms });

/** Only users whose accounts the simulation never deactivates. */
const WIDE_CLIENTS: readonly WideClient[] = [
  { who: "mo", asks: { all_public_streams: true }, matches: () => true },
  { who: "bot", asks: { all_public_streams: true }, matches: () => true },
  { who: "bo", asks: narrow(["is", "dm"]), matches: (_, { channel }) => channel === undefined },
  { who: "mo", asks: narrow(["topic", "TEA"]), matches: (_, { topic }) => topic === "tea" },
  {
    who: "ada",
    asks: narrow(["sender", emailOf("bo")]),
    matches: (_, { sender }) => sender === "bo",
  },
  {
    who: "bot",
    asks: narrow(["channel", "Public 1"], ["is", "unread"]),
    matches: (sim, message) =>
      channelOf(sim.model, message)?.name === "public 1" && isNew("bot", message),
  },
  {
    who: "olga",
    asks: narrow(["is", "mentioned"]),
    matches: (_, { rows }) => rows.get("olga")?.marks.includes("mentioned") === true,
  },
  {
    who: "ada",
    asks: { ...narrow(["stream", "web 0"], ["topic", "jam"]), all_public_streams: true },
    matches: (sim, message) =>
      channelOf(sim.model, message)?.name === "web 0" && message.topic === "jam",
  },
];

/**
 * Whether the event lacks the read flag: false for the sender. Users without a row get no flags.
 */
const isNew = (name: Name, message: ModelMessage) =>
  !message.rows.has(name) || !flagsOf(name, message).includes("read");

export class WideClients {
  private readonly listeners: { wide: WideClient; listener: Listener }[] = [];

  static async open(sim: Simulation): Promise<WideClients> {
    const wideClients = new WideClients();
    for (const wide of WIDE_CLIENTS) {
      const requests = { event_types: ["message"], idle_queue_timeout: 604_800, ...wide.asks };
      wideClients.listeners.push({
        wide,
        listener: await sim.testServer.listen(wide.who, requests),
      });
    }
    return wideClients;
  }

  async check(sim: Simulation, payload: readonly ExpectedEvent[]): Promise<string[]> {
    const wrong: string[] = [];
    const messages = sentBy(payload).map((id) => sim.model.messages.get(id)!);
    for (const { wide, listener } of this.listeners) {
      const { who: name, asks: requests, matches: wants } = wide;
      const events = await listener.takeAll();
      const received = events.filter(({ message }) => sim.names.has(message.sender_id));
      const expected = messages.filter(
        (message) => isReceiver(sim, name, message) && wants(sim, message),
      );
      const [ids, others] = [
        received.map(({ message }) => message.id),
        expected.map(({ id }) => id),
      ];
      wrong.push(...difference(`${name}, listening with ${JSON.stringify(requests)}`, ids, others));
    }
    return wrong;
  }
}

function isReceiver({ model }: Simulation, name: Name, message: ModelMessage): boolean {
  const channel = channelOf(model, message);
  const isOpen = channel !== undefined && !isPrivate(channel) && !isGuest(model, name);
  return isOpen || message.rows.has(name);
}

const sentBy = (received: readonly ExpectedEvent[]): number[] =>
  received.flatMap(({ event }) => event.match(/^message (\d+)$/)?.[1] ?? []).map(Number);
