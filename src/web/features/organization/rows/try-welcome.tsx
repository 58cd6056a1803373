// The words that greet newcomers, tried on oneself.
import { tryWelcome } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { say } from "../../../words/words.ts";
import { isAdministrator } from "../may.ts";
import { attempt } from "../../settings/form.tsx";

export function TryWelcome() {
  keyed("realm:welcome_message_custom_text");
  const words = String(now().organization.fields["realm_welcome_message_custom_text"] ?? "");
  if (!isAdministrator() || words.trim() === "") return null;
  const send = async () => {
    const isSent = await attempt(() => tryWelcome(sync, { welcome_message_custom_text: words }));
    if (isSent) showToast({ words: say("org-welcome-sent") });
  };
  return (
    <div class="settings-form">
      <Button icon="send" onClick={() => void send()}>
        {say("org-welcome-try")}
      </Button>
    </div>
  );
}
