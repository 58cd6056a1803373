// The pages of settings in rows, which are loaded together.
import { DefaultsPage } from "./rows/defaults-view.tsx";
import { MethodsPage } from "./rows/methods-view.tsx";
import { RowsPage } from "./rows/page.tsx";

export const rowPages = { DefaultsPage, MethodsPage, RowsPage };
