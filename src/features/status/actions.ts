// What people say of themselves: a short text, an emoji.
import { bool, endpoint, int, optional, text, textOf } from "../../endpoint.ts";
import { emojiNameMissing, noNewStatus } from "../../errors-people.ts";
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { User } from "../../records.ts";
import { emojiNamed, UNICODE_EMOJI } from "../emoji/access.ts";
import { showPresence } from "../presence/actions.ts";
import { changeSetting } from "../settings/actions.ts";
import { accessUser } from "../users/access.ts";
import { statusChanged, type StatusFields, statusObject } from "./wire.ts";

const STATUS_TEXT_LENGTH_MAX = 60;
const UNSAID: StatusFields = {
  status_text: "",
  emoji_name: "",
  emoji_code: "",
  reaction_type: UNICODE_EMOJI,
};

export function changeStatus(tx: Writer, user_id: number, changed: Partial<StatusFields>): void {
  const status = { ...UNSAID, ...tx.user_statuses.get(user_id), ...changed };
  const isUnsaid = status.status_text === "" && status.emoji_name === "";
  if (isUnsaid) tx.user_statuses.delete(user_id);
  else tx.user_statuses.put({ ...status, user_id, timestamp: tx.now });
  tx.emit(statusChanged(user_id, changed), { to: "seers", user_id });
}

/** Nothing is said any more. */
export function clearStatus(tx: Writer, user_id: number): void {
  changeStatus(tx, user_id, UNSAID);
}

interface Asked {
  status_text: string | undefined;
  emoji_name: string | undefined;
  emoji_code: string | undefined;
  reaction_type: string | undefined;
}

/** Clearing the emoji clears what belongs to it. */
function fieldsOf(reader: Reader, asked: Asked) {
  const { status_text, emoji_name, emoji_code, reaction_type } = asked;
  const fields: Partial<StatusFields> = status_text === undefined ? {} : { status_text };
  if (emoji_name === "") {
    return { ...fields, emoji_name: "", emoji_code: "", reaction_type: UNICODE_EMOJI };
  }
  if (emoji_name !== undefined) {
    return { ...fields, ...emojiNamed(reader, emoji_name, emoji_code, reaction_type) };
  }
  if (emoji_code !== undefined || reaction_type !== undefined) throw emojiNameMissing();
  return fields;
}

const params = {
  status_text: optional(textOf({ max: STATUS_TEXT_LENGTH_MAX, trimmed: true })),
  emoji_name: optional(text),
  emoji_code: optional(text),
  reaction_type: optional(text),
};

export const updateOwnStatus = endpoint({
  params: { ...params, away: optional(bool) },
  run: async ({ realm, user }, { away, ...asked }) => {
    const fields = fieldsOf(realm.read, asked);
    const isEmpty = Object.keys(fields).length === 0;
    if (isEmpty && away === undefined) throw noNewStatus();
    if (away !== undefined) await goAway(realm, user, away);
    if (!isEmpty) await realm.write((tx) => changeStatus(tx, user.user_id, fields));
    return {};
  },
});

async function goAway(realm: Realm, { user_id }: User, away: boolean): Promise<void> {
  const isChanged = await realm.write((tx) =>
    changeSetting(tx, user_id, "presence_enabled", !away),
  );
  if (isChanged) await showPresence(realm, realm.read.users.get(user_id)!);
}

export const updateUserStatus = endpoint({
  params: { user_id: int, ...params },
  run: async ({ realm, user }, { user_id, ...asked }) => {
    const fields = fieldsOf(realm.read, asked);
    if (Object.keys(fields).length === 0) throw noNewStatus();
    return realm.write((tx) => {
      changeStatus(tx, accessUser(tx, user, user_id).user_id, fields);
      return {};
    });
  },
});

export const getUserStatus = endpoint({
  params: { user_id: int },
  run: ({ realm: { read }, user }, { user_id }) => ({
    status: statusObject(read, accessUser(read, user, user_id)),
  }),
});
