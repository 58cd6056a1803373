// Counts the links of an archive to its own messages, and those that lead nowhere in it.
import type { Reporting } from "../report.ts";
import type { LinkTarget } from "../source/links.ts";
import type { FoundMessage, Workspace } from "../source/workspace.ts";
import { linkTargetsIn } from "./message-links.ts";

/** Locations are only examples in the report. */
const LOCATIONS_MAX = 10_000;
const FIRST_LENGTH = 1_024;
const ABSENT =
  "A link leads to a message or channel that the import does not have: it stays as it is.";
export const LINKS = "links to messages and channels";

export class LinkSurvey {
  /** Everything that a link can lead to. */
  private readonly present = new Hashes();
  private readonly links = new Hashes();
  private readonly locations = new Map<bigint, string>();

  /** `isImported`: whether an earlier run has imported a message. */
  constructor(
    private readonly workspace: Workspace,
    private readonly isImported: (message_key: string) => boolean,
  ) {
    if (!workspace.linkTarget) return;
    for (const { id } of workspace.conversations) this.present.add(hashOf({ conversation: id }));
  }

  /** Must be called for every message that is imported. */
  note(
    { conversation, message, location }: FoundMessage,
    key: string,
    parts: readonly string[],
  ): void {
    if (!this.workspace.linkTarget) return;
    this.present.add(Bun.hash(key) as bigint);
    const { thread_ts: thread, thread_name } = message;
    if (thread !== undefined && thread_name !== undefined) {
      this.present.add(hashOf({ conversation: conversation.id, thread }));
    }
    const targets = parts.flatMap((part) => linkTargetsIn(part, this.workspace));
    for (const target of targets) {
      const hash = hashOf(target);
      const isKnown = target.message !== undefined && this.isImported(keyOf(target));
      if (isKnown) this.present.add(hash);
      this.links.add(hash);
      if (this.locations.size < LOCATIONS_MAX) this.locations.set(hash, location);
    }
  }

  report(reporting: Reporting): void {
    this.present.sort();
    for (const hash of this.links.all()) {
      if (this.present.has(hash)) reporting.countFound(LINKS);
      else reporting.lost(ABSENT, this.locations.get(hash) ?? "");
    }
  }
}

const keyOf = ({ conversation, message }: LinkTarget) => `${conversation}/${message}`;

function hashOf(target: LinkTarget): bigint {
  const { conversation, message, thread } = target;
  const key =
    message !== undefined
      ? keyOf(target)
      : thread !== undefined
        ? `thread ${conversation}/${thread}`
        : `channel ${conversation}`;
  return Bun.hash(key) as bigint;
}

/** Hashes of texts, 8 bytes each. */
class Hashes {
  private values = new BigUint64Array(FIRST_LENGTH);
  private length = 0;

  add(hash: bigint): void {
    if (this.length === this.values.length) {
      const longer = new BigUint64Array(2 * this.length);
      longer.set(this.values);
      this.values = longer;
    }
    this.values[this.length++] = hash;
  }

  all(): BigUint64Array {
    return this.values.subarray(0, this.length);
  }

  sort(): void {
    this.all().sort();
  }

  /** Only after `sort`. */
  has(hash: bigint): boolean {
    let [from, to] = [0, this.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.values[middle]! < hash) from = middle + 1;
      else to = middle;
    }
    return from < this.length && this.values[from] === hash;
  }
}
