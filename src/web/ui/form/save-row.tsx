// The Save and Cancel buttons below unsaved changes.
import { Button } from "../button.tsx";
import { t } from "../../words/words.ts";

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
        {t("save")}
      </Button>
      <Button kind="quiet" onClick={onCancel}>
        {t("cancel")}
      </Button>
    </div>
  );
}
