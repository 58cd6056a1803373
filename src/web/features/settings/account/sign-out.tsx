// Signs out, after asking what becomes of messages that the server does not have.
import { world } from "../../../api/ask.ts";
import { isAnothers, isSignedOut } from "../../../api/http.ts";
import { endSession } from "../../../api/sign-out.ts";
import { desk, sync } from "../../../here.ts";
import { showRefusal } from "../../../optimistic.ts";
import {
  forgetChoice,
  forgetEnding,
  noteChoice,
  noteEnding,
  type Unsent,
} from "../../../sync/ending/ended.ts";
import { isUnsent, isWaiting } from "../../../sync/unsent/keep.ts";
import { accountKey } from "../../../sync/unsent/key.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../../ui/layers.ts";
import { say } from "../../../words/words.ts";
import { shelf } from "../../compose/desk.ts";

const ID = "sign-out";
/** Drafts that are on their way to the server are waited for so long. */
const SHARE_MS = 2000;

/** Asks only if there is something that would be lost. */
export async function signOut(): Promise<void> {
  const count = await countUnsent();
  if (count === 0) return end("seal");
  openLayer(ID, <Asking count={count} />);
}

function Asking({ count }: { count: number }) {
  const { user_id } = sync;
  const canKeep = user_id !== undefined && accountKey(user_id) !== undefined;
  const choose = (unsent: Unsent) => {
    closeLayer(ID);
    void end(unsent);
  };
  // The first button has the focus, so Enter deletes.
  const foot = (
    <>
      <Button kind="primary" type="submit">
        {say("sign-out-delete")}
      </Button>
      {canKeep && <Button onClick={() => choose("seal")}>{say("sign-out-keep")}</Button>}
    </>
  );
  const title = say(canKeep ? "sign-out-unsent" : "sign-out-lost", { count });
  return (
    <Dialog id={ID} title={title} onSubmit={() => choose("delete")} foot={foot}>
      <p>{say(canKeep ? "sign-out-unsent-hint" : "sign-out-lost-hint")}</p>
    </Dialog>
  );
}

async function countUnsent(): Promise<number> {
  const drafts = shelf.peek()?.drafts;
  drafts?.share();
  const late = new Promise<void>((resolve) => void world.after(SHARE_MS, resolve));
  await Promise.race([drafts?.settled(), late]);
  await drafts?.flush();
  const open = desk.peek();
  if (!open) return 0;
  const begun = (await open.kept.drafts.all()).filter(isUnsent);
  const waiting = [...open.outbox.outgoing.values()].filter(isWaiting);
  const changes = [...open.doings.all.values()].filter(({ change }) => change?.content);
  return begun.length + waiting.length + changes.length;
}

/** Other tabs may notice the session's end before they are told: the choice is noted for them. */
async function end(unsent: Unsent): Promise<void> {
  const { user_id } = sync;
  if (user_id === undefined) return;
  noteEnding({ user_id, unsent });
  noteChoice({ user_id, unsent }, sync.session);
  try {
    await endSession(sync.asLeader().asking);
  } catch (error) {
    if (isAnothers(error)) return sync.leave("another", unsent);
    if (!isSignedOut(error)) {
      forgetEnding(user_id);
      forgetChoice();
      return showRefusal(error);
    }
  }
  await sync.leave("signed-out", unsent);
}
