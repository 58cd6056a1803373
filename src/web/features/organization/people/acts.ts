// What may be done with somebody's account, and doing it: a role is taken back as quickly as given.
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from "../../../../contract/roles.ts";
import { changePerson } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { now } from "../../../live.ts";
import { askText } from "../../../ui/ask.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { say } from "../../../words/words.ts";
import { type Person, personOf } from "../../people/state.ts";
import { roleWord } from "../../people/profile.ts";
import { attempt } from "../../settings/form.tsx";
import { isAdministrator, isOwner } from "../may.ts";

export const ROLES = [OWNER, ADMINISTRATOR, MODERATOR, MEMBER, GUEST] as const;

/** Whoever looks after people leaves owners to owners. */
export function mayAdminister({ role }: Pick<Person, "role">): boolean {
  return isOwner() || (isAdministrator() && role !== OWNER);
}

/** The roles that one may give; a bot gets none above its owner's. */
export function rolesFor(person: Person): readonly number[] {
  const { bot_owner_id } = person;
  const owner = bot_owner_id ? personOf(now().people, bot_owner_id) : undefined;
  const least = person.is_bot ? (owner?.role ?? OWNER) : OWNER;
  return ROLES.filter((role) => role >= least && (role !== OWNER || isOwner()));
}

export async function giveRole({ user_id, full_name, role: before }: Person, role: number) {
  if (role === before) return;
  const give = (to: number) => attempt(() => changePerson(sync, { user_id, role: to }));
  if (!(await give(role))) return;
  const words = say("org-role-given", {
    name: full_name,
    role: say(roleWord({ role, is_bot: false })),
  });
  // Who gave away the right to do so cannot take it back.
  const isLost = user_id === now().people.me;
  showToast({ words, ...(!isLost && { undo: () => void give(before) }) });
}

export function rename({ user_id, full_name }: Person): void {
  const asked = { title: say("org-rename"), label: say("name"), value: full_name };
  askText(asked, (name) => {
    if (name === full_name) return;
    const call = (to: string) => attempt(() => changePerson(sync, { user_id, full_name: to }));
    void call(name).then((isDone) => {
      const undo = () => void call(full_name);
      if (isDone) showToast({ words: say("org-renamed", { name }), undo });
    });
  });
}
