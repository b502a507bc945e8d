/**
 * `npm run generators`, or `npm run generators -- python go` for some: makes a client of every published document with
 * each generator whose tools this machine has, compiles it, and goes with some through the steps of README.md, while
 * `npm start` runs. Takes minutes; the packages of the generators are
 * installed for the run, in a folder of the system for temporary files.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunningSystem } from '../../dev/live/running-system.ts';
import { cloudDocument } from '../../packages/contracts/src/documents/cloud.ts';
import { deviceDocument } from '../../packages/contracts/src/documents/device.ts';
import { streamDocument } from '../../packages/contracts/src/documents/stream.ts';
import { type DocumentName, GENERATORS, type Generator, PYTHON_PACKAGES, type Step } from './generators.ts';

const DOCUMENTS: Readonly<Record<DocumentName, () => object>> = {
  cloud: () => ({
    ...cloudDocument({ oauth: [], tools: [] }),
    servers: [{ url: 'https://cloud.example.org' }],
  }),
  device: () => deviceDocument('http://192.0.2.7'),
  stream: streamDocument,
};

/** Output of the programs that read and write, and of the one that follows the stream. */
const USED: readonly string[] = [
  'site demo rows true charge true set ok reserve 30 home true',
  'rows true charge true set ok reserve 30.0',
  'reply ok definition true data true',
];

/** The output of a failed command; undefined when all succeeded. */
function failureOf(
  steps: readonly Step[],
  folder: string,
  { env = {}, expected }: { env?: NodeJS.ProcessEnv; expected?: readonly string[] } = {},
): string | undefined {
  for (const [index, [command, ...parameters]] of steps.entries()) {
    const { status, stdout, stderr, error } = spawnSync(command, parameters, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    const printed = stdout.toLowerCase().split(/\s+/).filter(Boolean).join(' ');
    const isExpected = index < steps.length - 1 || expected === undefined || expected.includes(printed);
    if (status !== 0 || !isExpected)
      return `${command} ${parameters.join(' ')}\n${stdout}${stderr}${error?.message ?? ''}`;
  }
  return undefined;
}

const isInstalled = (command: string): boolean =>
  spawnSync('sh', ['-c', 'command -v "$0"', command]).status === 0;

function useOf({ use }: Generator, folder: string): string | undefined {
  if (use === undefined) return undefined;
  const { cloud, account, device, site } = system.run;
  const env = {
    CLOUD: cloud.url,
    EMAIL: account.email,
    PASSWORD: account.password,
    SITE: String(site.id),
    DEVICE: device.url,
    DEVICE_PASSWORD: device.password,
  };
  copyFileSync(join(import.meta.dirname, 'steps', use.program), join(folder, use.program));
  return failureOf(use.steps, folder, { env, expected: USED });
}

function report(name: string, of: string, failure: string | undefined): void {
  counts[failure === undefined ? 'passed' : 'failed'] += 1;
  console.log(failure === undefined ? `ok      ${name} ${of}` : `failed  ${name} ${of}: ${failure}`);
}

const chosen = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), 'heliograph-generators-'));
const system = new RunningSystem({ dataFolder: join(root, 'data'), env: {} });
const counts = { passed: 0, failed: 0, skipped: 0 };
try {
  for (const [name, make] of Object.entries(DOCUMENTS))
    writeFileSync(join(root, `${name}.json`), JSON.stringify(make()));
  const generators = GENERATORS.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  if (generators.some(({ needs }) => needs.includes('python3')) && isInstalled('python3')) {
    const failure = failureOf(PYTHON_PACKAGES, root);
    if (failure !== undefined) throw new Error(`The packages for Python cannot be installed: ${failure}`);
  }
  if (generators.some(({ use }) => use !== undefined)) await system.start();
  for (const generator of generators) {
    const { name, documents, needs, use } = generator;
    const missing = needs.filter((command) => !isInstalled(command));
    for (const document of documents) {
      if (missing.length > 0) {
        counts.skipped += 1;
        console.log(`skipped ${name} ${document}: needs ${missing.join(', ')}`);
        continue;
      }
      report(name, document, failureOf(generator.steps(document), root));
    }
    if (missing.length === 0 && use !== undefined) report(name, 'README.md', useOf(generator, root));
  }
} finally {
  await system.stop();
  rmSync(root, { recursive: true, force: true });
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
if (counts.failed > 0) process.exitCode = 1;
