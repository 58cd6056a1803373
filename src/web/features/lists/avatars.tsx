// A user's avatar with their presence.
import { subscribe, getState } from "../../store/store.ts";
import { Avatar, type AvatarSize } from "../../ui/avatar.tsx";
import { t } from "../../words/words.ts";
import { personOf } from "../people/state.ts";
import { presenceOf } from "../presence/selectors.ts";

/** Shows the avatar of the first user. */
export function AvatarWithPresence({
  user_ids,
  size,
}: {
  user_ids: readonly number[];
  size: AvatarSize;
}) {
  const { people } = getState();
  const id = user_ids[0] ?? people.me;
  subscribe(`user:${id}`);
  const person = personOf(people, id);
  return (
    <span class="who">
      {person && <Avatar person={person} size={size} />}
      <PresenceDot user_id={id} />
    </span>
  );
}

/** Rendered separately when the user's presence changes. */
export function PresenceDot({ user_id }: { user_id: number }) {
  subscribe(`presence:${user_id}`, `user:${user_id}`);
  const presence = presenceOf(getState(), user_id, Date.now() / 1000);
  if (presence === undefined) return null;
  return (
    <span
      class="dot"
      data-on={presence === "active" ? "" : undefined}
      data-idle={presence === "idle" ? "" : undefined}
    >
      <span class="vh">{t(presence)}</span>
    </span>
  );
}
