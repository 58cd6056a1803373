// An invitation link, to be shared or scanned as a QR code.
import { useSignal } from "@preact/signals";
import type { postInvitationLink } from "../../../features/invitations/invite.ts";
import { call } from "../../api/call.ts";
import { sync } from "../../sync/session.ts";
import { Button } from "../../ui/button.tsx";
import { t } from "../../words/words.ts";
import { CopiedLink, LinkWithCode } from "../organization/invitations/link-view.tsx";
import { Refusal, useSending } from "../../ui/form/form.tsx";

const createLink = call<typeof postInvitationLink, { invite_link: string }>(
  "POST",
  "/invites/multiuse",
  "send",
);

/** Includes the default channels. */
const WITH_DEFAULT_CHANNELS = { include_realm_default_subscriptions: true };

export function InvitePeople() {
  const link = useSignal("");
  const { refusal, isBusy, send } = useSending();
  const make = () =>
    send(async () => {
      link.value = (await createLink(sync, WITH_DEFAULT_CHANNELS)).invite_link;
    });
  return (
    <div>
      {link.value === "" ? (
        <Button icon="invite" disabled={isBusy.value} onClick={() => void make()}>
          {t("onboarding-make-link")}
        </Button>
      ) : (
        <LinkWithCode link={link.value}>
          {(shared) => <CopiedLink label={t("onboarding-link")} link={shared} />}
        </LinkWithCode>
      )}
      <Refusal text={refusal.value} />
    </div>
  );
}
