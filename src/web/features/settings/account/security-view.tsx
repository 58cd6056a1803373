// Second factors, and the user's sessions.
import { type Signal, useSignal } from "@preact/signals";
import {
  type Account,
  type AuthenticatorSecret,
  addPasskey,
  confirmAuthenticator,
  revokeSession,
  revokeSessions,
  createRecoveryCodes,
  passkeyOptions,
  removeAuthenticator,
  removePasskey,
  startAuthenticatorSetup,
} from "../../../api/account-calls.ts";
import { sync } from "../../../sync/session.ts";
import { Button } from "../../../ui/button.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { t } from "../../../words/words.ts";
import { QrCode } from "../qr.tsx";
import { nameOfError } from "../../../content/elements.ts";
import { Form, Refusal, TextField, useSending } from "../../../ui/form/form.tsx";
import { ListItem, showRowGone } from "../setting-frame.tsx";
import { PasswordFieldIfSet } from "./account-view.tsx";
import { RecoveryCodes } from "./codes.tsx";
import { EndButton, OneTimeSecret, lastUsedText } from "./parts.tsx";
import { loadAccount, useAccount } from "./use-account.ts";

type ShownCodes = Signal<readonly string[] | undefined>;

export function SecurityPage() {
  const account = useAccount();
  const codes: ShownCodes = useSignal(undefined);
  if (!account) return <p class="settings-intro">{t("settings-loading")}</p>;
  const isGuarded = account.has_app || account.passkeys.length > 0;
  return (
    <>
      {codes.value && <RecoveryCodes codes={codes.value} />}
      <App account={account} codes={codes} />
      <Passkeys account={account} codes={codes} />
      {isGuarded && <CodesRenewal account={account} codes={codes} />}
      <Sessions account={account} />
    </>
  );
}

function App({ account, codes }: { account: Account; codes: ShownCodes }) {
  const [password, code] = [useSignal(""), useSignal("")];
  const setup = useSignal<AuthenticatorSecret>({});
  const { refusal, isBusy, send } = useSending();
  const start = () =>
    send(async () => {
      const params = { password: password.value };
      if (account.has_app) await removeAuthenticator(sync, params);
      else setup.value = await startAuthenticatorSetup(sync, params);
      password.value = "";
      await loadAccount();
    });
  const confirm = () =>
    send(async () => {
      codes.value = (await confirmAuthenticator(sync, { code: code.value })).recovery_codes;
      setup.value = {};
      code.value = "";
      await loadAccount();
    });
  const { secret, uri } = setup.value;
  return (
    <section>
      <h3>{t("settings-app")}</h3>
      <p class="settings-intro">
        {t(account.has_app ? "settings-app-is-on" : "settings-app-hint")}
      </p>
      {secret !== undefined && uri !== undefined ? (
        <Form send={() => void confirm()}>
          <QrCode text={uri} label={t("settings-app-qr")} />
          <OneTimeSecret secret={secret} text={t("settings-app-scan")} />
          <TextField
            label={t("settings-app-code")}
            value={code}
            refusal={refusal.value}
            inputMode="numeric"
            autocomplete="one-time-code"
          />
          <Button kind="primary" type="submit" disabled={isBusy.value}>
            {t("settings-app-confirm")}
          </Button>
        </Form>
      ) : (
        <Form send={() => void start()}>
          <PasswordFieldIfSet account={account} value={password} refusal={refusal.value} />
          <Button type="submit" disabled={isBusy.value}>
            {t(account.has_app ? "settings-app-remove" : "settings-app-set-up")}
          </Button>
        </Form>
      )}
    </section>
  );
}

const canMakePasskeys = () =>
  isSecureContext && typeof PublicKeyCredential?.parseCreationOptionsFromJSON === "function";

function Passkeys({ account, codes }: { account: Account; codes: ShownCodes }) {
  const [name, password, errorText] = [useSignal(""), useSignal(""), useSignal("")];
  const { refusal, errorOf, isBusy, send } = useSending({ password: ["password"], name: ["name"] });
  const add = () =>
    send(async () => {
      errorText.value = "";
      const proof = await newPasskey({ name: name.value, password: password.value });
      if (typeof proof === "string") return void (errorText.value = proof);
      const added = await addPasskey(sync, { name: name.value, ...proof });
      codes.value = added.recovery_codes ?? codes.value;
      name.value = password.value = "";
      await loadAccount();
      showToast({ text: t("audit-passkey_added") });
    });
  const remove = async (passkey_id: number) => {
    const isDone = await send(async () => {
      await removePasskey(sync, { passkey_id, password: password.value });
      password.value = "";
      await loadAccount();
      showToast({ text: t("audit-passkey_removed") });
    });
    if (isDone || (await passkeyExists(passkey_id))) return;
    refusal.value = "";
    showRowGone();
  };
  return (
    <section>
      <h3>{t("settings-passkeys")}</h3>
      {!canMakePasskeys() && <p class="settings-intro">{t("settings-passkey-none")}</p>}
      <PasskeyList passkeys={account.passkeys} remove={remove} />
      {(canMakePasskeys() || account.passkeys.length > 0) && (
        <Form send={() => void add()}>
          <PasswordFieldIfSet account={account} value={password} refusal={errorOf("password")} />
          {canMakePasskeys() && (
            <TextField label={t("settings-passkey-name")} value={name} refusal={errorOf("name")} />
          )}
          <Refusal text={errorOf("") || errorText.value} />
          {canMakePasskeys() && (
            <Button type="submit" disabled={isBusy.value || name.value.trim() === ""}>
              {t("settings-passkey-add")}
            </Button>
          )}
        </Form>
      )}
    </section>
  );
}

interface PasskeyListProps {
  passkeys: Account["passkeys"];
  remove: (passkey_id: number) => Promise<void>;
}

function PasskeyList({ passkeys, remove }: PasskeyListProps) {
  return (
    <ul class="settings-list">
      {passkeys.map((passkey) => (
        <li key={passkey.passkey_id}>
          <span>
            <bdi>{passkey.name}</bdi>
            <small>{lastUsedText(passkey)}</small>
          </span>
          <Button
            aria-label={t("remove-named", { name: passkey.name })}
            onClick={() => void remove(passkey.passkey_id)}
          >
            {t("remove")}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The new credential, or why the browser did not create one. */
async function newPasskey(params: { name: string; password: string }) {
  const { ticket, options } = await passkeyOptions(sync, params);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
  try {
    const credential = await navigator.credentials.create({ publicKey });
    // Password managers return objects of their own, which only have the method.
    if (!credential || !("toJSON" in credential)) return t("settings-passkey-stopped");
    return { ticket, credential: JSON.stringify(credential) };
  } catch (error) {
    const isHere = nameOfError(error) === "InvalidStateError";
    return t(isHere ? "settings-passkey-again" : "settings-passkey-stopped");
  }
}

/** Asks the server whether the passkey still exists, and displays the response. */
async function passkeyExists(passkey_id: number): Promise<boolean> {
  const account = await loadAccount().catch(() => undefined);
  return !account || account.passkeys.some((passkey) => passkey.passkey_id === passkey_id);
}

function CodesRenewal({ account, codes }: { account: Account; codes: ShownCodes }) {
  const password = useSignal("");
  const { refusal, isBusy, send } = useSending();
  const renew = () =>
    send(async () => {
      codes.value = (await createRecoveryCodes(sync, { password: password.value })).recovery_codes;
      password.value = "";
      await loadAccount();
    });
  return (
    <section>
      <h3>{t("settings-codes")}</h3>
      <p class="settings-intro">
        {t("settings-codes-left", { count: account.recovery_codes_left })}
      </p>
      <Form send={() => void renew()}>
        <PasswordFieldIfSet account={account} value={password} refusal={refusal.value} />
        <Button type="submit" disabled={isBusy.value}>
          {t("settings-codes-new")}
        </Button>
      </Form>
    </section>
  );
}

function Sessions({ account: { sessions } }: { account: Account }) {
  const { refusal, isBusy, send } = useSending();
  const endOthers = async () => {
    const isDone = await send(() => revokeSessions(sync, {}).then(loadAccount));
    if (isDone) showToast({ text: t("settings-sessions-ended") });
  };
  return (
    <section>
      <h3>{t("settings-sessions")}</h3>
      <ul class="settings-list">
        {sessions.map(({ session_id, browser, current, ...times }) => (
          <ListItem key={session_id} retry={loadAccount}>
            {(attempt) => (
              <>
                <span>
                  <bdi>{current ? t("settings-session-here") : browser}</bdi>
                  <small>{lastUsedText(times)}</small>
                </span>
                {!current && (
                  <EndButton
                    name={browser}
                    action="sign-out"
                    end={() => attempt(() => revokeSession(sync, { session_id }).then(loadAccount))}
                  />
                )}
              </>
            )}
          </ListItem>
        ))}
      </ul>
      {sessions.length > 1 && (
        <div class="settings-form">
          <Refusal text={refusal.value} />
          <Button disabled={isBusy.value} onClick={() => void endOthers()}>
            {t("settings-sessions-end")}
          </Button>
        </div>
      )}
    </section>
  );
}
