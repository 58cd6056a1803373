// Plain text of Slack, written as Markdown that displays it without formatting.

/** A URL up to a mention in it, a Markdown character, or the start of an entity. */
const PLAIN_TOKEN = /\bhttps?:\/\/(?:(?!@_?\*)[^\s<>])+|[*~`[\]<$]|&(?=#?\w+;)/g;
/** Characters that begin a heading, a quote, a list, a table or a status message. */
const LINE_START = /^([ \t]*)([>|]|#(?=#*\s)|\+(?=\s)|[-:](?=[\s|-])|\/(?=me\b)|\d(?=\d*[.)]\s))/gm;

/**
 * Converts text without markup to Markdown that displays it unchanged: Markdown characters become
 * entities.
 */
export function plainMarkdown(text: string): string {
  return text
    .replace(PLAIN_TOKEN, (token) => (token.length > 1 ? token : entityOf(token)))
    .replace(LINE_START, (_, indent: string, character: string) => indent + entityOf(character));
}

export const entityOf = (character: string) => `&#${character.charCodeAt(0)};`;
