// Starts the client: the disk is asked before all else, and answers while the rest is set up.
import "./here.ts";
import "./composing.ts";
import { render } from "preact";
import { onKeyDown } from "./commands.ts";
import { keepEarlyKeys, runEarlyKeys } from "./early-keys.ts";
import { App } from "./features/frame/view.tsx";
import { askEarly } from "./features/conversation/recall.ts";
import { view } from "./address.ts";
import { dress } from "./dressed.ts";
import { untilThere } from "./scripts.ts";
import { isShown, whenShown } from "./shown.ts";
import { startWorker } from "./sync/installed.ts";
import { learn } from "./words/words.ts";

askEarly(view.peek());
render(<App />, document.body);
addEventListener("keydown", onKeyDown);
keepEarlyKeys();
void whenShown.then(async () => {
  startWorker();
  // Late modules use the texts and styles that are loaded with them.
  const late = [learn, dress, () => import("./late.ts")];
  await Promise.all(late.map((find) => untilThere<unknown>(find)));
  // A key that was pressed before anything is known means nothing yet.
  void isShown.then(runEarlyKeys);
  document.body.dataset["whole"] = "";
});
