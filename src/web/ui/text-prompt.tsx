// Asks for a line of text in a dialog.
import { useSignal } from "@preact/signals";
import { t } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { useSending } from "./form/form.tsx";
import { SignalField } from "./form/signal-field.tsx";
import { openLayer, useCloseLayer } from "./layers.ts";

interface TextPrompt {
  title: string;
  label: string;
  value?: string;
  /** The field has several lines. */
  isLong?: boolean;
  /** False as soon as the user loses the permission. */
  isAllowed?: () => boolean;
  /** Tries the input; if it throws, the dialog stays open and shows the error. */
  attempt?: (text: string) => Promise<unknown>;
}

const ID = "ask-text";

/** `onSubmit` receives the trimmed text; it is not called for empty input. */
export function askText(requested: TextPrompt, onSubmit: (text: string) => void): void {
  openLayer(ID, <TextDialog prompt={requested} onSubmit={onSubmit} />);
}

function TextDialog({
  prompt: requested,
  onSubmit,
}: {
  prompt: TextPrompt;
  onSubmit: (text: string) => void;
}) {
  const text = useSignal(requested.value ?? "");
  const { refusal, isBusy, send } = useSending();
  const close = useCloseLayer(ID);
  const submit = async () => {
    const value = text.value.trim();
    if (value === "" || !(await send(async () => requested.attempt?.(value)))) return;
    close();
    onSubmit(value);
  };
  return (
    <Dialog
      id={ID}
      title={requested.title}
      isAllowed={requested.isAllowed?.()}
      onSubmit={() => void submit()}
      foot={
        <Button kind="primary" type="submit" disabled={isBusy.value || text.value.trim() === ""}>
          {t("ok")}
        </Button>
      }
    >
      <SignalField
        label={requested.label}
        text={text}
        error={refusal.value}
        {...(requested.isLong && { rows: 4 })}
      />
    </Dialog>
  );
}
