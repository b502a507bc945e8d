import { beforeAll, describe, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';
import { bash, hasShell, readPage, SHELL_TIMEOUT_MS, shellBlocks } from './shell.ts';

/** The commands of the README, run as a newcomer types them. */
export function describeReadme(systemOf: () => TestSystem): void {
  let system: TestSystem;
  beforeAll(() => {
    system = systemOf();
  });
  /** In order: install and start, the command line, the API step by step, checks. */
  const blocks = shellBlocks(readPage('README.md'));

  describe.skipIf(!hasShell())('the commands of the README', { timeout: SHELL_TIMEOUT_MS }, () => {
    it('the steps with curl work in order', async () => {
      const steps = blocks.find((block) => block.includes('/api/v1/sign_in')) ?? '';
      const output = await bash(`${steps}\necho; echo done`, system.dataFolder);
      expect(output).toContain('"name":"demo"');
      expect(output).toContain('{"topic":"inverter_1/battery_reserve","result":"ok"}30');
      expect(output).toMatch(/done\n$/);
      expect(output).not.toContain('"error"');
    });

    it('the commands of a user work', async () => {
      const commands = blocks.find((block) => block.includes('npx heliograph sites')) ?? '';
      const once = commands.split('\n').filter((line) => !line.includes('--watch'));
      const output = await bash(
        once.join('\n').replaceAll('npx heliograph', 'heliograph'),
        system.dataFolder,
      );
      expect(output).toContain('demo');
      expect(output).toContain('total/pv_power');
      expect(output).toMatch(/inverter_1\/battery_reserve.*25/);
    });

    it('the commands of an operator work', async () => {
      const commands = blocks.find((block) => block.includes('npx heliograph admin')) ?? '';
      const output = await bash(commands.replaceAll('npx heliograph', 'heliograph'), system.dataFolder);
      expect(output).toMatch(/^email +ada@example\.org$/m);
      expect(output).toMatch(/^name +Example Solar$/m);
      expect(output).toMatch(/ registered +yes +yes /);
      expect(output).toContain('organization.created');
    });
  });
}
