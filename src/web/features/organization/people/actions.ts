// Actions of administrators on accounts; role changes can be undone.
import { changePerson } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { now } from "../../../store/store.ts";
import { askText } from "../../../ui/ask.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { t } from "../../../words/words.ts";
import type { Person } from "../../people/state.ts";
import { roleWord } from "../../people/selectors.ts";
import { attempt, errorText } from "../../../ui/form/refusals.ts";
import { canRename } from "./permissions.ts";

export async function giveRole({ user_id, full_name, role: before }: Person, role: number) {
  if (role === before) return;
  const give = (to: number) => attempt(() => changePerson(sync, { user_id, role: to }));
  if (!(await give(role))) return;
  const words = t("org-role-given", {
    name: full_name,
    role: t(roleWord({ role, is_bot: false })),
  });
  // The user has removed their own permission and cannot undo it.
  const isLost = user_id === now().people.me;
  showToast({ words, ...(!isLost && { undo: () => void give(before) }) });
}

export function rename({ user_id, full_name }: Person): void {
  const call = (name: string) => changePerson(sync, { user_id, full_name: name });
  const asked = {
    title: t("org-rename"),
    label: t("name"),
    value: full_name,
    may: canRename,
    attempt: async (name: string) => {
      if (name === full_name) return "";
      return call(name).then(() => "", errorText);
    },
  };
  askText(asked, (name) => {
    if (name === full_name) return;
    const undo = () => void attempt(() => call(full_name));
    showToast({ words: t("org-renamed", { name }), undo });
  });
}
