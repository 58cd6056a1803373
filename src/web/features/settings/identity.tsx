// Asks for the password or a passkey before an action that needs a proof of the identity.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { beginConfirmation, type Confirmation } from "../../api/administration-calls.ts";
import { sync } from "../../sync/session.ts";
import { Button } from "../../ui/button.tsx";
import { Refusal, TextField, useSending } from "../../ui/form/form.tsx";
import { errorText } from "../../ui/form/save-errors.ts";
import { t } from "../../words/words.ts";

/** The password, or a used passkey with its ticket; the others are empty. */
export interface Proof {
  password: string;
  ticket: string;
  credential: string;
}
const NONE: Proof = { password: "", ticket: "", credential: "" };

interface IdentityState {
  /** False until the server has answered how the user can confirm. */
  isReady: boolean;
  isBusy: boolean;
  /** Runs the action with the password in the field. */
  submit(): void;
  fields: IdentityProps;
}

interface IdentityOptions {
  /** Runs with what the user has entered or shown. */
  action: (proof: Proof) => Promise<unknown>;
  /** Runs after the action. */
  onDone: () => void;
  /** False for actions that the server allows without a proof. */
  isNeeded?: boolean;
}

/** State of a dialog whose action needs a proof of the identity. */
export function useIdentity({ action, onDone, isNeeded = true }: IdentityOptions): IdentityState {
  const confirmation = useSignal<Confirmation | undefined>(undefined);
  const [password, failure] = [useSignal(""), useSignal("")];
  const sending = useSending({ password: ["password"] });
  const begin = async () => {
    confirmation.value = await beginConfirmation(sync, {});
  };
  useEffect(() => {
    if (isNeeded) begin().catch((error: unknown) => (failure.value = errorText(error)));
  }, [isNeeded]);
  const run = async (proof: () => Promise<Proof | string>) => {
    failure.value = "";
    const isDone = await sending.send(async () => {
      const proven = await proof();
      if (typeof proven === "string") failure.value = proven;
      else await action(proven);
    });
    if (isDone && failure.value === "") onDone();
    // A ticket is valid for one attempt.
    if (!isDone && isNeeded) await begin().catch(() => (confirmation.value = undefined));
  };
  const isReady = !isNeeded || confirmation.value !== undefined;
  const refusal = sending.errorOf("password");
  return {
    isReady,
    isBusy: sending.isBusy.value,
    submit: () => {
      if (isReady) void run(async () => ({ ...NONE, password: password.value }));
    },
    fields: {
      confirmation: confirmation.value,
      password,
      refusal,
      other: (refusal === "" ? sending.refusal.value : "") || failure.value,
      isBusy: sending.isBusy.value,
      show: (confirmation) => void run(() => showPasskey(confirmation)),
    },
  };
}

interface IdentityProps {
  confirmation: Confirmation | undefined;
  password: Signal<string>;
  /** The error about the password. */
  refusal: string;
  /** Any other error. */
  other: string;
  isBusy: boolean;
  show: (confirmation: Confirmation) => void;
}

/** `isFocused`: takes the focus when it appears. */
export function Identity({
  fields,
  isFocused = true,
}: {
  fields: IdentityProps;
  isFocused?: boolean;
}) {
  const { confirmation, other } = fields;
  return (
    <>
      {confirmation && (
        <ConfirmationMethods {...fields} confirmation={confirmation} isFocused={isFocused} />
      )}
      <Refusal text={other} />
    </>
  );
}

type WaysProps = IdentityProps & { confirmation: Confirmation; isFocused: boolean };

function ConfirmationMethods({
  confirmation,
  password,
  refusal,
  isBusy,
  show,
  isFocused,
}: WaysProps) {
  const node = useRef<HTMLDivElement>(null);
  // Rendered after the dialog, whose focus is on a button until then.
  useLayoutEffect(() => {
    if (isFocused) node.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, []);
  return (
    <div ref={node} class="settings-form">
      {confirmation.has_password && (
        <TextField
          label={t("help-password")}
          value={password}
          refusal={refusal}
          type="password"
          autocomplete="current-password"
        />
      )}
      {confirmation.options && canShowPasskeys() && (
        <Button icon="key" disabled={isBusy} onClick={() => show(confirmation)}>
          {t("help-passkey")}
        </Button>
      )}
    </div>
  );
}

const canShowPasskeys = () =>
  isSecureContext && typeof PublicKeyCredential?.parseRequestOptionsFromJSON === "function";

/** The used passkey, or why the browser has not used one. */
async function showPasskey({ ticket, options }: Confirmation): Promise<Proof | string> {
  if (ticket === null || options === null) return t("settings-passkey-stopped");
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  try {
    const credential = JSON.stringify(await navigator.credentials.get({ publicKey }));
    return { ...NONE, ticket, credential };
  } catch {
    return t("settings-passkey-stopped");
  }
}
