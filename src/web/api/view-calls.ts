// Calls about views: navigation views, and which messages match a narrow.
import type { getMatches } from "../../features/messages/read/matches.ts";
import type { deleteView, patchView, postView } from "../../features/navigation/actions.ts";
import { call } from "./call.ts";

const VIEW_PATH = "/navigation_views/{fragment}";

export const addView = call<typeof postView>("POST", "/navigation_views", "flags");
export const changeView = call<typeof patchView>("PATCH", VIEW_PATH, "flags", true);
export const fetchMatches = call<typeof getMatches>("GET", "/messages/matches_narrow", "view");
export const dropView = call<typeof deleteView>("DELETE", VIEW_PATH, "flags");
