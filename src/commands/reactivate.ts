// `skein reactivate`: reactivates an organization that an owner deactivated.
import { DEFAULT_DATA } from "../contract/config.ts";
import { executeCommand } from "./control.ts";
import { command } from "./flags.ts";

export const reactivate = command({
  description: "reactivates a deactivated organization",
  examples: ["skein reactivate --data /var/lib/skein"],
  flags: { data: { value: "DIR", default: DEFAULT_DATA, description: "the data directory" } },
  async run(flags) {
    const { realm_name } = await executeCommand(flags.data, "reactivate", {});
    console.log(`Reactivated ${realm_name}: users can sign in, and API keys work again.`);
  },
});
