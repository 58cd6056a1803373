// The account page: email address, password, API keys and deactivation.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  addKey,
  deactivateSelf,
  endApiKeys,
  endKey,
  judgePassword,
  setPassword,
  type Account,
} from "../../../api/account-calls.ts";
import { changeSettings } from "../../../api/deed-calls.ts";
import { goToSignIn } from "../../../api/session.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../../ui/layers.ts";
import { showToast } from "../../../ui/toast.tsx";
import { say } from "../../../words/words.ts";
import type { PasswordStrength } from "../../../../features/passwords/rules.ts";
import { attempt, Form, Refusal, TextField, useSending } from "../form.tsx";
import { ListItem } from "../frame.tsx";
import { ShownOnce, usedWords } from "./parts.tsx";
import { loadAccount, useAccount } from "./state.ts";

const PAUSE_MS = 300;

export function AccountPage() {
  const account = useAccount();
  if (!account) return <p class="settings-intro">{say("settings-loading")}</p>;
  return (
    <>
      <Address account={account} />
      {account.has_password && <Password />}
      <Keys account={account} />
      <section>
        <h3>{say("settings-leave")}</h3>
        <p class="settings-intro">{say("settings-leave-hint")}</p>
        <div class="settings-form">
          <Button kind="danger" onClick={() => openLayer(LEAVE, <Leave />)}>
            {say("settings-leave")}
          </Button>
        </div>
      </section>
    </>
  );
}

function Address({ account }: { account: Account }) {
  const { people, organization } = now();
  keyed(`user:${people.me}`, "realm");
  const [email, old_password] = [useSignal(""), useSignal("")];
  const { of, isBusy, send } = useSending({ old_password: /password/i, email: /mail/i });
  const own = people.own;
  const mayChange =
    organization.fields["realm_email_changes_disabled"] !== true || own["is_admin"] === true;
  const change = async () => {
    const asked = { email: email.value, old_password: old_password.value };
    let link: string | undefined;
    const ask = async () => ({ confirm_link: link } = await changeSettings(sync, asked));
    if (!(await send(ask))) return;
    // Without a mail server, the link is not sent to anyone else.
    if (link !== undefined) return location.assign(link);
    showToast({ words: say("settings-address-sent", { email: email.value }) });
    email.value = old_password.value = "";
  };
  return (
    <section>
      <h3>{say("settings-address")}</h3>
      <p class="settings-intro">
        {say("settings-address-now", { email: String(own["delivery_email"] ?? own["email"]) })}
      </p>
      {!mayChange && <p class="hint">{say("org-administrators-only")}</p>}
      {mayChange && (
        <Form send={() => void change()}>
          <TextField
            label={say("settings-address-new")}
            value={email}
            refusal={of("email")}
            type="email"
          />
          {account.has_password && <Own value={old_password} refusal={of("old_password")} />}
          <Refusal words={of("")} />
          <Button type="submit" disabled={isBusy.value || email.value === ""}>
            {say("settings-address-change")}
          </Button>
        </Form>
      )}
    </section>
  );
}

/** The field for the password that one has now. */
function Own({ value, refusal }: { value: { value: string }; refusal?: string }) {
  return (
    <TextField
      label={say("settings-password-yours")}
      value={value as never}
      refusal={refusal}
      type="password"
      autocomplete="current-password"
    />
  );
}

/** Shown with an error, or if nothing else can show it. */
export function OwnIfAny({ account, ...own }: { account: Account } & Parameters<typeof Own>[0]) {
  return account.has_password ? <Own {...own} /> : <Refusal words={own.refusal ?? ""} />;
}

function Password() {
  const [old_password, new_password] = [useSignal(""), useSignal("")];
  const end_api_keys = useSignal(false);
  const { of, isBusy, send } = useSending({ new_password: /weak/, old_password: /password!/ });
  const set = async () => {
    const asked = {
      old_password: old_password.value,
      new_password: new_password.value,
      end_api_keys: end_api_keys.value,
    };
    if (!(await send(() => setPassword(sync, asked)))) return;
    old_password.value = new_password.value = "";
    showToast({ words: say("settings-password-is-set") });
    void attempt(loadAccount);
  };
  return (
    <section>
      <h3>{say("settings-password")}</h3>
      <p class="settings-intro">{say("settings-password-hint")}</p>
      <Form send={() => void set()}>
        <Own value={old_password} refusal={of("old_password")} />
        <TextField
          label={say("settings-password-new")}
          value={new_password}
          refusal={of("new_password")}
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
          {say("settings-password-end")}
        </label>
        <Refusal words={of("")} />
        <Button type="submit" disabled={isBusy.value || new_password.value === ""}>
          {say("settings-password-set")}
        </Button>
      </Form>
    </section>
  );
}

/** Judged by the server, whose lists of words are too long to be fetched: at each pause. */
function Strength({ value: { value: new_password } }: { value: Signal<string> }) {
  const strength = useSignal<PasswordStrength | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    const judge = async () => {
      const judged = await judgePassword(sync, { new_password }).catch(() => undefined);
      if (!isOver) strength.value = judged?.strength;
    };
    if (new_password === "") strength.value = undefined;
    const timer = setTimeout(() => void (new_password !== "" && judge()), PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [new_password]);
  return (
    <p class="hint" role="status">
      {strength.value && say(`settings-password-${strength.value}`)}
    </p>
  );
}

function Keys({ account }: { account: Account }) {
  const [name, password, made] = [useSignal(""), useSignal(""), useSignal("")];
  const { of, isBusy, send } = useSending({ password: /password/i, name: /name/i });
  const make = () =>
    send(async () => {
      const asked = { name: name.value, password: password.value };
      made.value = (await addKey(sync, asked)).api_key;
      name.value = password.value = "";
      await loadAccount();
    });
  return (
    <section>
      <h3>{say("settings-keys")}</h3>
      <p class="settings-intro">{say("settings-keys-hint")}</p>
      <ul class="settings-list">
        {account.app_passwords.map((key) => (
          <ListItem key={key.key_id} again={loadAccount}>
            {(act) => (
              <>
                <span>
                  <bdi>{key.name}</bdi>
                  <small>
                    {say(key.is_app_password ? "settings-key-app" : "settings-key-api")}
                  </small>
                  <small>{usedWords(key)}</small>
                </span>
                <EndButton
                  name={key.name}
                  end={() => act(() => endKey(sync, { key_id: key.key_id }).then(loadAccount))}
                />
              </>
            )}
          </ListItem>
        ))}
      </ul>
      <EndApiKeys account={account} />
      <Form send={() => void make()}>
        <TextField
          label={say("settings-key-name")}
          value={name}
          refusal={of("name")}
          maxLength={30}
        />
        {account.has_password && <Own value={password} refusal={of("password")} />}
        <Refusal words={of("")} />
        <Button type="submit" disabled={isBusy.value || name.value.trim() === ""}>
          {say("settings-key-make")}
        </Button>
      </Form>
      {made.value !== "" && <ShownOnce text={made.value} words={say("settings-once")} />}
    </section>
  );
}

function EndApiKeys({ account }: { account: Account }) {
  const { refusal, isBusy, send } = useSending();
  const hasApiKeys = account.app_passwords.some((key) => !key.is_app_password);
  const end = () => send(async () => void (await endApiKeys(sync, {}), await loadAccount()));
  return (
    <Form send={() => void end()}>
      <p class="hint">{say("settings-keys-end-all-hint")}</p>
      <Refusal words={refusal.value} />
      <Button type="submit" disabled={isBusy.value || !hasApiKeys}>
        {say("settings-keys-end-all")}
      </Button>
    </Form>
  );
}

/** Ends what one is signed in by. */
export function EndButton({ name, end }: { name: string; end: () => Promise<unknown> }) {
  return (
    <Button aria-label={say("settings-end-named", { name })} onClick={() => void end()}>
      {say("settings-end")}
    </Button>
  );
}

const LEAVE = "leave-account";

function Leave() {
  const { refusal, isBusy, send } = useSending();
  const leave = async () => {
    if (await send(() => deactivateSelf(sync, {}))) goToSignIn();
  };
  return (
    <Dialog
      id={LEAVE}
      title={say("settings-leave-sure")}
      onSubmit={() => void leave()}
      foot={
        <>
          <Button onClick={() => closeLayer(LEAVE)}>{say("cancel")}</Button>
          <Button kind="danger" type="submit" disabled={isBusy.value}>
            {say("settings-leave-now")}
          </Button>
        </>
      }
    >
      <p>{say("settings-leave-hint")}</p>
      <Refusal words={refusal.value} />
    </Dialog>
  );
}
