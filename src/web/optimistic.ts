// What one does is seen at once, and taken back where the server says no.
import { Refused } from "./api/http.ts";
import { apply } from "./live.ts";
import type { Event } from "./snapshot.ts";
import { showToast } from "./ui/toast.tsx";
import { say } from "./words/words.ts";

/** Doubles of other fields, which no reducer reads. */
type Doubles = "operation" | "user";
type Untold<E> = E extends Event ? Omit<E, "id" | Doubles> : never;
/** An event as the server will tell it: the reducers take it once, and its echo changes nothing. */
export type Deed = Untold<Event>;
/** Where messages count that are unread again, by their ids. */
export type Details = NonNullable<Event<"update_message_flags">["message_details"]>;

/** Gives whether it was done. Of a refusal the person hears the server's words. */
export async function optimistic(
  deed: readonly Deed[],
  inverse: readonly Deed[],
  request: () => Promise<unknown>,
): Promise<boolean> {
  take(deed);
  try {
    await request();
    return true;
  } catch (error) {
    take(inverse);
    showRefusal(error);
    return false;
  }
}

/** Events of one's own stand in no log, so they have no place in one. */
export function take(deed: readonly Deed[]): void {
  if (deed.length > 0) apply(deed.map((event) => ({ ...event, id: -1 }) as Event));
}

/** For what could not be done: the server's reason, or that there is no network. */
export function showRefusal(error: unknown): void {
  const words = error instanceof Refused ? error.words : say("not-reached");
  showToast({ words, isAlert: true });
}
