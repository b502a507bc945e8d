import { ATTACHMENT_TYPES } from '@heliograph/contracts';
import { cloudOperations } from '@heliograph/contracts/operations';
import { protocolOperations } from '@heliograph/contracts/operations/protocols';
import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiDocument,
  bodyOf,
  type DocumentOperation,
  fetchDocument,
  resolved,
} from '../../test/api-document.ts';
import { TestPerson } from '../../test/oauth/person.ts';
import { ThirdParty } from '../../test/oauth/third-party.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
let document: ApiDocument;
let operations: (DocumentOperation & { readonly path: string })[];
beforeAll(async () => {
  cloud = await startTestCloud();
  document = await fetchDocument(cloud.url);
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => ({ ...operation, path })),
  );
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** Keywords of JSON Schema 2020-12 that may stand in a schema of the document. */
const KEYWORDS = new Set(
  `type properties required additionalProperties items anyOf allOf oneOf enum const format pattern minLength maxLength
   minimum maximum minItems maxItems uniqueItems minProperties description default examples title $ref`.split(
    /\s+/,
  ),
);

/** Every schema, and what lies within: `properties` holds schemas by name and is none itself. */
function* schemasIn(node: unknown, isSchema: boolean): Generator<Record<string, unknown>> {
  if (typeof node !== 'object' || node === null) return;
  if (isSchema && !Array.isArray(node)) yield node as Record<string, unknown>;
  for (const [key, value] of Object.entries(node)) {
    if (isSchema && ['default', 'examples', 'enum', 'const', 'required'].includes(key)) continue;
    const schemas = key === 'schema' || key === 'schemas' || (isSchema && key !== 'properties');
    if (key === 'schemas' || (isSchema && key === 'properties')) {
      for (const each of Object.values(value)) yield* schemasIn(each, true);
    } else yield* schemasIn(value, schemas);
  }
}

describe('/openapi.json', () => {
  it('the document is OpenAPI 3.1 with the address of its cloud', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: {
        title: expect.any(String),
        version: '1',
        description: expect.stringContaining('sites:read_single'),
      },
      servers: [{ url: cloud.url }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
  });

  it('the schemas that clients need have names', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        'ErrorBody',
        'Session',
        'Site',
        'SiteAuthorization',
        'SiteMember',
        'SiteSummary',
        'User',
        'ValidationErrorBody',
      ]),
    );
  });

  it('schemas have standard keywords alone', () => {
    const schemas = [...schemasIn(document, false)];
    expect(schemas.length).toBeGreaterThan(500);
    const keywords = new Set(schemas.flatMap((schema) => Object.keys(schema)));
    expect([...keywords].filter((keyword) => !KEYWORDS.has(keyword))).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/"(~|x-)/);
  });

  it('no pattern has a lookaround, which engines of some clients lack', () => {
    const patterns = [...schemasIn(document, false)].flatMap(({ pattern }) => pattern ?? []);
    expect(patterns.length).toBeGreaterThan(50);
    expect(patterns.filter((pattern) => /\(\?<?[=!]/.test(String(pattern)))).toEqual([]);
  });

  it('every reference resolves and every schema compiles', () => {
    for (const schema of schemasIn(document, false)) Compile(resolved(document, schema));
  });

  it('the YAML document has the same operations', async () => {
    const response = await fetch(`${cloud.url}/openapi.yaml`);
    expect(response.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/^openapi: 3\.1\.0\n/);
    const ids = [...text.matchAll(/^ {6}operationId: (\w+)$/gm)].map(([, id]) => id);
    expect(ids).toEqual(operations.map(({ operationId }) => operationId));
  });
});

describe('operations of the OpenAPI document', () => {
  it('every operation has a unique id, a summary and known tags', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const groups = document.tags.map(({ name }) => name);
    for (const { summary, tags } of operations) {
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
      expect(groups).toEqual(expect.arrayContaining([...tags]));
    }
  });

  it('every operation declares the parameters of its path', () => {
    for (const { path, parameters = [] } of operations) {
      const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
      expect(inPath.sort()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());
    }
  });

  it('every operation of the contract is served and published', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(Object.keys({ ...cloudOperations, ...protocolOperations }).sort()).toEqual(ids.sort());
  });

  it('operations refuse requests without a token exactly where the document requires one', async () => {
    for (const { path, security, operationId } of operations) {
      const method = Object.entries(document.paths[path] ?? {}).find(
        ([, each]) => each.operationId === operationId,
      )?.[0];
      const url = cloud.url + path.replaceAll(/\{\w+\}/g, '1');
      // A page that an operation leads to is none of its answers.
      const { status } = await fetch(url, { method: method?.toUpperCase() ?? '', redirect: 'manual' });
      expect([operationId, status === 401]).toEqual([operationId, security.length > 0]);
    }
  });
});

it('the answers of OAuth and of the MCP server are as the document describes them', async () => {
  const person = await TestPerson.make(cloud);
  const application = await ThirdParty.make(cloud);
  const callback = await person.allow(await application.authorizationUrl());
  const { token } = await cloud.make.user();
  const mcp = (body: object, as?: string) =>
    cloud.call('POST /mcp', {
      body,
      headers: { accept: 'application/json, text/event-stream' },
      ...(as !== undefined && { token: as }),
    });
  const answers = {
    getServerMetadata: await cloud.call('GET /.well-known/openid-configuration'),
    getResourceMetadata: await cloud.call('GET /.well-known/oauth-protected-resource'),
    exchangeCode: await application.redeem(callback.searchParams.get('code') ?? ''),
    callMcp: await mcp({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, token),
  };
  const raw = { token, raw: 'x', headers: { 'content-type': 'text/plain' } };
  const form = { raw: 'client_id=%00', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  const refusals: [string, { readonly status: number; readonly body: unknown }][] = [
    ['exchangeCode', await application.redeem('nonsense')],
    ['callMcp', await mcp({ jsonrpc: '2.0', id: 1, method: 'ping' })],
    ['callMcp', await mcp([null, null], token)],
    ['callMcp', await cloud.call('POST /mcp', raw)],
    ['authorizeApplication', await cloud.call('GET /oauth/authorize?client_id=%00')],
    ['authorizeApplicationByForm', await cloud.call('POST /oauth/authorize', form)],
  ];
  expect(refusals.map(([, { status }]) => status)).toEqual([400, 401, 400, 415, 400, 400]);
  for (const [id, { status, body }] of [...Object.entries(answers), ...refusals]) {
    const responses = operations.find(({ operationId }) => operationId === id)?.responses;
    const schema = responses?.[status]?.content?.['application/json']?.schema;
    expect([id, status, schema !== undefined]).toEqual([id, status, true]);
    expect([id, Compile(resolved(document, schema ?? {}) as object).Errors(body)]).toEqual([id, [true, []]]);
  }
  expect(Object.values(answers).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

it.each(['getTicketAttachment', 'getOwnTicketAttachment'])('the document has every type of %s', (id) => {
  const responses = operations.find(({ operationId }) => operationId === id)?.responses;
  expect(Object.keys(responses?.['200']?.content ?? {})).toEqual(ATTACHMENT_TYPES);
});

it.each([
  '/openapi.json',
  '/openapi.yaml',
  '/openapi/device.json',
  '/asyncapi.json',
  '/register/verify',
  '/oauth/error-page.css',
])('%s is sent compressed, and not again to a client that has it', async (path) => {
  const headers = { 'accept-encoding': 'gzip, br' };
  const first = await fetch(cloud.url + path, { headers });
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, max-age=300',
    vary: 'accept-encoding',
  });
  const etag = first.headers.get('etag') ?? '';
  const again = await fetch(cloud.url + path, { headers: { ...headers, 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

it('the document states that names are not blank and that a code has a use, as the service refuses them', async () => {
  const session = async () =>
    cloud.make.token((await cloud.make.user({ staff: true })).id, { kind: 'session' });
  const token = await session();
  const { id } = await cloud.make.site({ ownerId: (await cloud.make.user()).id });
  const organization = await cloud.make.organization();
  const within = `/api/v1/organizations/${organization}`;
  const REFUSED: readonly (readonly [route: string, id: string, body: object, field: string])[] = [
    ['POST /api/v1/organizations', 'createOrganization', { name: ' ' }, 'name'],
    [`PATCH ${within}`, 'updateOrganization', { name: '\t' }, 'name'],
    [`POST ${within}/applications`, 'createApplication', { name: '\u3000' }, 'name'],
    [`POST ${within}/applications`, 'createApplication', { name: 'App', scopes: [] }, 'scopes'],
    [`PUT ${within}/documents/terms`, 'setOrganizationDocument', { text: ' \n' }, 'text'],
    [`PATCH /api/v1/sites/${id}/name`, 'renameSite', { name: ' ' }, 'name'],
    ['POST /api/v1/user/tokens', 'createToken', { name: ' ', scopes: ['sites:read_all'] }, 'name'],
    ['POST /api/v1/user/tokens', 'createToken', { name: 'Sites', scopes: [] }, 'scopes'],
    ['POST /api/v1/activation_codes', 'createServiceActivationCode', { uses: 0 }, 'uses'],
    [`POST ${within}/activation_codes`, 'createActivationCode', { uses: 0 }, 'uses'],
  ];
  for (const [route, operationId, body, field] of REFUSED) {
    const operation = operations.find((one) => one.operationId === operationId);
    const schema = operation && bodyOf(document, operation);
    expect([operationId, schema && Compile(schema as object).Check(body)]).toEqual([operationId, false]);
    const answer = await cloud.call(route, { token, body });
    expect([route, answer.status, answer.body]).toMatchObject([
      route,
      422,
      { errors: { [field]: [expect.stringMatching(/^(can't be blank|must be at least 1, not 0)$/)] } },
    ]);
  }
});
