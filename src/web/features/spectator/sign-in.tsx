// The sign-in links for spectators, which return to the current view.
import { signInAddress } from "../../api/session.ts";
import { view } from "../../store/address.ts";
import { Icon } from "../../ui/icon.tsx";
import { t, type TextKey } from "../../words/words.ts";

/** The path of a message's short link. */
const MESSAGE = /^m\/\d{1,15}$/;

function nextAddress(): string {
  const currentView = view.value;
  if (currentView.kind !== "unknown" || !MESSAGE.test(currentView.fragment)) return signInAddress();
  return signInAddress({ pathname: `/${currentView.fragment}`, search: "", hash: "" });
}

interface SignInProps {
  textKey?: TextKey;
  isWide?: boolean;
  /** Used if another button of the page is the main one. */
  isQuiet?: boolean;
}

export function SignIn({ textKey = "sign-in", isWide, isQuiet }: SignInProps) {
  return (
    <a
      class="btn"
      data-kind={isQuiet ? undefined : "primary"}
      data-size={isWide ? "wide" : undefined}
      href={nextAddress()}
    >
      {t(textKey)}
    </a>
  );
}

/** Shown in place of the composer. */
export function SignInOffer() {
  return (
    <div class="compose-wrap">
      <div class="col">
        <div class="spectator-offer">
          <Icon name="follow" />
          <p>
            <b>{t("visit-reading")}</b> {t("visit-poll")}
          </p>
          <SignIn textKey="visit-answer" />
        </div>
      </div>
    </div>
  );
}
