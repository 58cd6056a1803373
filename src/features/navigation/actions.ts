// The views that a user arranges in the navigation.
import Type from "typebox";
import { tooMany } from "../../contract/errors/channels.ts";
import {
  builtInViewNamed,
  viewExists,
  viewNameInvalid,
  viewNotFound,
} from "../../contract/errors/realm.ts";
import { list, nothing } from "../../contract/shapes/value-types.ts";
import { navigationViewShape } from "../../contract/shapes/organization.ts";
import { bool, endpoint, optional, text, textOf } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import {
  FRAGMENT_LENGTH_MAX,
  isBuiltIn,
  NAVIGATION_VIEWS_MAX,
  VIEW_NAME_LENGTH_MAX,
} from "./rules.ts";
import { type View, viewAdded, viewRemoved, viewsOf, viewsSnapshot, viewUpdated } from "./wire.ts";

function addView(tx: Writer, user: User, view: View): void {
  const views = viewsOf(tx, user);
  checkName(view);
  if (views.some(({ fragment }) => fragment === view.fragment)) throw viewExists();
  if (views.length >= NAVIGATION_VIEWS_MAX) throw tooMany("views", NAVIGATION_VIEWS_MAX);

  putViews(tx, user, [...views, view]);
  tx.emit(viewAdded(view), { to: "people", user_ids: [user.user_id] });
}

type ViewChange = { is_pinned?: boolean | undefined; name?: string | undefined };

function changeView(tx: Writer, user: User, fragment: string, viewChange: ViewChange): void {
  const before = accessView(tx, user, fragment);
  const { is_pinned = before.is_pinned } = viewChange;
  const name = viewChange.name === undefined ? before.name : viewChange.name || null;
  const after = { fragment, is_pinned, name };
  checkName(after);

  const data: Partial<View> = {
    ...(is_pinned !== before.is_pinned && { is_pinned }),
    ...(name !== before.name && { name }),
  };
  if (Object.keys(data).length === 0) return;
  const views = viewsOf(tx, user);
  putViews(
    tx,
    user,
    views.map((view) => (view.fragment === fragment ? after : view)),
  );
  tx.emit(viewUpdated(fragment, data), { to: "people", user_ids: [user.user_id] });
}

function removeView(tx: Writer, user: User, fragment: string): void {
  accessView(tx, user, fragment);

  const rest = viewsOf(tx, user).filter((view) => view.fragment !== fragment);
  putViews(tx, user, rest);
  tx.emit(viewRemoved(fragment), { to: "people", user_ids: [user.user_id] });
}

const viewName = optional(textOf({ max: VIEW_NAME_LENGTH_MAX, trimmed: true, line: true }));

export const getViews = endpoint({
  summary: "List your navigation views",
  tag: "People",
  params: {},
  answer: Type.Object({ navigation_views: list(navigationViewShape) }),
  run: ({ realm, user }) => viewsSnapshot(realm.read, user),
});

export const postView = endpoint({
  summary: "Add a navigation view",
  tag: "People",
  params: {
    fragment: textOf({ max: FRAGMENT_LENGTH_MAX, trimmed: true, filled: true }),
    is_pinned: bool,
    name: viewName,
  },
  answer: nothing,
  run: async ({ realm, user }, { fragment, is_pinned, name }) => {
    await realm.write((tx) => addView(tx, user, { fragment, is_pinned, name: name || null }));
    return {};
  },
});

export const patchView = endpoint({
  summary: "Change a navigation view",
  tag: "People",
  params: { fragment: text, is_pinned: optional(bool), name: viewName },
  answer: nothing,
  run: async ({ realm, user }, { fragment, ...params }) => {
    await realm.write((tx) => changeView(tx, user, fragment, params));
    return {};
  },
});

export const deleteView = endpoint({
  summary: "Remove a navigation view",
  tag: "People",
  params: { fragment: text },
  answer: nothing,
  run: async ({ realm, user }, { fragment }) => {
    await realm.write((tx) => removeView(tx, user, fragment));
    return {};
  },
});

function accessView(reader: Reader, user: User, fragment: string): View {
  const view = viewsOf(reader, user).find((item) => item.fragment === fragment);
  if (!view) throw viewNotFound();
  return view;
}

function checkName({ fragment, name }: View): void {
  if (isBuiltIn(fragment)) {
    if (name !== null) throw builtInViewNamed();
  } else if (name === null) throw viewNameInvalid();
}

function putViews(tx: Writer, { user_id }: User, views: View[]): void {
  if (views.length === 0) tx.navigation_views.delete(user_id);
  else tx.navigation_views.put({ user_id, views });
}
