// Imports users' flags of the messages in one file as id sets.
import type { Reader, Writer } from "../../../realm.ts";
import { type Chunk, chunkOf, offsetOf, setRange } from "../../../store/bitmap/bitmap.ts";
import { decodeChunk, encodeChunk } from "../../../store/bitmap/encodings.ts";
import { isInIntervals } from "../../messages/access.ts";
import {
  FLAG_COLLAPSED,
  FLAG_FROZEN_MENTION,
  FLAG_HAS_ALERT_WORD,
  FLAG_HISTORICAL,
  FLAG_UNREAD_HERE,
  FLAG_EDITED_LATER,
  FLAG_STARRED,
  FLAG_TOPIC_WILDCARD,
} from "../../messages/rules.ts";
import { isInGroup } from "../../rights/access.ts";
import type { Item } from "../write-row.ts";
import { int, type ZulipRow } from "./read/rows.ts";
import { FLAGS_STEP } from "./steps.ts";

const READ = 1;
const MENTIONED = 8 | 64;
const BITS: readonly (readonly [bit: number, flag: number])[] = [
  [2, FLAG_STARRED],
  [4, FLAG_COLLAPSED],
  [32, FLAG_TOPIC_WILDCARD],
  [512, FLAG_HAS_ALERT_WORD],
];
const HISTORICAL = 1024;
const SETS_AT_ONCE = 200;
/** Upper limit of flag numbers. */
const FLAGS = 64;

export class ZulipFlags {
  /** Message ids by user and flag. */
  private readonly sets = new Map<number, number[]>();
  private readonly channelOf = new Map<number, number>();
  private readonly moved = new Set<number>();

  constructor(
    private readonly reader: Reader,
    private readonly file: string,
  ) {}

  /** Records a message: its channel or 0, and whether it was moved from another channel. */
  know(message_id: number, stream_id: number, isMoved: boolean): void {
    this.channelOf.set(message_id, stream_id);
    if (isMoved) this.moved.add(message_id);
  }

  /** Records a row of zerver_usermessage. Messages without a row count as read. */
  take(row: ZulipRow): void {
    const [user_id, message_id] = [int(row, "user_profile") ?? 0, int(row, "message") ?? 0];
    const mask = int(row, "flags_mask") ?? int(row, "flags") ?? READ;
    const stream_id = this.channelOf.get(message_id);
    const user = this.reader.users.get(user_id);
    if (stream_id === undefined || !user) return;
    if ((mask & READ) === 0) this.add(user_id, FLAG_UNREAD_HERE, message_id);
    for (const [bit, flag] of BITS) if (mask & bit) this.add(user_id, flag, message_id);
    if (stream_id !== 0) {
      const sub = this.reader.subscriptions.get(user_id, stream_id);
      const isMoved = this.moved.has(message_id);
      const isReceived = sub !== undefined && isInIntervals(sub.intervals, message_id);
      if (isMoved || !isReceived || mask & HISTORICAL) {
        this.add(user_id, FLAG_HISTORICAL, message_id);
      }
      // The user received the message in its original channel and kept access.
      if (isMoved && (mask & HISTORICAL) === 0) this.add(user_id, FLAG_EDITED_LATER, message_id);
    }
    if ((mask & MENTIONED) === 0) return;
    const groups = this.reader.messages.get(message_id)?.mentioned_group_ids ?? [];
    if (groups.length === 0 || groups.some((id) => isInGroup(this.reader, user, id))) return;
    // The user has left the mentioned group since.
    this.add(user_id, FLAG_FROZEN_MENTION, message_id);
  }

  *items(): Iterable<Item> {
    const all = [...this.sets];
    for (let start = 0; start < all.length; start += SETS_AT_ONCE) {
      const batch = all.slice(start, start + SETS_AT_ONCE);
      yield {
        step: FLAGS_STEP,
        source_key: `${this.file} ${start}`,
        bytes: batch.reduce((sum, [, ids]) => sum + ids.length, 0),
        write(tx) {
          for (const [key, ids] of batch) write(tx, Math.floor(key / FLAGS), key % FLAGS, ids);
          return { table: "flags of messages", row_key: [], checksum: 0 };
        },
      };
    }
  }

  private add(user_id: number, flag: number, message_id: number): void {
    const key = user_id * FLAGS + flag;
    const ids = this.sets.get(key);
    if (ids) ids.push(message_id);
    else this.sets.set(key, [message_id]);
  }
}

function write(tx: Writer, user_id: number, flag: number, ids: readonly number[]): void {
  const key = [user_id, flag];
  const chunks = new Map<number, Chunk>();
  for (const id of ids) {
    const n = chunkOf(id);
    let chunk = chunks.get(n);
    if (!chunk) chunks.set(n, (chunk = decodeChunk(tx.flags.chunk(key, n)).slice()));
    setRange(chunk, offsetOf(id), offsetOf(id));
    if (flag === FLAG_HISTORICAL) tx.historical_holders.add([id], user_id);
  }
  for (const [n, chunk] of chunks) tx.flags.set(key, n, encodeChunk(chunk));
}
