/**
 * `npm run package:check`: checks the chart, the compose file and the images with the programs that read them. What is not
 * installed is skipped, in a sentence.
 */
import { parseArgs } from 'node:util';
import { checkChart } from './chart.ts';
import { checkCompose } from './compose.ts';
import { checkImages } from './images.ts';

const CHECKS: Readonly<Record<string, () => Promise<void>>> = {
  chart: checkChart,
  compose: checkCompose,
  images: checkImages,
};

const HELP = `npm run package:check [-- CHECK ...]

Checks ${Object.keys(CHECKS).join(', ')}; all of them when none is named.

  chart    helm lint and helm template; kubernetes-validate (PyPI), where it is installed
  compose  docker compose config, or docker-compose config
  images   buildah, on a base made by mmdebstrap; needs root`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean' } },
});

if (values.help) {
  console.log(HELP);
} else {
  for (const name of positionals.length === 0 ? Object.keys(CHECKS) : positionals) {
    const check = CHECKS[name];
    if (check === undefined)
      throw new Error(`there is no check ${name}; there are ${Object.keys(CHECKS).join(', ')}`);
    await check();
  }
}
