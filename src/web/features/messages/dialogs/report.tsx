// Tells the moderators of a message that should not be there.
import { useSignal } from "@preact/signals";
import { REPORT_LENGTH_MAX, type ReportType } from "../../../../features/reports/rules.ts";
import { reportMessage } from "../../../api/deed-calls.ts";
import { sync } from "../../../here.ts";
import { showRefusal } from "../../../optimistic.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { WordsField } from "../../../ui/form/words-field.tsx";
import { closeLayer, openLayer } from "../../../ui/layers.ts";
import { showToast } from "../../../ui/toast.tsx";
import { say, type Word } from "../../../words/words.ts";
import type { Message } from "../state.ts";

const ID = "report-message";
const REASONS: Readonly<Record<ReportType, Word>> = {
  spam: "report-spam",
  harassment: "report-harassment",
  inappropriate: "report-inappropriate",
  norms: "report-norms",
  other: "report-other",
};

export function askReport(message: Message): void {
  openLayer(ID, <Report message={message} />);
}

function Report({ message: { id: message_id } }: { message: Message }) {
  const reason = useSignal<ReportType>("spam");
  const description = useSignal("");
  const isLacking = reason.value === "other" && description.value.trim() === "";
  const submit = async () => {
    if (isLacking) return;
    const asked = { report_type: reason.value, description: description.value.trim() };
    try {
      await reportMessage(sync, { message_id, ...asked });
      closeLayer(ID);
      showToast({ words: say("reported") });
    } catch (error) {
      showRefusal(error);
    }
  };
  return (
    <Dialog
      id={ID}
      title={say("report-message")}
      onSubmit={() => void submit()}
      foot={
        <Button kind="primary" type="submit" disabled={isLacking}>
          {say("report")}
        </Button>
      }
    >
      <fieldset class="messages-choices">
        <legend class="label">{say("report-reason")}</legend>
        {(Object.keys(REASONS) as ReportType[]).map((type) => (
          <label key={type}>
            <input
              class="radio"
              type="radio"
              name="reason"
              checked={reason.value === type}
              onChange={() => (reason.value = type)}
            />
            {say(REASONS[type])}
          </label>
        ))}
      </fieldset>
      <WordsField
        label={say("report-description")}
        words={description}
        rows={3}
        maxLength={REPORT_LENGTH_MAX}
      />
    </Dialog>
  );
}
