// Shows an error if a script that an action needs could not be loaded.
import { isAnswering, reloadPage } from "../scripts.ts";
import { showToast } from "../ui/toast.tsx";
import { t } from "../words/words.ts";

/** Error messages of browsers for failed imports. */
const IMPORT_ERROR = /dynamically imported module|importing a module script/i;

window.addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof TypeError) || !IMPORT_ERROR.test(event.reason.message)) return;
  event.preventDefault();
  showToast({
    text: t("load-failed"),
    isAlert: true,
    undoLabel: t("try-now"),
    undo: () => void isAnswering().then((isOnline) => (isOnline ? reloadPage() : undefined)),
  });
});
