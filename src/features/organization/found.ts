// Founding an organization, by whatever road: it is made, it teaches, and its founder is led on.
import type { Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { leadThrough } from "../navigation/onboarding.ts";
import { createOrganization, type NewOrganization } from "./actions.ts";
import { teach } from "./teach.ts";

/** Going to a channel leads to the list of its topics, of which who is new here knows none. */
const TOPIC_LIST = 3;

/** Gives its first owner. */
export function foundOrganization(tx: Writer, asked: NewOrganization): User {
  tx.setting_defaults.put({ name: "web_channel_default_view", value: TOPIC_LIST });
  const owner = createOrganization(tx, asked);
  teach(tx);
  leadThrough(tx, owner);
  return owner;
}
