// Asks for confirmation before an irreversible action.
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";

const ID = "sure";

interface ConfirmDialog {
  title: string;
  /** The consequences, shown before the action. */
  text: string;
  /** Label of the button. */
  actionLabel: string;
  /** False as soon as the user loses the permission. */
  isAllowed?: () => boolean;
}

export function confirmAction(dialog: ConfirmDialog, run: () => void): void {
  openLayer(ID, <Confirm dialog={dialog} run={run} />);
}

function Confirm({
  dialog: { title, text, actionLabel, isAllowed },
  run,
}: {
  dialog: ConfirmDialog;
  run: () => void;
}) {
  const submit = () => {
    closeLayer(ID);
    run();
  };
  const foot = (
    <Button kind="danger" type="submit">
      {actionLabel}
    </Button>
  );
  return (
    <Dialog id={ID} title={title} isAllowed={isAllowed?.()} onSubmit={submit} foot={foot}>
      <p>{text}</p>
    </Dialog>
  );
}
