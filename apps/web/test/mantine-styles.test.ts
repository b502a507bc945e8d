import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as mantine from '@mantine/core';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { LATER_COMPONENTS } from '../build/mantine-styles.ts';
import { theme } from '../src/shared/theme/theme.ts';

const SOURCES = join(import.meta.dirname, '../src');
const { resolve } = createRequire(import.meta.url);

const sources = globSync('**/*.{ts,tsx}', { cwd: SOURCES, exclude: ['**/*.test.ts'] }).map((file) =>
  readFileSync(join(SOURCES, file), 'utf8'),
);

/** Names that the pages import from Mantine. */
const names = new Set(
  sources
    .flatMap((source) => [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim()),
);
for (const provider of ['MantineContext', 'MantineThemeProvider']) names.delete(provider);

const stylesOf = (file: string): string => readFileSync(resolve(`@mantine/core/${file}`), 'utf8');

const classesIn = (text: string): Set<string> => new Set(text.match(/\bm_[\da-f]+\b/g));

/** Properties with which a component renders all its parts. */
function propsOf(name: string): object {
  if (name === 'Modal')
    return { title: 'Title', opened: true, withinPortal: false, transitionProps: { duration: 0 } };
  if (name === 'FileButton') return { children: () => null };
  return { label: 'Label', description: 'Hint', error: 'Error' };
}

const rendered = Object.entries(mantine)
  .filter(([name]) => names.has(name) && /^[A-Z]/.test(name))
  .map(([name, component]) => {
    const element = createElement(component as ComponentType<object>, propsOf(name));
    const html = renderToStaticMarkup(createElement(mantine.MantineProvider, null, element));
    return [name, classesIn(html)] as const;
  });

it.each(rendered)('the styles of everything that %s renders are imported', (_name, classes) => {
  const files = sources.flatMap((source) => [...source.matchAll(/'@mantine\/core\/(styles\/[\w-]+\.css)'/g)]);
  const later = [...LATER_COMPONENTS].map((component) => `styles/${component}.css`);
  const imported = classesIn(
    [...files.map(([, file = '']) => file), ...later].map((file) => stylesOf(file)).join('\n'),
  );
  const styled = classesIn(stylesOf('styles.css'));
  expect([...classes].filter((name) => styled.has(name) && !imported.has(name))).toEqual([]);
});

it('the theme sets no variable that the style sheets of Mantine do not have', () => {
  const { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } = mantine;
  const ours = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  expect(ours).toEqual(defaultCssVariablesResolver(DEFAULT_THEME));
});
