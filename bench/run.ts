import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';

/** `npm run bench` lists the benchmarks, `npm run bench <name>...` runs the named ones, one after another. */
const names = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(import.meta.dirname, entry.name, 'bench.ts')))
  .map((entry) => entry.name);

async function load(name: string): Promise<Bench> {
  const module: { bench: Bench } = await import(`./${name}/bench.ts`);
  return module.bench;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${names.join(', ')}`);
  process.exitCode = 1;
} else if (wanted.length === 0) {
  for (const name of names) console.log(`${name.padEnd(16)} ${(await load(name)).description}`);
} else {
  for (const name of wanted) {
    const bench = await load(name);
    console.log(`${name}: ${bench.description}`);
    if (!(await bench.run())) process.exitCode = 1;
  }
}
