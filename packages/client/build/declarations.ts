import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import * as contract from '@heliograph/contracts';
import { cloudOperations, internalOperations } from '@heliograph/contracts/operations';
import { deviceOperations } from '@heliograph/contracts/operations/device';
import { portalOperations } from '@heliograph/contracts/operations/portal';
import { ContractTypes } from './contract-types.ts';

const CLIENT = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** The declarations of other packages, by the name that they are imported by. */
const ENTRIES: Readonly<Record<string, string>> = {
  '@heliograph/contracts': 'contract.d.ts',
  '@heliograph/metrics': 'metrics/src/index.d.ts',
};

const SPECIFIER = /(from |import\()(['"])([^'"]+)\2/g;

/**
 * Writes the declarations of the package: those of the compiler, and in place of the contract's, which consist of the types
 * of a library of schemas, plain ones.
 */
export async function writeDeclarations(folder: string): Promise<void> {
  const compiled = await mkdtemp(join(CLIENT, 'dist-types-'));
  try {
    // Of several threads of the compiler, one may find a file as another package's, for which it writes nothing.
    await run('tsc', ['-p', join(CLIENT, 'build'), '--singleThreaded', '--outDir', compiled]);
    await writeContract(compiled);
    const written = new Set<string>();
    const write = async (from: string): Promise<void> => {
      const to = placeOf(from);
      if (written.has(to)) return;
      written.add(to);
      const imported: string[] = [];
      const text = (await readFile(join(compiled, from), 'utf8')).replaceAll(
        SPECIFIER,
        (_import, before: string, _quote: string, specifier: string) => {
          const target = targetOf(specifier, from);
          imported.push(target);
          return `${before}'${pathBetween(to, placeOf(target))}'`;
        },
      );
      await mkdir(dirname(join(folder, to)), { recursive: true });
      await writeFile(join(folder, to), text);
      for (const target of imported) await write(target);
    };
    await write('client/src/index.d.ts');
  } finally {
    await rm(compiled, { recursive: true, force: true });
  }
}

/** @throws where a declaration needs another package */
function targetOf(specifier: string, from: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier.replace(/(\.d)?\.ts$/, '.d.ts'));
  const entry = ENTRIES[specifier];
  if (entry === undefined) throw new Error(`The declarations in ${from} need ${specifier}`);
  return entry;
}

/** The place of a file in the package. */
function placeOf(file: string): string {
  return file.replace(/^client\/src\//, '').replace('/src/', '/');
}

function pathBetween(from: string, to: string): string {
  const path = relative(dirname(from), to).replace(/\.d\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

async function writeContract(compiled: string): Promise<void> {
  const operations = [...Object.values(cloudOperations), ...Object.values(deviceOperations)];
  const others = [...Object.values(internalOperations), ...Object.values(portalOperations)];
  const exported = { exports: contract, types: await exportedTypes(compiled) };
  const types = new ContractTypes(exported, operations, others);
  await writeFile(join(compiled, 'contract.d.ts'), await formatted(types.definitions()));
  const methods = `import type { CallOptions, OnceOptions } from '../http/call-options.ts';
import type { ${types.names.join(', ')} } from '@heliograph/contracts';
${types.methods('CloudMethods', Object.values(cloudOperations))}`;
  await writeFile(join(compiled, 'client/src/api/cloud-methods.d.ts'), await formatted(methods));
}

async function formatted(text: string): Promise<string> {
  const formatting = run('biome', ['format', '--stdin-file-path=types.ts']);
  formatting.child.stdin?.end(text);
  return (await formatting).stdout;
}

async function exportedTypes(compiled: string): Promise<ReadonlyMap<string, string>> {
  const folder = join(compiled, 'contracts/src');
  const declarations = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.d.ts'));
  const files = await Promise.all(declarations.map((file) => readFile(join(folder, file), 'utf8')));
  const types = files.flatMap((text) => [...text.matchAll(/^export type (\w+) = (.+);$/gm)]);
  return new Map(types.map(([, name = '', definition = '']) => [name, definition]));
}
