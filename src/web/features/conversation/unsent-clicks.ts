// Actions for unsent messages in their rows.
import { onRowAction } from "../../feed/row-actions.ts";
import { getState } from "../../store/store.ts";
import { optimistic, reloadMessage, openPersonalStore } from "../../sync/optimistic.ts";
import { isMessage, type PendingChange } from "../../sync/mutations/types.ts";
import { copyText } from "../../ui/copy.ts";
import { showToast } from "../../ui/toast.tsx";
import type { MessageChange } from "../../sync/mutations/reconcile.ts";
import { t } from "../../words/words.ts";
import { editInPlace } from "../editing/open.ts";
import { conversationOfTarget } from "../recipient/target-rules.ts";
import { restoreText } from "../drafts/actions.ts";

const ACTS = ["edit", "retry", "copy", "discard"] as const;
type UnsentAction = (typeof ACTS)[number];

for (const action of ACTS) onRowAction(`unsent-${action}`, ({ on }) => void runAction(action, on));

async function runAction(action: UnsentAction, local_id: string): Promise<void> {
  const { mutations } = openPersonalStore();
  const row = mutations.find(local_id);
  if (!row) return;
  if (!isMessage(row)) return row.change && runOnChange(action, { ...row, change: row.change });
  const conversation = conversationOfTarget(row.target);
  const bringBack = () => restoreText(row.text, conversation);
  if (action === "copy") return copyText(row.text, t("copied"));
  if (action === "retry") return mutations.retry(local_id);
  if (action === "edit") bringBack();
  await mutations.discard(local_id);
  if (action === "discard") showToast({ text: t("discarded"), undo: bringBack });
}

/** For an edit that waits or was rejected, the row shows the new text. */
async function runOnChange(
  action: UnsentAction,
  { key, change, ...row }: PendingChange & { change: MessageChange },
): Promise<void> {
  const { mutations } = openPersonalStore();
  const { message_id, content } = change;
  if (action === "copy") return copyText(content ?? "", t("copied"));
  if (action === "retry") return mutations.flushNow();
  const message = getState().messages.byId.get(message_id);
  if (action === "edit") return message && editInPlace(message);
  await mutations.discard(key);
  if (content === undefined) return;
  void reloadMessage(message_id);
  const { foretold, inverse, method, path, params, priority } = row;
  const request = { method, path, params, priority };
  const undo = () => void optimistic(request, foretold, inverse, { change });
  showToast({ text: t("discarded"), undo });
}
