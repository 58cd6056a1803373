// A person in a list of a page: picture, name that opens the card, and what can be done with them.
import type { ComponentChildren } from "preact";
import { keyed, known } from "../../live.ts";
import { boxOf } from "../../ui/box.ts";
import { say } from "../../words/words.ts";
import { Who } from "../lists/faces.tsx";
import { roleWord } from "./profile.ts";
import { personOf } from "./state.ts";

interface Shown {
  user_id: number;
  /** Beneath the name; the role, if nothing is said. */
  note?: string;
  children?: ComponentChildren;
}

export function PersonLine({ user_id, note, children }: Shown) {
  keyed(`user:${user_id}`);
  const person = personOf(known()!.people, user_id);
  if (!person) return null;
  return (
    <li>
      <Who user_ids={[user_id]} size={32} />
      <span>
        <button
          class="name"
          type="button"
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => void open(currentTarget, user_id)}
        >
          <bdi>{person.full_name}</bdi>
        </button>
        <small>{note ?? say(roleWord(person))}</small>
      </span>
      <span>{children}</span>
    </li>
  );
}

async function open(node: Element, user_id: number): Promise<void> {
  const { openCard } = await import("./card.tsx");
  openCard(boxOf(node), user_id, true);
}
