// The toolbar of message rows, with the user's quick reactions and Edit.
import type { Message } from "../../contract/message.ts";
import { type ToolContext, Tools } from "../../feed/tools.ts";
import { getState } from "../../store/store.ts";
import { frequentReactions } from "../emoji/state.ts";
import { canEdit } from "./permissions.ts";

const QUICK_REACTIONS = 3;

/** Adds the toolbar to rows until the signal is aborted. */
export function addTools(column: HTMLElement, context: ToolContext, signal: AbortSignal): void {
  const actions = {
    canEdit: (message: Message) => canEdit(getState(), message, Date.now() / 1000),
    quickReactions: () => frequentReactions(getState().organization.emoji, QUICK_REACTIONS),
  };
  new Tools(column, context, actions, signal);
}
