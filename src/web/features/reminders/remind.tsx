// Asks when to be reminded of a message, and with which words.
import { type Signal, useSignal } from "@preact/signals";
import { REMINDER_NOTE_LENGTH_MAX } from "../../../features/reminders/rules.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { formatMoment } from "../../words/dates.ts";
import { say } from "../../words/words.ts";
import { remind } from "../messages/actions.ts";
import type { Message } from "../messages/state.ts";
import { type Preset, presetsAt } from "./times.ts";

const ID = "remind";

export function askReminder(message: Message): void {
  openLayer(ID, <Remind message={message} />);
}

function Remind({ message }: { message: Message }) {
  const presets = presetsAt(new Date());
  const chosen = useSignal(presets[0]?.at ?? 0);
  const other = useSignal("");
  const note = useSignal("");
  const own = Math.floor(new Date(other.value).getTime() / 1000);
  const at = other.value === "" ? chosen.value : own;
  const isToCome = at * 1000 > Date.now();
  const submit = () => {
    if (!isToCome) return;
    closeLayer(ID);
    void remind(message, at, note.value.trim());
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
      <Presets presets={presets} chosen={chosen} other={other} />
      <label class="label">
        {say("remind-at")}
        <span class="field">
          <input
            type="datetime-local"
            value={other.value}
            onInput={(event) => (other.value = event.currentTarget.value)}
          />
        </span>
      </label>
      {other.value !== "" && (
        <p class="hint" role="status">
          {isToCome ? formatMoment(at) : say("time-is-past")}
        </p>
      )}
      <label class="label">
        {say("remind-note")}
        <span class="field">
          <input
            maxLength={REMINDER_NOTE_LENGTH_MAX}
            value={note.value}
            onInput={(event) => (note.value = event.currentTarget.value)}
          />
        </span>
      </label>
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
      <legend class="label">{say("remind-when")}</legend>
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
          {say(preset.word)} <small>{formatMoment(preset.at)}</small>
        </label>
      ))}
    </fieldset>
  );
}
