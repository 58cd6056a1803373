// `skein reactivate`: reactivates an organization that an owner deactivated.
import { DEFAULT_DATA } from "../contract/config.ts";
import { carryOut } from "./control.ts";
import { command } from "./flags.ts";

export const reactivate = command({
  about: "reactivates a deactivated organization",
  examples: ["skein reactivate --data /var/lib/skein"],
  flags: { data: { value: "DIR", default: DEFAULT_DATA, about: "the data directory" } },
  async run(flags) {
    const { realm_name } = await carryOut(flags.data, "reactivate", {});
    console.log(`${realm_name} is open again: people sign in, and their keys work.`);
  },
});
