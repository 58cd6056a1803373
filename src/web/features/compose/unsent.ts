// Actions for unsent messages in their rows.
import { onAct } from "../../feed/acts.ts";
import { desk } from "../../here.ts";
import { now } from "../../live.ts";
import { optimistic, showAsItIs } from "../../optimistic.ts";
import type { Doing } from "../../sync/kept.ts";
import { copyText } from "../../ui/copy.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { editInPlace } from "../editing/open.ts";
import { placeOfTarget } from "../target/places.ts";
import { withComposer } from "./session.ts";

const ACTS = ["edit", "retry", "copy", "discard"] as const;
type Act = (typeof ACTS)[number];

for (const one of ACTS) onAct(`unsent-${one}`, ({ on }) => void run(one, on));

async function run(act: Act, local_id: string): Promise<void> {
  const { outbox, doings } = desk.peek()!;
  const doing = doings.all.get(local_id);
  if (doing) return runOnChange(act, doing);
  const row = outbox.outgoing.get(local_id);
  if (!row) return;
  const place = placeOfTarget(row.target);
  const bringBack = () => withComposer((open) => open.bringBack(row.text, place));
  if (act === "copy") return copyText(row.text, say("copied"));
  if (act === "retry") {
    // A waiting message keeps its key, so that the server stores it once.
    if (row.state === "waiting") return outbox.hurry();
    return outbox.again(local_id);
  }
  if (act === "edit") bringBack();
  await outbox.discard(local_id);
  if (act === "discard") showToast({ words: say("discarded"), undo: bringBack });
}

/** A change of a message: what was written is in the row, and the message is what it was. */
async function runOnChange(act: Act, { key, change, ...doing }: Doing): Promise<void> {
  const { doings } = desk.peek()!;
  const { message_id, content } = change!;
  if (act === "copy") return copyText(content ?? "", say("copied"));
  if (act === "retry") return doings.hurry();
  const message = now().messages.byId.get(message_id);
  if (act === "edit") return message && editInPlace(message);
  await doings.discard(key);
  if (content === undefined) return;
  void showAsItIs(message_id);
  const { foretold, inverse, method, path, params, priority } = doing;
  const wanted = { method, path, params, priority };
  const undo = () => void optimistic(wanted, foretold, inverse, { change: change! });
  showToast({ words: say("discarded"), undo });
}
