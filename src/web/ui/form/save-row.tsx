// The two buttons under what was changed and is not saved yet.
import { Button } from "../button.tsx";
import { say } from "../../words/words.ts";

export function SaveRow({
  onCancel,
  isBusy,
  onSave,
}: {
  onCancel: () => void;
  isBusy: boolean;
  onSave?: () => void;
}) {
  return (
    <div class="save-row">
      <Button
        kind="primary"
        type={onSave ? "button" : "submit"}
        disabled={isBusy}
        {...(onSave && { onClick: onSave })}
      >
        {say("save")}
      </Button>
      <Button kind="quiet" onClick={onCancel}>
        {say("cancel")}
      </Button>
    </div>
  );
}
