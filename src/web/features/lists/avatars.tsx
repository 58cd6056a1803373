// A user's avatar with their presence.
import { subscribe, now } from "../../store/store.ts";
import { Avatar, type AvatarSize } from "../../ui/avatar.tsx";
import { t } from "../../words/words.ts";
import { personOf } from "../people/state.ts";
import { standingOf } from "../presence/selectors.ts";

/** The first of them. */
export function Who({ user_ids, size }: { user_ids: readonly number[]; size: AvatarSize }) {
  const { people } = now();
  const id = user_ids[0] ?? people.me;
  subscribe(`user:${id}`);
  const person = personOf(people, id);
  return (
    <span class="who">
      {person && <Avatar person={person} size={size} />}
      <Dot user_id={id} />
    </span>
  );
}

/** Rendered separately when the user's presence changes. */
export function Dot({ user_id }: { user_id: number }) {
  subscribe(`presence:${user_id}`, `user:${user_id}`);
  const standing = standingOf(now(), user_id, Date.now() / 1000);
  if (standing === undefined) return null;
  return (
    <span
      class="dot"
      data-on={standing === "active" ? "" : undefined}
      data-idle={standing === "idle" ? "" : undefined}
    >
      <span class="vh">{t(standing)}</span>
    </span>
  );
}
