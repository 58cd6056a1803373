// Schemas of the organization's other objects.
import Type from "typebox";
import { list, nullable, choice } from "./value-types.ts";

export const navigationViewShape = Type.Object({
  fragment: Type.String(),
  is_pinned: Type.Boolean(),
  name: nullable(Type.String()),
});

/** The user's own order. Channels and folders that are not in it come after those that are. */
export const sidebarOrderShape = Type.Object({
  folders: list(Type.Integer()),
  channels: list(Type.Integer()),
});

export const onboardingStepShape = Type.Object({ type: Type.String(), name: Type.String() });

export const profileFieldShape = Type.Object({
  id: Type.Integer(),
  type: choice(1, 2, 3, 4, 5, 6, 7, 8),
  order: Type.Integer(),
  name: Type.String(),
  hint: Type.String(),
  field_data: Type.String(),
  required: Type.Boolean(),
  editable_by_user: Type.Boolean(),
  display_in_profile_summary: Type.Optional(Type.Literal(true)),
  use_for_user_matching: Type.Optional(Type.Boolean()),
});

export const customEmojiShape = Type.Object({
  id: Type.String(),
  name: Type.String(),
  source_url: Type.String(),
  still_url: Type.Optional(nullable(Type.String())),
  deactivated: Type.Boolean(),
  author_id: nullable(Type.Integer()),
});

export const linkifierShape = Type.Object({
  id: Type.Integer(),
  pattern: Type.String(),
  url_template: Type.String(),
  example_input: nullable(Type.String()),
  reverse_template: nullable(Type.String()),
  alternative_url_templates: list(Type.String()),
});

export const playgroundShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  pygments_language: Type.String(),
  url_template: Type.String(),
});

export const domainShape = Type.Object({ domain: Type.String(), allow_subdomains: Type.Boolean() });
