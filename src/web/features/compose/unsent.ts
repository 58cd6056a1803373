// What can be done about messages that have not gone out, from their rows in the feed.
import { desk } from "../../here.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { placeOfTarget } from "../target/places.ts";
import { withComposer } from "./session.ts";

type Act = "edit" | "retry" | "copy" | "discard";

/** A press on a row's button; says whether it was for this. */
export function actOnUnsent(event: MouseEvent): boolean {
  if (!(event.target instanceof Element)) return false;
  const button = event.target.closest<HTMLElement>("[data-act^=unsent-]");
  if (!button) return false;
  const act = button.dataset["act"]!.slice("unsent-".length) as Act;
  void run(act, button.dataset["on"] ?? "");
  return true;
}

async function run(act: Act, local_id: string): Promise<void> {
  const outbox = desk.peek()?.outbox;
  const row = outbox?.outgoing.get(local_id);
  if (!outbox || !row) return;
  const place = placeOfTarget(row.target);
  const bringBack = () => withComposer((open) => open.bringBack(row.text, place));
  if (act === "copy") return copy(row.text);
  if (act === "retry") {
    // What waits keeps its key, so that the server takes it once.
    if (row.state === "waiting") return outbox.hurry();
    return outbox.again(local_id);
  }
  if (act === "edit") bringBack();
  await outbox.discard(local_id);
  if (act === "discard") showToast({ words: say("discarded"), undo: bringBack });
}

/** Over plain HTTP there is no clipboard: the text is selected in a field for a moment. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  showToast({ words: say("copied") });
}
