// Checks that everything that rows refer to is in the export.
import type { Conversation, Message } from "../../../schema/records-messages.ts";
import type { Subscription, Topic, User } from "../../../schema/records.ts";
import {
  type Chunk,
  chunkOf,
  emptyChunk,
  offsetOf,
  setRange,
} from "../../../store/bitmap/bitmap.ts";
import { foldedAddress } from "../../../text/email-address.ts";
import type { Line } from "../json-lines.ts";
import { MovingRefused } from "../errors.ts";
import { type ExportedTable, fieldsOf } from "./shapes-rules.ts";

/** The sequence that gives a table its ids, and the field that has them. */
const IDS: Partial<Record<ExportedTable, [field: string, sequence: string]>> = {
  users: ["user_id", "users"],
  groups: ["id", "groups"],
  channels: ["stream_id", "channels"],
  topics: ["topic_id", "topics"],
  messages: ["id", "messages"],
  attachments: ["id", "attachments"],
};

export class References {
  private readonly ids = new Map<ExportedTable, SmallSet>();
  private readonly addresses = new Set<string>();
  private readonly owners: [user_id: number, location: string][] = [];
  private newest = 0;

  constructor(private readonly sequences: Readonly<Record<string, number>>) {}

  /** Must be called with every line in order. `checkRow` validates the lines themselves. */
  check(table: ExportedTable, { value, location }: Line): void {
    if (typeof value !== "object" || value === null) return;
    if (table === "realm" && this.has("realm", 1)) throw new MovingRefused("a duplicate", location);
    const [first] = fieldsOf(table);
    const [field, sequence] = IDS[table] ?? [first!.name];
    const id = (value as Record<string, unknown>)[field];
    if (typeof id === "number") {
      if (sequence && id > (this.sequences[sequence] ?? 0)) {
        const words = `${field} ${id} is above the sequence ${sequence} of format.json`;
        throw new MovingRefused(words, location);
      }
      this.setOf(table).add(id);
    }
    this.checkNames(table, value, location);
  }

  /** Must be called after all users, because the owner of a bot may follow the bot. */
  checkOwners(): void {
    for (const [user_id, location] of this.owners) this.require("users", user_id, location);
  }

  /** The table's name determines the record type; values of wrong types are reported as missing. */
  private checkNames(table: ExportedTable, value: object, location: string): void {
    const require = (other: ExportedTable, id: unknown) => this.require(other, id, location);
    if (table === "users") {
      this.checkAddress(value as User, location);
      const { bot_owner_id } = value as User;
      if (bot_owner_id !== null) this.owners.push([bot_owner_id, location]);
    }
    if (table === "topics") require("channels", (value as Topic).stream_id);
    if (table === "subscriptions") {
      require("users", (value as Subscription).user_id);
      require("channels", (value as Subscription).stream_id);
    }
    if (table === "conversations") {
      const { user_ids } = value as Conversation;
      for (const id of Array.isArray(user_ids) ? user_ids : [undefined]) require("users", id);
    }
    if (table !== "messages") return;
    const { id, sender_id, stream_id, topic_id, recipient_id } = value as Message;
    if (id <= this.newest)
      throw new MovingRefused("the ids of messages are not in ascending order", location);
    this.newest = id;
    require("users", sender_id);
    if (stream_id === 0) return require("conversations", recipient_id);
    require("channels", stream_id);
    require("topics", topic_id);
  }

  private checkAddress({ delivery_email: email }: User, location: string): void {
    if (typeof email !== "string") return;
    const folded = foldedAddress(email);
    if (this.addresses.has(folded)) {
      throw new MovingRefused(`the address ${email} is used by two accounts`, location);
    }
    this.addresses.add(folded);
  }

  private require(table: ExportedTable, id: unknown, location: string): void {
    if (this.has(table, id)) return;
    throw new MovingRefused(`${table} has no row ${JSON.stringify(id)}`, location);
  }

  private has(table: ExportedTable, id: unknown): boolean {
    return typeof id === "number" && this.setOf(table).has(id);
  }

  private setOf(table: ExportedTable): SmallSet {
    let set = this.ids.get(table);
    if (!set) this.ids.set(table, (set = new SmallSet()));
    return set;
  }
}

/** A set with a bit per id. The ids of an organization fit into memory. */
class SmallSet {
  private readonly chunks = new Map<number, Chunk>();

  add(id: number): void {
    let chunk = this.chunks.get(chunkOf(id));
    if (!chunk) this.chunks.set(chunkOf(id), (chunk = emptyChunk()));
    setRange(chunk, offsetOf(id), offsetOf(id));
  }

  has(id: number): boolean {
    const word = this.chunks.get(chunkOf(id))?.[offsetOf(id) >>> 5] ?? 0;
    return (word & (1 << (id & 31))) !== 0;
  }
}
