// Quick reactions and Edit in the toolbar of a message.
import { onRowAction } from "../../feed/row-actions.ts";
import { getState } from "../../store/store.ts";
import { importLater } from "../../ui/loading/scheduling.ts";
import { editInPlace } from "../editing/open.ts";
import { frequentReactions } from "../emoji/state.ts";
import { canEdit } from "./permissions.ts";

const QUICK_REACTIONS = 3;

void importLater(() => import("../../feed/tools.ts")).then(({ setLateActions }) =>
  setLateActions({
    canEdit: (message) => canEdit(getState(), message, Date.now() / 1000),
    quickReactions: () => frequentReactions(getState().organization.emoji, QUICK_REACTIONS),
  }),
);

onRowAction("edit", ({ message }) => {
  if (message && canEdit(getState(), message, Date.now() / 1000)) void editInPlace(message);
});
