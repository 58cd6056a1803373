// Who may knock: the gates of the routes, tested before anything else about a request.
import {
  botsNotAllowed,
  guestsNotAllowed,
  mustBeAdministrator,
  mustBeBot,
  mustBeOwner,
  webhookBotNotAllowed,
} from "../contract/errors/general.ts";
import { ADMINISTRATOR, GUEST, INCOMING_WEBHOOK_BOT, OWNER } from "../contract/roles.ts";
import type { User } from "../schema/records.ts";

/** A gate that only accounts pass. */
export interface Gate {
  readonly open: false;
  /** The key may stand in the address, alone. */
  readonly byAddress?: true;
  /** A key opens nothing here: what is asked for is for who sits at a browser. */
  readonly bySession?: true;
  /** Refuses the accounts that may not pass. */
  readonly check: (user: User) => void;
}

/** A gate that one also passes without an account. */
export interface OpenGate {
  readonly open: true;
  /** Wrong credentials are refused; otherwise they count as none. */
  readonly strict: boolean;
  /** Refuses the accounts that may not pass. */
  readonly check?: (user: User) => void;
}

const gate = (...checks: ((user: User) => void)[]): Gate => ({
  open: false,
  check: (user) => {
    for (const check of checks) check(user);
  },
});

function notWebhookBot(user: User) {
  if (user.bot_type === INCOMING_WEBHOOK_BOT) throw webhookBotNotAllowed();
}

function notGuest(user: User) {
  if (user.role === GUEST) throw guestsNotAllowed();
}

function notBot(user: User) {
  if (user.bot_type !== null) throw botsNotAllowed();
}

function bot(user: User) {
  if (user.bot_type === null) throw mustBeBot();
}

function administrator(user: User) {
  if (user.role > ADMINISTRATOR) throw mustBeAdministrator();
}

function owner(user: User) {
  if (user.role > OWNER) throw mustBeOwner();
}

/** Any active account, guests and bots too, but for bots that only take webhooks in. */
export const signedIn = gate(notWebhookBot);
/** As `signedIn`, and the bots that take webhooks in. */
export const senders = gate();
export const people = gate(notWebhookBot, notBot);
/** The pages on which people see to their account. */
export const atBrowser: Gate = { ...people, bySession: true };
export const bots = gate(notWebhookBot, bot);
/** Every bot, as programs call that can only be given an address. */
export const hooks: Gate = { ...gate(bot), byAddress: true };
export const noGuests = gate(notWebhookBot, notGuest);
export const memberPeople = gate(notWebhookBot, notGuest, notBot);
export const administrators = gate(notWebhookBot, administrator);
/** Administrators, at the pages of the organization. */
export const administratorsAtBrowser: Gate = { ...administrators, bySession: true };
export const owners = gate(notWebhookBot, owner);
/** Owners, at the pages of the server. */
export const ownersAtBrowser: Gate = { ...owners, bySession: true };

export const anyone: OpenGate = { open: true, strict: false };
/** Accounts, and those who look at what is public on the web. */
export const spectators: OpenGate = { open: true, strict: true, check: notWebhookBot };
