// Binds a UNIX datagram socket at the given path, and prints what arrives.
import { dlopen, FFIType, ptr } from "bun:ffi";

const { i32, u64, pointer } = FFIType;
const c = dlopen("libc.so.6", {
  socket: { args: [i32, i32, i32], returns: i32 },
  bind: { args: [i32, pointer, i32], returns: i32 },
  recv: { args: [i32, pointer, u64, i32], returns: i32 },
}).symbols;
const path = process.argv[2]!;
const address = Buffer.from(`\x01\0${path}`);
if (path.startsWith("@")) address[2] = 0;
const socket = c.socket(1, 2, 0);
if (c.bind(socket, ptr(address), address.length) !== 0) throw new Error(`no socket at ${path}`);
console.log("bound");
const bytes = Buffer.alloc(4096);
for (;;) {
  const length = c.recv(socket, ptr(bytes), bytes.length, 0);
  if (length < 0) process.exit(1);
  process.stdout.write(bytes.subarray(0, length));
}
