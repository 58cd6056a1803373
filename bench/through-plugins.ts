// Runs Skein so that every request passes the plugins: no route bypasses them.
import { direct } from "../src/contract/direct.ts";

for (const name of Object.keys(direct)) Reflect.deleteProperty(direct, name);
await import("../src/main.ts");
