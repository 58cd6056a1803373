// Shared parts of the organization's lists: reordering, and confirming removals.
import type { ComponentChildren } from "preact";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Movers } from "../../../ui/form/movers.tsx";
import { say, type Word } from "../../../words/words.ts";
import { type Act, ListItem } from "../../settings/frame.tsx";
import { askSure } from "../../settings/sure.tsx";
import { isAdministrator } from "../may.ts";

/** For who may look only. */
export function OnlyLooking({ may, words }: { may: boolean; words: Word }) {
  return may ? null : <p class="org-note">{say(words)}</p>;
}

/** Explains an empty list. */
export const Empty = ({ isShown, words }: { isShown: boolean; words: Word }) =>
  isShown ? <p class="empty-note">{say(words)}</p> : null;

interface Removable {
  /** Actions of the row. */
  act: Act;
  name: string;
  /** The consequences, shown before the action. */
  words: Word;
  remove: () => Promise<unknown>;
}

export function RemoveButton({ act, name, words, remove }: Removable) {
  const title = say("remove-named", { name });
  return (
    <IconButton
      icon="trash"
      size="s"
      label={title}
      onClick={() =>
        askSure(
          { title, words: say(words), act: say("remove"), may: isAdministrator },
          () => void act(remove),
        )
      }
    />
  );
}

interface Shown {
  name: ComponentChildren;
  note?: ComponentChildren;
  lead?: ComponentChildren;
  again?: () => Promise<unknown>;
  children?: (act: Act) => ComponentChildren;
}

export function ListRow({ name, note, lead, again, children }: Shown) {
  return (
    <ListItem class="org-row" again={again}>
      {(act) => (
        <>
          {lead}
          <span class="org-row-name">
            <bdi>{name}</bdi>
            {note !== undefined && <small>{note}</small>}
          </span>
          <span class="org-row-acts">{children?.(act)}</span>
        </>
      )}
    </ListItem>
  );
}

interface Ordered {
  act: Act;
  name: string;
  at: number;
  ids: readonly number[];
  order: (ids: number[]) => Promise<unknown>;
}

export function OrderButtons({ act, order, ...place }: Ordered) {
  return <Movers {...place} order={(ids) => void act(() => order(ids))} />;
}

export function EditButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button aria-label={say("org-edit-named", { name })} onClick={onClick}>
      {say("change")}
    </Button>
  );
}
