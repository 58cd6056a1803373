// Routes beside the protocol: pins, topic notes, the sidebar order, and those of browser sessions.
import { getPins, postPin, removePin } from "../../features/pins/actions.ts";
import { getSidebarOrder, putSidebarOrder } from "../../features/navigation/sidebar-actions.ts";
import { getNote, getNoteHistory, putNote } from "../../features/topic-notes/actions.ts";
import { signedIn } from "../../server/gate.ts";
import { DELETE, GET, POST, PUT, type Route } from "../../server/routing.ts";
import { sessionRoutes } from "./session.ts";

/** The prefix avoids conflicts with names in later versions of the protocol. */
export const ownRoutes: readonly Route[] = [
  GET("/skein_pins", signedIn, getPins),
  POST("/skein_pins", signedIn, postPin),
  DELETE("/skein_pins/{message_id}", signedIn, removePin),
  GET("/skein_topic_notes", signedIn, getNote),
  GET("/skein_topic_notes/history", signedIn, getNoteHistory),
  PUT("/skein_topic_notes", signedIn, putNote),
  GET("/skein_sidebar_order", signedIn, getSidebarOrder),
  PUT("/skein_sidebar_order", signedIn, putSidebarOrder),
  ...sessionRoutes,
];
