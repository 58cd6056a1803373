// What the notification bot says to people who were put in groups or taken out of them.
import type { Group, User } from "../../schema/records.ts";

/** Neither mention rings a bell. */
const person = ({ full_name, user_id }: User) => `@_**${full_name}|${user_id}**`;
const group = ({ name }: Group) => `@_*${name}*`;

export const addition = (by: User, to: Group) =>
  `${person(by)} added you to the group ${group(to)}.`;
export const removal = (by: User, from: Group) =>
  `${person(by)} removed you from the group ${group(from)}.`;
