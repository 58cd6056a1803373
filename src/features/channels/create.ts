// Asking for a new channel, with people in it.
import Type from "typebox";
import { defaulted, endpoint, json, text } from "../../endpoint.ts";
import { userIsDeactivated, userNotFound } from "../../errors-channels.ts";
import type { Reader } from "../../realm.ts";
import type { User } from "../../records.ts";
import { createChannel } from "./actions.ts";
import { Crowd, finishCrowd } from "./crowd.ts";
import { newChannelFields, newChannelParams } from "./parameters.ts";

export const postChannel = endpoint({
  params: {
    name: text,
    description: defaulted(text, ""),
    subscribers: json(Type.Array(Type.Integer())),
    ...newChannelParams,
  },
  run: async ({ realm, user }, { name, description, subscribers, ...given }) => {
    const { id, crowd_id } = await realm.write((tx) => {
      const people = activePeople(tx, subscribers);
      const fields = newChannelFields(name, description, given);
      const crowd = new Crowd(user, people.length);
      const channel = createChannel(tx, user, fields, people, { crowd });
      return { id: channel.stream_id, crowd_id: crowd.settle(tx, [channel], given.announce) };
    });
    await finishCrowd(realm, crowd_id);
    return { id };
  },
});

/** Each once. */
export function activePeople(reader: Reader, user_ids: readonly number[]): User[] {
  return [...new Set(user_ids)].map((user_id) => {
    const user = reader.users.get(user_id);
    if (!user || user.is_system_bot) throw userNotFound();
    if (!user.is_active) throw userIsDeactivated();
    return user;
  });
}
