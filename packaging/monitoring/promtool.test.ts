import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

function promtool(...args: string[]) {
  return spawnSync('promtool', args, { cwd: import.meta.dirname, encoding: 'utf8' });
}

/** Debian's package `prometheus` has it. */
const isThere = promtool('--version').error === undefined;

describe.runIf(isThere)('promtool', () => {
  it.each([
    ['the alert rules', ['check', 'rules', 'alerts.yaml']],
    ['the tests of the alert rules', ['test', 'rules', 'alerts.test.yaml']],
    ['the example of a configuration', ['check', 'config', '--syntax-only', 'prometheus.yaml']],
  ])('promtool accepts %s', (_name, args) => {
    const { status, stdout, stderr } = promtool(...args);
    expect(status, stdout + stderr).toBe(0);
  });
});
