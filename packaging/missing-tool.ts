import { spawnSync } from 'node:child_process';

/** @returns the first of the programs that this machine does not have */
export function missingTool(names: readonly string[]): string | undefined {
  return names.find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
}
