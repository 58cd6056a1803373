// The dialog for a reminder of a message: its time and note.
import { type Signal, useSignal } from "@preact/signals";
import { REMINDER_NOTE_LENGTH_MAX } from "../../../features/reminders/rules.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FieldError } from "../../ui/form/text-field.tsx";
import { SignalField } from "../../ui/form/signal-field.tsx";
import { openLayer, useCloseLayer } from "../../ui/layers.ts";
import { useSaving } from "../../ui/saving.ts";
import { formatMoment } from "../../words/dates.ts";
import { parseMoment } from "../../words/moments.ts";
import { t } from "../../words/words.ts";
import { remind } from "../messages/actions.ts";
import type { Message } from "../../contract/message.ts";
import { type ReminderPreset, presetsAt } from "./times.ts";

const ID = "remind";

export function openReminder(message: Message): void {
  openLayer(ID, <Remind message={message} />);
}

function Remind({ message }: { message: Message }) {
  const presets = presetsAt(Date.now());
  const selectedTime = useSignal(presets[0]?.time ?? 0);
  const other = useSignal("");
  const note = useSignal("");
  const remindAt = other.value === "" ? selectedTime.value : parseMoment(other.value);
  const isToCome = remindAt > Date.now();
  const saving = useSaving();
  const close = useCloseLayer(ID);
  const submit = async () => {
    const seconds = Math.floor(remindAt / 1000);
    const set = () => remind(message, seconds, note.value.trim());
    if (isToCome && (await saving.save(ID, set))) close();
  };
  return (
    <Dialog
      id={ID}
      title={t("remind")}
      onSubmit={() => void submit()}
      foot={
        <Button
          kind="primary"
          type="submit"
          disabled={!isToCome || saving.busy.value !== undefined}
        >
          {t("remind")}
        </Button>
      }
    >
      <div class="form">
        <Presets presets={presets} selected={selectedTime} other={other} />
        <SignalField type="datetime-local" label={t("remind-at")} text={other} />
        {other.value !== "" && (
          <p class="hint" role="status">
            {isToCome ? formatMoment(remindAt / 1000) : t("time-must-be-future")}
          </p>
        )}
        <SignalField label={t("remind-note")} text={note} maxLength={REMINDER_NOTE_LENGTH_MAX} />
        <FieldError text={saving.errors.value[ID]} />
      </div>
    </Dialog>
  );
}

interface PresetsProps {
  presets: readonly ReminderPreset[];
  selected: Signal<number>;
  other: Signal<string>;
}

function Presets({ presets, selected, other }: PresetsProps) {
  return (
    <fieldset class="messages-choices">
      <legend class="label">{t("when")}</legend>
      {presets.map((preset) => (
        <label key={preset.textKey}>
          <input
            class="radio"
            type="radio"
            name="when"
            checked={other.value === "" && selected.value === preset.time}
            onChange={() => {
              other.value = "";
              selected.value = preset.time;
            }}
          />
          {t(preset.textKey)} <small>{formatMoment(preset.time / 1000)}</small>
        </label>
      ))}
    </fieldset>
  );
}
