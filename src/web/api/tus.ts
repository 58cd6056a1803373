// Resumable uploads with tus 1.0: uploaded chunks survive a reload and network failures.
import { type RequestContext, headersOf, NoResponse } from "./http.ts";
import { ApiError } from "../contract/api-error.ts";
import { translateError } from "./error-translations.ts";

/** Bytes per request, small enough for bad networks. */
export const PIECE_BYTES = 2 * 1024 * 1024;
const VERSION = { "Tus-Resumable": "1.0.0" };
const TOO_MANY = 429;
const SERVER_FAULT = 500;

interface Uploaded {
  readonly url: string;
  readonly filename: string;
}

/** Announces the upload, and returns its path. */
export async function beginUpload(
  requestContext: RequestContext,
  name: string,
  file: Blob,
): Promise<string> {
  const metadata = [`filename ${base64(name)}`, `filetype ${base64(file.type)}`].join(",");
  const response = await send(requestContext, "POST", "/tus/", undefined, {
    "Upload-Length": `${file.size}`,
    "Upload-Metadata": metadata,
  });
  const location = response.headers.get("location") ?? "";
  return location.slice(location.indexOf("/tus/"));
}

/** Number of bytes that the server has received. */
export async function uploadedBytes(requestContext: RequestContext, path: string): Promise<number> {
  const response = await send(requestContext, "GET", path);
  return Number(response.headers.get("upload-offset"));
}

/** Uploads one piece. The response to the last piece contains the file's URL. */
export async function uploadPiece(
  requestContext: RequestContext,
  path: string,
  offset: number,
  chunk: Blob,
  signal: AbortSignal,
): Promise<{ offset: number; uploaded: Uploaded | undefined }> {
  const headers = {
    "Upload-Offset": `${offset}`,
    "Content-Type": "application/offset+octet-stream",
  };
  const response = await send(requestContext, "PATCH", path, chunk, headers, signal);
  const uploadedBytes = Number(response.headers.get("upload-offset"));
  return {
    offset: uploadedBytes,
    uploaded: isJson(response) ? await response.json() : undefined,
  };
}

export async function cancelUpload(requestContext: RequestContext, path: string): Promise<void> {
  await send(requestContext, "DELETE", path);
}

async function send(
  requestContext: RequestContext,
  method: string,
  path: string,
  body?: Blob,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const init: RequestInit = {
    method,
    headers: headersOf(requestContext, { method, headers: { ...VERSION, ...headers } }),
    ...(body && { body }),
    ...(signal && { signal }),
  };
  let response;
  try {
    response = await fetch(`/json${path}`, init);
  } catch (error) {
    signal?.throwIfAborted();
    throw new NoResponse(String(error));
  }
  if (response.ok) return response;
  const { status } = response;
  if (status >= SERVER_FAULT || status === TOO_MANY) throw new NoResponse(`${status} from ${path}`);
  const isOurs = response.headers.has("tus-resumable") || isJson(response);
  // The error page of a proxy contains no text for users.
  throw await refusedBy(status, isOurs ? (await response.text()).trim() : "");
}

const isJson = ({ headers }: Response) =>
  headers.get("content-type")?.startsWith("application/json") === true;

/** Tus errors are plain text, errors before it use the protocol's format. */
async function refusedBy(status: number, text: string): Promise<ApiError> {
  try {
    const body: Readonly<Record<string, unknown>> = JSON.parse(text);
    const response = await translateError(String(body["msg"] ?? text));
    return new ApiError(status, String(body["code"] ?? ""), response, body);
  } catch {
    return new ApiError(status, "", text, {});
  }
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
