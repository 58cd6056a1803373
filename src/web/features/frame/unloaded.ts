// Says it where the script of something that was pressed could not be fetched.
import { isAnswering, loadAnew } from "../../scripts.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";

/** Error texts of the browsers. */
const NOT_FETCHED = /dynamically imported module|importing a module script/i;

window.addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof TypeError) || !NOT_FETCHED.test(event.reason.message)) return;
  event.preventDefault();
  showToast({
    words: say("load-failed"),
    isAlert: true,
    undoWords: say("try-now"),
    undo: () => void isAnswering().then((is) => (is ? loadAnew() : undefined)),
  });
});
