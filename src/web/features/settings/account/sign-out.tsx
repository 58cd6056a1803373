// Signs out, after asking what to do with unsent messages.
import { withTimeout } from "../../../../async/with-timeout.ts";
import { isOtherAccount, isSignedOut } from "../../../api/http.ts";
import { endSession } from "../../../api/sign-out.ts";
import { personal, sync } from "../../../sync/session.ts";
import { showRefusal } from "../../../sync/optimistic.ts";
import {
  forgetChoice,
  forgetEnding,
  recordChoice,
  recordEnding,
  type Unsent,
} from "../../../sync/ending/ended-accounts.ts";
import { isUnsent, isWaiting } from "../../../sync/unsent/preserve.ts";
import { accountKey } from "../../../sync/unsent/key.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../../ui/layers.ts";
import { t } from "../../../words/words.ts";
import { stores } from "../../compose/stores-sync.ts";

const ID = "sign-out";
/** Maximum wait for drafts that are being saved to the server. */
const SHARE_MS = 2000;

/** Signs out. Asks the user first if something would be lost. */
export async function signOut(): Promise<void> {
  const count = await countUnsent();
  if (count === 0) return end("seal");
  openLayer(ID, <SignOutForm count={count} />);
}

function SignOutForm({ count }: { count: number }) {
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
        {t("sign-out-delete")}
      </Button>
      {canKeep && <Button onClick={() => choose("seal")}>{t("sign-out-keep")}</Button>}
    </>
  );
  const title = t(canKeep ? "sign-out-unsent" : "sign-out-lost", { count });
  return (
    <Dialog id={ID} title={title} onSubmit={() => choose("delete")} foot={foot}>
      <p>{t(canKeep ? "sign-out-unsent-hint" : "sign-out-lost-hint")}</p>
    </Dialog>
  );
}

async function countUnsent(): Promise<number> {
  const drafts = stores.peek()?.drafts;
  drafts?.share();
  if (drafts) await withTimeout(drafts.settled(), SHARE_MS, () => {});
  await drafts?.flush();
  const open = personal.peek();
  if (!open) return 0;
  const unsentDrafts = (await open.rows.drafts.all()).filter(isUnsent);
  const waitingMessages = open.mutations.messages().filter(isWaiting);
  const changes = open.mutations.changes().filter(({ change }) => change?.content);
  return unsentDrafts.length + waitingMessages.length + changes.length;
}

/** Other tabs may notice the end of the session first, so the choice is stored for them. */
async function end(unsent: Unsent): Promise<void> {
  const { user_id } = sync;
  if (user_id === undefined) return;
  recordEnding({ user_id, unsent });
  recordChoice({ user_id, unsent }, sync.session);
  try {
    await endSession(sync.asLeader().requestContext);
  } catch (error) {
    if (isOtherAccount(error)) return sync.leave("another", unsent);
    if (!isSignedOut(error)) {
      forgetEnding(user_id);
      forgetChoice();
      return showRefusal(error);
    }
  }
  await sync.leave("signed-out", unsent);
}
