import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingTool } from '../missing-tool.ts';
import { failureOf, outputOf, requireMatch } from './output-of.ts';

const CHART = join(import.meta.dirname, '../helm/heliograph');

/** Of Kubernetes, the oldest that the chart allows and a newer one. */
const VERSIONS = ['1.27', '1.31'];

/**
 * Each file of values in the chart's `ci` makes valid objects; without values the chart names what it lacks.
 *
 * @returns what was not checked, and why
 */
export async function checkChart(): Promise<readonly string[]> {
  if (missingTool(['helm']) !== undefined) return ['chart: helm is not installed'];
  await outputOf('helm', ['lint', CHART]);
  requireMatch(await failureOf('helm', ['template', CHART, '--kube-version', '1.31.0']), /is not set/);
  const validates = missingTool(['kubernetes-validate']) === undefined;
  for (const name of await readdir(join(CHART, 'ci'))) {
    const values = ['--values', join(CHART, 'ci', name)];
    await outputOf('helm', ['lint', '--strict', CHART, ...values]);
    for (const version of VERSIONS) {
      const objects = await outputOf('helm', [
        ...['template', 'solar', CHART, '--kube-version', `${version}.0`],
        ...values,
      ]);
      requireMatch(objects, /^kind: StatefulSet$/m);
      if (validates) await validate(objects, version);
    }
    console.log(`ok       chart with ${name}`);
  }
  return validates ? [] : ['schemas of Kubernetes: kubernetes-validate is not installed'];
}

async function validate(objects: string, version: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-chart-'));
  try {
    const file = join(folder, 'objects.yaml');
    await writeFile(file, objects);
    await outputOf('kubernetes-validate', ['--strict', '--kubernetes-version', version, file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
