// The Markdown of a message that one may not change.
import { fetchMessage } from "../../../api/calls.ts";
import { sync } from "../../../here.ts";
import { showRefusal } from "../../../optimistic.ts";
import { Button } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { openLayer } from "../../../ui/layers.ts";
import { say } from "../../../words/words.ts";
import type { Message } from "../state.ts";

const ID = "view-source";

export async function showSource({ id: message_id }: Message): Promise<void> {
  try {
    const { raw_content } = await fetchMessage(sync, { message_id });
    openLayer(ID, <Source text={raw_content} />);
  } catch (error) {
    showRefusal(error);
  }
}

function Source({ text }: { text: string }) {
  const copy = () => copyText(text, say("text-copied"));
  return (
    <Dialog
      id={ID}
      title={say("view-source")}
      foot={
        <Button icon="copy" onClick={copy}>
          {say("copy")}
        </Button>
      }
    >
      <textarea
        class="messages-source"
        dir="auto"
        readOnly
        rows={12}
        aria-label={say("view-source")}
        value={text}
      />
    </Dialog>
  );
}
