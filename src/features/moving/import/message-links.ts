// Rewrites links of the old product in imported messages to links to this organization.
import type { Reader, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Channel } from "../../../schema/records.ts";
import { narrowUrl } from "../../../text/channel-fragment.ts";
import { narrowFragment } from "../../../text/narrow-fragment.ts";
import { channelName, pathOf, topicLinkText } from "../../messages/content/quoting.ts";
import { MESSAGE_LENGTH_MAX } from "../../messages/rules.ts";
import { subjectOf } from "../../messages/spelling-wire.ts";
import { topicOf } from "../../messages/topic.ts";
import { type LinkTarget, replaceLinks } from "../source/links.ts";
import type { Workspace } from "../source/workspace.ts";
import { LINKS_STEP, MESSAGES_STEP } from "./steps.ts";

/** Marks messages in `imported` with links whose targets were not imported yet. */
const WAITING = "links that wait for their messages";

/** Counts the links of a text that lead into the workspace. */
export function linkTargetsIn(text: string, workspace: Workspace): LinkTarget[] {
  const targets: LinkTarget[] = [];
  if (!workspace.linkTarget) return targets;
  replaceLinks(text, (url) => {
    const target = workspace.linkTarget!(url);
    if (target) targets.push(target);
    return undefined;
  });
  return targets;
}

/** The conversation of a message, here. `stream_id` is 0 for direct messages. */
type Place = Pick<Message, "stream_id" | "recipient_id">;

interface Rewritten {
  readonly content: string;
  /** Number of links that were rewritten, and of those whose targets are not imported. */
  readonly links: number;
  readonly waiting: number;
}

export class MessageLinks {
  constructor(
    private readonly import_id: number,
    private readonly workspace: Workspace,
    private readonly channelIds: ReadonlyMap<string, number>,
    /** Returns the topic of a thread, if it is known already. */
    private readonly threadTopic: (conversation: string, thread: string) => string | undefined,
  ) {}

  /** Whether the text has links into the workspace. */
  areIn(text: string): boolean {
    return linkTargetsIn(text, this.workspace).length > 0;
  }

  rewrite(reader: Reader, content: string, place: Place | undefined): Rewritten {
    let [links, waiting] = [0, 0];
    const changed = replaceLinks(content, (url, label) => {
      const target = this.workspace.linkTarget?.(url);
      if (!target) return undefined;
      const link = this.linkHere(reader, target, place, label);
      if (link === undefined) waiting += 1;
      else links += 1;
      return link;
    });
    if (isTooLong(changed)) return { content, links: 0, waiting: 0 };
    return { content: changed, links, waiting };
  }

  /** Records that a message has links to messages that may be imported later. */
  wait(tx: Writer, message_key: string, message_id: number): void {
    tx.imported.put({
      ...{ import_id: this.import_id, step: LINKS_STEP, source_key: message_key },
      ...{ table: WAITING, row_key: [message_id], checksum: 0 },
    });
  }

  /** undefined: the target is not imported. */
  private linkHere(
    reader: Reader,
    { conversation, message, thread }: LinkTarget,
    place: Place | undefined,
    label: string | undefined,
  ): string | undefined {
    if (message !== undefined) {
      const key = `${conversation}/${message}`;
      const mark = reader.imported.get(this.import_id, MESSAGES_STEP, key);
      const target = mark && reader.messages.get(...mark.row_key);
      return target && linkToMessage(reader, target, place, label);
    }
    const channel = reader.channels.get(this.channelIds.get(conversation) ?? 0);
    if (!channel) return undefined;
    if (thread === undefined) return linkToChannel(channel, place, label);
    const topic = this.threadTopic(conversation, thread);
    const isKnown = topic !== undefined && topicOf(reader, channel.stream_id, topic) !== undefined;
    return isKnown ? linkToTopic(channel, topic, place, label) : undefined;
  }
}

const isTooLong = (text: string) =>
  text.length > MESSAGE_LENGTH_MAX && [...text].length > MESSAGE_LENGTH_MAX;

/** Readers of the message must not learn the name of a channel or topic that they cannot see. */
const isVisible = (channel: Channel, place: Place | undefined) =>
  !channel.invite_only || channel.stream_id === place?.stream_id;

function linkToMessage(
  reader: Reader,
  target: Message,
  place: Place | undefined,
  label: string | undefined,
): string {
  const channel = reader.channels.get(target.stream_id);
  const isShown = channel
    ? isVisible(channel, place)
    : target.recipient_id === place?.recipient_id && place.stream_id === 0;
  if (!isShown) {
    const term = { operator: "id", operand: String(target.id), negated: false };
    return linkOf(label ?? "a message", `/${narrowFragment([term])}`);
  }
  const named = channel
    ? `${topicLinkText(channel, subjectOf(reader, target))} @ 💬`
    : "a direct message";
  return linkOf(label ?? named, pathOf(reader, target));
}

/** A mention of a channel, which names it only if readers of the message can see it. */
export function channelMention(channel: Channel, place: Place): string {
  return isVisible(channel, place)
    ? `#**${channel.name}**`
    : linkToChannel(channel, place, undefined);
}

function linkToChannel(channel: Channel, place: Place | undefined, label: string | undefined) {
  if (isVisible(channel, place)) {
    return linkOf(label ?? channelName(channel), narrowUrl(channel));
  }
  return linkOf(label ?? "a private channel", `/#narrow/channel/${channel.stream_id}`);
}

function linkToTopic(
  channel: Channel,
  topic: string,
  place: Place | undefined,
  label: string | undefined,
): string {
  if (!isVisible(channel, place)) return linkToChannel(channel, place, label);
  return linkOf(label ?? topicLinkText(channel, topic), narrowUrl(channel, topic));
}

const linkOf = (label: string, path: string) => `[${label}](${path})`;
