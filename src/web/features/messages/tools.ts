// Quick reactions and Edit in the toolbar of a message.
import { onAct } from "../../feed/row-actions.ts";
import { now } from "../../store/store.ts";
import { lateScript } from "../../ui/loading/scheduling.ts";
import { editInPlace } from "../editing/open.ts";
import { frequentReactions } from "../emoji/state.ts";
import { canEdit } from "./permissions.ts";

const QUICK_REACTIONS = 3;

void lateScript(() => import("../../feed/tools.ts")).then(({ offerTools }) =>
  offerTools({
    canEdit: (message) => canEdit(now(), message, Date.now() / 1000),
    quickReactions: () => frequentReactions(now().organization.emoji, QUICK_REACTIONS),
  }),
);

onAct("edit", ({ message }) => {
  if (message && canEdit(now(), message, Date.now() / 1000)) void editInPlace(message);
});
