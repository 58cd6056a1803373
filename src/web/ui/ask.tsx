// Asks for a line of text in a dialog.
import { useSignal } from "@preact/signals";
import { say } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { WordsField } from "./form/words-field.tsx";
import { closeLayer, openLayer } from "./layers.ts";

export interface AskedText {
  title: string;
  label: string;
  value?: string;
  /** What is asked may be long. */
  isLong?: boolean;
}

const ID = "ask-text";

/** `take` is given what was written, trimmed; nothing when nothing was. */
export function askText(asked: AskedText, take: (text: string) => void): void {
  openLayer(ID, <AskText asked={asked} take={take} />);
}

function AskText({ asked, take }: { asked: AskedText; take: (text: string) => void }) {
  const text = useSignal(asked.value ?? "");
  const submit = () => {
    const given = text.value.trim();
    if (given === "") return;
    closeLayer(ID);
    take(given);
  };
  return (
    <Dialog
      id={ID}
      title={asked.title}
      onSubmit={submit}
      foot={
        <Button kind="primary" type="submit" disabled={text.value.trim() === ""}>
          {say("ok")}
        </Button>
      }
    >
      <WordsField label={asked.label} words={text} {...(asked.isLong && { rows: 4 })} />
    </Dialog>
  );
}
