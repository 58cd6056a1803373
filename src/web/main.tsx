// Starts the client.
import { render } from "preact";
import { onKeyDown } from "./commands.ts";
import { keepEarlyKeys, runEarlyKeys } from "./early-keys.ts";
import { App } from "./features/frame/view.tsx";
import "./here.ts";
import { startWorker } from "./sync/installed.ts";
import { learn } from "./words/words.ts";

render(<App />, document.body);
addEventListener("keydown", onKeyDown);
keepEarlyKeys();
startWorker();
void learn();
void import("./late.ts").then(runEarlyKeys);
