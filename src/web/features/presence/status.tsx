// What one says of oneself beside one's name, in a line.
import { STATUS_TEXT_LENGTH_MAX } from "../../../features/status/rules.ts";
import { useSignal } from "@preact/signals";
import { setStatus } from "../../api/calls.ts";
import { sync } from "../../here.ts";
import { known } from "../../live.ts";
import { optimistic } from "../../optimistic.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { say } from "../../words/words.ts";

const LAYER = "status";

export function openStatus(): void {
  openLayer(LAYER, <StatusDialog />);
}

function StatusDialog() {
  const { people, presence } = known()!;
  const before = presence.status.get(people.me)?.status_text ?? "";
  const text = useSignal(before);
  const save = (status_text: string) => {
    const foretold = (to: string) => {
      return { type: "user_status" as const, user_id: people.me, status_text: to };
    };
    closeLayer(LAYER);
    if (status_text === before) return;
    const ask = () => setStatus(sync, { status_text });
    void optimistic([foretold(status_text)], [foretold(before)], ask);
  };
  const foot = (
    <>
      {before !== "" && <Button onClick={() => save("")}>{say("clear")}</Button>}
      <Button kind="primary" type="submit">
        {say("save")}
      </Button>
    </>
  );
  return (
    <Dialog
      id={LAYER}
      title={say("set-status")}
      foot={foot}
      onSubmit={() => save(text.value.trim())}
    >
      <label class="field">
        <span class="vh">{say("set-status")}</span>
        <input
          value={text.value}
          maxLength={STATUS_TEXT_LENGTH_MAX}
          placeholder={say("status-example")}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
    </Dialog>
  );
}
