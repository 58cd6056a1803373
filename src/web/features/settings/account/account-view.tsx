// The account page: email address, password, API keys and deactivation.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  createKey,
  deactivateSelf,
  revokeApiKeys,
  revokeKey,
  fetchPasswordStrength,
  setPassword,
  type Account,
} from "../../../api/account-calls.ts";
import { changeSettings } from "../../../api/message-calls.ts";
import { goToSignIn } from "../../../api/session.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, SubmitFoot } from "../../../ui/dialog.tsx";
import { openLayer } from "../../../ui/layers.ts";
import { showToast } from "../../../ui/toast.tsx";
import { t } from "../../../words/words.ts";
import type { PasswordStrength } from "../../../../features/passwords/rules.ts";
import { Form, Refusal, TextField, useSending } from "../../../ui/form/form.tsx";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import { ListItem } from "../setting-frame.tsx";
import { OwnData } from "./own-data.tsx";
import { EndButton, OneTimeSecret, lastUsedText } from "./parts.tsx";
import { loadAccount, useAccount } from "./use-account.ts";

const PAUSE_MS = 300;

export function AccountPage() {
  const account = useAccount();
  if (!account) return <p class="settings-intro">{t("settings-loading")}</p>;
  return (
    <>
      <Address account={account} />
      {account.has_password && <Password />}
      <Keys account={account} />
      <OwnData account={account} />
      <section>
        <h3>{t("settings-deactivate")}</h3>
        <p class="settings-intro">{t("settings-deactivate-hint")}</p>
        <div class="settings-form">
          <Button kind="danger" onClick={() => openLayer(LEAVE, <LeaveOrganization />)}>
            {t("settings-deactivate")}
          </Button>
        </div>
      </section>
    </>
  );
}

function Address({ account }: { account: Account }) {
  const { me, own } = getState().people;
  const { fields } = getState().organization;
  subscribe(`user:${me}`, "realm");
  const [email, old_password] = [useSignal(""), useSignal("")];
  const { errorOf, isBusy, send } = useSending({
    old_password: ["old_password", "password"],
    email: ["email"],
  });
  const canChange = fields["realm_email_changes_disabled"] !== true || own["is_admin"] === true;
  const change = async () => {
    const params = { email: email.value, old_password: old_password.value };
    let link: string | undefined;
    const ask = async () => ({ confirm_link: link } = await changeSettings(sync, params));
    if (!(await send(ask))) return;
    // If there is no mail server, the link is not sent to anyone else.
    if (link !== undefined) return location.assign(link);
    showToast({ text: t("settings-address-sent", { email: email.value }) });
    email.value = old_password.value = "";
  };
  return (
    <section>
      <h3>{t("settings-address")}</h3>
      <p class="settings-intro">
        {t("settings-address-now", { email: String(own["delivery_email"] ?? own["email"]) })}
      </p>
      {!canChange && <p class="hint">{t("org-administrators-only")}</p>}
      {canChange && (
        <Form send={() => void change()}>
          <TextField
            label={t("settings-address-new")}
            value={email}
            refusal={errorOf("email")}
            type="email"
          />
          {account.has_password && (
            <PasswordField value={old_password} refusal={errorOf("old_password")} />
          )}
          <Refusal text={errorOf("")} />
          <Button type="submit" disabled={isBusy.value || email.value === ""}>
            {t("settings-address-change")}
          </Button>
        </Form>
      )}
    </section>
  );
}

/** The field for the current password. */
function PasswordField({ value, refusal }: { value: { value: string }; refusal?: string }) {
  return (
    <TextField
      label={t("settings-password-yours")}
      value={value}
      refusal={refusal}
      type="password"
      autocomplete="current-password"
    />
  );
}

/** The password field. For users without a password, only the error, which has no other place. */
export function PasswordFieldIfSet({
  account,
  ...own
}: { account: Account } & Parameters<typeof PasswordField>[0]) {
  return account.has_password ? <PasswordField {...own} /> : <Refusal text={own.refusal ?? ""} />;
}

function Password() {
  const [old_password, new_password] = [useSignal(""), useSignal("")];
  const end_api_keys = useSignal(false);
  const { errorOf, isBusy, send } = useSending({
    new_password: ["new_password"],
    old_password: ["old_password"],
  });
  const set = async () => {
    const params = {
      old_password: old_password.value,
      new_password: new_password.value,
      end_api_keys: end_api_keys.value,
    };
    if (!(await send(() => setPassword(sync, params)))) return;
    old_password.value = new_password.value = "";
    showToast({ text: t("settings-password-is-set") });
    void runWithToast(loadAccount);
  };
  return (
    <section>
      <h3>{t("settings-password")}</h3>
      <p class="settings-intro">{t("settings-password-hint")}</p>
      <Form send={() => void set()}>
        <PasswordField value={old_password} refusal={errorOf("old_password")} />
        <TextField
          label={t("settings-password-new")}
          value={new_password}
          refusal={errorOf("new_password")}
          type="password"
          autocomplete="new-password"
          maxLength={100}
        />
        <Strength value={new_password} />
        <label>
          <input
            type="checkbox"
            checked={end_api_keys.value}
            onChange={({ currentTarget }) => (end_api_keys.value = currentTarget.checked)}
          />{" "}
          {t("settings-password-end")}
        </label>
        <Refusal text={errorOf("")} />
        <Button type="submit" disabled={isBusy.value || new_password.value === ""}>
          {t("settings-password-set")}
        </Button>
      </Form>
    </section>
  );
}

/**
 * The server estimates the strength at each pause, because its word lists are too large to load.
 */
function Strength({ value: { value: new_password } }: { value: Signal<string> }) {
  const strength = useSignal<PasswordStrength | undefined>(undefined);
  useEffect(() => {
    let isUnmounted = false;
    const judge = async () => {
      const judged = await fetchPasswordStrength(sync, { new_password }).catch(() => undefined);
      if (!isUnmounted) strength.value = judged?.strength;
    };
    if (new_password === "") strength.value = undefined;
    const timer = setTimeout(() => void (new_password !== "" && judge()), PAUSE_MS);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
    };
  }, [new_password]);
  return (
    <p class="hint" role="status">
      {strength.value && t(`settings-password-${strength.value}`)}
    </p>
  );
}

function Keys({ account }: { account: Account }) {
  const [name, password, createdKey] = [useSignal(""), useSignal(""), useSignal("")];
  const { errorOf, isBusy, send } = useSending({ password: ["password"], name: ["name"] });
  const make = () =>
    send(async () => {
      const params = { name: name.value, password: password.value };
      createdKey.value = (await createKey(sync, params)).api_key;
      name.value = password.value = "";
      await loadAccount();
    });
  return (
    <section>
      <h3>{t("settings-keys")}</h3>
      <p class="settings-intro">{t("settings-keys-hint")}</p>
      <ul class="settings-list">
        {account.app_passwords.map((key) => (
          <ListItem key={key.key_id} retry={loadAccount}>
            {(attempt) => (
              <>
                <span>
                  <bdi>{key.name}</bdi>
                  <small>{t(key.is_app_password ? "settings-key-app" : "settings-key-api")}</small>
                  <small>{lastUsedText(key)}</small>
                </span>
                <EndButton
                  name={key.name}
                  action="revoke"
                  end={() =>
                    attempt(() => revokeKey(sync, { key_id: key.key_id }).then(loadAccount))
                  }
                />
              </>
            )}
          </ListItem>
        ))}
      </ul>
      <EndApiKeys account={account} />
      <Form send={() => void make()}>
        <TextField
          label={t("settings-key-name")}
          value={name}
          refusal={errorOf("name")}
          maxLength={30}
        />
        {account.has_password && <PasswordField value={password} refusal={errorOf("password")} />}
        <Refusal text={errorOf("")} />
        <Button type="submit" disabled={isBusy.value || name.value.trim() === ""}>
          {t("settings-key-make")}
        </Button>
      </Form>
      {createdKey.value !== "" && (
        <OneTimeSecret secret={createdKey.value} text={t("settings-once")} />
      )}
    </section>
  );
}

function EndApiKeys({ account }: { account: Account }) {
  const { refusal, isBusy, send } = useSending();
  const hasApiKeys = account.app_passwords.some((key) => !key.is_app_password);
  const end = () => send(async () => void (await revokeApiKeys(sync, {}), await loadAccount()));
  return (
    <Form send={() => void end()}>
      <p class="hint">{t(hasApiKeys ? "settings-keys-end-all-hint" : "settings-keys-none")}</p>
      <Refusal text={refusal.value} />
      <Button type="submit" disabled={isBusy.value || !hasApiKeys}>
        {t("settings-keys-end-all")}
      </Button>
    </Form>
  );
}

const LEAVE = "leave-account";

function LeaveOrganization() {
  const { refusal, isBusy, send } = useSending();
  const leave = async () => {
    if (await send(() => deactivateSelf(sync, {}))) goToSignIn();
  };
  return (
    <Dialog
      id={LEAVE}
      title={t("settings-deactivate-confirm")}
      onSubmit={() => void leave()}
      foot={
        <SubmitFoot id={LEAVE} kind="danger" isDisabled={isBusy.value}>
          {t("settings-deactivate-now")}
        </SubmitFoot>
      }
    >
      <p>{t("settings-deactivate-hint")}</p>
      <Refusal text={refusal.value} />
    </Dialog>
  );
}
