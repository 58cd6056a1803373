// The dialog for reporting a message to the moderators.
import { useSignal } from "@preact/signals";
import { REPORT_LENGTH_MAX, type ReportType } from "../../../../features/reports/rules.ts";
import { reportMessage } from "../../../api/message-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SignalField } from "../../../ui/form/signal-field.tsx";
import { openLayer, useCloseLayer } from "../../../ui/layers.ts";
import { showToast } from "../../../ui/toast.tsx";
import { t, type TextKey } from "../../../words/words.ts";
import { Refusal, useSending } from "../../../ui/form/form.tsx";
import { canReport } from "../permissions.ts";
import type { Message } from "../../../contract/message.ts";

const ID = "report-message";
const REASONS: Readonly<Record<ReportType, TextKey>> = {
  spam: "report-spam",
  harassment: "report-harassment",
  inappropriate: "report-inappropriate",
  norms: "report-norms",
  other: "report-other",
};

export function openReport(message: Message): void {
  openLayer(ID, <Report message={message} />);
}

function Report({ message: { id: message_id } }: { message: Message }) {
  const reason = useSignal<ReportType>("spam");
  const description = useSignal("");
  subscribe("realm");
  const { errorOf, isBusy, send } = useSending({ description: ["description"] });
  const close = useCloseLayer(ID);
  const submit = async () => {
    const params = { report_type: reason.value, description: description.value.trim() };
    if (!(await send(() => reportMessage(sync, { message_id, ...params })))) return;
    close();
    showToast({ text: t("reported") });
  };
  return (
    <Dialog
      id={ID}
      isAllowed={canReport(getState())}
      title={t("report-message")}
      onSubmit={() => void submit()}
      foot={
        <Button kind="primary" type="submit" disabled={isBusy.value}>
          {t("report")}
        </Button>
      }
    >
      <fieldset class="messages-choices">
        <legend class="label">{t("report-reason")}</legend>
        {(Object.keys(REASONS) as ReportType[]).map((type) => (
          <label key={type}>
            <input
              class="radio"
              type="radio"
              name="reason"
              checked={reason.value === type}
              onChange={() => (reason.value = type)}
            />
            {t(REASONS[type])}
          </label>
        ))}
      </fieldset>
      <SignalField
        label={t("report-description")}
        text={description}
        rows={3}
        maxLength={REPORT_LENGTH_MAX}
        error={errorOf("description")}
      />
      <Refusal text={errorOf("")} />
    </Dialog>
  );
}
