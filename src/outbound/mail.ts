// Sends emails through the operator's SMTP server, which may have any address.
import { isIP } from "node:net";
import type { MailConfig } from "../contract/config.ts";
import { recordOutcome } from "./outcomes.ts";

export interface OutgoingEmail {
  /** The same for each attempt, so that duplicates can be recognized. */
  message_id: string;
  to: { name: string; address: string };
  /** Replaces the operator's sender name. */
  from_name: string | undefined;
  subject: string;
  text: string;
  html: string;
  headers: Readonly<Record<string, string>>;
  date: Date;
}

/** The SMTP server could not be reached or rejected an email, with its response. */
export class MailFailed extends Error {
  constructor(
    message: string,
    /** Retrying is pointless. */
    readonly isFinal: boolean,
  ) {
    super(message);
    this.name = "MailFailed";
  }
}

const CONNECT_MS = 10_000;
const IDLE_MS = 20_000;
const EXCHANGE_MS = 60_000;

/** Returns the server's response after it accepted the email. @throws MailFailed */
export async function sendEmail(config: MailConfig, email: OutgoingEmail): Promise<string> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(transportOf(config));
  const { to, from_name, headers, message_id: messageId, ...parts } = email;
  try {
    const { response } = await transport.sendMail({
      ...parts,
      messageId,
      from: {
        name: withoutLineBreaks(from_name ?? config.from.name),
        address: config.from.address,
      },
      to: { name: withoutLineBreaks(to.name), address: to.address },
      subject: withoutLineBreaks(email.subject),
      headers: Object.fromEntries(
        Object.entries(headers).map(([key, text]) => [key, withoutLineBreaks(text)]),
      ),
      signal: AbortSignal.timeout(EXCHANGE_MS),
    });
    recordOutcome("mail", "ok");
    return response;
  } catch (error) {
    recordOutcome("mail", "failed");
    throw failure(config, error as SmtpError);
  } finally {
    transport.close();
  }
}

/** Tests the connection and sender without sending an email. @throws MailFailed */
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

/** Prevents header injection. */
function withoutLineBreaks(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

function transportOf({ smtp_url, password }: MailConfig) {
  const { protocol, hostname, port, username } = new URL(smtp_url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const secure = protocol === "smtps:";
  const isLoopback =
    host === "localhost" || host === "::1" || (isIP(host) === 4 && /^127\./.test(host));
  const user = decodeURIComponent(username);
  return {
    host,
    port: Number(port || (secure ? 465 : 587)),
    secure,
    ...(user !== "" && { auth: { user, pass: password ?? "" } }),
    // A password is sent only over TLS or to this machine.
    requireTLS: user !== "" && !isLoopback,
    // A relay on this machine usually has a self-signed certificate, and nobody can intercept the
    // connection.
    tls: { rejectUnauthorized: secure || !isLoopback },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
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

/**
 * If the server rejects the sender and not the email, it may accept it after the operator fixes the
 * configuration.
 */
const REJECTED_EMAIL = ["EENVELOPE", "EMESSAGE"];
const SERVER_ERROR = 503;

function failure({ smtp_url }: MailConfig, error: SmtpError): MailFailed {
  const { code = "", response, responseCode = 0 } = error;
  const { host } = new URL(smtp_url);
  const isFinal =
    REJECTED_EMAIL.includes(code) && responseCode >= 500 && responseCode !== SERVER_ERROR;
  if (code === "EAUTH")
    return new MailFailed(`${host} rejected the sign-in: ${describe(error)}`, false);
  if (response !== undefined)
    return new MailFailed(`${host} responded: ${describe(error)}`, isFinal);
  if (code === "EENVELOPE") return new MailFailed(`the address is invalid: ${error.message}`, true);
  return new MailFailed(
    `cannot reach ${host}, or the connection was lost: ${error.message}`,
    false,
  );
}

/** Responses may repeat email addresses, which must not appear in logs. */
function describe({ response, message }: SmtpError): string {
  return withoutLineBreaks(response ?? message).replace(/\bhttps?:\S+/gi, "…");
}
