import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PAGES = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: ROOT });

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** Without blocks of code, in which a line may begin with `#`. */
const prose = (page: string): string => read(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');

/** Anchors of the headings of a page, as GitHub makes them. */
function anchorsIn(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{Letter}\p{Number}\p{Mark} _-]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let number = 1; anchors.has(unique); number++) unique = `${anchor}-${number}`;
    anchors.add(unique);
  }
  return anchors;
}

it('each link of a page to another page of the project leads to a file and a heading that are there', () => {
  const broken = PAGES.flatMap((page) =>
    [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(ROOT, file))) return true;
        return anchor !== undefined && file.endsWith('.md') && !anchorsIn(file).has(anchor);
      })
      .map((target) => `${page}: ${target}`),
  );
  expect(PAGES.length).toBeGreaterThan(50);
  expect(broken).toEqual([]);
});

/** A test is named by its file alone, or with titles in it: `file`: “title”, “another”. */
const TESTS =
  /`([^`<>* ]+\.(?:test|outage|look|fuzz|docs)\.ts|[^`<>* ]+\/test\/[^`<>* ]+\.ts)`(?:: ((?:“[^”]+”(?:,\s+)?)+))?/g;

it('each test that docs/security.md names is there, with its title', () => {
  const named = [...read('docs/security.md').matchAll(TESTS)];
  const missing = named.flatMap(([, path = '', titles = '']) => {
    if (!existsSync(join(ROOT, path))) return [path];
    const test = read(path);
    return [...titles.matchAll(/“([^”]+)”/g)]
      .map(([, title = '']) => title)
      .filter((title) => !["'", '"', '`'].some((quote) => test.includes(`${quote}${title}${quote}`)))
      .map((title) => `${path}: ${title}`);
  });
  expect(named.filter(([, , titles]) => titles !== undefined).length).toBeGreaterThan(30);
  expect(missing).toEqual([]);
});

it('each chapter of docs/security.md that compares with OWASP ASVS and holds something names a test', () => {
  const chapters = read('docs/security.md')
    .split(/^### (?=V\d)/m)
    .slice(1);
  const unproved = chapters
    .filter((chapter) => /^Holds:/m.test(chapter))
    .filter((chapter) => chapter.search(TESTS) === -1)
    .map((chapter) => chapter.slice(0, chapter.indexOf('\n')));
  expect(chapters.length).toBeGreaterThan(15);
  expect(unproved).toEqual([]);
});

/** Results of `npm run build`, `package` and `look`, which a checkout lacks. */
const MADE = /^(?:dist|apps\/web\/(?:dist|screenshots)|packages\/\w+\/dist)(?:\/|$)/;

it('each path that a page names from the root of the project is there', () => {
  const folders = readdirSync(ROOT, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && entry.name !== 'node_modules' ? [entry.name] : [],
  );
  const pages = PAGES.filter((page) => !/^CHANGELOG|^docs\/decisions/.test(page)).concat(
    globSync('apps/**/README.md', { cwd: ROOT, exclude: (name) => name === 'node_modules' }),
  );
  const named = pages.flatMap((page) =>
    [...prose(page).matchAll(/`([^`\s<>{}()$=…:]+)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => path.includes('/') && folders.includes(path.split('/')[0] ?? ''))
      // NAME and LANGUAGE stand for a name of the reader's.
      .filter((path) => !MADE.test(path) && !/\/[A-Z]{4,}/.test(path))
      .map((path) => ({ page, path })),
  );
  const missing = named.filter(({ path }) => globSync(path, { cwd: ROOT }).length === 0);
  expect(named.length).toBeGreaterThan(200);
  expect(missing).toEqual([]);
});

it('each block of commands in a guide for operators is marked as tested, or has the reason why it is not', () => {
  const guides = globSync('docs/operating-*.md', { cwd: ROOT }).concat('docs/monitoring.md');
  const unmarked = guides.flatMap((guide) => {
    const lines = read(guide).split('\n');
    return lines.flatMap((line, index) => {
      if (!/^ *```sh$/.test(line)) return [];
      const isMarked = /^ *<!-- (tested: system|needs: .+) -->$/.test(lines[index - 1] ?? '');
      return isMarked ? [] : [`${guide}, line ${index + 1}: ${lines[index + 1]}`];
    });
  });
  expect(guides).toHaveLength(4);
  expect(unmarked).toEqual([]);
});
