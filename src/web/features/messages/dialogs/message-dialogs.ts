// The dialogs about a message, loaded together because they share most of their code.
import { askMove } from "../../move/move.tsx";
import { askReminder } from "../../reminders/remind.tsx";
import { askForward } from "./forward.tsx";
import { showHistory } from "./history.tsx";
import { showReceipts } from "./receipts.tsx";
import { askReport } from "./report.tsx";
import { showSource } from "./source.tsx";

export const messageDialogs = {
  askForward,
  askMove,
  askReminder,
  askReport,
  showHistory,
  showReceipts,
  showSource,
};
