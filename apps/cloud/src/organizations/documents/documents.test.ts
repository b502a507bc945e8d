import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let organization: number;
let owner: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  organization = await cloud.make.organization();
  owner = await cloud.make.employee(organization, 'owner');
  await cloud.db
    .updateTable('organizations')
    .set({ name: 'Sun & <Sons>', cloud_host: 'portal.sun.example:8443', cloud_host_vetted: true })
    .where('id', '=', organization)
    .execute();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const read = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${cloud.url}/api/v1/legal/portal/${path}`, { headers });
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
};
const route = (name: string) => `/api/v1/organizations/${organization}/documents/${name}`;
const write = (name: string, text: unknown, token = owner.token) =>
  cloud.call(`PUT ${route(name)}`, { token, body: { text } });

describe('GET /legal/portal/:name', () => {
  it.each(['terms', 'privacy'])('the text %s is served as a page and as a fragment', async (name) => {
    const page = await read(name);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.html).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    const fragment = await read(`${name}?fragment=1`);
    expect(fragment.html).toMatch(/^<h2>[\s\S]*<p>/);
    expect(page.html).toContain(fragment.html);
    expect(fragment.html).toContain('Heliograph');
  });

  it.each<[string, string, Record<string, string>, boolean]>([
    ['its id', `organization_id=ID`, {}, true],
    ['the origin of the page', '', { origin: 'https://portal.sun.example:8443' }, true],
    ['the origin, in capitals', '', { origin: 'https://PORTAL.sun.example:8443' }, true],
    ['the host of the request', '', { 'x-forwarded-host': 'portal.sun.example:8443' }, true],
    ['an empty id', 'organization_id=', { origin: 'https://portal.sun.example:8443' }, true],
    ['none', 'organization_id=none', { origin: 'https://portal.sun.example:8443' }, false],
    ['another port', '', { origin: 'https://portal.sun.example' }, false],
    ['an unknown origin', '', { origin: 'https://elsewhere.example' }, false],
    ['an opaque origin', '', { origin: 'null' }, false],
  ])('the organization is chosen by its host or id: %s', async (_what, query, headers, found) => {
    const { html, status } = await read(
      `terms?fragment=1&${query.replace('ID', String(organization))}`,
      headers,
    );
    expect(status).toBe(200);
    expect(html.includes('Sun &amp; &lt;Sons&gt;')).toBe(found);
    expect(html.includes('Heliograph')).toBe(!found);
  });

  it.each([
    ['cookies', 404],
    ['terms?organization_id=999999', 404],
    ['terms?organization_id=99999999999999999999', 404],
    ['terms?organization_id=mine', 400],
    ['terms?organization_id=1&organization_id=2', 400],
  ])('the path %s is answered %i', async (path, status) => {
    expect((await read(path)).status).toBe(status);
  });
});

describe("an organization's own legal text", () => {
  afterEach(async () => {
    for (const name of ['terms', 'privacy'])
      await cloud.call(`DELETE ${route(name)}`, { token: owner.token });
  });

  it('the text is escaped and rendered as paragraphs, headings and lists', async () => {
    const text = '# One & two\r\n\r\nFirst <b>line</b>\nsecond line\n## "Small"\n- a\n- b\n\n#hash';
    expect(await write('terms', text)).toMatchObject({
      status: 200,
      body: { name: 'terms', custom: true, text: text.replaceAll('\r\n', '\n') },
    });
    const { html } = await read(`terms?fragment=1&organization_id=${organization}`);
    expect(html).toBe(
      [
        '<h2>One &amp; two</h2>',
        '<p>First &lt;b&gt;line&lt;/b&gt;<br>',
        'second line</p>',
        '<h3>&quot;Small&quot;</h3>',
        '<ul>',
        '<li>a</li>',
        '<li>b</li>',
        '</ul>',
        '<p>#hash</p>',
      ].join('\n'),
    );
  });

  it('the text of the service is served after the own text is removed', async () => {
    await write('privacy', 'Nothing is kept.');
    const show = () => cloud.call(`GET ${route('privacy')}`, { token: owner.token });
    expect((await show()).body).toEqual({ name: 'privacy', text: 'Nothing is kept.', custom: true });
    expect((await cloud.call(`DELETE ${route('privacy')}`, { token: owner.token })).status).toBe(204);
    expect((await show()).body).toMatchObject({
      custom: false,
      text: expect.stringContaining('# What is kept'),
    });
  });

  it('owners and admins change the text, and employees read its source', async () => {
    const member = await cloud.make.employee(organization);
    const customer = await cloud.make.user({ customerOf: organization });
    expect((await write('terms', 'Mine', member.token)).status).toBe(403);
    expect((await cloud.call(`DELETE ${route('terms')}`, { token: member.token })).status).toBe(403);
    expect((await cloud.call(`GET ${route('terms')}`, { token: member.token })).status).toBe(200);
    expect((await cloud.call(`GET ${route('terms')}`, { token: customer.token })).status).toBe(403);
  });

  it.each([
    [' \n', "can't be blank"],
    [null, "can't be blank"],
    [7, 'must be a text, not a number'],
    ['x'.repeat(200_001), 'must have at most 200000 characters, not 200001'],
  ])('the text %j is refused with 422', async (text, message) => {
    expect(await write('terms', text)).toMatchObject({ status: 422, body: { errors: { text: [message] } } });
  });

  it('a text of an unknown name is answered 404', async () => {
    expect((await write('cookies', 'x')).status).toBe(404);
  });
});

it('a host that no operator has vetted does not choose the legal text', async () => {
  const claimant = await cloud.make.organization();
  await cloud.db
    .updateTable('organizations')
    .set({ name: 'Claimant', cloud_host: 'claimed.example', cloud_host_vetted: false })
    .where('id', '=', claimant)
    .execute();
  const { html } = await read('terms', { origin: 'https://claimed.example' });
  expect(html).toContain('Heliograph');
  expect(html).not.toContain('Claimant');
});
