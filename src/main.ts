// From the command line to a command.
import { type Command, parseFlags, Trouble, UsageError } from "./commands/flags.ts";
import { helpOf, overview } from "./commands/help.ts";
import { init } from "./commands/init.ts";
import { testMail } from "./commands/mail.ts";
import { reactivate } from "./commands/reactivate.ts";
import { serve } from "./commands/serve.ts";
import {
  allow,
  createUsers,
  listUsers,
  makeKey,
  makeResetLink,
  setPassword,
  unguard,
} from "./commands/user.ts";
import { version } from "./commands/version.ts";
import { Refusal } from "./errors.ts";
import { DirectoryInUse } from "./store/lock.ts";
import { DirectoryTooNew } from "./store/migrate.ts";
import { NotADatabase } from "./store/open.ts";
import { CommitFailed } from "./store/store.ts";

const commands: Readonly<Record<string, Command>> = {
  serve,
  init,
  "user create": createUsers,
  "user list": listUsers,
  "user key": makeKey,
  "user password": setPassword,
  "user reset-link": makeResetLink,
  "mail test": testMail,
  "user allow": allow,
  "user unguard": unguard,
  reactivate,
  version,
};

const USAGE_EXIT = 2;
const HELP = /^(help|--help|-h)$/;

async function main(args: readonly string[]): Promise<number> {
  const name = nameIn(args);
  if (name === undefined) return withoutCommand(args);
  const rest = args.slice(name.split(" ").length);
  const command = commands[name]!;
  if (rest.some((arg) => arg === "--help" || arg === "-h")) return say(helpOf(name, command));
  try {
    await command.run(parseFlags(command.flags, rest, process.env));
    return 0;
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof UsageError) return complain(`${message}. Try: skein ${name} --help`);
    return complain(isForTheOperator(error) ? message : stackOf(error), 1);
  }
}

/** One word or two. */
function nameIn([first = "", second = ""]: readonly string[]): string | undefined {
  return [`${first} ${second}`, first].find((name) => Object.hasOwn(commands, name));
}

function withoutCommand(args: readonly string[]): number {
  const [first = "help", ...rest] = args;
  const asked = HELP.test(first) ? nameIn(rest) : undefined;
  if (asked !== undefined) return say(helpOf(asked, commands[asked]!));
  const group = Object.entries(commands).filter(([name]) => name.startsWith(`${first} `));
  if (group.length > 0 && HELP.test(rest[0] ?? "help"))
    return say(overview(Object.fromEntries(group)));
  if (HELP.test(first)) return say(overview(commands));
  return complain(`there is no command ${args.slice(0, 2).join(" ")}. Try: skein help`);
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

function complain(text: string, exit = USAGE_EXIT): number {
  process.stderr.write(`skein: ${text}\n`);
  return exit;
}

/** What a person did or has to do; anything else is a fault, and its place is wanted. */
function isForTheOperator(error: unknown): boolean {
  const kinds = [Trouble, Refusal, DirectoryInUse, DirectoryTooNew, NotADatabase, CommitFailed];
  if (kinds.some((kind) => error instanceof kind)) return true;
  return error instanceof Error && "syscall" in error;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

process.exitCode = await main(process.argv.slice(2));
