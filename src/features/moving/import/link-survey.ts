// Counts the links of an archive to its own messages, and those whose targets are missing.
import { Hashes, hashOfKey } from "./hashes.ts";
import type { Reporting } from "../report.ts";
import type { LinkTarget } from "../source/links.ts";
import type { FoundMessage, Workspace } from "../source/workspace.ts";
import { linkTargetsIn } from "./message-links.ts";

/** Limits the memory for locations, which are only examples in the report. */
const LOCATIONS_MAX = 10_000;
const ABSENT = "A link to a message or channel that is not imported stays unchanged.";
export const LINKS = "links to messages and channels";

export class LinkSurvey {
  /** Existing link targets: channels, threads, and messages of earlier runs. */
  private readonly present = new Hashes();
  private readonly links = new Hashes();
  private readonly locations = new Map<bigint, string>();

  /**
   * `messages`: the keys of the archive's messages. `isImported`: whether an earlier run imported a
   * message.
   */
  constructor(
    private readonly workspace: Workspace,
    private readonly messages: Hashes,
    private readonly isImported: (message_key: string) => boolean,
  ) {
    if (!workspace.linkTarget) return;
    for (const { id } of workspace.conversations) this.present.add(hashOf({ conversation: id }));
  }

  /** Must be called for every message that is imported. */
  note({ conversation, message, location }: FoundMessage, parts: readonly string[]): void {
    if (!this.workspace.linkTarget) return;
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

  /** Must be called after `messages` is sorted. */
  report(reporting: Reporting): void {
    this.present.sort();
    for (const hash of this.links.all()) {
      if (this.present.has(hash) || this.messages.has(hash)) reporting.countFound(LINKS);
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
  return hashOfKey(key);
}
