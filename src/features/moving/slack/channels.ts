// The channels of a Slack export: hidden while their history comes in, shown when it is there.
import type { Reader, Realm, Writer } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { foldedName, unprintableAt } from "../../channels/rules.ts";
import { CHANNEL_DESCRIPTION_LENGTH_MAX, CHANNEL_NAME_LENGTH_MAX } from "../../channels/rules.ts";
import { draftChannel } from "../../channels/manage/draft.ts";
import { subscribe } from "../../channels/subscriptions/subscribe.ts";
import { checksumOf, type Item, type Row } from "../bulk.ts";
import { unescaped } from "./mrkdwn.ts";
import type { Conversation } from "./reading.ts";

export const CHANNELS_STEP = 2;

export const isChannel = ({ kind }: Conversation) => kind === "public" || kind === "private";

/** `idOf`: the account of a Slack user, if there is one. */
export function channelItem(
  conversation: Conversation,
  idOf: (key: string) => number | undefined,
): Item {
  return {
    step: CHANNELS_STEP,
    source_key: conversation.id,
    bytes: 1_000,
    write(tx) {
      const channel = create(tx, conversation);
      const ids = new Set((conversation.members ?? []).flatMap((key) => idOf(key) ?? []));
      const people = [...ids].map((id) => tx.users.get(id)!);
      const members = people.filter((user: User) => user.is_active && user.bot_type === null);
      subscribe(tx, null, members, [channel], { areNew: true, inTurn: true });
      const checksum = checksumOf("channels", channel as unknown as Row);
      return { table: "channels", row_key: [channel.stream_id], checksum };
    },
  };
}

/** Shows the channels that this import made and that nobody has changed since. */
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
      const shown = { ...channel, is_archived: false };
      tx.channels.put(shown);
      tx.imported.put({ ...mark, checksum: checksumOf("channels", shown as unknown as Row) });
    });
  }
}

function create(tx: Writer, conversation: Conversation): Channel {
  const { kind, created, purpose, topic } = conversation;
  const texts = [purpose?.value, topic?.value].filter((text) => typeof text === "string" && text);
  const description = unescaped([...new Set(texts)].join(" · "));
  const fields = {
    name: freeName(tx, conversation),
    description: [...description].slice(0, CHANNEL_DESCRIPTION_LENGTH_MAX).join(""),
    invite_only: kind === "private",
    // As in Slack, new members can read older messages.
    history_public_to_subscribers: true,
  };
  const channel = {
    ...draftChannel(tx, null, fields),
    stream_id: tx.next("channels"),
    recipient_id: tx.next("recipients"),
    date_created: Number.isSafeInteger(created) ? Number(created) : tx.now,
    is_archived: true,
  };
  tx.channels.put(channel);
  return channel;
}

/** A channel that was there before keeps its name. */
export function freeName(reader: Pick<Reader, "channels">, { name, id }: Conversation): string {
  const given = typeof name === "string" ? name.trim() : "";
  const isShown = foldedName(given) !== "" && unprintableAt(given) === 0;
  const base = isShown ? given : `slack-${id.toLowerCase()}`;
  for (let nth = 0; ; nth++) {
    const end = nth === 0 ? "" : nth === 1 ? " (Slack)" : ` (Slack ${nth})`;
    const most = CHANNEL_NAME_LENGTH_MAX - end.length;
    const wanted = [...base].slice(0, most).join("") + end;
    if (!reader.channels.one("name", foldedName(wanted))) return wanted;
  }
}
