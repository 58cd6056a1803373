// Shows why the server rejected changes that were already displayed.
import { effect } from "@preact/signals";
import { OWN_SETTINGS_SCOPE } from "../features/settings/actions.ts";
import { rejectionText, reloadMessage } from "../sync/optimistic.ts";
import { personal } from "../sync/session.ts";
import { showToast } from "../ui/toast.tsx";

effect(() => {
  const open = personal.value;
  const rejections = open?.rejections.value ?? [];
  if (!open || rejections.length === 0) return;
  open.rejections.value = [];
  for (const { mutation, ...why } of rejections) {
    const [localEvent] = mutation.foretold;
    const reacted = localEvent?.type === "reaction" ? localEvent.message_id : undefined;
    const text = rejectionText(why, mutation.change?.message_id ?? reacted);
    if (localEvent?.type === "user_settings")
      OWN_SETTINGS_SCOPE.refusals.show(localEvent.property, text);
    else showToast({ text, isAlert: true });
    if (mutation.change) void reloadMessage(mutation.change.message_id);
  }
});
