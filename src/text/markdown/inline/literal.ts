// Writes a name into Markdown so that none of its characters is markup.

const MARKUP = /[*`\\&[\]<>$]/g;

export const hasMarkup = (name: string): boolean => name.search(MARKUP) >= 0;

export const literal = (name: string): string =>
  name.replace(MARKUP, (mark) => `&#${mark.charCodeAt(0)};`);
