// Asks for confirmation before an irreversible action.
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";

const ID = "sure";

interface SureDialog {
  title: string;
  /** The consequences, shown before the action. */
  words: string;
  /** Label of the button. */
  act: string;
  /** False as soon as the user loses the permission. */
  may?: () => boolean;
}

export function askSure(asked: SureDialog, run: () => void): void {
  openLayer(ID, <Sure asked={asked} run={run} />);
}

function Sure({ asked: { title, words, act, may }, run }: { asked: SureDialog; run: () => void }) {
  const submit = () => {
    closeLayer(ID);
    run();
  };
  const foot = (
    <Button kind="danger" type="submit">
      {act}
    </Button>
  );
  return (
    <Dialog id={ID} title={title} may={may?.()} onSubmit={submit} foot={foot}>
      <p>{words}</p>
    </Dialog>
  );
}
