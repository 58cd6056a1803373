// Asks for the password or a passkey before an action that needs a proof of the identity.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Confirmation } from "../../api/administration-calls.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/form/form.tsx";
import { t } from "../../words/words.ts";

/** Password, or passkey and ticket. */
export type Proof = { password: string } | { ticket: string; credential: string };

interface IdentityProps {
  confirmation: Confirmation;
  password: { value: string } & Parameters<typeof TextField>[0]["value"];
  refusal: string;
  isBusy: boolean;
  show: (asked: Confirmation) => void;
}

export function Identity({ confirmation, password, refusal, isBusy, show }: IdentityProps) {
  const node = useRef<HTMLDivElement>(null);
  // Rendered after the dialog, whose focus is on a button until then.
  useLayoutEffect(() => node.current?.querySelector<HTMLElement>("input, button")?.focus(), []);
  return (
    <div ref={node}>
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
export async function showPasskey({ ticket, options }: Confirmation): Promise<Proof | string> {
  if (ticket === null || options === null) return t("settings-passkey-stopped");
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  try {
    const credential = JSON.stringify(await navigator.credentials.get({ publicKey }));
    return { ticket, credential };
  } catch {
    return t("settings-passkey-stopped");
  }
}
