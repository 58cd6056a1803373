// Imports the channels of an archive, which stay hidden until their messages are written.
import { OWNER } from "../../../contract/roles.ts";
import type { Reader, Realm, Writer } from "../../../realm.ts";
import type { Channel, ChannelFolder, Subscription, User } from "../../../schema/records.ts";
import { foldedName, unprintableIndex } from "../../channels/rules.ts";
import { CHANNEL_DESCRIPTION_LENGTH_MAX, CHANNEL_NAME_LENGTH_MAX } from "../../channels/rules.ts";
import { draftChannel } from "../../channels/manage/new-channel.ts";
import { FOLDER_NAME_LENGTH_MAX, FOLDERS_MAX } from "../../folders/rules.ts";
import { PEOPLE_STEP } from "./users.ts";
import { subscribe } from "../../channels/subscriptions/subscribe.ts";
import { withoutStackedMarks } from "../../../text/input/combining-marks.ts";
import { writtenName } from "../../../text/input/normalize-name.ts";
import { systemGroupId } from "../../rights/access.ts";
import { checksumOf, type Item, putRow, type Row } from "../write-row.ts";
import type { Conversation } from "../source/workspace.ts";

export const CHANNELS_STEP = 2;
/** Characters of ids that names of channels may not be able to contain. */
const UNUSUAL_CHARACTERS = /[^\p{L}\p{N}@/:._-]/gu;

export const isChannel = ({ kind }: Conversation) => kind === "public" || kind === "private";

/** `idOf`: the account for a user of the archive, if there is one. */
export function channelItem(
  conversation: Conversation,
  label: string,
  idOf: (key: string) => number | undefined,
): Item {
  return {
    step: CHANNELS_STEP,
    source_key: conversation.id,
    bytes: 1_000,
    write(tx) {
      const channel = create(tx, conversation, label);
      const ids = new Set((conversation.members ?? []).flatMap((key) => idOf(key) ?? []));
      const people = [...ids].map((id) => tx.users.get(id)!);
      const activeUsers = people.filter((user: User) => user.is_active && user.bot_type === null);
      const members =
        activeUsers.length === 0 && conversation.isForOwners ? ownersOf(tx) : activeUsers;
      subscribe(tx, null, members, [channel], { areNew: true, inTurn: true });
      const change = (keys: readonly string[] = [], choice: Partial<Subscription>) => {
        for (const key of keys) {
          const sub = tx.subscriptions.get(idOf(key) ?? 0, channel.stream_id);
          if (sub) tx.subscriptions.put({ ...sub, ...choice });
        }
      };
      change(conversation.favorites, { pin_to_top: true });
      change(conversation.muted, { is_muted: true });
      change(conversation.notified, { desktop_notifications: true, push_notifications: true });
      const checksum = checksumOf("channels", channel as unknown as Row);
      return { table: "channels", row_key: [channel.stream_id], checksum };
    },
  };
}

/** Shows the channels that this import created, except those that were changed since. */
export async function showChannels(
  realm: Realm,
  import_id: number,
  conversations: readonly Conversation[],
): Promise<void> {
  for (const { id, is_archived } of conversations) {
    const mark = realm.read.imported.get(import_id, CHANNELS_STEP, id);
    if (!mark || is_archived) continue;
    await realm.write((tx) => {
      const channel = tx.channels.get(...mark.row_key);
      if (!channel?.is_archived) return;
      if (checksumOf("channels", channel as unknown as Row) !== mark.checksum) return;
      const unarchived = { ...channel, is_archived: false };
      tx.channels.put(unarchived);
      tx.imported.put({ ...mark, checksum: checksumOf("channels", unarchived as unknown as Row) });
    });
  }
}

function create(tx: Writer, conversation: Conversation, label: string): Channel {
  const { kind, created, isReadOnly } = conversation;
  const fields = {
    name: freeName((folded) => isNameTaken(tx, folded), conversation, label),
    description: [...descriptionOf(conversation)].slice(0, CHANNEL_DESCRIPTION_LENGTH_MAX).join(""),
    invite_only: kind === "private",
    ...(isReadOnly && { can_send_message_group: systemGroupId(tx, "role:moderators") }),
    // New members can read older messages, as in the products that archives are from.
    history_public_to_subscribers: true,
  };
  const channel = {
    ...draftChannel(tx, null, fields),
    folder_id: folderOf(tx, conversation.team),
    stream_id: tx.next("channels"),
    recipient_id: tx.next("recipients"),
    date_created: isTime(created) ? created : tx.now,
    is_archived: true,
  };
  tx.channels.put(channel);
  return channel;
}

export function descriptionOf({ purpose, topic }: Conversation): string {
  const texts = [purpose?.value, topic?.value].filter((text) => typeof text === "string" && text);
  return [...new Set(texts)].join(" · ");
}

/** The year 5138. */
const SECONDS_MAX = 1e11;

const isTime = (time: number | undefined): time is number =>
  Number.isSafeInteger(time) && time! > 0 && time! < SECONDS_MAX;

const ownersOf = (tx: Writer) =>
  [...tx.users.range()].filter((user) => user.role === OWNER && user.is_active);

export const isNameTaken = ({ channels }: Pick<Reader, "channels">, folded: string) =>
  channels.findBy("name", folded) !== undefined;

/** Adds a suffix to the name if a channel has it already. `isTaken` receives folded names. */
export function freeName(
  isTaken: (folded: string) => boolean,
  { name, id }: Conversation,
  label: string,
): string {
  const trimmedName = allowedName(name ?? "");
  const isShown = foldedName(trimmedName) !== "" && unprintableIndex(trimmedName) === 0;
  const base = isShown
    ? trimmedName
    : `${label}-${id.replaceAll(UNUSUAL_CHARACTERS, "-")}`.toLowerCase();
  for (let nth = 0; ; nth++) {
    const end = nth === 0 ? "" : nth === 1 ? ` (${label})` : ` (${label} ${nth})`;
    const baseLengthMax = CHANNEL_NAME_LENGTH_MAX - end.length;
    const candidate = [...base].slice(0, baseLengthMax).join("").trimEnd() + end;
    if (!isTaken(foldedName(candidate))) return candidate;
  }
}

/** The characters that names of channels and folders may have. */
const allowedName = (name: string) => withoutStackedMarks(writtenName(name)).trim();

/** A channel folder for each team, if there are several. */
export function folderItem(team: string): Item {
  return {
    step: PEOPLE_STEP,
    source_key: `team ${folderName(team)}`,
    bytes: 200,
    write(tx) {
      const folder_id = folderOf(tx, team);
      if (folder_id !== null || tx.channel_folders.count() >= FOLDERS_MAX)
        return { table: "matched folders", row_key: [folder_id ?? 0], checksum: 0 };
      const id = tx.next("channel_folders");
      const folder: ChannelFolder = {
        ...{ id, name: folderName(team), description: "", rendered_description: "", order: id },
        ...{ date_created: tx.now, creator_id: null, is_archived: false },
      };
      const checksum = putRow(tx, "channel_folders", folder as unknown as Row);
      return { table: "channel_folders", row_key: [id], checksum };
    },
  };
}

function folderName(team: string): string {
  const name = allowedName(team.replaceAll(/\p{Cc}/gu, " "));
  return [...(name || "Team")].slice(0, FOLDER_NAME_LENGTH_MAX).join("").trimEnd();
}

function folderOf(reader: Pick<Reader, "channel_folders">, team: string | undefined) {
  if (team === undefined) return null;
  const folders = [...reader.channel_folders.range()];
  return (
    folders.find(({ name, is_archived }) => name === folderName(team) && !is_archived)?.id ?? null
  );
}
