// The text that a command prints for an error.
import { Refusal } from "../../contract/errors/general.ts";
import { BackupFailed } from "../../features/backup/work/target.ts";
import { MovingRefused } from "../../features/moving/errors.ts";
import { PairInvalid } from "../../outbound/certificates/pair.ts";
import { RowDamaged } from "../../store/checksums/checksum.ts";
import { DatabaseCut, NotADatabase } from "../../store/checksums/complete-file.ts";
import { CommitFailed } from "../../store/commits.ts";
import { CompactionRefused } from "../../store/copy/compact.ts";
import { NoFreeSpace } from "../../store/copy/copy.ts";
import { DirectoryTooNew } from "../../store/format/migrate.ts";
import { UpgradeRefused } from "../../store/format/upgrade.ts";
import { LogDamaged } from "../../store/journal/log-file.ts";
import { DirectoryInUse, LockImpossible } from "../../store/lock.ts";
import { DataMissing } from "../../store/open.ts";
import { DatabaseDamaged } from "../../store/structure/reject-damaged.ts";
import { systemErrorText } from "../../store/system/system-errors.ts";
import { CommandError } from "../flags.ts";

const OPERATOR_ERRORS = [
  BackupFailed,
  CommandError,
  CompactionRefused,
  NoFreeSpace,
  Refusal,
  CommitFailed,
  DatabaseCut,
  DatabaseDamaged,
  DataMissing,
  DirectoryInUse,
  DirectoryTooNew,
  LockImpossible,
  LogDamaged,
  MovingRefused,
  NotADatabase,
  PairInvalid,
  RowDamaged,
  UpgradeRefused,
];

/** Errors for the operator are a message. All others are defects and print a stack trace. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack = message } = error;
  if (OPERATOR_ERRORS.some((kind) => error instanceof kind)) return message;
  return systemErrorText(error) ?? ("syscall" in error ? message : stack);
}
