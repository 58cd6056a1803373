// Shared parts of the account pages: one-time secrets, times of use, buttons that end access.
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy.ts";
import { formatBrief } from "../../../words/dates.ts";
import { t } from "../../../words/words.ts";

/** A secret that cannot be displayed again. */
export function OneTimeSecret({ secret, text }: { secret: string; text: string }) {
  const box = useRef<HTMLDivElement>(null);
  // The only thing to do with it is to copy it.
  useEffect(() => box.current?.querySelector("button")?.focus(), [secret]);
  return (
    <div class="settings-once" role="status" ref={box}>
      <p>{text}</p>
      <code>{secret}</code>
      <Button icon="copy" onClick={() => copyText(secret, t("copied"))}>
        {t("copy")}
      </Button>
    </div>
  );
}

export function lastUsedText({
  created,
  last_used,
}: {
  created: number;
  last_used: number | null;
}) {
  const now = Date.now() / 1000;
  const createdText = formatBrief(created, now);
  if (last_used === null) return t("settings-made", { made: createdText });
  return t("settings-used", { made: createdText, used: formatBrief(last_used, now) });
}

interface EndButtonProps {
  name: string;
  action: "revoke" | "sign-out";
  end: () => Promise<unknown>;
}

/** The button to revoke a key, or to sign out a session. */
export function EndButton({ name, action, end }: EndButtonProps) {
  return (
    <Button aria-label={t(`settings-${action}-named`, { name })} onClick={() => void end()}>
      {t(`settings-${action}`)}
    </Button>
  );
}
