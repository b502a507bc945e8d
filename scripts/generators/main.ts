/**
 * `npm run generators`, or `npm run generators -- python go` for some: makes a client of every published document with
 * each generator whose tools this machine has, and compiles it. Takes minutes; the packages of the generators are
 * installed for the run, in a folder of the system for temporary files.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloudDocument } from '../../packages/contracts/src/documents/cloud.ts';
import { deviceDocument } from '../../packages/contracts/src/documents/device.ts';
import { streamDocument } from '../../packages/contracts/src/documents/stream.ts';
import { type DocumentName, GENERATORS, PYTHON_PACKAGES, type Step } from './generators.ts';

const DOCUMENTS: Readonly<Record<DocumentName, () => object>> = {
  cloud: () => ({
    ...cloudDocument({ oauth: [], tools: [] }),
    servers: [{ url: 'https://cloud.example.org' }],
  }),
  device: () => deviceDocument('http://192.0.2.7'),
  stream: streamDocument,
};

/** The output of a failed command; undefined when all succeeded. */
function failureOf(steps: readonly Step[], folder: string): string | undefined {
  for (const [command, ...parameters] of steps) {
    const { status, stdout, stderr, error } = spawnSync(command, parameters, {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) return `${command} ${parameters.join(' ')}\n${stdout}${stderr}${error?.message ?? ''}`;
  }
  return undefined;
}

const isInstalled = (command: string): boolean =>
  spawnSync('sh', ['-c', 'command -v "$0"', command]).status === 0;

const chosen = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), 'heliograph-generators-'));
const counts = { passed: 0, failed: 0, skipped: 0 };
try {
  for (const [name, make] of Object.entries(DOCUMENTS))
    writeFileSync(join(root, `${name}.json`), JSON.stringify(make()));
  const generators = GENERATORS.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  if (generators.some(({ needs }) => needs.includes('python3')) && isInstalled('python3')) {
    const failure = failureOf(PYTHON_PACKAGES, root);
    if (failure !== undefined) throw new Error(`The packages for Python cannot be installed: ${failure}`);
  }
  for (const { name, documents, needs, steps } of generators) {
    const missing = needs.filter((command) => !isInstalled(command));
    for (const document of documents) {
      if (missing.length > 0) {
        counts.skipped += 1;
        console.log(`skipped ${name} ${document}: needs ${missing.join(', ')}`);
        continue;
      }
      const failure = failureOf(steps(document), root);
      counts[failure === undefined ? 'passed' : 'failed'] += 1;
      console.log(
        failure === undefined ? `ok      ${name} ${document}` : `failed  ${name} ${document}: ${failure}`,
      );
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
if (counts.failed > 0) process.exitCode = 1;
