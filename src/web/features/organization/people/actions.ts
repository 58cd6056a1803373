// Actions of administrators on accounts.
import { changePerson } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { askText } from "../../../ui/text-prompt.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { t } from "../../../words/words.ts";
import type { Person } from "../../people/state.ts";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import { canRename } from "./permissions.ts";

export function renameUser({ user_id, full_name }: Person): void {
  const call = (name: string) => changePerson(sync, { user_id, full_name: name });
  const params = {
    title: t("org-rename"),
    label: t("name"),
    value: full_name,
    isAllowed: canRename,
    attempt: async (name: string) => {
      if (name !== full_name) await call(name);
    },
  };
  askText(params, (name) => {
    if (name === full_name) return;
    const undo = () => void runWithToast(() => call(full_name));
    showToast({ text: t("org-renamed", { name }), undo });
  });
}
