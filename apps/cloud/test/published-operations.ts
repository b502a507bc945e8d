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
const ACCOUNT_EMAIL = {
  email: 'string',
  pending: { '?': true, email: 'string', expires_at: 'date-time' },
};
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

export interface PublishedOperation {
  readonly route: string;
  readonly id: string;
  /** Scopes of which a token needs one; undefined where no token is taken, none where any valid one will do. */
  readonly scopes?: readonly string[];
  readonly parameters?: readonly string[];
  /** The smallest bodies that are enough: each field of theirs is required, and no other is. */
  readonly least?: readonly Record<string, unknown>[];
  /** Whether a sentence, and no choice, has which fields of the body belong together: some generators take no choice. */
  readonly hasSentence?: true;
  /** Fields that may be left out, with a value each. */
  readonly options?: Record<string, unknown>;
  readonly success: string;
  readonly answer?: unknown;
  readonly refusals: string;
}

/**
 * The operations that existing clients rely on, as the specification has them, typed by hand: the published document is
 * held against them. Types end in `?` where null may stand.
 */
export const PUBLISHED_OPERATIONS: readonly PublishedOperation[] = [
  {
    route: 'POST /api/v1/sign_in',
    id: 'signIn',
    least: [
      { email, organization_id: 7, password: 'x' },
      { email, organization_id: 'none', pending_token: 'x' },
      { session_token: 'x' },
    ],
    hasSentence: true,
    options: { otp: '123456' },
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
    refusals: '400 412 422',
  },
  {
    route: 'GET /api/v1/user/email',
    id: 'getEmail',
    scopes: [],
    success: '200',
    answer: ACCOUNT_EMAIL,
    refusals: '401 403',
  },
  {
    route: 'POST /api/v1/user/email',
    id: 'requestEmailChange',
    scopes: [],
    least: [{ email, password: 'x' }],
    success: '200',
    answer: ACCOUNT_EMAIL,
    refusals: '400 401 403 422 429',
  },
  {
    route: 'DELETE /api/v1/user/email/pending',
    id: 'cancelEmailChange',
    scopes: [],
    success: '204',
    refusals: '401 403 404',
  },
  {
    route: 'POST /api/v1/user/email/confirm',
    id: 'confirmEmailChange',
    least: [{ token: 'x' }],
    success: '200',
    answer: { email: 'string' },
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
    refusals: '400 412 422',
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
    route: 'PATCH /api/v1/user/profile',
    id: 'updateProfile',
    scopes: [],
    least: [{}],
    options: { first_name: 'A', last_name: 'B', phone_number: '1' },
    success: '200',
    answer: USER,
    refusals: '400 401 403 422',
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
