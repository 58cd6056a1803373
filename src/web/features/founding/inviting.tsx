// A link by which others come in, to be handed on.
import { useSignal } from "@preact/signals";
import type { postInvitationLink } from "../../../features/invitations/invite.ts";
import { call } from "../../api/call.ts";
import { sync } from "../../here.ts";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy.ts";
import { say } from "../../words/words.ts";
import { Refusal, TextField, useSending } from "../settings/form.tsx";
import { PartForm, type Part } from "./part.tsx";

const makeLink = call<typeof postInvitationLink, { invite_link: string }>(
  "POST",
  "/invites/multiuse",
  "send",
);

/** Those that newcomers are in anyway. */
const WITH_CHANNELS = { include_realm_default_subscriptions: true };

export function Inviting({ next }: Part) {
  const link = useSignal("");
  const { refusal, isBusy, send } = useSending();
  const make = () =>
    send(async () => {
      link.value = (await makeLink(sync, WITH_CHANNELS)).invite_link;
    });
  const copy = () => copyText(link.value, say("settings-copied"));
  return (
    <PartForm send={next}>
      {link.value === "" ? (
        <Button icon="invite" disabled={isBusy.value} onClick={() => void make()}>
          {say("founding-make-link")}
        </Button>
      ) : (
        <>
          <TextField label={say("founding-link")} value={link} />
          <Button icon="copy" onClick={copy}>
            {say("settings-copy")}
          </Button>
        </>
      )}
      <Refusal words={refusal.value} />
    </PartForm>
  );
}
