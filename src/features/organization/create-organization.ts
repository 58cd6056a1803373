// Creates an organization with its starter topics, and shows its owner the first steps.
import type { Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { startOnboarding } from "../navigation/onboarding.ts";
import { createOrganization, type NewOrganization } from "./actions.ts";
import { postStarterTopics } from "./starter-topics.ts";

/** Channel links open the list of topics, because new users do not know any topic yet. */
const TOPIC_LIST = 3;

/**
 * Returns its first owner. New organizations start with Enter to send, as other chats do; the
 * protocol's own default, which older organizations keep, is off.
 */
export function createOrganizationWithTopics(tx: Writer, newOrganization: NewOrganization): User {
  tx.setting_defaults.put({ name: "enter_sends", value: true });
  tx.setting_defaults.put({ name: "web_channel_default_view", value: TOPIC_LIST });
  const owner = createOrganization(tx, newOrganization);
  postStarterTopics(tx);
  startOnboarding(tx, owner);
  return owner;
}
