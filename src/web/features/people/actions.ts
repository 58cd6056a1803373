// Actions on users: muting and unmuting.
import { muteUser, unmuteUser } from "../../api/message-calls.ts";
import { getState } from "../../store/store.ts";
import { optimistic } from "../../sync/optimistic.ts";
import type { LocalEvent } from "../../contract/snapshot.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";

export function toggleMute(muted_user_id: number): void {
  const before = [...getState().people.muted].map(([id, timestamp]) => ({ id, timestamp }));
  const others = before.filter(({ id }) => id !== muted_user_id);
  const isMuted = others.length < before.length;
  const muting = { id: muted_user_id, timestamp: Math.floor(Date.now() / 1000) };
  const localEvent = (muted_users: typeof before): LocalEvent => ({
    type: "muted_users",
    muted_users,
  });
  const after = isMuted ? others : [...others, muting];
  const request = (isMuted ? unmuteUser : muteUser).toRequest({ muted_user_id });
  void optimistic(request, [localEvent(after)], [localEvent(before)]);
  const undo = () => toggleMute(muted_user_id);
  if (!isMuted) showToast({ text: t("person-muted"), undo });
}
