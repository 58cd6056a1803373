// Messages of the notification bot to users who were added to a group or removed from it.
import type { Group, User } from "../../schema/records.ts";
import { hasMarkup, literal } from "../../text/markdown/inline/literal.ts";

/** These mentions do not notify. */
const userText = ({ full_name, user_id }: User) => `@_**${full_name}|${user_id}**`;
const group = ({ name }: Group) => (hasMarkup(name) ? literal(name) : `@_*${name}*`);

export const addition = (actingUser: User, to: Group) =>
  `${userText(actingUser)} added you to the group ${group(to)}.`;
export const removal = (actingUser: User, from: Group) =>
  `${userText(actingUser)} removed you from the group ${group(from)}.`;
