/** `npm run build -w @heliograph/client`: makes the package in `dist`, for `npm pack` and `npm publish`. */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { writeDeclarations } from './declarations.ts';
import { writeScripts } from './scripts.ts';

const CLIENT = join(import.meta.dirname, '..');
const FOLDER = join(CLIENT, 'dist');

/** The `package.json` of the package: that of the workspace exports sources, and depends on packages that are not published. */
async function writeDescription(): Promise<void> {
  const workspace: Readonly<Record<string, unknown>> = JSON.parse(
    await readFile(join(CLIENT, 'package.json'), 'utf8'),
  );
  const { name, version, description, license, type, engines } = workspace;
  const entry = { types: './index.d.ts', node: './node.js', default: './index.js' };
  const exports = { '.': entry, './package.json': './package.json' };
  const packed = { name, version, description, license, type, engines, sideEffects: false, exports };
  await writeFile(join(FOLDER, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
}

await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER);
await Promise.all([writeScripts(FOLDER), writeDeclarations(FOLDER), writeDescription()]);
await copyFile(join(CLIENT, 'README.md'), join(FOLDER, 'README.md'));
await copyFile(join(CLIENT, '../../LICENSE'), join(FOLDER, 'LICENSE'));
const ws = dirname(createRequire(import.meta.url).resolve('ws/package.json'));
await copyFile(join(ws, 'LICENSE'), join(FOLDER, 'LICENSE.ws'));
console.log('packages/client/dist is the package: npm pack ./packages/client/dist');
