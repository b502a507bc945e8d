import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

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

describe('a legal text', () => {
  it.each(['terms', 'privacy'])('on %s is a page of its own, or a part of one', async (name) => {
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
  ])('by %s', async (_what, query, headers, found) => {
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
  ])('%s is %i', async (path, status) => {
    expect((await read(path)).status).toBe(status);
  });
});

describe("an organization's own text", () => {
  it('is shown escaped, in paragraphs, headings and lists', async () => {
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

  it("gives way to the service's when it is removed", async () => {
    await write('privacy', 'Nothing is kept.');
    const show = () => cloud.call(`GET ${route('privacy')}`, { token: owner.token });
    expect((await show()).body).toEqual({ name: 'privacy', text: 'Nothing is kept.', custom: true });
    expect((await cloud.call(`DELETE ${route('privacy')}`, { token: owner.token })).status).toBe(204);
    expect((await show()).body).toMatchObject({
      custom: false,
      text: expect.stringContaining('# What is kept'),
    });
  });

  it('is changed by owners and admins, and read as it was written by employees', async () => {
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
    [7, 'is invalid'],
    ['x'.repeat(200_001), 'is invalid'],
  ])('cannot be %j', async (text, message) => {
    expect(await write('terms', text)).toMatchObject({ status: 422, body: { errors: { text: [message] } } });
  });

  it('has a name that there is', async () => {
    expect((await write('cookies', 'x')).status).toBe(404);
  });
});

it('is not chosen by a host that an organization named and no operator has looked at', async () => {
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
