// A random history of an organization, together with a plain list of its messages.
import { createChannel } from "../../src/features/channels/manage/create.ts";
import { subscribe } from "../../src/features/channels/subscriptions/subscribe.ts";
import { unsubscribe } from "../../src/features/channels/subscriptions/unsubscribe.ts";
import { removeMessages } from "../../src/features/messages/delete/remove.ts";
import { updateFlags } from "../../src/features/messages/flags/flags.ts";
import { markAllRead, markTopicRead } from "../../src/features/messages/flags/mark-read.ts";
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { setTopicPolicy } from "../../src/features/topics/actions.ts";
import type { Writer } from "../../src/realm.ts";
import type { Channel, User } from "../../src/schema/records.ts";
import type { Name } from "../users.ts";
import type { TestServer } from "../test-server.ts";

/** A user's state of a message. */
interface Row {
  read: boolean;
  starred: boolean;
  mentioned: boolean;
  /** Whether the user is mentioned by name, not only with everyone. */
  mentionedByName: boolean;
  /** Whether the user received it after it was sent. */
  later: boolean;
}

export interface SentMessage {
  id: number;
  sender: Name;
  /** null: a direct message. */
  channel: string | null;
  topic: string;
  /** Users of a direct message. */
  people: Name[];
  timestamp: number;
  /** Whether everyone is mentioned. */
  everyone: boolean;
  rows: Map<Name, Row>;
}

export const CHANNELS = ["open", "public", "shared", "secret"] as const;
export const TOPICS = ["tea", "Milk", "✔ tea", "✔ cake", ""] as const;
export const PEOPLE: readonly Name[] = ["mo", "bo", "cy", "gus"];
const CHUNK_IDS = 4096;

/** Random numbers that are the same for the same seed. */
export function randomSource(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const newRow = (read: boolean): Row => ({
  read,
  starred: false,
  mentioned: false,
  mentionedByName: false,
  later: false,
});

export class RandomHistory {
  readonly sentMessages: SentMessage[] = [];
  private readonly subscribed = new Map<string, Set<Name>>();

  constructor(
    readonly testServer: TestServer,
    readonly rollDie: (sides: number) => number,
  ) {}

  pick<T>(from: readonly T[]): T {
    return from[this.rollDie(from.length)]!;
  }

  user(name: Name): User {
    return this.testServer.realm.read.users.get(this.testServer.idOf(name))!;
  }

  channel(name: string): Channel {
    return this.testServer.realm.read.channels.findBy("name", name)!;
  }

  isSubscribed(name: Name, channel: string): boolean {
    return this.subscribed.get(channel)!.has(name);
  }

  /** Whether the user can currently read the channel. */
  canRead(name: Name, channel: string): boolean {
    if (this.isSubscribed(name, channel)) return true;
    return name !== "gus" && (channel === "open" || channel === "public");
  }

  async setUp(): Promise<void> {
    await this.testServer.realm.write((tx) => {
      const olga = this.user("olga");
      for (const name of CHANNELS) {
        const invite_only = name === "shared" || name === "secret";
        const history_public_to_subscribers = name !== "secret";
        createChannel(tx, olga, { name, invite_only, history_public_to_subscribers });
        this.subscribed.set(name, new Set());
      }
    });
    for (const name of CHANNELS) for (const userName of PEOPLE) await this.join(userName, name);
    // The bot's welcome messages are not in the list.
    await this.testServer.realm.write((tx) => void tx.next("messages", CHUNK_IDS));
  }

  /** Performs some random actions, in one transaction each. */
  async runSteps(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) await this.step();
  }

  private async step(): Promise<void> {
    const name = this.pick(PEOPLE);
    const channel = this.pick(CHANNELS);
    const dieRoll = this.rollDie(100);
    if (dieRoll < 3) return this.join(name, channel);
    if (dieRoll < 6) return this.leave(name, channel);
    if (dieRoll < 12) return this.flag(name, "read", this.rollDie(3) === 0 ? "remove" : "add");
    if (dieRoll < 16) return this.flag(name, "starred", this.rollDie(4) === 0 ? "remove" : "add");
    if (dieRoll < 19) return this.setPolicy(name, channel);
    if (dieRoll < 21) return this.mute(name, channel);
    if (dieRoll === 21 && this.rollDie(2) === 0) return this.readAll(name);
    if (dieRoll === 22) return this.readTopic(name, channel);
    if (dieRoll < 24)
      await this.testServer.realm.write((tx) => void tx.next("messages", this.rollDie(3000)));
    if (dieRoll < 26) this.testServer.clock.passSeconds(3600);
    if (dieRoll < 29 && this.sentMessages.length > 0) return this.remove();
    if (dieRoll < 75 && this.isSubscribed(name, channel)) return this.sendToChannel(name, channel);
    return this.sendDirect(name);
  }

  private async sendToChannel(sender: Name, channel: string): Promise<void> {
    const mentionedUser = this.rollDie(4) === 0 ? this.pick(PEOPLE) : undefined;
    const all = this.rollDie(12) === 0;
    const content = [
      mentionedUser && `@**${this.user(mentionedUser).full_name}**`,
      all && "@**all**",
      "words",
    ]
      .filter(Boolean)
      .join(" ");
    const { stream_id } = this.channel(channel);
    const topic = this.pick(TOPICS);
    const rows = [...this.subscribed.get(channel)!].map((name): [Name, Row] => {
      const mentionedByName = name === mentionedUser;
      return [
        name,
        { ...newRow(name === sender), mentioned: mentionedByName || all, mentionedByName },
      ];
    });
    const conversation = { channel, topic, people: [], everyone: all, rows };
    await this.put(sender, { stream_id, topic }, content, conversation);
  }

  private async sendDirect(sender: Name): Promise<void> {
    const others = PEOPLE.filter((name) => name !== sender && this.rollDie(2) === 0);
    const people = [sender, ...others];
    const user_ids = people.map((name) => this.testServer.idOf(name));
    const rows = people.map((name): [Name, Row] => {
      return [name, newRow(name === sender)];
    });
    const conversation = { channel: null, topic: "", people, everyone: false, rows };
    await this.put(sender, { user_ids }, "words", conversation);
  }

  private async put(
    sender: Name,
    recipient: { stream_id: number; topic: string } | { user_ids: number[] },
    content: string,
    {
      rows,
      ...conversation
    }: Omit<SentMessage, "id" | "sender" | "timestamp" | "rows"> & { rows: [Name, Row][] },
  ): Promise<void> {
    const write = (tx: Writer) => {
      const options = { read_by_sender: true };
      return sendMessage(tx, this.user(sender), recipient, content, options);
    };
    const { id } = await this.testServer.realm.write(write);
    const { timestamp } = this.testServer.realm.read.messages.get(id)!;
    this.sentMessages.push({ id, sender, ...conversation, timestamp, rows: new Map(rows) });
  }

  private async remove(): Promise<void> {
    const [removed] = this.sentMessages.splice(this.rollDie(this.sentMessages.length), 1);
    await this.testServer.realm.write((tx) => {
      removeMessages(tx, [tx.messages.get(removed!.id)!], null);
    });
  }

  private async join(name: Name, channel: string): Promise<void> {
    const [user, location] = [this.user(name), this.channel(channel)];
    await this.testServer.realm.write((tx) => void subscribe(tx, null, [user], [location]));
    this.subscribed.get(channel)!.add(name);
  }

  private async leave(name: Name, channel: string): Promise<void> {
    const [user, location] = [this.user(name), this.channel(channel)];
    await this.testServer.realm.write((tx) => void unsubscribe(tx, null, [user], [location]));
    this.subscribed.get(channel)!.delete(name);
    for (const message of this.sentMessages) {
      const row = message.channel === channel ? message.rows.get(name) : undefined;
      if (row) row.read = true;
    }
  }

  /** Changes a flag of some messages that the user can read. */
  private async flag(name: Name, flag: "read" | "starred", op: "add" | "remove"): Promise<void> {
    const from = this.rollDie(Math.max(1, this.sentMessages.length));
    const few = this.sentMessages
      .slice(from, from + this.rollDie(60))
      .filter((message) => this.canReadMessage(name, message));
    const ids = few.map((message) => message.id);
    await this.testServer.realm.write((tx) => void updateFlags(tx, this.user(name), op, flag, ids));
    for (const message of few) this.flagOne(name, message, flag, op);
  }

  private flagOne(
    name: Name,
    message: SentMessage,
    flag: "read" | "starred",
    op: "add" | "remove",
  ): void {
    const { channel, rows } = message;
    let row = rows.get(name);
    const isUnsubscribed = channel !== null && !this.isSubscribed(name, channel);
    if (flag === "read" && op === "remove" && isUnsubscribed) return;
    const createsRow = (flag === "starred") === (op === "add");
    if (!row && createsRow) {
      row = { ...newRow(true), later: true };
      rows.set(name, row);
    }
    if (row) row[flag] = op === "add";
  }

  private async readAll(name: Name): Promise<void> {
    await this.testServer.realm.write((tx) => markAllRead(tx, this.user(name)));
    for (const { rows } of this.sentMessages) if (rows.has(name)) rows.get(name)!.read = true;
  }

  private async readTopic(name: Name, channel: string): Promise<void> {
    const inTopic = this.sentMessages.filter(
      (message) => message.channel === channel && this.isOwn(name, message),
    );
    if (inTopic.length === 0) return;
    const { topic } = this.pick(inTopic);
    const { stream_id } = this.channel(channel);
    await this.testServer.realm.write((tx) => markTopicRead(tx, this.user(name), stream_id, topic));
    for (const message of inTopic) if (message.topic === topic) message.rows.get(name)!.read = true;
  }

  private async setPolicy(name: Name, channel: string): Promise<void> {
    const [user, location, topic] = [this.user(name), this.channel(channel), this.pick(TOPICS)];
    const policy = this.rollDie(4);
    await this.testServer.realm.write((tx) => setTopicPolicy(tx, user, location, topic, policy));
  }

  private async mute(name: Name, channel: string): Promise<void> {
    const { stream_id } = this.channel(channel);
    await this.testServer.realm.write((tx) => {
      const sub = tx.subscriptions.get(this.testServer.idOf(name), stream_id);
      if (sub) tx.subscriptions.put({ ...sub, is_muted: !sub.is_muted });
    });
  }

  canReadMessage(name: Name, { channel, rows }: SentMessage): boolean {
    if (channel === null) return rows.has(name);
    return this.canRead(name, channel) && (channel !== "secret" || rows.has(name));
  }

  /** Whether the user has received the message and may still read it. */
  isOwn(name: Name, message: SentMessage): boolean {
    return message.rows.has(name) && this.canReadMessage(name, message);
  }

  isUnread(name: Name, { channel, rows }: SentMessage): boolean {
    if (channel !== null && !this.isSubscribed(name, channel)) return false;
    return rows.get(name)?.read === false;
  }

  isMuted(name: Name, { channel, topic }: SentMessage): boolean {
    if (channel === null) return false;
    const policy = this.policyOf(name, channel, topic);
    if (policy > 1) return false;
    const { stream_id } = this.channel(channel);
    const sub = this.testServer.realm.read.subscriptions.get(this.testServer.idOf(name), stream_id);
    return policy === 1 || sub?.is_muted === true;
  }

  policyOf(name: Name, channel: string, topic: string): number {
    const { read } = this.testServer.realm;
    const { stream_id } = this.channel(channel);
    const row = read.user_topics.get(this.testServer.idOf(name), stream_id, topic.toLowerCase());
    return row?.visibility_policy ?? 0;
  }
}
