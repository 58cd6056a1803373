// An invitation link, to be copied or scanned.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { loopbackHost } from "../../../../text/input/loopback.ts";
import { Button } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy.ts";
import { Icon } from "../../../ui/icon.tsx";
import { formatMoment } from "../../../words/dates.ts";
import { t } from "../../../words/words.ts";
import { QrCode, saveAsPicture } from "../../settings/qr.tsx";
import { Reachability, sharedLink, useLocalNetwork } from "../../settings/account/reachability.tsx";

const PIXELS = 1024;

/** `until` in seconds; null: never expires. */
export function LinkPane({ link, until }: { link: string; until: number | null }) {
  const ends =
    until === null
      ? t("invite-link-always")
      : t("invite-link-until", { when: formatMoment(until) });
  return (
    <LinkWithCode link={link}>
      {(shared) => (
        <CopiedLink label={ends} link={shared} isFirst>
          {loopbackHost(shared) === undefined && (
            <Button icon="download" onClick={() => saveAsPicture(shared, "invitation.png", PIXELS)}>
              {t("invite-save-picture")}
            </Button>
          )}
        </CopiedLink>
      )}
    </LinkWithCode>
  );
}

interface LinkWithCodeProps {
  link: string;
  /** Receives the link in the form in which other devices can open it. */
  children: (shared: string) => ComponentChildren;
}

/** Shows the link as a QR code, or explains why other devices cannot open it. */
export function LinkWithCode({ link, children }: LinkWithCodeProps) {
  const network = useLocalNetwork(link).value;
  const shared = sharedLink(link, network);
  const isReachable = loopbackHost(shared) === undefined;
  return (
    <div class="org-link">
      {isReachable && <QrCode text={shared} label={t("invite-qr")} />}
      <div>
        {children(shared)}
        {isReachable && <p class="hint">{t("invite-qr-hint")}</p>}
        <Reachability link={link} network={network} />
      </div>
    </div>
  );
}

/** Links by email address, for a user who sends them. */
export function LinksByAddress({ links }: { links: readonly { email: string; link: string }[] }) {
  const [first] = links;
  const network = useLocalNetwork(first?.link ?? "").value;
  return (
    <>
      {links.map(({ email, link }) => (
        <CopiedLink key={email} label={email} link={sharedLink(link, network)} />
      ))}
      {first && <Reachability link={first.link} network={network} />}
    </>
  );
}

interface CopiedLinkProps {
  label: string;
  link: string;
  isFirst?: boolean;
  children?: ComponentChildren;
}

export function CopiedLink({ label, link, isFirst = false, children }: CopiedLinkProps) {
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
        aria-label={isFirst ? undefined : t("invite-copy-of", { name: label })}
        onClick={() => copyText(link, t("invite-copied"))}
      >
        {t("copy-link")}
      </Button>
      {children}
    </div>
  );
}
