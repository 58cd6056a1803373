// Personal settings of subscriptions: color, muting, pinning, notifications.
import Type from "typebox";
import {
  colorInvalid,
  notBoolean,
  notString,
  notSubscribed,
  subscriptionPropertyUnknown,
} from "../../../contract/errors/channels.ts";
import { nothing } from "../../../contract/shapes/value-types.ts";
import { endpoint, int, json, rawText, text } from "../../../endpoint.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { Subscription, User } from "../../../schema/records.ts";
import { accessChannel } from "../access.ts";
import { colorOf, PERSONAL_DEFAULTS } from "../rules.ts";
import { subscriptionChanged } from "../wire.ts";

/** A change of a subscription, and its events in order. */
interface Change {
  stream_id: number;
  fields: Partial<Subscription>;
  reported: [property: string, value: string | boolean][];
}

/** Validates all changes before applying the first. */
export function setProperties(
  tx: Writer,
  user: User,
  requested: readonly { stream_id: number; property: string; value: unknown }[],
): void {
  const { user_id } = user;
  const changes = requested.map(({ stream_id, property, value }) => {
    subscriptionOf(tx, user, stream_id);
    return changeOf(stream_id, property, value);
  });

  for (const { stream_id, fields, reported: reportedChanges } of changes) {
    const sub = tx.subscriptions.get(user_id, stream_id)!;
    tx.subscriptions.put({ ...sub, ...fields });
    for (const [property, value] of reportedChanges) {
      const event = subscriptionChanged(stream_id, property, value);
      tx.emit(event, { to: "people", user_ids: [user_id] });
    }
  }
}

export const postProperties = endpoint({
  summary: "Change settings of several subscriptions",
  tag: "Subscriptions",
  params: {
    subscription_data: json(
      Type.Array(
        Type.Object({ stream_id: Type.Integer(), property: Type.String(), value: Type.Unknown() }),
      ),
    ),
  },
  answer: nothing,
  run: async ({ realm, user }, { subscription_data }) => {
    await realm.write((tx) => setProperties(tx, user, subscription_data));
    return {};
  },
});

export const patchSubscription = endpoint({
  summary: "Change a setting of a subscription",
  tag: "Subscriptions",
  params: { stream_id: int, property: text, value: rawText },
  answer: nothing,
  run: async ({ realm, user }, { stream_id, property, value: input }) => {
    const value = valueIn(input);
    await realm.write((tx) => setProperties(tx, user, [{ stream_id, property, value }]));
    return {};
  },
});

function subscriptionOf(reader: Reader, user: User, stream_id: number): Subscription {
  const sub = reader.subscriptions.get(user.user_id, stream_id);
  if (sub?.active) return sub;
  accessChannel(reader, user, stream_id);
  throw notSubscribed(stream_id);
}

function changeOf(stream_id: number, property: string, value: unknown): Change {
  if (property === "color") {
    if (typeof value !== "string") throw notString(property);
    const color = colorOf(value);
    if (color === undefined) throw colorInvalid();
    return { stream_id, fields: { color }, reported: [["color", color]] };
  }
  const isMuting = property === "is_muted" || property === "in_home_view";
  if (!isMuting && !Object.hasOwn(PERSONAL_DEFAULTS, property)) {
    throw subscriptionPropertyUnknown(property);
  }
  if (typeof value !== "boolean") throw notBoolean(property);
  if (!isMuting) return { stream_id, fields: { [property]: value }, reported: [[property, value]] };
  const is_muted = property === "is_muted" ? value : !value;
  const reportedChanges: Change["reported"] = [
    ["in_home_view", !is_muted],
    ["is_muted", is_muted],
  ];
  return { stream_id, fields: { is_muted }, reported: reportedChanges };
}

/** Parses JSON; a color may also be plain text. */
function valueIn(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
