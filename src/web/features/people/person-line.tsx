// A user in a list on a page: avatar, name that opens the card, and actions.
import type { ComponentChildren } from "preact";
import { subscribe, getState } from "../../store/store.ts";
import { t } from "../../words/words.ts";
import { AvatarWithPresence } from "../lists/avatars.tsx";
import { openCard } from "./open-card.tsx";
import { roleWord } from "./selectors.ts";
import { personOf } from "./state.ts";

interface PersonLineProps {
  user_id: number;
  /** The line below the name; by default the role. */
  note?: string;
  children?: ComponentChildren;
}

export function PersonLine({ user_id, note, children }: PersonLineProps) {
  subscribe(`user:${user_id}`);
  const person = personOf(getState().people, user_id);
  if (!person) return null;
  return (
    <li>
      <AvatarWithPresence user_ids={[user_id]} size={32} />
      <span>
        <button
          class="name"
          type="button"
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => void openCard(currentTarget, user_id)}
        >
          <bdi>{person.full_name}</bdi>
        </button>
        <small>{note ?? t(roleWord(person))}</small>
      </span>
      <span>{children}</span>
    </li>
  );
}
