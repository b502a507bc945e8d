import { strFromU8, unzipSync } from 'fflate';

/** A file of a diagnostic bundle. */
export interface BundleText {
  readonly name: string;
  readonly text: string;
  /** In bytes. */
  readonly size: number;
}

export interface Bundle {
  readonly file: File;
  readonly texts: readonly BundleText[];
  /** Names of files that are not in it. */
  readonly leftOut: readonly string[];
}

/** Unpacks a bundle, to be looked at. */
export async function readBundle(file: File): Promise<Bundle> {
  const files = unzipSync(new Uint8Array(await file.arrayBuffer()));
  const texts = Object.entries(files).map(([name, bytes]) => ({
    name,
    text: strFromU8(bytes),
    size: bytes.length,
  }));
  const manifest = JSON.parse(texts.find(({ name }) => name === 'manifest.json')?.text ?? '{}');
  const { left_out: leftOut = [] } = manifest as { left_out?: readonly { readonly name: string }[] };
  return { file, texts, leftOut: leftOut.map(({ name }) => name) };
}
