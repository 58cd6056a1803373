// Asks when to be reminded of a message, and with which words.
import { type Signal, useSignal } from "@preact/signals";
import { REMINDER_NOTE_LENGTH_MAX } from "../../../features/reminders/rules.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { WordsField } from "../../ui/form/words-field.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { formatMoment } from "../../words/dates.ts";
import { momentIn } from "../../words/moments.ts";
import { say } from "../../words/words.ts";
import { remind } from "../messages/actions.ts";
import type { Message } from "../messages/state.ts";
import { type Preset, presetsAt } from "./times.ts";

const ID = "remind";

export function askReminder(message: Message): void {
  openLayer(ID, <Remind message={message} />);
}

function Remind({ message }: { message: Message }) {
  const presets = presetsAt(Date.now());
  const chosen = useSignal(presets[0]?.at ?? 0);
  const other = useSignal("");
  const note = useSignal("");
  const at = other.value === "" ? chosen.value : momentIn(other.value);
  const isToCome = at > Date.now();
  const submit = () => {
    if (!isToCome) return;
    closeLayer(ID);
    void remind(message, Math.floor(at / 1000), note.value.trim());
  };
  return (
    <Dialog
      id={ID}
      title={say("remind")}
      onSubmit={submit}
      foot={
        <Button kind="primary" type="submit" disabled={!isToCome}>
          {say("remind")}
        </Button>
      }
    >
      <div class="form">
        <Presets presets={presets} chosen={chosen} other={other} />
        <WordsField type="datetime-local" label={say("remind-at")} words={other} />
        {other.value !== "" && (
          <p class="hint" role="status">
            {isToCome ? formatMoment(at / 1000) : say("time-is-past")}
          </p>
        )}
        <WordsField label={say("remind-note")} words={note} maxLength={REMINDER_NOTE_LENGTH_MAX} />
      </div>
    </Dialog>
  );
}

interface Offered {
  presets: readonly Preset[];
  chosen: Signal<number>;
  other: Signal<string>;
}

function Presets({ presets, chosen, other }: Offered) {
  return (
    <fieldset class="messages-choices">
      <legend class="label">{say("when")}</legend>
      {presets.map((preset) => (
        <label key={preset.word}>
          <input
            class="radio"
            type="radio"
            name="when"
            checked={other.value === "" && chosen.value === preset.at}
            onChange={() => {
              other.value = "";
              chosen.value = preset.at;
            }}
          />
          {say(preset.word)} <small>{formatMoment(preset.at / 1000)}</small>
        </label>
      ))}
    </fieldset>
  );
}
