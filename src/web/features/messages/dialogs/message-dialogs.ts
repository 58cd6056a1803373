// The dialogs about a message, loaded together because they share most of their code.
import { openMove } from "../../move/move.tsx";
import { openReminder } from "../../reminders/remind.tsx";
import { openForward } from "./forward.tsx";
import { showHistory } from "./history.tsx";
import { showReceipts } from "./receipts.tsx";
import { openReport } from "./report.tsx";
import { showSource } from "./source.tsx";

export const messageDialogs = {
  openForward,
  openMove,
  openReminder,
  openReport,
  showHistory,
  showReceipts,
  showSource,
};
