// Uploads in pieces, by tus 1.0: what was sent stays sent, whatever becomes of page and network.
import { type Asking, headersOf, Refused, spoken, Unanswered } from "./http.ts";

/** Bytes per request, small enough for bad networks. */
export const PIECE_BYTES = 2 * 1024 * 1024;
const VERSION = { "Tus-Resumable": "1.0.0" };
const TOO_MANY = 429;
const SERVER_FAULT = 500;

export interface Uploaded {
  readonly url: string;
  readonly filename: string;
}

/** Tells the server what comes; gives where it takes it. */
export async function beginUpload(asking: Asking, name: string, file: Blob): Promise<string> {
  const metadata = [`filename ${base64(name)}`, `filetype ${base64(file.type)}`].join(",");
  const response = await send(asking, "POST", "/tus/", undefined, {
    "Upload-Length": `${file.size}`,
    "Upload-Metadata": metadata,
  });
  const location = response.headers.get("location") ?? "";
  return location.slice(location.indexOf("/tus/"));
}

/** How much of it the server has. */
export async function uploadedBytes(asking: Asking, path: string): Promise<number> {
  const response = await send(asking, "GET", path);
  return Number(response.headers.get("upload-offset"));
}

/** Uploads one piece. The answer to the last one contains the file's URL. */
export async function uploadPiece(
  asking: Asking,
  path: string,
  offset: number,
  piece: Blob,
  signal: AbortSignal,
): Promise<{ offset: number; uploaded: Uploaded | undefined }> {
  const headers = {
    "Upload-Offset": `${offset}`,
    "Content-Type": "application/offset+octet-stream",
  };
  const response = await send(asking, "PATCH", path, piece, headers, signal);
  const reached = Number(response.headers.get("upload-offset"));
  return {
    offset: reached,
    uploaded: isJson(response) ? ((await response.json()) as Uploaded) : undefined,
  };
}

export async function giveUpUpload(asking: Asking, path: string): Promise<void> {
  await send(asking, "DELETE", path);
}

async function send(
  asking: Asking,
  method: string,
  path: string,
  body?: Blob,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const init: RequestInit = {
    method,
    headers: headersOf(asking, { method, headers: { ...VERSION, ...headers } }),
    ...(body && { body }),
    ...(signal && { signal }),
  };
  let response;
  try {
    response = await fetch(`/json${path}`, init);
  } catch (error) {
    signal?.throwIfAborted();
    throw new Unanswered(String(error));
  }
  if (response.ok) return response;
  const { status } = response;
  if (status >= SERVER_FAULT || status === TOO_MANY) throw new Unanswered(`${status} from ${path}`);
  const isOurs = response.headers.has("tus-resumable") || isJson(response);
  // A page that a proxy says it by is not for reading here.
  throw await refusedBy(status, isOurs ? (await response.text()).trim() : "");
}

const isJson = ({ headers }: Response) =>
  headers.get("content-type")?.startsWith("application/json") === true;

/** Tus answers in plain words, what stands before it as the protocol does. */
async function refusedBy(status: number, words: string): Promise<Refused> {
  try {
    const body = JSON.parse(words) as Record<string, unknown>;
    const said = await spoken.refusal(String(body["msg"] ?? words));
    return new Refused(status, String(body["code"] ?? ""), said, body);
  } catch {
    return new Refused(status, "", words, {});
  }
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
