// Encodes AVIF images for tests, with the encoder that comes with the decoder.
import makeEncoder from "@jsquash/avif/codec/enc/avif_enc.js";
import { defaultOptions } from "@jsquash/avif/meta.js";

/** A picture of two colors, in stripes from left to right. */
export async function avif(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const path = Bun.resolveSync("@jsquash/avif/codec/enc/avif_enc.wasm", import.meta.dir);
  const module = new WebAssembly.Module(await Bun.file(path).bytes());
  const { encode } = await makeEncoder({
    noInitialRun: true,
    instantiateWasm(imports: WebAssembly.Imports, done: (module: WebAssembly.Module) => void) {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance as unknown as WebAssembly.Module);
      return instance.exports;
    },
  });
  const pixels = new Uint8Array(width * height * 4);
  for (let offset = 0; offset < pixels.length; offset += 4) {
    const remains = (offset / 4) % width < width / 2;
    pixels.set(remains ? [200, 30, 30, 255] : [30, 30, 200, 255], offset);
  }
  const options = { ...defaultOptions, quality: 60, speed: 10 };
  const encoded = encode(pixels, width, height, options);
  if (!encoded) throw new Error("it could not be encoded");
  return new Uint8Array(encoded);
}
