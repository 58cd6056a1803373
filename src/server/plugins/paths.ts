// `paths`: what lies at an address, and what is said where nothing does, or nothing by that method.
import { pathNotFound } from "../../contract/errors/general.ts";
import { options, withSlash } from "../answer.ts";
import { type Asked, plugin } from "../asked.ts";
import { find, methodsAt, type Shape, shapeAt } from "../routing.ts";

/** Leaves an answer as `told` where there is nothing more to do. */
export function look(asked: Asked, shapes: readonly Shape[]): void {
  const { shape, path, query, method, isLook } = asked;
  if (shape === undefined) {
    if (!isLook || !isPage(shapes, `${path}/`)) throw pathNotFound();
    asked.told = withSlash(path, query, asked);
  } else if (isLook) {
    asked.found = find(shape, "GET", path);
  } else if (method === "OPTIONS") {
    asked.told = options(methodsAt(shape, path), asked);
  }
}

/** Whether a page's own address ends with the slash; what takes any path is none. */
function isPage(shapes: readonly Shape[], path: string): boolean {
  const shape = shapeAt(shapes, path);
  return shape !== undefined && !shape.isApi && shape.segments.at(-1) === "";
}

export const paths = (shapes: readonly Shape[]) =>
  plugin("paths").onBeforeHandle({ as: "global" }, function ({ asked }) {
    look(asked, shapes);
    const { told } = asked;
    return told;
  });
