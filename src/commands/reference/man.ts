// `skein man`: the manual page, generated from the table of commands.
import { VERSION } from "../../contract/version.ts";
import { type Command, command } from "../flags.ts";
import { asCommandLineFlags, sentence, flagUsage, flagText } from "../help.ts";

type Commands = Readonly<Record<string, Command>>;

/** The table includes this command, so it is evaluated lazily. */
export function man(commands: () => Commands): Command {
  return command({
    description: "prints the manual page",
    examples: ["skein man > ~/.local/share/man/man1/skein.1"],
    flags: {},
    async run() {
      process.stdout.write(pageOf(commands()));
    },
  });
}

function pageOf(commands: Commands): string {
  const parts = Object.entries(commands).map(([name, command]) => partOf(name, command));
  return `.TH SKEIN 1 "" "Skein ${VERSION}" "User Commands"
.SH NAME
skein \\- team-chat server
.SH SYNOPSIS
.B skein
.I command
.RI [ flags ]
.SH DESCRIPTION
Skein is a team\\-chat server in one executable, which contains the database and the web client.
It stores everything in one data directory.
.PP
Each flag can also be set as the environment variable shown beside it and, if the command takes
.BR \\-\\-config ,
in the settings file.
Commands also work while the server is running.
.SH COMMANDS
${parts.join("")}.SH FILES
.TP
.I /etc/skein/skein.toml
The settings file (optional).
.TP
.I /var/lib/skein
The data directory of the systemd service.
.SH EXIT STATUS
0: success. 1: the command failed. 2: the command line is invalid.
`;
}

function partOf(name: string, { description, examples, flags, notes }: Command): string {
  const rows = Object.entries(asCommandLineFlags(flags)).map(
    ([flag, spec]) => `.TP\n.B ${text(flagUsage(flag, spec))}\n${text(flagText(flag, spec))}\n`,
  );
  const more = notes === undefined ? "" : `.PP\n${text(notes)}\n`;
  const lines = examples.map((example) => `${text(example)}\n`).join("");
  const example = `.PP\nFor example:\n.PP\n.RS 4\n.nf\n${lines}.fi\n.RE\n`;
  const heading = `.SS skein ${text(name)}\n${text(sentence(description))}\n`;
  return `${heading}${rows.join("")}${more}${example}`;
}

/** Escapes text: no line may be a roff instruction, and hyphens must be copyable. */
function text(message: string): string {
  return message
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^[.']/gm, "\\&$&")
    .replaceAll(/[^\x00-\x7f]/gu, (character) => `\\[u${hexOf(character)}]`)
    .replaceAll(/\n\n+/g, "\n.PP\n");
}

function hexOf(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
}
