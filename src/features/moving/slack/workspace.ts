// An archive of channels and messages, as the importer of Slack and similar products reads it.
import type { Archive } from "../archive/entries.ts";
import type { MovingRefused } from "../errors.ts";
import type { Reporting } from "../report.ts";
import type { SlackChannel, SlackFile, SlackMessage, SlackUser } from "./export-rules.ts";
import type { SlackEmoji } from "./emoji.ts";

export type Kind = "public" | "private" | "direct" | "group";

export interface Conversation extends SlackChannel {
  readonly id: string;
  readonly kind: Kind;
  /** The folder with its messages. */
  readonly folder: string;
  /** The channel folder on this server; undefined: none. */
  readonly team?: string;
  /** Members who have starred the channel. */
  readonly favorites?: readonly string[];
  /** Members who have muted the channel. */
  readonly muted?: readonly string[];
  /** Only moderators and administrators can post. */
  readonly isReadOnly?: boolean;
  /** Owners join if it has no member with an account. */
  readonly isForOwners?: boolean;
}

/** A message with its position in the archive. */
export interface Found {
  readonly conversation: Conversation;
  readonly message: SlackMessage & { ts: string };
  readonly place: string;
  /** Kinds of losses that are known without converting the message. */
  readonly lost?: readonly string[];
}

export interface Workspace {
  /** The name of the importer, and of the product in texts. */
  readonly product: string;
  readonly label: string;
  readonly users: readonly (SlackUser & { id: string })[];
  readonly conversations: readonly Conversation[];
  /** Identifies the workspace, so that a later export of it continues this one. */
  readonly source: string;
  /** Custom emoji in the archive. */
  readonly emoji: SlackEmoji;
  /** Reports losses of records that are not yielded. Called after the messages were read. */
  reportLosses?(reporting: Reporting): void;
  /** The first damage, which is counted in the losses. */
  readonly damage?: MovingRefused | undefined;
  /** Yields all messages in order of time. */
  messages(): AsyncIterable<Found>;
  /** The entry with the bytes of a file. */
  entryOf(conversation: Conversation, file: SlackFile): string | undefined;
  sizeOf(entry: string): number;
  stream(entry: string): AsyncIterable<Uint8Array>;
  /** Closes the resources that the workspace itself has opened. */
  close?(): Promise<void>;
}

/** Reads an archive of Slack, or of a product with the same kinds of things. */
export type OpenWorkspace = (archive: Archive, choices: OpeningChoices) => Promise<Workspace>;

export interface OpeningChoices {
  /** For archives that do not say who can read a channel. */
  readonly channels: "public" | "private" | undefined;
}
