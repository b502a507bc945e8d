/**
 * `npm run package:check`: checks the chart, the compose file and the images with the programs that read them. A check whose
 * program is not installed fails, unless `--allow-missing` is given.
 */
import { parseArgs } from 'node:util';
import { checkChart } from './chart.ts';
import { checkCompose } from './compose.ts';
import { checkImages } from './images.ts';

const CHECKS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  chart: checkChart,
  compose: checkCompose,
  images: checkImages,
};

const HELP = `npm run package:check [-- CHECK ...] [--allow-missing]

Checks ${Object.keys(CHECKS).join(', ')}; all of them when none is named.

  chart    helm lint and helm template; kubernetes-validate (PyPI), where it is installed
  compose  docker compose config, or docker-compose config, from version 2 on
  images   buildah, on a base made by mmdebstrap; needs root

  --allow-missing  succeeds where a program is not installed; without it the exit code is then 1`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean' }, 'allow-missing': { type: 'boolean' } },
});

if (values.help) {
  console.log(HELP);
} else {
  for (const name of positionals.length === 0 ? Object.keys(CHECKS) : positionals) {
    const check = CHECKS[name];
    if (check === undefined)
      throw new Error(`there is no check ${name}; there are ${Object.keys(CHECKS).join(', ')}`);
    for (const reason of await check()) {
      console.log(`skipped  ${reason}`);
      if (!values['allow-missing']) process.exitCode = 1;
    }
  }
}
