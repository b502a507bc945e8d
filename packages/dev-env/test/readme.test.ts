import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSystem, type TestSystem } from './test-system.ts';

const root = join(import.meta.dirname, '../../..');

/** The README's shell blocks, in order: install and start, the command line, the API step by step, checks. */
const blocks = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, script = '']) => script,
);

function has(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
}

let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(() => system?.stop());

async function bash(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: root,
    env: {
      ...process.env,
      HELIOGRAPH_DATA: system.dataFolder,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
    },
  });
  return stdout;
}

describe.skipIf(!has('bash') || !has('curl'))('what the README tells a newcomer to type', () => {
  it('works with curl, step by step', async () => {
    const steps = blocks.find((block) => block.includes('/api/v1/sign_in')) ?? '';
    const output = await bash(`${steps}\necho; echo done`);
    expect(output).toContain('"name":"demo"');
    expect(output).toContain('{"topic":"inverter_1/battery_reserve","result":"ok"}30');
    expect(output).toMatch(/done\n$/);
    expect(output).not.toContain('"error"');
  });

  it('works with the command line', async () => {
    const commands = blocks.find((block) => block.includes('npx heliograph')) ?? '';
    const once = commands.split('\n').filter((line) => !line.includes('--watch'));
    const output = await bash(once.join('\n').replaceAll('npx heliograph', 'heliograph'));
    expect(output).toContain('demo');
    expect(output).toContain('total/pv_power');
    expect(output).toMatch(/inverter_1\/battery_reserve.*25/);
  });
});
