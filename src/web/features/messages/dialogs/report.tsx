// Tells the moderators of a message that should not be there.
import { useSignal } from "@preact/signals";
import { REPORT_LENGTH_MAX, type ReportType } from "../../../../features/reports/rules.ts";
import { reportMessage } from "../../../api/deed-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { WordsField } from "../../../ui/form/words-field.tsx";
import { closeLayer, openLayer } from "../../../ui/layers.ts";
import { showToast } from "../../../ui/toast.tsx";
import { say, type Word } from "../../../words/words.ts";
import { Refusal, useSending } from "../../settings/form.tsx";
import { mayReport } from "../permits.ts";
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
  keyed("realm");
  const { of, isBusy, send } = useSending({ description: /explanation/ });
  const submit = async () => {
    const asked = { report_type: reason.value, description: description.value.trim() };
    if (!(await send(() => reportMessage(sync, { message_id, ...asked })))) return;
    closeLayer(ID);
    showToast({ words: say("reported") });
  };
  return (
    <Dialog
      id={ID}
      may={mayReport(now())}
      title={say("report-message")}
      onSubmit={() => void submit()}
      foot={
        <Button kind="primary" type="submit" disabled={isBusy.value}>
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
        wrong={of("description")}
      />
      <Refusal words={of("")} />
    </Dialog>
  );
}
