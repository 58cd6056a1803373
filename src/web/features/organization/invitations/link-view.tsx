// An invitation link: to be copied, or held before a camera.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { loopbackHost } from "../../../../text/input/loopback.ts";
import { Button } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy.ts";
import { Icon } from "../../../ui/icon.tsx";
import { formatMoment } from "../../../words/dates.ts";
import { say } from "../../../words/words.ts";
import { QrCode, saveAsPicture } from "../../settings/qr.tsx";

const PIXELS = 1024;

/** `until` in seconds; null: for ever. */
export function LinkPane({ link, until }: { link: string; until: number | null }) {
  const ends =
    until === null
      ? say("invite-link-always")
      : say("invite-link-until", { when: formatMoment(until) });
  const isReachable = loopbackHost(link) === undefined;
  return (
    <LinkWithCode link={link}>
      <CopiedLink label={ends} link={link} isFirst>
        {isReachable && (
          <Button icon="download" onClick={() => saveAsPicture(link, "invitation.png", PIXELS)}>
            {say("invite-save-picture")}
          </Button>
        )}
      </CopiedLink>
    </LinkWithCode>
  );
}

/** Shows the link as a QR code, or says why other devices cannot open it. */
export function LinkWithCode({ link, children }: { link: string; children: ComponentChildren }) {
  const host = loopbackHost(link);
  return (
    <div class="org-link">
      {host === undefined && <QrCode text={link} label={say("invite-qr")} />}
      <div>
        {children}
        {host === undefined ? (
          <p class="hint">{say("invite-qr-hint")}</p>
        ) : (
          <p class="hint" role="status">
            {say("invite-only-here", { host })}
          </p>
        )}
      </div>
    </div>
  );
}

interface Copied {
  label: string;
  link: string;
  isFirst?: boolean;
  children?: ComponentChildren;
}

export function CopiedLink({ label, link, isFirst = false, children }: Copied) {
  const id = useId();
  return (
    <div class="org-copied">
      <label class="label" for={id}>
        {label}
      </label>
      <span class="field">
        <Icon name="link" size={16} />
        <input
          id={id}
          readOnly
          value={link}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </span>
      <Button
        {...(isFirst && { kind: "primary" as const })}
        icon="copy"
        aria-label={isFirst ? undefined : say("invite-copy-of", { name: label })}
        onClick={() => copyText(link, say("invite-copied"))}
      >
        {say("copy-link")}
      </Button>
      {children}
    </div>
  );
}
