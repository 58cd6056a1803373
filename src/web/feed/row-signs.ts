// Signs in a message's row, of a feature that loads after the first view.
import type { Message } from "../contract/message.ts";

/** Shown beside the time, or above the text if the row continues another. */
export const rowSigns = { of: (_message: Message): readonly HTMLElement[] => [] };
