// People as small pictures: who takes part, and one with the sign of whether they are there.
import { keyed, known } from "../../live.ts";
import { Avatar, type AvatarSize } from "../../ui/avatar.tsx";
import { say } from "../../words/words.ts";
import { personOf } from "../people/state.ts";
import { standingOf } from "../presence/standing.ts";

const FACES_MAX = 3;

export function Faces({ user_ids }: { user_ids: readonly number[] }) {
  const { people } = known()!;
  const shown = user_ids.flatMap((id) => personOf(people, id) ?? []).slice(0, FACES_MAX);
  if (shown.length === 0) return null;
  return (
    <span class="faces" role="img" aria-label={shown.map(({ full_name }) => full_name).join(", ")}>
      {shown.map((person) => (
        <Avatar key={person.user_id} person={person} size={24} />
      ))}
    </span>
  );
}

/** The first of them, as no more fit. */
export function Who({ user_ids, size }: { user_ids: readonly number[]; size: AvatarSize }) {
  const { people } = known()!;
  const id = user_ids[0] ?? people.me;
  keyed(`user:${id}`);
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
  keyed(`presence:${user_id}`, `user:${user_id}`);
  const standing = standingOf(known()!, user_id, Date.now() / 1000);
  if (standing === undefined) return null;
  return (
    <span
      class="dot"
      data-on={standing === "active" ? "" : undefined}
      data-idle={standing === "idle" ? "" : undefined}
    >
      <span class="vh">{say(standing)}</span>
    </span>
  );
}
