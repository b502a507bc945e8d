import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** `fetch` refuses to send TRACE. */
const answerTo = (method: string, path: string) =>
  new Promise<{ status: number | undefined; allow: string | undefined; body: string }>((resolve, reject) => {
    const sent = request(new URL(path, cloud.url), { method }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += String(chunk);
      });
      response.on('end', () => resolve({ status: response.statusCode, allow: response.headers.allow, body }));
    });
    sent.on('error', reject).end();
  });

it.each([
  ['TRACE', '/api/v1/sites', 'GET, HEAD'],
  ['QUERY', '/api/v1/sites/1', 'DELETE, GET, HEAD, PATCH'],
  ['PUT', '/api/v1/user/tokens', 'GET, HEAD, POST'],
  ['DELETE', '/api/v1/sign_in', 'POST'],
  ['PATCH', '/portal/api/v1/sign_in?x=1', 'POST'],
  ['POST', '/sites/7/live', 'GET, HEAD'],
  ['GET', '/oauth/token', 'POST'],
  ['PATCH', '/api/v1/sites/local?q=x', 'GET, HEAD'],
  ['PATCH', '/api/v1/sites/register', 'POST'],
])('%s %s is answered with 405 and the allowed methods', async (method, path, allow) => {
  const answer = await answerTo(method, path);
  expect(answer).toMatchObject({ status: 405, allow });
  expect(JSON.parse(answer.body)).toEqual({ error: `${method} is not offered here` });
});

it.each([
  ['TRACE', '/api/v1/nonsense'],
  ['PUT', '/api/v1/sites/1/nonsense'],
  ['POST', '/api/v1'],
  ['OPTIONS', '/oauth/token'],
])('%s %s is answered with 404', async (method, path) => {
  expect(await answerTo(method, path)).toMatchObject({ status: 404, allow: undefined });
});
