// `skein licenses`: prints the components of the executable and their licences.
import { command } from "./flags.ts";

export const licenses = command({
  about: "says what is in the executable, and under which licences",
  examples: ["skein licenses"],
  flags: {},
  async run() {
    const { default: notice } = await import("../../NOTICE.txt", { with: { type: "text" } });
    process.stdout.write(notice);
  },
});
