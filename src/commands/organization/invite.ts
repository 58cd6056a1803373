// `skein invite …`: invites people, and lists and revokes invitations.
import { executeCommand } from "../control.ts";
import { command, UsageError } from "../flags.ts";
import { roleNamed, roleNameOf } from "../people.ts";
import { by, data } from "./org.ts";

const MINUTES_A_DAY = 1_440;

export const invite = command({
  description: "invites people by email address, or creates an invitation link",
  examples: [
    "skein invite create --emails bo@example.com,cy@example.com",
    "skein invite create --link --role guest --days 7",
  ],
  flags: {
    data,
    by,
    emails: { value: "EMAIL,…", description: "email addresses to invite" },
    link: { description: "create an invitation link that anyone who has it can use" },
    role: { value: "ROLE", default: "member", description: "role of the new users" },
    days: {
      value: "DAYS",
      default: "10",
      description: "days until the invitation expires; 0 for never",
    },
    channels: {
      value: "CHANNEL,…",
      default: "",
      description: "channels that the new users are subscribed to",
    },
    json: { description: "print the result as JSON" },
  },
  notes: `Without --channels, new users are subscribed to the default channels. If email is not
configured, the links are printed.`,
  async run({ emails, link, ...flags }) {
    if ((emails === undefined) !== link) throw new UsageError("pass either --emails or --link");
    const invite_as = roleNamed(flags.role);
    if (invite_as === undefined) throw new UsageError(`there is no role ${flags.role}`);
    if (!/^\d{1,5}$/.test(flags.days)) throw new UsageError("--days must be a number, such as 10");
    const days = Number(flags.days);
    const names = flags.channels.split(",").flatMap((item) => item.trim() || []);
    const channelRequests = names.map((channel) =>
      executeCommand(flags.data, "findChannel", { channel }),
    );
    const stream_ids = (await Promise.all(channelRequests)).map(({ stream_id }) => stream_id);
    const params = {
      invite_as,
      invite_expires_in_minutes: days === 0 ? null : days * MINUTES_A_DAY,
      stream_ids,
      include_realm_default_subscriptions: names.length === 0,
    };
    const request = {
      params: link ? params : { ...params, invitee_emails: emails! },
      by: flags.by,
    };
    const created = await executeCommand(flags.data, link ? "inviteByLink" : "invite", request);
    if (flags.json) return console.log(JSON.stringify(created));
    if (link) return console.log(String(created["invite_link"]));
    const links = (created["invite_links"] ?? []) as { email: string; invite_link: string }[];
    for (const link of links) console.log(`${link.email}  ${link.invite_link}`);
    if (links.length === 0) console.log(`Invitations are being sent to ${emails}.`);
  },
});

export const listInvitations = command({
  description: "lists the pending invitations",
  examples: ["skein invite list", "skein invite list --json"],
  flags: { data, json: { description: "print one JSON object per line" } },
  async run(flags) {
    for (const shownInvitation of await executeCommand(flags.data, "listInvitations", {})) {
      if (flags.json) {
        console.log(JSON.stringify(shownInvitation));
        continue;
      }
      const whom = shownInvitation.email ?? "anyone with the link";
      const ends =
        shownInvitation.expiry_date === null
          ? "never expires"
          : `expires ${timeOf(shownInvitation.expiry_date)}`;
      const number =
        `${shownInvitation.kind === "link" ? "link " : ""}${shownInvitation.id}`.padStart(8);
      const link = shownInvitation.link === null ? "" : `  ${shownInvitation.link}`;
      console.log(
        `${number}  ${whom}  (${roleNameOf(shownInvitation.invited_as)}, ${ends})${link}`,
      );
    }
  },
});

export const revokeInvitation = command({
  description: "revokes an invitation",
  examples: ["skein invite revoke --id 3", "skein invite revoke --id 1 --link"],
  flags: {
    data,
    by,
    id: {
      value: "ID",
      required: true,
      description: "number of the invitation, from skein invite list",
    },
    link: { description: "revoke an invitation link; links are numbered separately" },
  },
  async run({ id, link, ...flags }) {
    if (!/^\d{1,15}$/.test(id)) throw new UsageError("--id must be a number");
    const params = { params: { invite_id: Number(id) }, by: flags.by };
    await executeCommand(flags.data, link ? "revokeInvitationLink" : "revokeInvitation", params);
    console.log("The invitation was revoked.");
  },
});

const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16);
