// `skein completion`: shell completions, generated from the table of commands.
import { type Command, command, type Flag, UsageError } from "../flags.ts";
import { asCommandLineFlags } from "../help.ts";

type Commands = Readonly<Record<string, Command>>;

const SHELLS = { bash, zsh, fish } as const;
/** Values that are completed from file names. */
const PATHS = /^(FILE|DIR|PLACE)$/;

/** The table includes this command, so it is evaluated lazily. */
export function completion(commands: () => Commands): Command {
  return command({
    description: "prints a shell completion script",
    examples: [
      "skein completion --shell bash > ~/.local/share/bash-completion/completions/skein",
      "skein completion --shell zsh > ~/.zfunc/_skein",
      "skein completion --shell fish > ~/.config/fish/completions/skein.fish",
    ],
    flags: { shell: { value: "SHELL", required: true, description: "bash, zsh or fish" } },
    async run({ shell }) {
      if (!Object.hasOwn(SHELLS, shell))
        throw new UsageError(`unknown shell ${shell}: use bash, zsh or fish`);
      process.stdout.write(SHELLS[shell as keyof typeof SHELLS](commands()));
    },
  });
}

function bash(commands: Commands): string {
  const cases = [...groupsOf(commands)].map(
    ([text, next]) => `    ${quote(text)}) next=${quote(next.join(" "))} ;;`,
  );
  const flags = Object.entries(commands).map(([name, { flags: own }]) => {
    return `    ${quote(name)}) next=${quote(
      flagsOf(own)
        .map(([flag]) => flag)
        .join(" "),
    )} ;;`;
  });
  return `# Completion of skein for bash.
_skein() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words="" next=""
  local at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} == -* ]] && break
    words+="\${words:+ }\${COMP_WORDS[at]}"
  done
  case $before in
    ${alternatives(commands, isPath)}) COMPREPLY=($(compgen -f -- "$word")); return ;;
    ${alternatives(commands, (flag) => !isPath(flag))}) return ;;
  esac
  case $words in
${cases.join("\n")}
${flags.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$next" -- "$word"))
}
complete -o filenames -F _skein skein
`;
}

function zsh(commands: Commands): string {
  const groups = [...groupsOf(commands)].map(([text, next]) => {
    const items = next.map((word) =>
      quote(`${word}:${descriptionOf(commands, `${text} ${word}`)}`),
    );
    return `    ${quote(text)}) items=(${items.join(" ")}); _describe command items ;;`;
  });
  const cases = Object.entries(commands).map(([name, { flags }]) => {
    const specs = flagsOf(flags).map(([flag, { description, value }]) => {
      const escaped = description.replaceAll(/[[\]:\\]/g, " ");
      const completer = value === undefined ? "" : `:${value}:${PATHS.test(value) ? "_files" : ""}`;
      return quote(`${flag}[${escaped}]${completer}`);
    });
    return `    ${quote(name)}) _arguments '*:: :' ${specs.join(" ")} ;;`;
  });
  return `#compdef skein
# Completion of skein for zsh.
_skein() {
  local -a items
  local at name=""
  for ((at = 2; at < CURRENT; at++)); do
    [[ $words[at] == -* ]] && break
    name+="\${name:+ }$words[at]"
  done
  case $name in
${groups.join("\n")}
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = "_skein" ]; then _skein "$@"; else compdef _skein skein; fi
`;
}

function fish(commands: Commands): string {
  const groups = [...groupsOf(commands)].flatMap(([text, next]) =>
    next.map((word) => {
      const description = quote(descriptionOf(commands, `${text} ${word}`));
      return `complete -c skein -n ${quote(`__skein_at ${text}`)} -a ${word} -d ${description}`;
    }),
  );
  const flags = Object.entries(commands).flatMap(([name, { flags: own }]) =>
    flagsOf(own).map(([flag, { description, value }]) => {
      const completer = value === undefined ? "" : PATHS.test(value) ? " -r -F" : " -x";
      const location = quote(`__skein_at ${name}`);
      const long = `-l ${flag.slice(2)}${completer}`;
      return `complete -c skein -n ${location} ${long} -d ${quote(description)}`;
    }),
  );
  return `# Completion of skein for fish.
function __skein_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l named
    for word in $words
        string match -q -- '-*' $word; and break
        set -a named $word
    end
    test "$named" = "$argv"
end
complete -c skein -f
${[...groups, ...flags].join("\n")}
`;
}

/** The words that may follow other words. */
function groupsOf(commands: Commands): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  const add = (text: string, next: string) => {
    const subcommands = groups.get(text) ?? [];
    if (!subcommands.includes(next)) groups.set(text, [...subcommands, next]);
  };
  for (const name of Object.keys(commands)) {
    const [first = "", second] = name.split(" ");
    add("", first);
    if (second !== undefined) add(first, second);
  }
  return groups;
}

/** Description of a command, or of a group of commands. */
function descriptionOf(commands: Commands, text: string): string {
  const name = text.trim();
  const own = commands[name];
  if (own) return own.description;
  const under = Object.keys(commands).filter((item) => item.startsWith(`${name} `));
  return under.map((item) => item.slice(name.length + 1)).join(", ");
}

function flagsOf(flags: Command["flags"]): [string, Flag][] {
  const own = Object.entries(asCommandLineFlags(flags)).map(([name, flag]): [string, Flag] => [
    `--${name}`,
    flag,
  ]);
  return [...own, ["--help", { description: "show help for the command" }]];
}

const isPath = ({ value = "" }: Flag) => PATHS.test(value);

/** Returns a pattern of all flags with such a value. */
function alternatives(commands: Commands, filter: (flag: Flag) => boolean): string {
  const all = Object.values(commands).flatMap(({ flags }) => flagsOf(flags));
  const flagsForCommand = all.filter(([, flag]) => flag.value !== undefined && filter(flag));
  return [...new Set(flagsForCommand.map(([name]) => name))].toSorted().join("|");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
