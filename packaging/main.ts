/** `npm run package`: makes the packages of every part, or of those that are named, below `dist`. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePagesAreBuilt } from '@heliograph/web/build';
import { CHECKOUT } from './checkout.ts';
import { makeDebianPackage } from './deb/debian-package.ts';
import { makeRoot } from './make-root.ts';
import { PLATFORMS } from './npm/platform.ts';
import { PARTS, type Part } from './parts.ts';

const HELP = `npm run package [-- PART ...] [--arch ARCHITECTURE] [--out FOLDER] [--root-only]

Makes Debian packages of the parts: ${Object.keys(PARTS).join(', ')}; all of them when none is named.

  --arch  amd64 or arm64; both when left out
  --out   where they go (dist)
  --root-only  makes the folders of the parts alone, for images`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    arch: { type: 'string' },
    out: { type: 'string', default: 'dist' },
    'root-only': { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

const parts = positionals.length === 0 ? Object.values(PARTS) : positionals.map(partOf);
const platforms = PLATFORMS.filter(({ architecture }) => (values.arch ?? architecture) === architecture);

if (values.help) {
  console.log(HELP);
} else if (platforms.length === 0) {
  throw new Error(`there are no packages for ${values.arch}: Node is built for amd64 and arm64`);
} else {
  await ensurePagesAreBuilt('smallest');
  const out = join(CHECKOUT, values.out);
  await mkdir(out, { recursive: true });
  for (const platform of platforms) {
    for (const part of parts) {
      const root = join(out, `heliograph-${part.name}_${platform.architecture}`);
      await makeRoot(part, platform, root);
      if (values['root-only']) console.log(root);
      else console.log(await makeDebianPackage({ part, platform, root, out }));
    }
  }
}

function partOf(name: string): Part {
  const part = Object.values(PARTS).find((candidate) => candidate.name === name);
  if (part === undefined)
    throw new Error(`there is no part ${name}; there are ${Object.keys(PARTS).join(', ')}`);
  return part;
}
