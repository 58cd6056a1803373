// Confirms an administrator's action on how a user signs in, with password or passkey.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  type Access,
  beginConfirmation,
  type Confirmation,
  disableTwoFactor,
  fetchAccess,
  makePasswordLink,
  signOutEverywhere,
} from "../../api/administration-calls.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, now } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { errorText } from "../../ui/form/refusals.ts";
import { closeLayer } from "../../ui/layers.ts";
import { showToast } from "../../ui/toast.tsx";
import { formatMoment } from "../../words/dates.ts";
import { t, type Word } from "../../words/words.ts";
import type { Person } from "../people/state.ts";
import { ShownOnce } from "../settings/account/parts.tsx";
import { Refusal, useSending } from "../../ui/form/form.tsx";
import { Identity, type Proof, showPasskey } from "../settings/identity.tsx";
import { AccessFacts } from "./access-facts.tsx";
import { canManageAccount } from "./permissions.ts";

export const HELP = "help-account";
export type Help = "link" | "sign-out" | "two-factor";

interface Words {
  title: Word;
  about: Word;
  button: Word;
  done: Word;
}

const WORDS: Readonly<Record<Help, Words>> = {
  link: {
    title: "help-link-for",
    about: "help-link-about",
    button: "help-link-make",
    done: "help-link-made",
  },
  "sign-out": {
    title: "help-sign-out-for",
    about: "help-sign-out-about",
    button: "help-sign-out-now",
    done: "help-sign-out-done",
  },
  "two-factor": {
    title: "help-two-factor-for",
    about: "help-two-factor-about",
    button: "help-two-factor-now",
    done: "help-two-factor-done",
  },
};

interface ResetLink {
  link: string;
  expires: number;
}

export function HelpDialog({ person, help }: { person: Person; help: Help }) {
  subscribe("users");
  const { full_name: name } = person;
  const { access, confirmation, made, sending, stopped, run } = useHelp(person, help);
  const password = useSignal("");
  const { title, about, button } = WORDS[help];
  const isNeedless = help === "two-factor" && access?.has_second_factor === false;
  const isReady = confirmation !== undefined && !isNeedless && !made;
  const refusal = sending.of("password");
  return (
    <Dialog
      id={HELP}
      may={canManageAccount(now(), person)}
      title={t(title, { name })}
      onSubmit={() => {
        if (isReady) void run(async () => ({ password: password.value }));
      }}
      foot={
        <>
          <Button onClick={() => closeLayer(HELP)}>{t(made ? "close" : "cancel")}</Button>
          {isReady && (
            <Button
              kind={help === "link" ? "primary" : "danger"}
              type="submit"
              disabled={sending.isBusy.value}
            >
              {t(button)}
            </Button>
          )}
        </>
      }
    >
      {made ? (
        <NewLink made={made} name={name} />
      ) : (
        <p>{t(isNeedless ? "help-two-factor-none" : about, { name })}</p>
      )}
      {!made && access && <AccessFacts access={access} />}
      {isReady && (
        <Identity
          confirmation={confirmation}
          password={password}
          refusal={refusal}
          isBusy={sending.isBusy.value}
          show={(asked) => void run(() => showPasskey(asked))}
        />
      )}
      <Refusal words={(refusal === "" ? sending.refusal.value : "") || stopped} />
    </Dialog>
  );
}

const NewLink = ({ made, name }: { made: ResetLink; name: string }) => (
  <ShownOnce
    text={made.link}
    words={t("help-link-made", { name, when: formatMoment(made.expires) })}
  />
);

/** State of the dialog, and the action that runs with a proof of the identity. */
function useHelp({ user_id, full_name: name }: Person, help: Help) {
  const access = useSignal<Access | undefined>(undefined);
  const confirmation = useSignal<Confirmation | undefined>(undefined);
  const made = useSignal<ResetLink | undefined>(undefined);
  const stopped = useSignal("");
  const sending = useSending({ password: ["password"] });
  useEffect(() => {
    const fill = async () => {
      access.value = await fetchAccess(sync, { user_id });
      confirmation.value = await beginConfirmation(sync, {});
    };
    fill().catch((error: unknown) => (stopped.value = errorText(error)));
  }, [user_id]);
  const act = async (proof: Proof) => {
    const asked = { user_id, ...proof };
    if (help === "link") made.value = await makePasswordLink(sync, asked);
    else if (help === "sign-out") await signOutEverywhere(sync, asked);
    else await disableTwoFactor(sync, asked);
  };
  const run = async (proof: () => Promise<Proof | string>) => {
    stopped.value = "";
    const isDone = await sending.send(async () => {
      const given = await proof();
      if (typeof given === "string") stopped.value = given;
      else await act(given);
    });
    // A ticket is valid for one attempt.
    if (!isDone) confirmation.value = await beginConfirmation(sync, {}).catch(() => undefined);
    else if (help !== "link" && stopped.value === "") {
      closeLayer(HELP);
      showToast({ words: t(WORDS[help].done, { name }) });
    }
  };
  const known = { access: access.value, confirmation: confirmation.value, made: made.value };
  return { ...known, sending, stopped: stopped.value, run };
}
