// The requests of the load generator, as bytes.

export interface Account {
  user_id: number;
  email: string;
  key: string;
}

/**
 * Placeholder in a request, replaced by a number of the same length, so that no two requests are
 * equal.
 */
export const COUNTER = "########";

const AGENT = "User-Agent: SkeinBench/1.0";

export function getRequest(account: Account, path: string, params: Record<string, unknown> = {}) {
  const query = formOf(params);
  const target = query === "" ? path : `${path}?${query}`;
  return `GET /api/v1${target} HTTP/1.1\r\n${headOf(account)}\r\n\r\n`;
}

export function postRequest(account: Account, path: string, params: Record<string, unknown>) {
  return withForm("POST", account, path, params);
}

export function patchRequest(account: Account, path: string, params: Record<string, unknown>) {
  return withForm("PATCH", account, path, params);
}

function withForm(method: string, account: Account, path: string, params: Record<string, unknown>) {
  const body = formOf(params);
  const type = "Content-Type: application/x-www-form-urlencoded";
  const head = `${headOf(account)}\r\n${type}\r\nContent-Length: ${body.length}`;
  return `${method} /api/v1${path} HTTP/1.1\r\n${head}\r\n\r\n${body}`;
}

/** A message of 200 bytes with some typical formatting. */
export function sendRequest(from: Account, stream_id: number, topic: string) {
  return postRequest(from, "/messages", {
    type: "channel",
    to: stream_id,
    topic,
    content: CONTENT,
  });
}

const CONTENT =
  `Message ${COUNTER} of the day: the new build is **ready** to be tried, and the notes are on ` +
  "the page from last week. Please look at the part about `restarts` before the meeting, and say " +
  "what is missing.";

/** A sign-in by password, from an address that a local proxy reports. */
export function signInRequest(username: string, password: string) {
  const body = formOf({ username, password });
  const type = "Content-Type: application/x-www-form-urlencoded";
  const from = "X-Forwarded-For: 203.0.113.7";
  const head = `Host: 127.0.0.1\r\n${AGENT}\r\n${from}\r\n${type}`;
  const length = `Content-Length: ${body.length}`;
  return `POST /api/v1/fetch_api_key HTTP/1.1\r\n${head}\r\n${length}\r\n\r\n${body}`;
}

/** Uploads a file of this many bytes, which belong between `head` and `tail`. */
export function uploadRequest(account: Account, bytes: number) {
  const part = 'Content-Disposition: form-data; name="file"; filename="large.bin"';
  const before = `--bench\r\n${part}\r\n\r\n`;
  const tail = "\r\n--bench--\r\n";
  const length = `Content-Length: ${before.length + bytes + tail.length}`;
  const type = "Content-Type: multipart/form-data; boundary=bench";
  const line = "POST /api/v1/user_uploads HTTP/1.1";
  return {
    head: `${line}\r\n${headOf(account)}\r\n${type}\r\n${length}\r\n\r\n${before}`,
    tail,
    bytes,
  };
}

export function deleteRequest(account: Account, path: string) {
  return `DELETE /api/v1${path} HTTP/1.1\r\n${headOf(account)}\r\nContent-Length: 0\r\n\r\n`;
}

function headOf({ email, key }: Account) {
  return `Host: 127.0.0.1\r\n${AGENT}\r\nAuthorization: Basic ${btoa(`${email}:${key}`)}`;
}

/** Strings as they are, everything else as JSON; the placeholder of the counter stays unchanged. */
function formOf(params: Record<string, unknown>) {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    form.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form.toString().replaceAll("%23", "#");
}
