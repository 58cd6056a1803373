// An archive of users, channels and messages, as the readers of all products present it.
import type { Archive } from "../archive/entries.ts";
import type { MovingRefused } from "../errors.ts";
import type { Reporting } from "../report.ts";
import type { LinkTarget } from "./links.ts";
import type { SourceChannel, SourceFile, SourceMessage, SourceUser } from "./records-rules.ts";

/** The bytes of each custom emoji, by name. */
export type SourceEmoji = ReadonlyMap<string, () => Promise<Uint8Array>>;

export type Kind = "public" | "private" | "direct" | "group";

export interface Conversation extends SourceChannel {
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
  /** Members who are notified of every message. */
  readonly notified?: readonly string[];
  /** Only moderators and administrators can post. */
  readonly isReadOnly?: boolean;
  /** If the channel has no member with an account, the owners are subscribed to it. */
  readonly isForOwners?: boolean;
}

/** A message with its location in the archive. */
export interface FoundMessage {
  readonly conversation: Conversation;
  readonly message: SourceMessage & { ts: string };
  readonly location: string;
  /** Kinds of losses that are known without converting the message. */
  readonly lost?: readonly string[];
}

export interface Workspace {
  /** The name of the importer, and of the product in texts. */
  readonly product: string;
  readonly label: string;
  readonly users: readonly (SourceUser & { id: string })[];
  readonly conversations: readonly Conversation[];
  /** Identifies the workspace, so that a later export of it continues this one. */
  readonly source: string;
  /**
   * Identifies the workspace if `source` differs from that of an earlier export: conversations, if
   * their ids are globally unique, or messages.
   */
  readonly recognizedBy?: "conversations" | "messages";
  /** Custom emoji in the archive. */
  readonly emoji: SourceEmoji;
  /** Reports losses of records that are not yielded. Called after the messages were read. */
  reportLosses?(reporting: Reporting): void;
  /** The first damage, which is counted in the losses. */
  readonly damage?: MovingRefused | undefined;
  /** Yields all messages in order of time. */
  messages(): AsyncIterable<FoundMessage>;
  /** The entry with the bytes of a file. */
  entryOf(conversation: Conversation, file: SourceFile): string | undefined;
  sizeOf(entry: string): number;
  stream(entry: string): AsyncIterable<Uint8Array>;
  /**
   * Returns the target of a link of this workspace; undefined if the link leads elsewhere or may
   * belong to another workspace. Missing if links of the product cannot be recognized.
   */
  linkTarget?(url: URL): LinkTarget | undefined;
  /** Closes the resources that the workspace itself has opened. */
  close?(): Promise<void>;
}

/** Reads the archive of one product. */
export type OpenWorkspace = (archive: Archive, choices: OpeningChoices) => Promise<Workspace>;

export interface OpeningChoices {
  /** URL of the old server, for archives that do not contain it. */
  readonly oldUrl: string | undefined;
  /** The privacy of channels in archives that do not say who can read them. */
  readonly channels: "public" | "private" | undefined;
}
