import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const GUIDE = join(import.meta.dirname, '../../../docs/install.md');

/** The shell commands of docs/install.md below a heading, block by block. */
export function guideBlocks(heading: string): readonly string[] {
  const text = readFileSync(GUIDE, 'utf8');
  const section = text.split(/^(?=##)/m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/install.md has no heading "${heading}"`);
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);
}
