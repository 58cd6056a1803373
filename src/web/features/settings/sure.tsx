// Asks before something that cannot be taken back.
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";

const ID = "sure";

interface Asked {
  title: string;
  /** What follows, said before it is done. */
  words: string;
  /** What the button says. */
  act: string;
}

export function askSure({ title, words, act }: Asked, run: () => void): void {
  const submit = () => {
    closeLayer(ID);
    run();
  };
  const foot = (
    <Button kind="danger" type="submit">
      {act}
    </Button>
  );
  openLayer(
    ID,
    <Dialog id={ID} title={title} onSubmit={submit} foot={foot}>
      <p>{words}</p>
    </Dialog>,
  );
}
