// Calls about push notifications: subscriptions and tests.
import type {
  deletePushSubscription,
  getPushSubscriptions,
  postNtfyTopic,
  postPushSubscription,
} from "../../features/push/actions.ts";
import { call } from "./call.ts";

/** A push subscription. */
export interface PushSubscriptionEntry {
  readonly id: number;
  readonly kind: "web" | "ntfy";
  readonly endpoint: string;
  readonly name: string;
  /** When it was registered, in seconds since 1970. */
  readonly registered: number;
  readonly failure: { readonly timestamp: number; readonly reason: string } | null;
}

interface PushSubscriptionList {
  readonly application_server_key: string;
  readonly push_subscriptions: readonly PushSubscriptionEntry[];
}

/** Result of a test. */
interface PushTest {
  readonly is_taken: boolean;
  readonly reason: string | null;
}

const PATH = "/users/me/push_subscriptions";
const SUBSCRIPTION_PATH = `${PATH}/{push_subscription_id}`;

export const fetchPushes = call<typeof getPushSubscriptions, PushSubscriptionList>(
  "GET",
  PATH,
  "view",
);
/** Adding an existing endpoint updates its settings. */
export const addPush = call<typeof postPushSubscription>("POST", PATH, "send", true);
export const addNtfy = call<typeof postNtfyTopic>("POST", `${PATH}/ntfy`, "send", true);
export const dropPush = call<typeof deletePushSubscription>("DELETE", SUBSCRIPTION_PATH, "send");
export const testPush = call<typeof deletePushSubscription, PushTest>(
  "POST",
  `${SUBSCRIPTION_PATH}/test`,
  "send",
);
