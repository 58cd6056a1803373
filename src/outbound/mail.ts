// Hands letters to the operator's mail server, which may be anywhere: nobody else names it.
import { isIP } from "node:net";
import type { MailConfig } from "../contract/config.ts";
import { noteOutcome } from "./outcomes.ts";

export interface Letter {
  /** The same at each attempt, so that a copy can be recognized. */
  message_id: string;
  to: { name: string; address: string };
  /** In the place of the operator's. */
  from_name: string | undefined;
  subject: string;
  text: string;
  html: string;
  headers: Readonly<Record<string, string>>;
  date: Date;
}

/** What a mail server that is not reached, or does not take a letter, said; or what hindered it. */
export class MailFailed extends Error {
  constructor(
    message: string,
    /** It will never take this letter. */
    readonly isFinal: boolean,
  ) {
    super(message);
    this.name = "MailFailed";
  }
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;
const EXCHANGE_MS = 60_000;

/** Gives what the server said when it took the letter; throws `MailFailed`. */
export async function postLetter(config: MailConfig, letter: Letter): Promise<string> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(transportOf(config));
  const { to, from_name, headers, message_id: messageId, ...parts } = letter;
  try {
    const { response } = await transport.sendMail({
      ...parts,
      messageId,
      from: { name: oneLine(from_name ?? config.from.name), address: config.from.address },
      to: { name: oneLine(to.name), address: to.address },
      subject: oneLine(letter.subject),
      headers: Object.fromEntries(
        Object.entries(headers).map(([key, text]) => [key, oneLine(text)]),
      ),
      signal: AbortSignal.timeout(EXCHANGE_MS),
    });
    noteOutcome("mail", "ok");
    return response;
  } catch (error) {
    noteOutcome("mail", "failed");
    throw failure(config, error as SmtpError);
  } finally {
    transport.close();
  }
}

/** Goes as far as a letter would, and gives none; throws `MailFailed`. */
export async function tryMail(config: MailConfig): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(transportOf(config));
  try {
    await transport.verify();
  } catch (error) {
    throw failure(config, error as SmtpError);
  } finally {
    transport.close();
  }
}

/** Whoever reads a header finds no second one in it. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

function transportOf({ smtp_url, password }: MailConfig) {
  const { protocol, hostname, port, username } = new URL(smtp_url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const secure = protocol === "smtps:";
  const isHere =
    host === "localhost" || host === "::1" || (isIP(host) === 4 && /^127\./.test(host));
  const user = decodeURIComponent(username);
  return {
    host,
    port: Number(port || (secure ? 465 : 587)),
    secure,
    ...(user !== "" && { auth: { user, pass: password ?? "" } }),
    // A password goes over the network only where nobody listens.
    requireTLS: user !== "" && !isHere,
    // A relay on this machine has made its certificate itself, and nobody stands in between.
    tls: { rejectUnauthorized: secure || !isHere },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

interface SmtpError extends Error {
  code?: string;
  response?: string;
  responseCode?: number;
  command?: string;
}

/** A server that refuses us, and not the letter, may take it when the operator has seen to it. */
const ABOUT_LETTER = ["EENVELOPE", "EMESSAGE"];
const OUT_OF_ORDER = 503;

function failure({ smtp_url }: MailConfig, error: SmtpError): MailFailed {
  const { code = "", response, responseCode = 0 } = error;
  const { host } = new URL(smtp_url);
  const isFinal =
    ABOUT_LETTER.includes(code) && responseCode >= 500 && responseCode !== OUT_OF_ORDER;
  if (code === "EAUTH") return new MailFailed(`${host} refused the sign-in: ${said(error)}`, false);
  if (response !== undefined) return new MailFailed(`${host} said: ${said(error)}`, isFinal);
  if (code === "EENVELOPE")
    return new MailFailed(`the address is not good: ${error.message}`, true);
  return new MailFailed(`${host} was not reached, or broke off: ${error.message}`, false);
}

/** A server may repeat what it did not like: addresses in letters are secrets, and no log's. */
function said({ response, message }: SmtpError): string {
  return oneLine(response ?? message).replace(/\bhttps?:\S+/gi, "…");
}
