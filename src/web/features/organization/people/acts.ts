// Doing something with somebody's account: a role is taken back as quickly as given.
import { changePerson } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { now } from "../../../live.ts";
import { askText } from "../../../ui/ask.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { say } from "../../../words/words.ts";
import type { Person } from "../../people/state.ts";
import { roleWord } from "../../people/profile.ts";
import { attempt, wordsOf } from "../../settings/form.tsx";
import { mayRename } from "./may.ts";

export async function giveRole({ user_id, full_name, role: before }: Person, role: number) {
  if (role === before) return;
  const give = (to: number) => attempt(() => changePerson(sync, { user_id, role: to }));
  if (!(await give(role))) return;
  const words = say("org-role-given", {
    name: full_name,
    role: say(roleWord({ role, is_bot: false })),
  });
  // The user has removed their own permission and cannot undo it.
  const isLost = user_id === now().people.me;
  showToast({ words, ...(!isLost && { undo: () => void give(before) }) });
}

export function rename({ user_id, full_name }: Person): void {
  const call = (name: string) => changePerson(sync, { user_id, full_name: name });
  const asked = {
    title: say("org-rename"),
    label: say("name"),
    value: full_name,
    may: mayRename,
    attempt: async (name: string) => {
      if (name === full_name) return "";
      return call(name).then(() => "", wordsOf);
    },
  };
  askText(asked, (name) => {
    if (name === full_name) return;
    const undo = () => void attempt(() => call(full_name));
    showToast({ words: say("org-renamed", { name }), undo });
  });
}
