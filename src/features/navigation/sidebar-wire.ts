// A user's own order of channels and folders, for the user's clients.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { SidebarOrder } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";

export type Order = Pick<SidebarOrder, "folders" | "channels">;

/**
 * May contain channels and folders that were archived since, and channels that the user has left.
 * Clients ignore them until they return, which emits no event about the order.
 */
export function sidebarOrderOf(reader: Reader, { user_id }: Pick<User, "user_id">): Order {
  const { folders = [], channels = [] } = reader.sidebar_orders.get(user_id) ?? {};
  return { folders, channels };
}

export const sidebarOrderChanged = (order: Order): PlainEvent => ({
  type: "skein_sidebar_order",
  needs: "skein_sidebar_order",
  ...order,
});
