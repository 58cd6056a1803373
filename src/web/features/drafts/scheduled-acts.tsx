// The buttons of a message that waits to be sent, and what to do about one that could not be.
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { say } from "../../words/words.ts";
import { openLater } from "../compose/later.tsx";
import type { OwnKind, OwnRow } from "./rows.ts";
import { editScheduled, reschedule, sendScheduled } from "./scheduled.ts";

const later = (beside: Element, id: number) => openLater(beside, (at) => void reschedule(id, at));

export function ScheduledActs({ id, name }: { id: number; name: string }) {
  return (
    <>
      <IconButton
        icon="pencil"
        size="s"
        label={say("edit-of", { name })}
        onClick={() => void editScheduled(id)}
      />
      <IconButton
        icon="calendar"
        size="s"
        label={say("reschedule-of", { name })}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => later(currentTarget, id)}
      />
    </>
  );
}

/** Always there: who finds it need not look for what helps. */
export function Failed({ row: { id }, kind }: { row: OwnRow; kind: OwnKind }) {
  return (
    <p class="own-failed" role="status">
      <Icon name="alert" size={16} />
      <span>{say(kind === "scheduled" ? "scheduled-failed" : "reminder-failed")}</span>
      {kind === "scheduled" && (
        <>
          <button type="button" onClick={() => void sendScheduled(id)}>
            {say("send-now")}
          </button>
          <button type="button" onClick={({ currentTarget }) => later(currentTarget, id)}>
            {say("other-time")}
          </button>
          <button type="button" onClick={() => void editScheduled(id)}>
            {say("edit-message")}
          </button>
        </>
      )}
    </p>
  );
}
