/** Renders text of archives as the server would, with the mentions of two users. */
import type { RenderContext } from "../../src/text/markdown/context.ts";
import { render } from "../../src/text/markdown/render.ts";
import { renderContext } from "../text/markdown-fixture.ts";
import type { MentionNames } from "../../src/features/moving/source/inserted-names.ts";

const USERS = [
  { user_id: 4, full_name: "Olga Owner", is_active: true },
  { user_id: 5, full_name: "Bo", is_active: true },
  { user_id: 6, full_name: "Bo", is_active: true },
];

const context: Partial<RenderContext> = {
  userById: (id) => USERS.find(({ user_id }) => user_id === id),
  usersByName: (name) => USERS.filter(({ full_name }) => full_name === name),
};

export const htmlOf = (markdown: string) => render(markdown, renderContext(context)).html;

/** Two users share the name Bo. */
export const names: MentionNames = {
  user(id, label, isInTable) {
    if (id === "U1") return isInTable ? "@**Olga Owner**" : "@**Olga Owner|4**";
    return isInTable ? "@Bo" : `@**${label ?? "Bo"}|5**`;
  },
  channel: (id, name) => `#**${name ?? id}**`,
};
