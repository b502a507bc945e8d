import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectVersion } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const yaml = async (path: string) => parse(await readFile(join(import.meta.dirname, path), 'utf8'));

it('the chart and the add-on have the version of the project', async () => {
  const version = projectVersion();
  expect(await yaml('helm/heliograph/Chart.yaml')).toMatchObject({ version, appVersion: version });
  expect(await yaml('home-assistant/heliograph/config.yaml')).toMatchObject({ version });
});

it('the changelog begins with what is not released', async () => {
  const changelog = await readFile(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8');
  const [, first = ''] = changelog.split(/^## /m);
  expect(first.split('\n')[0]).toBe('Unreleased');
});
