/** Writes an export in a process that kills itself while it writes, as a power failure would. */
import { existsSync } from "node:fs";
import { writePersonExport } from "../../src/features/moving/person/jobs.ts";
import { writeExport } from "../../src/features/moving/realm-export/jobs.ts";
import { openRunning } from "../../src/running.ts";
import { configFor } from "../../src/commands/control.ts";

const [data = "", work = "", kind = "", id = ""] = process.argv.slice(2);
const realm = await openRunning(configFor(data));
const job = { at: 0, job_id: 0, kind, attempts: 0 };

setInterval(() => {
  if (existsSync(work)) process.kill(process.pid, "SIGKILL");
}, 0);
if (kind === "person") await writePersonExport(realm, { ...job, payload: { user_id: Number(id) } });
else await writeExport(realm, { ...job, payload: { export_id: Number(id) } });
