import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { makeReady, pagesOf } from './lazy-page.ts';
import type { PageSource } from './page-source.ts';

describe('makeReady', () => {
  it('a page at several paths shows at once after it was prepared at one', async () => {
    const load: PageSource['load'] = async () => ({ Page: () => 'the page' });
    const sources = ['/', '/totals', '/power'].map((path) => ({ path, texts: [], load }));
    const pages = pagesOf(sources);
    await makeReady(sources.slice(0, 1));
    for (const { Page } of pages) expect(renderToStaticMarkup(createElement(Page))).toBe('the page');
  });
});
