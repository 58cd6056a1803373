// What one asks about the views that one has pinned to the rail.
import type { deleteView, patchView, postView } from "../../features/navigation/actions.ts";
import { call } from "./call.ts";

const ONE = "/navigation_views/{fragment}";

export const addView = call<typeof postView>("POST", "/navigation_views", "flags");
export const changeView = call<typeof patchView>("PATCH", ONE, "flags", true);
export const dropView = call<typeof deleteView>("DELETE", ONE, "flags");
