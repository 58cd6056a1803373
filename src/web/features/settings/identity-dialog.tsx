// A dialog that confirms the identity of the user before it runs an action.
import { subscribe } from "../../store/store.ts";
import { Dialog, SubmitFoot } from "../../ui/dialog.tsx";
import { openLayer, useCloseLayer } from "../../ui/layers.ts";
import { Identity, type Proof, useIdentity } from "./identity.tsx";

const ID = "confirm-identity";

interface IdentityDialogProps {
  title: string;
  /** The consequences, one paragraph each. */
  about: readonly string[];
  /** Label of the button. */
  button: string;
  kind: "primary" | "danger";
  /** False as soon as the user loses the permission. */
  isAllowed: () => boolean;
  action: (proof: Proof) => Promise<unknown>;
  /** Runs after the action, when the dialog is closed. */
  onDone: () => unknown;
}

export function openIdentityDialog(props: IdentityDialogProps): void {
  openLayer(ID, <IdentityDialog {...props} />);
}

function IdentityDialog({
  title,
  about,
  button,
  kind,
  isAllowed,
  action,
  onDone,
}: IdentityDialogProps) {
  subscribe("users", "realm");
  const close = useCloseLayer(ID);
  const { isReady, isBusy, submit, fields } = useIdentity({
    action: action,
    onDone: () => {
      close();
      onDone();
    },
  });
  return (
    <Dialog
      id={ID}
      isAllowed={isAllowed()}
      title={title}
      onSubmit={submit}
      foot={
        <SubmitFoot id={ID} kind={kind} isDisabled={isBusy || !isReady}>
          {button}
        </SubmitFoot>
      }
    >
      <div class="settings-form">
        {about.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <Identity fields={fields} />
    </Dialog>
  );
}
