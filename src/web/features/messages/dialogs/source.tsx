// Shows the Markdown source of a message that the user may not change.
import { fetchMessage } from "../../../api/calls.ts";
import { sync } from "../../../sync/session.ts";
import { showRefusal } from "../../../sync/optimistic.ts";
import { Button } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { replacerOf } from "../../../ui/layers.ts";
import { t } from "../../../words/words.ts";
import type { Message } from "../../../contract/message.ts";

const ID = "view-source";

export async function showSource({ id: message_id }: Message): Promise<void> {
  const replace = replacerOf(ID);
  try {
    const { raw_content } = await fetchMessage(sync, { message_id });
    replace(<Source text={raw_content} />);
  } catch (error) {
    showRefusal(error);
  }
}

function Source({ text }: { text: string }) {
  const copy = () => copyText(text, t("text-copied"));
  return (
    <Dialog
      id={ID}
      title={t("view-source")}
      foot={
        <Button icon="copy" onClick={copy}>
          {t("copy")}
        </Button>
      }
    >
      <textarea
        class="messages-source"
        dir="auto"
        readOnly
        rows={12}
        aria-label={t("view-source")}
        value={text}
      />
    </Dialog>
  );
}
