// Functions of the C library, by whatever name this system has it.
import { dlopen, type FFIFunction } from "bun:ffi";

const LIBRARIES = ["libc.so.6", `libc.musl-${musl()}.so.1`, "libSystem.B.dylib"];

/** undefined: no library was found. */
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
