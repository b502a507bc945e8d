/** `npm run check`: types, lint and format, directions of imports, words, side by side; all of them run even if one fails. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

const CHECKS = [
  { name: 'types', command: 'tsc', args: compiling('types') },
  { name: 'types of the pages', command: 'tsc', args: ['-p', 'apps/web', ...compiling('pages')] },
  { name: 'types of journeys', command: 'tsc', args: ['-p', 'apps/web/test', ...compiling('journeys')] },
  { name: 'lint and format', command: 'biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'directions', command: 'node', args: ['scripts/directions/main.ts'] },
  { name: 'words', command: 'node', args: ['scripts/words/main.ts'] },
];

/**
 * Arguments of a compiler that remembers what it found, so that the next check takes a fraction of the time. Each of
 * a compiler's checkers works out the same library types again: four of them, the default, take twice the processor
 * time of one, and the compilers that run side by side use the other cores.
 *
 * @param name of the file that remembers
 */
function compiling(name: string): string[] {
  const checkers = Math.max(1, Math.floor(availableParallelism() / 3));
  const memory = join(root, `node_modules/.cache/tsc/${name}.tsbuildinfo`);
  return ['--checkers', `${checkers}`, '--incremental', '--tsBuildInfoFile', memory];
}

interface Outcome {
  readonly name: string;
  readonly failed: boolean;
  readonly output: string;
  readonly ms: number;
}

/**
 * The compiler is a Go program that ends within seconds: its garbage collector would take a quarter of the processor time. It
 * collects near this limit alone.
 */
const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '3GiB' };

function run({ name, command, args }: (typeof CHECKS)[number]): Promise<Outcome> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => (output += error.message));
    child.on('close', (code) =>
      resolve({ name, failed: code !== 0, output, ms: Math.round(performance.now() - started) }),
    );
  });
}

const outcomes = await Promise.all(CHECKS.map(run));
for (const { name, failed, output, ms } of outcomes) {
  console.log(`${failed ? 'failed' : 'ok    '}  ${name} (${ms} ms)`);
  if (failed) console.log(output);
}
if (outcomes.some(({ failed }) => failed)) process.exitCode = 1;
