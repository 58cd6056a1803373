// Notifies systemd of the server's state: ready, alive, reloading, stopping.
import { dlopen, FFIType, ptr } from "bun:ffi";

const LIBRARIES = ["libc.so.6", `libc.musl-${musl()}.so.1`];
const UNIX = 1;
const DATAGRAM = 2;
const CLOSE_ON_EXEC = 0o2000000;
const NO_SIGNAL = 0x4000;
const MONOTONIC = 1;
/** The address family precedes the path in two bytes. */
const FAMILY_BYTES = 2;
const PATH_BYTES_MAX = 108;

/** Returns undefined if systemd is not listening or no C library was found. */
export function openNotify(
  path = process.env["NOTIFY_SOCKET"],
): ((words: Readonly<Record<string, string>>) => void) | undefined {
  if (path === undefined || !/^[/@]/.test(path)) return undefined;
  const c = library();
  const address = addressOf(path);
  if (c === undefined || address === undefined) return undefined;
  const socket = c.socket(UNIX, DATAGRAM | CLOSE_ON_EXEC, 0);
  if (socket < 0) return undefined;
  return (words) => {
    const lines = Object.entries(words).map(([name, value]) => `${name}=${oneLine(value)}\n`);
    const text = Buffer.from(lines.join(""));
    c.sendto(socket, ptr(text), text.length, NO_SIGNAL, ptr(address), address.length);
  };
}

/** CLOCK_MONOTONIC in microseconds, as systemd uses it. */
export function monotonicMicroseconds(): string {
  const time = new BigInt64Array(2);
  library()?.clock_gettime(MONOTONIC, ptr(time));
  return String(time[0]! * 1_000_000n + time[1]! / 1_000n);
}

const oneLine = (text: string) => text.replaceAll(/[\r\n]+/g, " ");

/** `@` starts the name of an abstract socket. */
function addressOf(path: string): Buffer | undefined {
  const name = Buffer.from(path);
  if (name.length >= PATH_BYTES_MAX) return undefined;
  if (path.startsWith("@")) name[0] = 0;
  const address = Buffer.alloc(FAMILY_BYTES + name.length);
  new Uint16Array(address.buffer, address.byteOffset, 1)[0] = UNIX;
  name.copy(address, FAMILY_BYTES);
  return address;
}

const { i32, u64, pointer } = FFIType;

function library() {
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, {
        socket: { args: [i32, i32, i32], returns: i32 },
        sendto: { args: [i32, pointer, u64, i32, pointer, u64], returns: i32 },
        clock_gettime: { args: [i32, pointer], returns: i32 },
      }).symbols;
    } catch {
      continue;
    }
  }
  return undefined;
}

function musl(): string {
  return process.arch === "arm64" ? "aarch64" : "x86_64";
}
