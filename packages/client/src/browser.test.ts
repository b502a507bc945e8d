import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Modules that a file loads when it runs; imports of types alone vanish. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s(?!type\s)[^;]*?from '([^']+)';|^import '([^']+)';/gms,
  );
  return [...statements].map(([, from, bare]) => from ?? bare ?? '');
}

it('the SDK loads nothing that a browser does not have', () => {
  const seen = new Map<string, string[]>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    // Modules named so are evaluated when pages are built: browsers get their values as JSON, without their imports.
    const imports = file.endsWith('.static.ts') ? [] : importsOf(file);
    seen.set(file, imports);
    for (const name of imports) if (!name.startsWith('node:')) visit(createRequire(file).resolve(name));
  };
  visit(join(import.meta.dirname, 'index.ts'));

  const files = [...seen.keys()].map((file) => file.replace(/^.*\/packages\//, ''));
  expect(files).toContain('wire/src/channel-frame.ts');
  expect(files).toContain('contracts/src/operations/cloud.static.ts');
  expect([...seen.values()].flat().filter((name) => name.startsWith('node:'))).toEqual([]);
  expect(files.filter((file) => !/^(client|wire|metrics|contracts)\/src\//.test(file))).toEqual([]);
});
