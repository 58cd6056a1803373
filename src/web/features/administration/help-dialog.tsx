// Confirms an administrator's action on how a user signs in, with password or passkey.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  type AccountAccess,
  disableTwoFactor,
  fetchAccess,
  createPasswordLink,
  signOutEverywhere,
} from "../../api/administration-calls.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { closeLayer } from "../../ui/layers.ts";
import { errorText } from "../../ui/form/save-errors.ts";
import { Refusal } from "../../ui/form/form.tsx";
import { showToast } from "../../ui/toast.tsx";
import { formatMoment } from "../../words/dates.ts";
import { t, type TextKey } from "../../words/words.ts";
import type { Person } from "../people/state.ts";
import { OneTimeSecret } from "../settings/account/parts.tsx";
import { Identity, useIdentity } from "../settings/identity.tsx";
import { Reachability, sharedLink, useLocalNetwork } from "../settings/account/reachability.tsx";
import { AccessFacts } from "./access-facts.tsx";
import { canManageAccount } from "./permissions.ts";

export const HELP = "help-account";
export type HelpAction = "link" | "sign-out" | "two-factor";

interface HelpTexts {
  title: TextKey;
  about: TextKey;
  button: TextKey;
  done: TextKey;
}

const WORDS: Readonly<Record<HelpAction, HelpTexts>> = {
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

export function HelpDialog({ person, help }: { person: Person; help: HelpAction }) {
  subscribe("users");
  const { full_name: name } = person;
  const { access, made, failed, identifying } = useHelp(person, help);
  const { title, about, button } = WORDS[help];
  const isNeedless = help === "two-factor" && access?.has_second_factor === false;
  // The facts decide whether there is something to confirm.
  const isAsked = access !== undefined && !isNeedless && !made;
  const isReady = isAsked && identifying.isReady;
  return (
    <Dialog
      id={HELP}
      isAllowed={canManageAccount(getState(), person)}
      title={t(title, { name })}
      onSubmit={() => {
        if (isReady) identifying.submit();
      }}
      foot={
        <>
          <Button onClick={() => closeLayer(HELP)}>{t(made ? "close" : "cancel")}</Button>
          {isReady && (
            <Button
              kind={help === "link" ? "primary" : "danger"}
              type="submit"
              disabled={identifying.isBusy}
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
      {isAsked && <Identity fields={identifying.fields} />}
      <Refusal text={failed} />
    </Dialog>
  );
}

function NewLink({ made, name }: { made: ResetLink; name: string }) {
  const network = useLocalNetwork(made.link).value;
  return (
    <>
      <OneTimeSecret
        secret={sharedLink(made.link, network)}
        text={t("help-link-made", { name, when: formatMoment(made.expires) })}
      />
      <Reachability link={made.link} network={network} />
    </>
  );
}

/** State of the dialog, and the action that runs with a proof of the identity. */
function useHelp({ user_id, full_name: name }: Person, help: HelpAction) {
  const access = useSignal<AccountAccess | undefined>(undefined);
  const createdLink = useSignal<ResetLink | undefined>(undefined);
  const failed = useSignal("");
  useEffect(() => {
    fetchAccess(sync, { user_id }).then(
      (response) => (access.value = response),
      (error: unknown) => (failed.value = errorText(error)),
    );
  }, [user_id]);
  const identifying = useIdentity({
    action: async (proof) => {
      const params = { user_id, ...proof };
      if (help === "link") createdLink.value = await createPasswordLink(sync, params);
      else if (help === "sign-out") await signOutEverywhere(sync, params);
      else await disableTwoFactor(sync, params);
    },
    onDone: () => {
      if (help === "link") return;
      closeLayer(HELP);
      showToast({ text: t(WORDS[help].done, { name }) });
    },
  });
  return { access: access.value, made: createdLink.value, failed: failed.value, identifying };
}
