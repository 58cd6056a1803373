// Reactions, which an export stores separately from their messages.
import { EXTRA_EMOJI } from "../../../contract/names.ts";
import type { Reaction } from "../../../schema/records-messages.ts";
import { emojiCode, emojiName } from "../../../text/emoji.ts";
import { CUSTOM_EMOJI, storedSpelling, UNICODE_EMOJI } from "../../emoji/access.ts";
import { Spool } from "../archive/spool.ts";
import type { Reporting } from "../report.ts";
import { int, text, type ZulipRow } from "./read/rows.ts";
import type { ZulipExport } from "./read/source.ts";

const BUCKETS_MAX = 256;

type Line = [message_id: number, user_id: number, name: string, code: string, type: string];

interface KnownEmoji {
  /** The name of a custom emoji, by id. */
  emojiName(id: number): string | undefined;
  hasUser(id: number): boolean;
}

export class ZulipReactions {
  private readonly perBucket: number;
  private loaded = -1;
  private readonly byMessage = new Map<number, Reaction[]>();

  private constructor(
    private readonly spool: Spool,
    private readonly firstIds: readonly number[],
  ) {
    this.perBucket = Math.max(1, Math.ceil(firstIds.length / BUCKETS_MAX));
  }

  /** `firstIds`: the lowest message id of each file. */
  static async read(
    source: ZulipExport,
    firstIds: readonly number[],
    knownEmoji: KnownEmoji,
    reporting: Reporting,
  ): Promise<ZulipReactions> {
    const spool = await Spool.open("reactions");
    const reactions = new ZulipReactions(spool, firstIds);
    for await (const { row, location } of source.rows("zerver_reaction")) {
      const line = lineOf(row, knownEmoji);
      if (line) await spool.add(reactions.bucketOf(reactions.fileOf(line[0])), line);
      else reporting.lost("A reaction has an emoji or a user that is not in the export.", location);
    }
    return reactions;
  }

  /** Loads the reactions to the messages in a file. */
  async load(file: number): Promise<void> {
    const bucket = this.bucketOf(file);
    if (bucket === this.loaded) return;
    this.loaded = bucket;
    this.byMessage.clear();
    for (const value of await this.spool.read(bucket)) {
      // Written by `read` in this form.
      const [message_id, user_id, emoji_name, emoji_code, reaction_type] = value as Line;
      const reactions = this.byMessage.get(message_id) ?? [];
      reactions.push({ emoji_name, emoji_code, reaction_type, user_id });
      this.byMessage.set(message_id, reactions);
    }
  }

  of(message_id: number): readonly Reaction[] {
    return this.byMessage.get(message_id) ?? [];
  }

  async close(): Promise<void> {
    await this.spool.close();
  }

  private bucketOf(file: number): number {
    return Math.floor(file / this.perBucket);
  }

  private fileOf(message_id: number): number {
    let [low, high] = [0, this.firstIds.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.firstIds[middle]! <= message_id) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function lineOf(row: ZulipRow, knownEmoji: KnownEmoji): Line | undefined {
  const [message_id, user_id] = [int(row, "message"), int(row, "user_profile") ?? 0];
  if (message_id === undefined || !knownEmoji.hasUser(user_id)) return undefined;
  const emoji = emojiIn(row, (id) => knownEmoji.emojiName(id));
  if (!emoji) return undefined;
  return [message_id, user_id, emoji.emoji_name, emoji.emoji_code, emoji.reaction_type];
}

/** The emoji of a reaction or a status; undefined: it is not known here. */
export function emojiIn(
  row: ZulipRow,
  nameOf: KnownEmoji["emojiName"],
): Omit<Reaction, "user_id"> | undefined {
  const [name, emoji_code] = [text(row, "emoji_name") ?? "", text(row, "emoji_code") ?? ""];
  const reaction_type = storedSpelling(text(row, "reaction_type") ?? UNICODE_EMOJI);
  const knownReaction = (emoji_name: string | undefined) =>
    emoji_name === undefined ? undefined : { emoji_name, emoji_code, reaction_type };
  if (reaction_type === CUSTOM_EMOJI) {
    return knownReaction(/^\d{1,15}$/.test(emoji_code) ? nameOf(Number(emoji_code)) : undefined);
  }
  if (reaction_type === EXTRA_EMOJI) {
    return { emoji_name: "zulip", emoji_code: "zulip", reaction_type };
  }
  if (reaction_type !== UNICODE_EMOJI) return undefined;
  return knownReaction(emojiCode(name) === emoji_code ? name : emojiName(emoji_code));
}
