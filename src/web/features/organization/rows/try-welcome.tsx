// Sends the welcome message to the current user as a test.
import { testWelcomeMessage } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { t } from "../../../words/words.ts";
import { isAdministrator } from "../permissions.ts";
import { runWithToast } from "../../../ui/form/save-errors.ts";

export function TestWelcomeMessage() {
  subscribe("realm:welcome_message_custom_text");
  const text = String(getState().organization.fields["realm_welcome_message_custom_text"] ?? "");
  if (!isAdministrator() || text.trim() === "") return null;
  const send = async () => {
    const isSent = await runWithToast(() =>
      testWelcomeMessage(sync, { welcome_message_custom_text: text }),
    );
    if (isSent) showToast({ text: t("org-welcome-sent") });
  };
  return (
    <div class="settings-form">
      <Button icon="send" onClick={() => void send()}>
        {t("org-welcome-try")}
      </Button>
    </div>
  );
}
