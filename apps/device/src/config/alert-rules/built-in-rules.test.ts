import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BUILT_IN_RULES } from './built-in-rules.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../../docs/alerts.md'), 'utf8');

it('docs/alerts.md lists every built-in rule in order, with its severity', () => {
  const [, section = ''] = GUIDE.split('\n## Built-in rules\n');
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` \| ([a-z, ]+) \|/gm)];
  expect(rows.map(([, id, severity]) => [id, severity])).toEqual(
    BUILT_IN_RULES.map(({ id, severity, enabled }) => [id, enabled ? severity : `${severity}, off`]),
  );
});
