// Maps the command line to a command.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ownValue } from "./text/input/own-value.ts";
import { listAudit, verifyAudit } from "./commands/audit.ts";
import { listBackups, pruneBackups, verifyBackups } from "./commands/backup/inspect.ts";
import { restore } from "./commands/backup/restore.ts";
import { rollback } from "./commands/backup/rollback.ts";
import { runBackup } from "./commands/backup/run.ts";
import { upgrade } from "./commands/backup/upgrade.ts";
import { databaseCheck, databaseCompact, databaseStat } from "./commands/database/db.ts";
import { heap, profile } from "./commands/process/debug.ts";
import {
  archiveChannel,
  createChannel,
  listChannels,
  restoreChannel,
  setChannel,
} from "./commands/organization/channel.ts";
import { invite, listInvitations, revokeInvitation } from "./commands/organization/invite.ts";
import {
  deactivateOrganization,
  listOrganizations,
  renameOrganization,
  setOrganization,
  showOrganization,
} from "./commands/organization/org.ts";
import { planRetention, runRetention } from "./commands/organization/retention.ts";
import {
  deactivateUser,
  eraseUser,
  reactivateUser,
  renameUser,
  setRole,
} from "./commands/users/change.ts";
import { demo } from "./commands/demo.ts";
import { doctor } from "./commands/doctor/doctor.ts";
import { certRenew, certStatus } from "./commands/process/cert.ts";
import { checkVariables, find, rewordFlags } from "./commands/config/sources.ts";
import { checkConfig, configSchema, initConfig, showConfig } from "./commands/config/commands.ts";
import { settings } from "./commands/config/settings.ts";
import { readSettings } from "./commands/config/toml.ts";
import {
  type Input,
  type Command,
  type Finding,
  flagNames,
  flagValuesOf,
  UsageError,
  valuesOf,
  variableOf,
} from "./commands/flags.ts";
import { helpOf, overview } from "./commands/help.ts";
import { health, logLevel } from "./commands/process/health.ts";
import { exportCommands } from "./commands/moving/export.ts";
import { importStatus, planImport, runImport, undoImport } from "./commands/moving/import.ts";
import { init } from "./commands/init.ts";
import { checkPermitted } from "./commands/process/file-permissions.ts";
import { dataOfUnit, unitFile } from "./commands/systemd/unit-file.ts";
import { DEFAULT_DATA } from "./contract/config.ts";
import { licenses } from "./commands/licenses.ts";
import { testMail } from "./commands/mail.ts";
import { completion } from "./commands/reference/completion.ts";
import { man } from "./commands/reference/man.ts";
import { reactivate } from "./commands/reactivate.ts";
import {
  ignoreOutputErrors,
  setOutputFailureExit,
  watchOutput,
} from "./commands/process/output.ts";
import { reload } from "./commands/process/reload.ts";
import { serve } from "./commands/serve.ts";
import { installService, printService, uninstallService } from "./commands/systemd/commands.ts";
import { update } from "./commands/update/update.ts";
import {
  allow,
  createUsers,
  listUsers,
  makeKey,
  makeResetLink,
  setPassword,
  disableTwoFactor,
} from "./commands/user.ts";
import { version } from "./commands/version.ts";
import { EXIT, MovingRefused } from "./features/moving/errors.ts";
import { StoreLost } from "./store/commits.ts";

const commands: Readonly<Record<string, Command>> = {
  serve,
  init,
  "config init": initConfig,
  "config check": checkConfig,
  "config show": showConfig,
  "config schema": configSchema,
  reload,
  health,
  doctor,
  "log-level": logLevel,
  "cert status": certStatus,
  "cert renew": certRenew,
  "service print": printService,
  "service install": installService,
  "service uninstall": uninstallService,
  "user create": createUsers,
  "user list": listUsers,
  "user key": makeKey,
  "user password": setPassword,
  "user reset-link": makeResetLink,
  "mail test": testMail,
  "user allow": allow,
  "user disable-2fa": disableTwoFactor,
  "user role": setRole,
  "user rename": renameUser,
  "user deactivate": deactivateUser,
  "user reactivate": reactivateUser,
  "user erase": eraseUser,
  "invite create": invite,
  "invite list": listInvitations,
  "invite revoke": revokeInvitation,
  "org list": listOrganizations,
  "org show": showOrganization,
  "org set": setOrganization,
  "org rename": renameOrganization,
  "org deactivate": deactivateOrganization,
  "channel list": listChannels,
  "channel create": createChannel,
  "channel set": setChannel,
  "channel archive": archiveChannel,
  "channel unarchive": restoreChannel,
  "retention plan": planRetention,
  "retention run": runRetention,
  "audit list": listAudit,
  "audit verify": verifyAudit,
  "backup run": runBackup,
  "backup list": listBackups,
  "backup verify": verifyBackups,
  "backup prune": pruneBackups,
  ...exportCommands,
  "import plan": planImport,
  "import run": runImport,
  "import status": importStatus,
  "import undo": undoImport,
  "db stat": databaseStat,
  "db check": databaseCheck,
  "db compact": databaseCompact,
  "debug profile": profile,
  "debug heap": heap,
  restore,
  upgrade,
  rollback,
  update,
  reactivate,
  licenses,
  demo,
  completion: completion(() => commands),
  man: man(() => commands),
  version,
};

/** Other names of commands, which work but are not listed. */
const ALIASES: Readonly<Record<string, string>> = {
  "user unguard": "user disable-2fa",
  "--version": "version",
};

/** Environment variables of all commands. */
const VARIABLES = new Set(
  Object.values(commands)
    .flatMap(({ flags }) => [...Object.keys(flags), ...flagNames(flags)])
    .map(variableOf),
);

const USAGE_EXIT = 2;
const HELP = /^(help|--help|-h)$/;

async function main(args: readonly string[]): Promise<number> {
  const name = nameIn(args);
  if (name === undefined) return withoutCommand(args);
  // An alias has the same number of words as its command.
  const rest = args.slice(name.split(" ").length);
  const command = commands[name]!;
  const failureExit = command.failureExit ?? 1;
  if (rest.some((arg) => arg === "--help" || arg === "-h")) return print(helpOf(name, command));
  let input: Input | undefined;
  try {
    input = inputOf(command, rest, name);
    if (!COMMANDS_FOR_ANY_ACCOUNT.test(name)) {
      const { data } = input.values;
      if (typeof data === "string") checkPermitted(resolve(data));
    }
    if (SERVERS.has(command)) ignoreOutputErrors();
    else setOutputFailureExit(failureExit);
    // `serve` calls this itself, when it listens.
    if (command !== serve) Bun.unsafe.setJITPolicy(1);
    return (await command.run(input.values, input)) ?? 0;
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof UsageError) {
      const text = input ? rewordFlags(message, input.findings) : message;
      return printError(`${text}${text.endsWith("?") ? "" : "."} See: skein help ${name}`);
    }
    const code = printError(await textOf(error), failureExit);
    if (error instanceof MovingRefused) return EXIT.refused;
    // The database's own thread would keep the process alive.
    return error instanceof StoreLost ? process.exit(code) : code;
  }
}

/** The error texts are loaded only if a command fails. */
async function textOf(error: unknown): Promise<string> {
  return (await import("./commands/process/error-text.ts")).errorText(error);
}

/** Commands that run a server, which logs elsewhere. */
const SERVERS: ReadonlySet<Command> = new Set([serve, demo]);
/** Commands that open no data directory, or are run by root for another account. */
const COMMANDS_FOR_ANY_ACCOUNT = /^(demo|update|config .*)$/;
/** Commands whose default data directory is in the working directory. */
const COMMANDS_FOR_ANY_DIRECTORY = /^(serve|demo|init|config .*)$/;

/** Reads flags, environment and configuration file, and rejects unknown options. */
function inputOf({ flags }: Pick<Command, "flags">, args: readonly string[], name: string): Input {
  const environment = process.env;
  checkVariables(environment, VARIABLES);
  const input = flagValuesOf(flags, args);
  const configPath = input.get("config") ?? (environment["SKEIN_CONFIG"] || undefined);
  const path = configPath === undefined ? undefined : String(configPath);
  const file = "config" in flags ? readSettings(settings, path) : new Map();
  const findings = new Map(find(flags, { input, environment, file }));
  if ("data" in flags && !findings.has("data") && !COMMANDS_FOR_ANY_DIRECTORY.test(name)) {
    const serviceData = dataOfService();
    if (serviceData) findings.set("data", serviceData);
  }
  const rereadInput = () => inputOf({ flags }, args, name);
  return { values: valuesOf(flags, findings), findings, reread: rereadInput };
}

/** Falls back to the data directory of the systemd service. */
function dataOfService(): Finding | undefined {
  if (existsSync(DEFAULT_DATA)) return undefined;
  const unit = unitFile();
  const value = unit && dataOfUnit(unit);
  return value === undefined ? undefined : { value, label: `SKEIN_DATA in ${unit!.path}` };
}

/** Command names have one or two words. */
function nameIn([first = "", second = ""]: readonly string[]): string | undefined {
  const names = [`${first} ${second}`, first].map((name) => ownValue(ALIASES, name) ?? name);
  return names.find((name) => Object.hasOwn(commands, name));
}

function withoutCommand(args: readonly string[]): number {
  const [first = "help", ...rest] = args;
  const requested = HELP.test(first) ? nameIn(rest) : undefined;
  if (requested !== undefined) return print(helpOf(requested, commands[requested]!));
  const group = Object.entries(commands).filter(([name]) => name.startsWith(`${first} `));
  if (group.length > 0 && HELP.test(rest[0] ?? "help"))
    return print(overview(Object.fromEntries(group)));
  if (HELP.test(first)) return print(overview(commands));
  return printError(`unknown command ${args.slice(0, 2).join(" ")}. See: skein help`);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function printError(text: string, exit = USAGE_EXIT): number {
  process.stderr.write(`skein: ${text}\n`);
  return exit;
}

watchOutput();
process.exitCode = await main(process.argv.slice(2));
