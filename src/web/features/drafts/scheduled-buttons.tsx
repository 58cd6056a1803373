// The buttons of a scheduled message, and the actions for one that could not be sent.
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { t } from "../../words/words.ts";
import { openScheduleMenu } from "./send-later.tsx";
import type { OwnKind, OwnRow } from "./rows.ts";
import { editScheduled, reschedule, sendScheduled } from "./scheduled.ts";

const openReschedule = (anchor: Element, id: number) =>
  openScheduleMenu(anchor, (sendAt) => void reschedule(id, sendAt));

export function ScheduledActions({ id, name }: { id: number; name: string }) {
  return (
    <>
      <IconButton
        icon="pencil"
        size="s"
        label={t("edit-of", { name })}
        onClick={() => void editScheduled(id)}
      />
      <IconButton
        icon="calendar"
        size="s"
        label={t("reschedule-of", { name })}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => openReschedule(currentTarget, id)}
      />
    </>
  );
}

/** Always visible, so that the user need not search for the actions. */
export function Failed({ row: { id }, kind }: { row: OwnRow; kind: OwnKind }) {
  return (
    <p class="own-failed" role="status">
      <Icon name="alert" size={16} />
      <span>{t(kind === "scheduled" ? "scheduled-failed" : "reminder-failed")}</span>
      {kind === "scheduled" && (
        <>
          <button type="button" onClick={() => void sendScheduled(id)}>
            {t("send-now")}
          </button>
          <button type="button" onClick={({ currentTarget }) => openReschedule(currentTarget, id)}>
            {t("other-time")}
          </button>
          <button type="button" onClick={() => void editScheduled(id)}>
            {t("edit-message")}
          </button>
        </>
      )}
    </p>
  );
}
