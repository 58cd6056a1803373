// Loads functions of the C library under the name that this system uses.
import { dlopen, type FFIFunction } from "bun:ffi";

const LIBRARIES = ["libc.so.6", `libc.musl-${musl()}.so.1`, "libSystem.B.dylib"];

/** Returns undefined if no C library was found. */
export function libc<const F extends Record<string, FFIFunction>>(functions: F) {
  for (const library of LIBRARIES) {
    try {
      return dlopen(library, functions).symbols;
    } catch {
      continue;
    }
  }
  return undefined;
}

function musl(): string {
  return process.arch === "arm64" ? "aarch64" : "x86_64";
}
