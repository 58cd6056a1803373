// Actions on users: muting and unmuting.
import { muteUser, unmuteUser } from "../../api/deed-calls.ts";
import { now } from "../../live.ts";
import { optimistic } from "../../optimistic.ts";
import type { Deed } from "../../snapshot.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";

export function toggleMute(muted_user_id: number): void {
  const before = [...now().people.muted].map(([id, timestamp]) => ({ id, timestamp }));
  const others = before.filter(({ id }) => id !== muted_user_id);
  const isMuted = others.length < before.length;
  const muting = { id: muted_user_id, timestamp: Math.floor(Date.now() / 1000) };
  const deed = (muted_users: typeof before): Deed => ({ type: "muted_users", muted_users });
  const after = isMuted ? others : [...others, muting];
  const wanted = (isMuted ? unmuteUser : muteUser).asked({ muted_user_id });
  void optimistic(wanted, [deed(after)], [deed(before)]);
  const undo = () => toggleMute(muted_user_id);
  if (!isMuted) showToast({ words: say("person-muted"), undo });
}
