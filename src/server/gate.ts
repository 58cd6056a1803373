// Gates: the roles that a route requires, checked before anything else about a request.
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

/** A gate that requires an account. */
export interface Gate {
  readonly open: false;
  /** The API key may be in the URL. */
  readonly byAddress?: true;
  /** Requires a browser session; API keys are not accepted. */
  readonly bySession?: true;
  /** Throws for accounts without access. */
  readonly check: (user: User) => void;
}

/** A gate that does not require an account. */
export interface OpenGate {
  readonly open: true;
  /** Rejects invalid credentials instead of ignoring them. */
  readonly strict: boolean;
  /** Throws for accounts without access. */
  readonly check?: (user: User) => void;
}

const gate = (...checks: ((user: User) => void)[]): Gate => ({
  open: false,
  check: (user) => {
    for (const check of checks) check(user);
  },
});

function rejectWebhookBots(user: User) {
  if (user.bot_type === INCOMING_WEBHOOK_BOT) throw webhookBotNotAllowed();
}

function rejectGuests(user: User) {
  if (user.role === GUEST) throw guestsNotAllowed();
}

function rejectBots(user: User) {
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

/** Any active account, including guests and bots, except incoming webhook bots. */
export const signedIn = gate(rejectWebhookBots);
/** Like `signedIn`, and incoming webhook bots. */
export const senders = gate();
export const people = gate(rejectWebhookBots, rejectBots);
/** Pages on which users manage their account. */
export const browserOnly: Gate = { ...people, bySession: true };
export const bots = gate(rejectWebhookBots, bot);
/** Bots; the key may be in the URL, for services that accept only a URL. */
export const hooks: Gate = { ...gate(bot), byAddress: true };
export const noGuests = gate(rejectWebhookBots, rejectGuests);
export const memberPeople = gate(rejectWebhookBots, rejectGuests, rejectBots);
export const administrators = gate(rejectWebhookBots, administrator);
/** Administrators, in a browser. */
export const administratorsAtBrowser: Gate = { ...administrators, bySession: true };
export const owners = gate(rejectWebhookBots, owner);
/** Owners, in a browser. */
export const ownersAtBrowser: Gate = { ...owners, bySession: true };

export const anyone: OpenGate = { open: true, strict: false };
/** Accounts, and spectators of web-public channels. */
export const spectators: OpenGate = { open: true, strict: true, check: rejectWebhookBots };
