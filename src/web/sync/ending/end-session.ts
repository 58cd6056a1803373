// Ends a session in a tab: closes the databases and deletes their content.
import { forgetUser, goToSignIn } from "../../api/session.ts";
import { choiceOf, endings, recordEnding, type Unsent } from "./ended-accounts.ts";
import type { LeaveReason } from "../tab-messages.ts";

type LeavingStep = () => Promise<void> | void;

interface EndedSession {
  readonly why: LeaveReason;
  readonly session: string;
  /** undefined: the user was not signed in, so nothing is stored. */
  readonly user_id: number | undefined;
  /** The user's choice. Undefined if the session ended elsewhere. */
  readonly unsent: Unsent | undefined;
  /** Closes this tab's connection to the cache. */
  readonly closeCache: () => Promise<void>;
}

export class SessionEnd {
  private readonly last = new Set<LeavingStep>();
  private readonly closers = new Set<LeavingStep>();

  /** Runs first, for example to save a text. */
  before(step: LeavingStep): void {
    this.last.add(step);
  }

  /** Closes handles of the databases afterwards. */
  close(step: LeavingStep): void {
    this.closers.add(step);
  }

  async leave({ why, session, user_id, unsent: chosen, closeCache }: EndedSession): Promise<void> {
    const storedEnding = endings().find((ending) => ending.user_id === user_id);
    const choice = user_id === undefined ? undefined : choiceOf(user_id, session);
    const unsent = chosen ?? choice ?? storedEnding?.unsent ?? "seal";
    if (user_id !== undefined) recordEnding({ user_id, unsent });
    forgetUser(session);
    await allOf(this.last);
    await allOf(new Set([...this.closers, closeCache]));
    if (user_id !== undefined) await purge(user_id, unsent);
    if (why !== "signed-out") return;
    goToSignIn(user_id !== undefined && chosen === undefined ? "&ended=1" : "");
  }
}

const allOf = (steps: ReadonlySet<LeavingStep>) =>
  Promise.all([...steps].map(async (step) => step()).map((step) => step.catch(() => undefined)));

/** Failures are completed by the next start, since the ending is recorded. */
async function purge(user_id: number, unsent: Unsent): Promise<void> {
  try {
    const { purgeAccount } = await import("./purge.ts");
    await purgeAccount({ user_id, unsent });
  } catch (error) {
    reportError(error);
  }
}
