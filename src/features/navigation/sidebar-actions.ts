// A user's own order of channels and folders in the sidebar.
import Type from "typebox";
import { tooMany } from "../../contract/errors/channels.ts";
import { sidebarOrderShape } from "../../contract/shapes/organization.ts";
import { endpoint, json } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { ORDERED_CHANNELS_MAX, ORDERED_FOLDERS_MAX } from "./sidebar-rules.ts";
import { type Order, sidebarOrderChanged, sidebarOrderOf } from "./sidebar-wire.ts";

/** Replaces the whole order. Empty lists restore the order of the organization. */
function setSidebarOrder(tx: Writer, user: User, requested: Order): Order {
  if (requested.folders.length > ORDERED_FOLDERS_MAX) throw tooMany("folders", ORDERED_FOLDERS_MAX);
  if (requested.channels.length > ORDERED_CHANNELS_MAX)
    throw tooMany("channels", ORDERED_CHANNELS_MAX);

  const { user_id } = user;
  const isIncluded = (id: number) => tx.subscriptions.get(user_id, id)?.active === true;
  // A client that was offline may name what was archived meanwhile.
  const order = {
    folders: [...new Set(requested.folders)].filter(
      (id) => tx.channel_folders.get(id)?.is_archived === false,
    ),
    channels: [...new Set(requested.channels)].filter(
      (id) => isIncluded(id) && tx.channels.get(id)?.is_archived === false,
    ),
  };
  if (order.folders.length + order.channels.length === 0) tx.sidebar_orders.delete(user_id);
  else tx.sidebar_orders.put({ user_id, ...order });
  tx.emit(sidebarOrderChanged(order), { to: "people", user_ids: [user_id] });
  return order;
}

const ids = json(Type.Array(Type.Integer()));

export const getSidebarOrder = endpoint({
  summary: "Get your own order of channels and folders",
  tag: "People",
  params: {},
  answer: sidebarOrderShape,
  run: ({ realm, user }) => sidebarOrderOf(realm.read, user),
});

export const putSidebarOrder = endpoint({
  summary: "Set your own order of channels and folders",
  tag: "People",
  params: { folders: ids, channels: ids },
  answer: sidebarOrderShape,
  run: ({ realm, user }, order) => realm.write((tx) => setSidebarOrder(tx, user, order)),
});
