// Asks for a line of text in a dialog.
import { useSignal } from "@preact/signals";
import { t } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { WordsField } from "./form/words-field.tsx";
import { closeLayer, openLayer } from "./layers.ts";

interface AskedText {
  title: string;
  label: string;
  value?: string;
  /** The question may be long. */
  isLong?: boolean;
  /** False as soon as the user loses the permission. */
  may?: () => boolean;
  /** Tries the input; if it returns an error text, the dialog stays open and shows it. */
  attempt?: (text: string) => Promise<string>;
}

const ID = "ask-text";

/** `take` receives the trimmed text; it is not called for empty input. */
export function askText(asked: AskedText, take: (text: string) => void): void {
  openLayer(ID, <AskText asked={asked} take={take} />);
}

function AskText({ asked, take }: { asked: AskedText; take: (text: string) => void }) {
  const text = useSignal(asked.value ?? "");
  const wrong = useSignal("");
  const submit = async () => {
    const given = text.value.trim();
    if (given === "") return;
    wrong.value = (await asked.attempt?.(given)) ?? "";
    if (wrong.value !== "") return;
    closeLayer(ID);
    take(given);
  };
  return (
    <Dialog
      id={ID}
      title={asked.title}
      may={asked.may?.()}
      onSubmit={() => void submit()}
      foot={
        <Button kind="primary" type="submit" disabled={text.value.trim() === ""}>
          {t("ok")}
        </Button>
      }
    >
      <WordsField
        label={asked.label}
        words={text}
        wrong={wrong.value}
        {...(asked.isLong && { rows: 4 })}
      />
    </Dialog>
  );
}
