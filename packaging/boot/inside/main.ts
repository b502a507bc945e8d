/** Runs the steps of a phase inside a booted root, one after the other, and prints a line for each. */
import { afterRebootSteps } from './after-reboot.ts';
import { deviceDataSteps } from './device-data.ts';
import { environmentSteps } from './environment.ts';
import { deviceSteps, installSteps } from './install.ts';
import { removalSteps } from './removal.ts';
import { serviceSteps } from './services.ts';
import type { Step } from './step.ts';
import { upgradeSteps } from './upgrade.ts';

const PHASES: Readonly<Record<string, readonly Step[]>> = {
  device: deviceSteps,
  install: [
    ...deviceSteps,
    ...installSteps,
    ...deviceDataSteps,
    ...environmentSteps,
    ...serviceSteps,
    ...upgradeSteps,
  ],
  reboot: [...afterRebootSteps, ...removalSteps],
};

const steps = PHASES[process.argv[2] ?? ''] ?? [];
let passed = steps.length > 0;
for (const { title, run } of steps) {
  const start = performance.now();
  try {
    const figures = await run();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`ok      ${title} (${[`${seconds} s`, figures ?? []].flat().join(', ')})`);
  } catch (error) {
    passed = false;
    console.log(`FAILED  ${title}\n${error instanceof Error ? error.stack : error}`);
    break;
  }
}
console.log(passed ? 'all steps passed' : 'a step failed');
