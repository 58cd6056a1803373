// Fetches a message for an action that the user is waiting for.
import type { ApiClient } from "../../api/call.ts";
import { fetchMessage } from "../../api/calls.ts";

const ACTION_MS = 8000;

/** Fails early if there is no network, so that the user learns about it. */
export const fetchMessageNow = (client: ApiClient, params: Parameters<typeof fetchMessage>[1]) =>
  fetchMessage(client, params, { isRetried: false, signal: AbortSignal.timeout(ACTION_MS) });
