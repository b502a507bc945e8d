import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '../../../docs');

/** The shell commands of a page below a heading, block by block, as root types them. */
export function guideBlocks(heading: string, page = 'install.md'): readonly string[] {
  const text = readFileSync(join(DOCS, page), 'utf8');
  const section = text.split(/^(?=##)/m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/${page} has no heading "${heading}"`);
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) =>
    script.replaceAll(/^ +/gm, '').replaceAll('sudo ', ''),
  );
}
