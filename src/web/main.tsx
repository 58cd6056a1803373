// Starts the client: reads the cache first, and sets everything else up meanwhile.
import "./sync/session.ts";
import "./ime.ts";
import { render } from "preact";
import { onKeyDown } from "./ui/keys/commands.ts";
import { captureEarlyKeys, runEarlyKeys } from "./ui/keys/early-keys.ts";
import { App } from "./shell/view.tsx";
import { requestEarly } from "./features/conversation/show-cached.ts";
import { view } from "./store/address.ts";
import { loadStyles } from "./ui/loading/lazy-styles.ts";
import { importOrReload } from "./scripts.ts";
import { isShown, whenShown } from "./ui/loading/scheduling.ts";
import { startWorker } from "./sync/install-worker.ts";
import { loadTexts } from "./words/words.ts";

requestEarly(view.peek());
render(<App />, document.body);
addEventListener("keydown", onKeyDown);
captureEarlyKeys();
void whenShown.then(async () => {
  startWorker();
  // Late modules use the texts and styles that are loaded with them.
  const late = [loadTexts, loadStyles, () => import("./shell/deferred.ts")];
  await Promise.all(late.map((find) => importOrReload<unknown>(find)));
  // Keys pressed before the first view have no meaning yet.
  void isShown.then(runEarlyKeys);
  document.body.dataset["whole"] = "";
});
