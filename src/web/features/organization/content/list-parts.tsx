// Shared parts of the organization's lists: reordering, and confirming removals.
import type { ComponentChildren } from "preact";
import { Button, IconButton } from "../../../ui/button.tsx";
import { OrderButtons } from "../../../ui/form/order-buttons.tsx";
import { t, type TextKey } from "../../../words/words.ts";
import { type Attempt, ListItem } from "../../settings/setting-frame.tsx";
import { confirmAction } from "../../settings/confirm.tsx";
import { isAdministrator } from "../permissions.ts";

/** For users who may not change the list. */
export function ReadOnlyNote({ canChange, textKey }: { canChange: boolean; textKey: TextKey }) {
  return canChange ? null : <p class="org-note">{t(textKey)}</p>;
}

/** Explains an empty list. */
export const Empty = ({ isShown, textKey }: { isShown: boolean; textKey: TextKey }) =>
  isShown ? <p class="empty-note">{t(textKey)}</p> : null;

interface RemoveButtonProps {
  /** Actions of the row. */
  attempt: Attempt;
  name: string;
  /** The consequences, shown before the action. */
  textKey: TextKey;
  /** Administrators if absent. */
  isAllowed?: () => boolean;
  remove: () => Promise<unknown>;
}

export function RemoveButton({ attempt, name, textKey, remove, ...more }: RemoveButtonProps) {
  const { isAllowed = isAdministrator } = more;
  const title = t("remove-named", { name });
  return (
    <IconButton
      icon="trash"
      size="s"
      label={title}
      onClick={() =>
        confirmAction(
          { title, text: t(textKey), actionLabel: t("remove"), isAllowed },
          () => void attempt(remove),
        )
      }
    />
  );
}

interface ListRowProps {
  name: ComponentChildren;
  note?: ComponentChildren;
  lead?: ComponentChildren;
  retry?: () => Promise<unknown>;
  children?: (attempt: Attempt) => ComponentChildren;
}

export function ListRow({ name, note, lead, retry: retryAction, children }: ListRowProps) {
  return (
    <ListItem class="org-row" retry={retryAction}>
      {(attempt) => (
        <>
          {lead}
          <span class="org-row-name">
            <bdi>{name}</bdi>
            {note !== undefined && <small>{note}</small>}
          </span>
          <span class="org-row-acts">{children?.(attempt)}</span>
        </>
      )}
    </ListItem>
  );
}

interface OrderButtonsProps {
  attempt: Attempt;
  name: string;
  index: number;
  ids: readonly number[];
  order: (ids: number[]) => Promise<unknown>;
}

export function ListOrderButtons({ attempt, order, ...place }: OrderButtonsProps) {
  return <OrderButtons {...place} order={(ids) => void attempt(() => order(ids))} />;
}

export function EditButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button aria-label={t("org-edit-named", { name })} onClick={onClick}>
      {t("change")}
    </Button>
  );
}
