// Asks for the password or a passkey before an import starts or is undone.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { beginConfirmation, type Confirmation } from "../../../api/administration-calls.ts";
import { sync } from "../../../sync/session.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Refusal, useSending } from "../../../ui/form/form.tsx";
import { errorText } from "../../../ui/form/refusals.ts";
import { closeLayer } from "../../../ui/layers.ts";
import { t } from "../../../words/words.ts";
import { Identity, type Proof, showPasskey } from "../../settings/identity.tsx";
import { isOwner } from "../permissions.ts";

export const CONFIRM = "confirm-import";
const NONE = { password: "", ticket: "", credential: "" };

interface ConfirmProps {
  title: string;
  about: string;
  button: string;
  act: (proof: typeof NONE) => Promise<unknown>;
  /** Runs after the action. */
  done: () => Promise<unknown>;
}

export function ConfirmDialog({ title, about, button, act, done }: ConfirmProps) {
  const confirmation = useSignal<Confirmation | undefined>(undefined);
  const password = useSignal("");
  const stopped = useSignal("");
  const sending = useSending({ password: ["password"] });
  const begin = async () => {
    confirmation.value = await beginConfirmation(sync, {});
  };
  useEffect(() => {
    begin().catch((error: unknown) => (stopped.value = errorText(error)));
  }, []);
  const run = async (proof: () => Promise<Proof | string>) => {
    stopped.value = "";
    const isDone = await sending.send(async () => {
      const given = await proof();
      if (typeof given === "string") stopped.value = given;
      else await act({ ...NONE, ...given });
    });
    // A ticket is valid for one attempt.
    if (!isDone) return void begin().catch(() => (confirmation.value = undefined));
    if (stopped.value !== "") return;
    closeLayer(CONFIRM);
    await done();
  };
  const refusal = sending.of("password");
  return (
    <Dialog
      id={CONFIRM}
      may={isOwner()}
      title={title}
      onSubmit={() => {
        if (confirmation.value) void run(async () => ({ password: password.value }));
      }}
      foot={
        <>
          <Button onClick={() => closeLayer(CONFIRM)}>{t("cancel")}</Button>
          <Button
            kind="danger"
            type="submit"
            disabled={sending.isBusy.value || !confirmation.value}
          >
            {button}
          </Button>
        </>
      }
    >
      <p>{about}</p>
      {confirmation.value && (
        <Identity
          confirmation={confirmation.value}
          password={password}
          refusal={refusal}
          isBusy={sending.isBusy.value}
          show={(asked) => void run(() => showPasskey(asked))}
        />
      )}
      <Refusal words={(refusal === "" ? sending.refusal.value : "") || stopped.value} />
    </Dialog>
  );
}
