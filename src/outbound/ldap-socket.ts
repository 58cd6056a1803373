// Opens the connection to a directory on which a password is verified.
import { connect, isIP, type Socket } from "node:net";
import type { LdapConfig } from "../contract/config.ts";

const PORT = 389;
const PORT_SECURE = 636;
/** Timeout for the connection including TLS. */
const CONNECT_MS = 5_000;
const ANSWER_BYTES_MAX = 4_096;

/** The StartTLS request (RFC 4511, 4.14), as the first message. */
const START_TLS = Buffer.concat([
  Buffer.from("301d02010177188016", "hex"),
  Buffer.from("1.3.6.1.4.1.1466.20037"),
]);

export async function openSocket({ url, starttls, ca }: LdapConfig): Promise<Socket> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const isSecure = protocol === "ldaps:";
  const signal = AbortSignal.timeout(CONNECT_MS);
  const tcpSocket = connect(Number(port) || (isSecure ? PORT_SECURE : PORT), host);
  const opened: Socket[] = [tcpSocket];
  try {
    await eventOf(tcpSocket, "connect", signal);
    if (starttls) await negotiateTls(tcpSocket, signal);
    if (!isSecure && !starttls) return tcpSocket;
    const name = isIP(host) === 0 ? { servername: host } : {};
    const { connect: connectSecurely } = await import("node:tls");
    const safe = connectSecurely({ socket: tcpSocket, host, ...name, ...(ca && { ca: [ca] }) });
    opened.push(safe);
    await eventOf(safe, "secureConnect", signal);
    return safe;
  } catch (error) {
    for (const socket of opened) socket.destroy();
    throw error;
  }
}

/** Accepts only the StartTLS response before TLS, because anything else could be forged. */
async function negotiateTls(socket: Socket, signal: AbortSignal): Promise<void> {
  let answer = Buffer.alloc(0);
  const response = Promise.withResolvers<void>();
  const onData = (chunk: Buffer) => {
    answer = Buffer.concat([answer, chunk]);
    if (answer.length > ANSWER_BYTES_MAX) response.reject(new Error("its response is too large"));
    if (isComplete(answer)) response.resolve();
  };
  socket.on("data", onData);
  socket.write(START_TLS);
  const closed = eventOf(socket, "close", signal).then(() => {
    throw new Error("the directory closed the connection instead of starting TLS");
  });
  await Promise.race([response.promise, closed]);
  socket.off("data", onData);
  if (!isStartTlsAccepted(answer)) throw new Error("the directory does not support StartTLS");
}

/** Returns the start and end of the content of the BER element at `offset`. */
function spanOf(bytes: Buffer, offset: number): { from: number; to: number } | undefined {
  const first = bytes[offset + 1];
  if (first === undefined) return undefined;
  const digits = first & 0x80 ? first & 0x7f : 0;
  const from = offset + 2 + digits;
  if (digits > 4 || from > bytes.length) return undefined;
  const length = digits === 0 ? first : bytes.readUIntBE(offset + 2, digits);
  return { from, to: from + length };
}

function isComplete(bytes: Buffer): boolean {
  const span = spanOf(bytes, 0);
  return span !== undefined && bytes.length >= span.to;
}

const START_TLS_ACCEPTED = Buffer.from("0a0100", "hex");
const FIRST_EXTENDED = Buffer.from("02010178", "hex");

/** Whether the bytes are exactly one message with the result "success". */
function isStartTlsAccepted(bytes: Buffer): boolean {
  const message = spanOf(bytes, 0)!;
  if (bytes[0] !== 0x30 || message.to !== bytes.length) return false;
  const kind = message.from + FIRST_EXTENDED.length;
  if (!bytes.subarray(message.from, kind).equals(FIRST_EXTENDED)) return false;
  const from = spanOf(bytes, kind - 1)?.from ?? bytes.length;
  return bytes.subarray(from, from + START_TLS_ACCEPTED.length).equals(START_TLS_ACCEPTED);
}

function eventOf(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timeoutError = () => reject(new Error("the directory did not respond in time"));
    const done = (settle: () => void) => {
      signal.removeEventListener("abort", timeoutError);
      socket.off("error", fail);
      settle();
    };
    const fail = (error: Error) => done(() => reject(error));
    signal.addEventListener("abort", timeoutError, { once: true });
    socket.once("error", fail);
    socket.once(event, () => done(resolve));
  });
}
