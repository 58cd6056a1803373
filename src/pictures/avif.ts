// Decodes AVIF images with limited memory.
import makeDecoder from "@jsquash/avif/codec/dec/avif_dec.js";
// @ts-expect-error -- the compiler knows nothing of files that are embedded
import decoder from "@jsquash/avif/codec/dec/avif_dec.wasm" with { type: "file" };
import { NotDecodable } from "./formats.ts";
import type { Pixels } from "./shrink.ts";

const PAGES_MAX = 12_288;
const MEMORY_SECTION = 5;
const BITS = 8;

export async function avifPixels(bytes: Uint8Array): Promise<Pixels> {
  const module = new WebAssembly.Module(bounded(await Bun.file(decoder).bytes()));
  const { decode } = await makeDecoder({
    noInitialRun: true,
    instantiateWasm(imports: WebAssembly.Imports, done: (module: WebAssembly.Module) => void) {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance as unknown as WebAssembly.Module);
      return instance.exports;
    },
  });
  const picture = decode(bytes as Uint8Array<ArrayBuffer>, BITS);
  if (!picture) throw new NotDecodable("its data");
  const { width, height, data } = picture;
  return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

/** The module declares its maximum memory; this lowers it. */
function bounded(module: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  let index = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = module[index++]!;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (index < module.length) {
    const section = module[index++];
    const end = number() + index;
    if (section === MEMORY_SECTION) {
      const [memories, flags] = [number(), number()];
      number();
      if (memories !== 1 || flags !== 1 || end - index !== 3) break;
      module.set([(PAGES_MAX & 127) | 128, ((PAGES_MAX >> 7) & 127) | 128, PAGES_MAX >> 14], index);
      return module;
    }
    index = end;
  }
  throw new Error("the AVIF decoder no longer declares its memory as expected");
}
