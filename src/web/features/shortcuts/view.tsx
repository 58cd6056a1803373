// All keyboard shortcuts: searching, changing and disabling them on this device.
import { useSignal } from "@preact/signals";
import { type Command, hasSingleKeys, isMac, keysOf, remapped } from "../../ui/keys/commands.ts";
import { keyName } from "../../ui/keys/key-names.ts";
import { nameOfPress } from "../../ui/keys/keys.ts";
import { matchesWords } from "../../matching.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { openLayer } from "../../ui/layers.ts";
import { SearchField } from "../../ui/form/search-field.tsx";
import { t } from "../../words/words.ts";
import { grouped, TEXT_COMMANDS, keysChanged, commandsUsingKey } from "./keys.ts";

const SHORTCUTS = "keyboard-shortcuts";

/** `commands`: those that were available before the dialog opened. */
export function showShortcuts(commands: readonly Command[], onClose: () => void): void {
  openLayer(SHORTCUTS, <Shortcuts commands={[...commands, ...TEXT_COMMANDS]} />, onClose);
}

function Shortcuts({ commands }: { commands: readonly Command[] }) {
  const text = useSignal("");
  const changing = useSignal<string | undefined>(undefined);
  const rows = grouped(rowsOf(commands)).flatMap((group) =>
    group.rows.filter(({ name, keys }) => {
      const line = `${t(group.textKey)} ${name} ${keys.join(" ")} ${keys.map(keyName).join(" ")}`;
      return matchesWords(text.value, line);
    }),
  );
  const count = rows.reduce((sum, { keys }) => sum + keys.length, 0);
  return (
    <Dialog id={SHORTCUTS} title={t("shortcuts")}>
      <SearchField text={text} label={t("find-shortcut")} />
      <label class="single-keys">
        <input
          class="switch"
          type="checkbox"
          role="switch"
          checked={hasSingleKeys.value}
          onChange={(event) => (hasSingleKeys.value = event.currentTarget.checked)}
        />
        {t("single-keys")}
      </label>
      <p class="hint">
        <a href="/help/" target="_blank" rel="noopener">
          {t("help-more")}
        </a>
      </p>
      <p class="hint" role="status">
        {rows.length === 0
          ? t("none-found", { words: text.value })
          : t("shortcuts-count", { count })}
      </p>
      {grouped(rows).map((group) => (
        <section key={group.textKey} class="shortcuts">
          <h3>{t(group.textKey)}</h3>
          <ul>
            {group.rows.map(({ name, keys, command }) => (
              <Shortcut
                key={command.id}
                name={name}
                keys={keys}
                command={command}
                commands={commands}
                isChanging={changing.value === command.id}
                onChange={(isChanging) => (changing.value = isChanging ? command.id : undefined)}
              />
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}

interface NamedShortcut {
  name: string;
  keys: readonly string[];
  /** The command whose key can be changed. */
  command: Command;
}

/**
 * Commands with the same name share a row with all their keys; if two have the same key, the later
 * one has it.
 */
function rowsOf(commands: readonly Command[]): NamedShortcut[] {
  const commandByKey = new Map<string, Command>();
  for (const command of commands) for (const key of keysOf(command)) commandByKey.set(key, command);
  const rows = new Map<string, NamedShortcut>();
  for (const command of commands) {
    const name = t(command.textKey);
    const keys = keysOf(command).filter(
      (key) => commandByKey.get(key) === command || command.isUnlisted,
    );
    const { keys: before = [], command: first = command } = rows.get(name) ?? {};
    // Two key names may mean the same key on this keyboard.
    const all = [...new Map([...before, ...keys].map((key) => [keyName(key), key])).values()];
    const displayedCommand = first.isUnlisted ? command : first;
    if (all.length > 0) rows.set(name, { name, keys: all, command: displayedCommand });
  }
  return [...rows.values()];
}

interface ShortcutProps extends NamedShortcut {
  commands: readonly Command[];
  isChanging: boolean;
  onChange: (isChanging: boolean) => void;
}

function Shortcut({ name, keys, command, commands, isChanging, onChange }: ShortcutProps) {
  const error = useSignal<string | undefined>(undefined);
  const press = (event: KeyboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return onChange(false);
    if (["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key)) return undefined;
    const key = nameOfPress(event, isMac());
    const other = commandsUsingKey(commands, command, key);
    if (other) {
      error.value = t("key-taken", { key: keyName(key), name: t(other.textKey) });
      return undefined;
    }
    remapped.value = keysChanged(remapped.value, command, [key]);
    return onChange(false);
  };
  const isOwn = remapped.value[command.id] !== undefined;
  return (
    <li>
      <span>{name}</span>
      {isChanging ? (
        <span class="changing">
          <button
            class="btn"
            type="button"
            ref={focusButton}
            onKeyDown={press}
            onBlur={() => onChange(false)}
          >
            {t("press-key")}
          </button>
          {error.value !== undefined && <small role="alert">{error.value}</small>}
        </span>
      ) : (
        <span class="keys">
          {keys.map((key) => (
            <kbd key={key}>{keyName(key)}</kbd>
          ))}
          {isOwn && (
            <Button
              onClick={() => (remapped.value = keysChanged(remapped.value, command, undefined))}
            >
              {t("no-change")}
            </Button>
          )}
          {!command.isUnlisted && (
            <IconButton
              icon="pencil"
              size="s"
              label={t("change-key", { name })}
              onClick={() => onChange(true)}
            />
          )}
        </span>
      )}
    </li>
  );
}

const focusButton = (button: HTMLButtonElement | null) => button?.focus();
