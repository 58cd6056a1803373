// Calls about the user's own order of the sidebar, loaded with the parts that change it.
import type { putSidebarOrder } from "../../features/navigation/sidebar-actions.ts";
import { call } from "./call.ts";

export const putOrder = call<typeof putSidebarOrder>("PUT", "/skein_sidebar_order", "flags", true);
