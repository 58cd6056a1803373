// `skein licenses`: prints the components of the executable and their licenses.
import { command } from "./flags.ts";

export const licenses = command({
  description: "lists the software in the executable and its licenses",
  examples: ["skein licenses"],
  flags: {},
  async run() {
    const { default: notice } = await import("../../NOTICE.txt", { with: { type: "text" } });
    process.stdout.write(notice);
  },
});
