// A user's own order of channels and folders, for the user's clients.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { SidebarOrder } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";

export type Order = Pick<SidebarOrder, "folders" | "channels">;

/**
 * Returns the order without channels that the user is not in, and without archived and deleted
 * ones.
 */
export function shownOrder(
  reader: Reader,
  { user_id }: Pick<User, "user_id">,
  order: Order,
): Order {
  const { channels, channel_folders, subscriptions } = reader;
  const isIncluded = (id: number) => subscriptions.get(user_id, id)?.active === true;
  return {
    folders: order.folders.filter((id) => channel_folders.get(id)?.is_archived === false),
    channels: order.channels.filter(
      (id) => isIncluded(id) && channels.get(id)?.is_archived === false,
    ),
  };
}

export function sidebarOrderOf(reader: Reader, user: Pick<User, "user_id">): Order {
  const { folders = [], channels = [] } = reader.sidebar_orders.get(user.user_id) ?? {};
  return shownOrder(reader, user, { folders, channels });
}

export const sidebarOrderChanged = (order: Order): PlainEvent => ({
  type: "skein_sidebar_order",
  needs: "skein_sidebar_order",
  ...order,
});
