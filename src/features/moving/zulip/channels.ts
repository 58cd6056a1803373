// Channels of a Zulip export with their folders and subscription intervals.
import type { Channel, ChannelFolder, Subscription } from "../../../schema/records.ts";
import {
  CHANNEL_DESCRIPTION_LENGTH_MAX,
  CHANNEL_NAME_LENGTH_MAX,
  colorOf,
  foldedName,
  joinLines,
  NEUTRAL_COLOR,
  privacyOf,
  TOPICS_POLICIES,
  unprintableIndex,
} from "../../channels/rules.ts";
import { FOLDER_DESCRIPTION_LENGTH_MAX, FOLDER_NAME_LENGTH_MAX } from "../../folders/rules.ts";
import { CHANNEL_PERMISSIONS, type ChannelPermission } from "../../rights/permission-rules.ts";
import type { Reporting } from "../report.ts";
import type { ZulipGroups } from "./groups.ts";
import { CHANNEL_POLICIES } from "./read/policies-rules.ts";
import {
  bool,
  truncated,
  field,
  checkIsExported,
  idIn,
  int,
  nameIn,
  seconds,
  text,
  type ZulipRow,
} from "./read/rows.ts";
import { retentionOf } from "./settings.ts";
import type { ZulipExport } from "./read/source.ts";

const PERSON_RECIPIENT = 1;
const CHANNEL_RECIPIENT = 2;
const GROUP_RECIPIENT = 3;

interface KnownIds {
  has(id: number): boolean;
}

interface Recipient {
  /** 1: a user, 2: a channel, 3: a group conversation. */
  readonly type: number;
  readonly type_id: number;
}

export class ZulipChannels {
  readonly channels = new Map<number, Channel>();
  readonly folders: ChannelFolder[] = [];
  readonly recipients = new Map<number, Recipient>();
  /** The members of group conversations, by recipient. */
  readonly groups = new Map<number, Set<number>>();
  /** Group conversations without subscriptions, whose members are found by their messages. */
  readonly unlisted = new Set<number>();
  newestRecipient = 0;
  private readonly names = new Set<string>();

  constructor(
    private readonly setGroups: ZulipGroups,
    private readonly now: number,
    private readonly reporting: Reporting,
  ) {}

  /** `users`: the accounts of the export. */
  async read(source: ZulipExport, users: KnownIds): Promise<void> {
    const ofChannel = new Map<number, number>();
    for await (const { row } of source.rows("zerver_recipient")) {
      const [id, type, type_id] = [idIn(row), int(row, "type"), int(row, "type_id")];
      if (id === undefined || type === undefined || type_id === undefined) continue;
      this.recipients.set(id, { type, type_id });
      this.newestRecipient = Math.max(this.newestRecipient, id);
      if (type === CHANNEL_RECIPIENT) ofChannel.set(type_id, id);
    }
    await this.readFolders(source);
    const defaults = new Set<number>();
    for await (const { row } of source.rows("zerver_defaultstream")) {
      defaults.add(int(row, "stream") ?? 0);
    }
    for await (const { row, location } of source.rows("zerver_stream")) {
      const id = idIn(row);
      if (id === undefined || this.channels.has(id)) {
        checkIsExported(row, location);
        this.reporting.lost("A channel without an id of its own is left out.", location);
        continue;
      }
      const recipient_id = ofChannel.get(id) ?? ++this.newestRecipient;
      this.channels.set(id, this.recordOf(id, recipient_id, row, defaults.has(id), location));
    }
    for await (const { row, location } of source.rows("zerver_subscription")) {
      const [recipient, user_id] = [int(row, "recipient") ?? 0, int(row, "user_profile")];
      if (!this.isGroup(recipient) || !user_id) continue;
      if (users.has(user_id)) this.join(recipient, user_id);
      else this.reporting.lost("A member of a group conversation is not in the export.", location);
    }
    for (const recipient of this.recipients.keys()) {
      if (this.isGroup(recipient) && !this.groups.has(recipient)) this.unlisted.add(recipient);
    }
  }

  isGroup(recipient: number): boolean {
    return this.recipients.get(recipient)?.type === GROUP_RECIPIENT;
  }

  /** Adds a member of a group conversation. */
  join(recipient: number, user_id: number): void {
    this.groups.getOrInsertComputed(recipient, () => new Set()).add(user_id);
  }

  /** The channel of a message; undefined for direct messages. */
  channelOf(message: ZulipRow): Channel | undefined {
    const recipient = this.recipients.get(int(message, "recipient") ?? 0);
    return recipient?.type === CHANNEL_RECIPIENT ? this.channels.get(recipient.type_id) : undefined;
  }

  /** Ids of the users in a direct conversation, ascending. Undefined for other recipients. */
  directOf(message: ZulipRow): { user_ids: number[]; recipient_id: number | null } | undefined {
    const [recipient_id, sender] = [int(message, "recipient") ?? 0, int(message, "sender") ?? 0];
    const recipient = this.recipients.get(recipient_id);
    if (recipient?.type !== PERSON_RECIPIENT && recipient?.type !== GROUP_RECIPIENT) {
      return undefined;
    }
    const isPerson = recipient.type === PERSON_RECIPIENT;
    const members = isPerson ? [sender, recipient.type_id] : this.groups.get(recipient_id);
    const user_ids = [...new Set(members ?? [sender])].sort((a, b) => a - b);
    // The recipient record of a user belongs to the conversations with all other users.
    return { user_ids, recipient_id: isPerson ? null : recipient_id };
  }

  private async readFolders(source: ZulipExport): Promise<void> {
    for await (const { row } of source.rows("zerver_channelfolder")) {
      const id = idIn(row);
      if (id === undefined) continue;
      this.folders.push({
        id,
        name: nameIn(row, `folder ${id}`, FOLDER_NAME_LENGTH_MAX),
        description: truncated(text(row, "description") ?? "", FOLDER_DESCRIPTION_LENGTH_MAX),
        rendered_description: "",
        date_created: seconds(row, "date_created") ?? this.now,
        creator_id: this.setGroups.creatorOf(row),
        is_archived: bool(row, "is_archived") ?? false,
        order: int(row, "order") ?? id,
      });
    }
  }

  private recordOf(
    stream_id: number,
    recipient_id: number,
    row: ZulipRow,
    isDefault: boolean,
    location: string,
  ): Channel {
    const creator_id = this.setGroups.creatorOf(row);
    const permissions = Object.entries(CHANNEL_PERMISSIONS).map(([name, permission]) => {
      const earlier = CHANNEL_POLICIES[name as ChannelPermission];
      return [name, this.setGroups.setting(row, name, permission, creator_id, earlier)];
    });
    const invite_only = bool(row, "invite_only") ?? false;
    const is_web_public = (bool(row, "is_web_public") ?? false) && !invite_only;
    const isShared = bool(row, "history_public_to_subscribers") ?? !invite_only;
    const kind = privacyOf(invite_only, is_web_public, isShared || !invite_only)!;
    const description = joinLines(text(row, "description") ?? "");
    const folder = int(row, "folder");
    return {
      stream_id,
      recipient_id,
      name: this.freeName(stream_id, text(row, "name") ?? "", location),
      description: truncated(description, CHANNEL_DESCRIPTION_LENGTH_MAX),
      rendered_description: "",
      date_created: seconds(row, "date_created") ?? this.now,
      creator_id,
      ...kind,
      is_archived: bool(row, "deactivated") ?? false,
      is_default: isDefault && !invite_only,
      is_recently_active: bool(row, "is_recently_active") ?? true,
      folder_id: this.folders.some(({ id }) => id === folder) ? folder! : null,
      topics_policy: topicsPolicyOf(row),
      message_retention_days: retentionOf(int(row, "message_retention_days")),
      // The export may lack the first message; the first one that is imported replaces it.
      first_message_id: null,
      // The entries contain every permission.
      ...(Object.fromEntries(permissions) as Pick<Channel, ChannelPermission>),
    };
  }

  private freeName(id: number, channelName: string, location: string): string {
    const trimmed = channelName.trim();
    const isShown = foldedName(trimmed) !== "" && unprintableIndex(trimmed) === 0;
    const base = isShown ? trimmed : `channel ${id}`;
    let name = truncated(base, CHANNEL_NAME_LENGTH_MAX);
    if (this.names.has(foldedName(name))) {
      const end = ` (${id})`;
      name = truncated(base, CHANNEL_NAME_LENGTH_MAX - end.length) + end;
    }
    this.names.add(foldedName(name));
    if (name !== channelName) {
      this.reporting.lost("A channel gets another name.", `${location}: ${channelName} → ${name}`);
    }
    return name;
  }
}

/** The columns of a subscription except its intervals. */
export function subscriptionOf(row: ZulipRow, user_id: number, stream_id: number): Subscription {
  const choice = (name: string) => bool(row, name) ?? null;
  return {
    user_id,
    stream_id,
    active: bool(row, "active") ?? true,
    color: colorOf(text(row, "color") ?? "") ?? NEUTRAL_COLOR,
    is_muted: bool(row, "is_muted") ?? bool(row, "in_home_view") === false,
    pin_to_top: bool(row, "pin_to_top") ?? false,
    desktop_notifications: choice("desktop_notifications"),
    audible_notifications: choice("audible_notifications"),
    push_notifications: choice("push_notifications"),
    email_notifications: choice("email_notifications"),
    wildcard_mentions_notify: choice("wildcard_mentions_notify"),
    intervals: [],
    suspended: false,
  };
}

const TOPIC_POLICY_CODES = [
  "inherit",
  "allow_empty_topic",
  "disable_empty_topic",
  "empty_topic_only",
];

/** Zulip stores numbers from 1. */
function topicsPolicyOf(row: ZulipRow): Channel["topics_policy"] {
  const value = field(row, "topics_policy");
  const name = typeof value === "number" ? TOPIC_POLICY_CODES[value - 1] : value;
  return TOPICS_POLICIES.find((policy) => policy === name) ?? "inherit";
}
