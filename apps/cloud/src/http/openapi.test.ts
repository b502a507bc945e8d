import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiDocument, bodyOf, fetchDocument, resolved, typesOf } from '../testing/api-document.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let document: ApiDocument;
beforeAll(async () => {
  cloud = await startTestCloud();
  document = await fetchDocument(cloud.url);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const USER = {
  id: 'integer',
  email: 'string',
  first_name: 'string',
  last_name: 'string',
  phone_number: 'string?',
  locale: 'string',
  organization: { '?': true, id: 'integer', name: 'string' },
};
const SESSION = { token: 'string', expires_at: 'date-time', user: USER };
const SITE_MEMBER = {
  id: 'integer',
  email: 'string',
  first_name: 'string',
  last_name: 'string',
  role: 'string',
};
const SITE_SUMMARY = {
  id: 'integer',
  name: 'string?',
  description: 'string?',
  proxy: 'string?',
  arch: 'string?',
  board: 'string?',
  beta: 'boolean',
  build_date: 'date-time?',
  last_seen_at: 'date-time?',
  local_ip: 'string?',
  inverter: 'string?',
  inverter_count: 'integer',
  inverter_params: {},
  battery: 'string?',
  battery_count: 'integer',
  battery_params: {},
  owner: SITE_MEMBER,
};
const SITE = {
  ...SITE_SUMMARY,
  organization: { '?': true, id: 'integer', name: 'string', cloud_host: 'string?' },
  users: [SITE_MEMBER],
};
const AUTHORIZATION = {
  host: 'string',
  site_host: 'string',
  site_id: 'integer',
  site_name: 'string',
  site_key: 'string',
  local_ip: 'string',
  token: 'string',
};

const email = 'a@example.org';
const READ_ONE = ['sites:read_all', 'sites:read_single'];

interface Operation {
  readonly route: string;
  readonly id: string;
  /** Scopes of which a token needs one; undefined where no token is taken, none where any valid one will do. */
  readonly scopes?: readonly string[];
  readonly parameters?: readonly string[];
  /** The smallest bodies that are enough: each field of theirs is required, and no other is. */
  readonly least?: readonly Record<string, unknown>[];
  /** Fields that may be left out, with a value each. */
  readonly options?: Record<string, unknown>;
  readonly success: string;
  readonly answer?: unknown;
  readonly refusals: string;
}

/** Every operation of the cloud as the specification has it. */
const OPERATIONS: readonly Operation[] = [
  {
    route: 'POST /api/v1/sign_in',
    id: 'signIn',
    least: [
      { email, organization_id: 7, password: 'x' },
      { email, organization_id: 'none', pending_token: 'x' },
      { session_token: 'x' },
    ],
    success: '200',
    answer: SESSION,
    refusals: '400 401 412 422',
  },
  {
    route: 'POST /api/v1/register',
    id: 'register',
    least: [{ email, password: 'x', verification_token: '', organization_id: 7 }],
    options: { first_name: 'A', last_name: 'B', accepted_terms: true },
    success: '201',
    answer: { next_step: '=click_email_link', pending_token: 'string', user: { email: 'string' } },
    refusals: '422',
  },
  {
    route: 'POST /api/v1/user/confirm',
    id: 'confirmUser',
    least: [{ token: 'x', organization_id: 'none' }],
    success: '200',
    answer: SESSION,
    refusals: '400 422',
  },
  {
    route: 'POST /api/v1/password/reset',
    id: 'requestPasswordReset',
    least: [{ email, verification_token: 'x' }],
    options: { organization_id: 7 },
    success: '200',
    answer: {},
    refusals: '400 422',
  },
  ...(['reset', 'set'] as const).map((kind) => ({
    route: `PUT /api/v1/password/${kind}/{token}`,
    id: `${kind}Password`,
    parameters: ['path token string'],
    least: [{ password: 'x', organization_id: 'none' }],
    options: kind === 'reset' ? { password_confirmation: 'x' } : { accepted_terms: true },
    success: '200',
    answer: SESSION,
    refusals: '400 422',
  })),
  {
    route: 'GET /api/v1/user',
    id: 'getCurrentUser',
    scopes: [],
    success: '200',
    answer: USER,
    refusals: '401',
  },
  {
    route: 'PATCH /api/v1/user',
    id: 'updateCurrentUser',
    scopes: [],
    least: [{ locale: 'de' }],
    success: '200',
    answer: USER,
    refusals: '400 401 422',
  },
  {
    route: 'GET /api/v1/users',
    id: 'listUsers',
    scopes: ['users:read_all'],
    parameters: ['query offset integer', 'query limit integer', 'query q string'],
    success: '200',
    answer: [USER],
    refusals: '401 403',
  },
  {
    route: 'GET /api/v1/sites',
    id: 'listSites',
    scopes: ['sites:read_all'],
    parameters: ['query offset integer', 'query limit integer', 'query q string'],
    success: '200',
    answer: [SITE_SUMMARY],
    refusals: '401 403',
  },
  {
    route: 'POST /api/v1/sites/register',
    id: 'registerSite',
    scopes: ['sites:write_all'],
    least: [{ uid: 'x' }],
    options: { name: 'x', description: 'x' },
    success: '200',
    answer: SITE_SUMMARY,
    refusals: '400 401 403 404 422',
  },
  {
    route: 'GET /api/v1/sites/{id}',
    id: 'getSite',
    scopes: READ_ONE,
    parameters: ['path id integer'],
    success: '200',
    answer: SITE,
    refusals: '401 403 404',
  },
  {
    route: 'POST /api/v1/sites/{id}/authorize',
    id: 'authorizeSite',
    scopes: READ_ONE,
    parameters: ['path id integer'],
    success: '200',
    answer: AUTHORIZATION,
    refusals: '401 403 404',
  },
  {
    route: 'GET /api/v1/sites/{id}/users',
    id: 'listSiteMembers',
    scopes: READ_ONE,
    parameters: ['path id integer'],
    success: '200',
    answer: [SITE_MEMBER],
    refusals: '401 403 404',
  },
  {
    route: 'POST /api/v1/sites/{id}/users',
    id: 'inviteSiteMember',
    scopes: ['sites:write_all'],
    parameters: ['path id integer'],
    least: [{ email, role: 'owner' }],
    options: { first_name: 'A', last_name: 'B' },
    success: '200',
    answer: SITE_MEMBER,
    refusals: '400 401 403 404 422',
  },
  {
    route: 'PATCH /api/v1/sites/{id}/users/{user_id}',
    id: 'updateSiteMember',
    scopes: ['sites:write_all'],
    parameters: ['path id integer', 'path user_id integer'],
    least: [{ role: 'member' }, { role: 'admin' }, { role: 'owner' }],
    success: '200',
    answer: SITE_MEMBER,
    refusals: '400 401 403 404',
  },
  {
    route: 'DELETE /api/v1/sites/{id}/users/{user_id}',
    id: 'removeSiteMember',
    scopes: ['sites:write_all'],
    parameters: ['path id integer', 'path user_id integer'],
    success: '204',
    refusals: '401 403 404',
  },
  {
    route: 'POST /api/v1/organization_sites',
    id: 'addOrganizationSite',
    scopes: ['sites:read_single'],
    least: [{ site_id: 7 }],
    success: '200',
    answer: { site_id: 'integer' },
    refusals: '400 401 403 404',
  },
];

describe.each(OPERATIONS)('$route', ({ route, ...expected }) => {
  const [method = '', path = ''] = route.split(' ');
  const operation = () => {
    const found = document.paths[path]?.[method.toLowerCase()];
    if (found === undefined) throw new Error('The operation is not in the document');
    return found;
  };

  it('is called what it should be', () => {
    expect(operation().operationId).toBe(expected.id);
  });

  it('needs the scopes', () => {
    const { scopes } = expected;
    const alternatives = scopes?.length === 0 ? [[]] : (scopes ?? []).map((scope) => [scope]);
    expect(operation().security.map(({ bearer }) => bearer)).toEqual(alternatives);
    for (const scope of scopes ?? []) expect(operation().description).toContain(`\`${scope}\``);
  });

  it('takes the parameters, and requires only those of the path', () => {
    const parameters = operation().parameters ?? [];
    const described = parameters.map((each) => `${each.in} ${each.name} ${each.schema.type}`);
    expect(described).toEqual(expect.arrayContaining([...(expected.parameters ?? [])]));
    for (const { in: place, required } of parameters) expect(required).toBe(place === 'path');
  });

  it('takes the body, and requires no field more', () => {
    const { least = [], options = {} } = expected;
    const schema = bodyOf(document, operation());
    expect(schema !== undefined).toBe(least.length > 0);
    if (schema === undefined) return;
    const body = Compile(schema as object);
    for (const smallest of least) {
      expect(body.Check(smallest)).toBe(true);
      expect(body.Check({ ...smallest, ...options })).toBe(true);
      for (const field of Object.keys(smallest)) {
        const { [field]: _left, ...rest } = smallest;
        expect([field, body.Check(rest)]).toEqual([field, false]);
      }
    }
    const fields = [...least.flatMap((fields) => Object.keys(fields)), ...Object.keys(options)];
    expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining(fields));
  });

  it('answers what it should', () => {
    const { responses } = operation();
    const [success] = Object.keys(responses).filter((status) => status < '300');
    expect(success).toBe(expected.success);
    const schema = responses[expected.success]?.content?.['application/json']?.schema;
    if (expected.answer === undefined) expect(schema).toBeUndefined();
    else if (schema !== undefined)
      expect(typesOf(resolved(document, schema))).toMatchObject(expected.answer as object);
    else expect.fail('There is no answer');
  });

  it('refuses with the statuses, and besides at most with 429', () => {
    const statuses = Object.keys(operation().responses).filter(
      (status) => status >= '400' && status !== '429',
    );
    expect(statuses.join(' ')).toBe(expected.refusals);
  });
});
