// The way in, from wherever one stands and back to there.
import { signInAddress } from "../../api/session.ts";
import { view } from "../../address.ts";
import { Icon } from "../../ui/icon.tsx";
import { say, type Word } from "../../words/words.ts";

/** The number of a message, for which there is an address of its own. */
const MESSAGE = /^m\/\d{1,15}$/;

function nextAddress(): string {
  const shown = view.value;
  if (shown.kind !== "unknown" || !MESSAGE.test(shown.fragment)) return signInAddress();
  return signInAddress({ pathname: `/${shown.fragment}`, search: "", hash: "" });
}

interface Shown {
  word?: Word;
  isWide?: boolean;
  /** If another button is more prominent. */
  isQuiet?: boolean;
}

export function SignIn({ word = "sign-in", isWide, isQuiet }: Shown) {
  return (
    <a
      class="btn"
      data-kind={isQuiet ? undefined : "primary"}
      data-size={isWide ? "wide" : undefined}
      href={nextAddress()}
    >
      {say(word)}
    </a>
  );
}

/** In the place of the composer. */
export function Offer() {
  return (
    <div class="compose-wrap">
      <div class="col">
        <div class="visit-offer">
          <Icon name="follow" />
          <p>
            <b>{say("visit-reading")}</b> {say("visit-poll")}
          </p>
          <SignIn word="visit-answer" />
        </div>
      </div>
    </div>
  );
}
