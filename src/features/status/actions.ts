// A user's status: a short text and an emoji.
import Type from "typebox";
import { deliveryTimePast } from "../../contract/errors/messages.ts";
import { emojiNameMissing, noNewStatus } from "../../contract/errors/people.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { userStatusShape } from "../../contract/shapes/people.ts";
import { bool, endpoint, int, nonNegativeInt, optional, text, textOf } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Seconds } from "../../schema/records.ts";
import { emojiNamed, UNICODE_EMOJI } from "../emoji/access.ts";
import { accessUser } from "../people/access.ts";
import { statusChanged, type StatusFields, statusObject } from "../people/status-wire.ts";
import { showPresence } from "../presence/actions.ts";
import { changeSetting } from "../settings/change/actions.ts";
import { STATUS_TEXT_LENGTH_MAX } from "./rules.ts";

const NO_STATUS: StatusFields = {
  status_text: "",
  emoji_name: "",
  emoji_code: "",
  reaction_type: UNICODE_EMOJI,
};

export function changeStatus(tx: Writer, user_id: number, fields: Partial<StatusFields>): void {
  storeStatus(tx, user_id, fields);
  tx.emit(statusChanged(user_id, fields), { to: "seers", user_id });
}

function storeStatus(tx: Writer, user_id: number, fields: Partial<StatusFields>): void {
  const status = { ...NO_STATUS, ...tx.user_statuses.get(user_id), ...fields };
  const isUnset = status.status_text === "" && status.emoji_name === "";
  if (isUnset) tx.user_statuses.delete(user_id);
  else tx.user_statuses.put({ ...status, user_id, timestamp: tx.now });
}

/** Job that removes a status at its expiry unless it was changed since. */
export const END_STATUS = "end status";

function scheduleEnd(tx: Writer, user_id: number, ends_at: Seconds): void {
  const said_at = tx.user_statuses.get(user_id)?.timestamp;
  if (said_at === undefined) return;
  const time = Math.min(ends_at * 1000, Number.MAX_SAFE_INTEGER);
  tx.enqueue(END_STATUS, time, { user_id, said_at });
}

/** Removes the status. */
export function clearStatus(tx: Writer, user_id: number): void {
  changeStatus(tx, user_id, NO_STATUS);
}

interface StatusParams {
  status_text: string | undefined;
  emoji_name: string | undefined;
  emoji_code: string | undefined;
  reaction_type: string | undefined;
}

/** Clearing the emoji also clears its code and type. */
function fieldsOf(reader: Reader, statusParams: StatusParams) {
  const { status_text, emoji_name, emoji_code, reaction_type } = statusParams;
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
  summary: "Set your status",
  tag: "People",
  params: { ...params, away: optional(bool), ends_at: optional(nonNegativeInt) },
  answer: nothing,
  run: async ({ realm, user }, { away, ends_at, ...params }) => {
    const fields = fieldsOf(realm.read, params);
    const isEmpty = Object.keys(fields).length === 0;
    if (isEmpty && away === undefined) throw noNewStatus();
    if (ends_at !== undefined && ends_at <= realm.read.now) throw deliveryTimePast();
    const { user_id } = user;
    const isPresenceChanged = await realm.write((tx) => {
      const isChanged = away !== undefined && setAway(tx, user_id, away, fields);
      if (away === undefined) changeStatus(tx, user_id, fields);
      if (ends_at !== undefined) scheduleEnd(tx, user_id, ends_at);
      return isChanged;
    });
    if (isPresenceChanged) await showPresence(realm, realm.read.users.get(user_id)!);
    return {};
  },
});

/** Combines changes into one event. Returns whether the user's presence changes. */
function setAway(
  tx: Writer,
  user_id: number,
  isAway: boolean,
  fields: Partial<StatusFields>,
): boolean {
  const isChanged = changeSetting(tx, user_id, "presence_enabled", !isAway, {
    emitsStatus: false,
  });
  const isSet = Object.keys(fields).length > 0;
  if (isSet) storeStatus(tx, user_id, fields);
  if (isSet || isChanged) {
    tx.emit(statusChanged(user_id, { away: isAway, ...fields }), { to: "seers", user_id });
  }
  return isChanged;
}

export const updateUserStatus = endpoint({
  summary: "Set a user's status",
  tag: "People",
  params: { user_id: int, ...params },
  answer: nothing,
  run: async ({ realm, user }, { user_id, ...params }) => {
    const fields = fieldsOf(realm.read, params);
    if (Object.keys(fields).length === 0) throw noNewStatus();
    return realm.write((tx) => {
      changeStatus(tx, accessUser(tx, user, user_id).user_id, fields);
      return {};
    });
  },
});

export const getUserStatus = endpoint({
  summary: "Fetch a person's status",
  tag: "People",
  params: { user_id: int },
  answer: Type.Object({ status: userStatusShape }),
  run: ({ realm: { read }, user }, { user_id }) => ({
    status: statusObject(read, accessUser(read, user, user_id)),
  }),
});
