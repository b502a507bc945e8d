import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentMetadata, type Source } from './agent-metadata.ts';
import { AGENT_SCOPES } from './challenge.ts';
import { InvalidAgentMetadata } from './errors.ts';

const CALLBACK = 'https://agent.example.org/callback';

const kept = (sent: Record<string, unknown>, source: Source = 'registration') =>
  agentMetadata({ redirect_uris: [CALLBACK], ...sent }, source);

const refused = (sent: Record<string, unknown>, source: Source = 'registration') => {
  try {
    kept(sent, source);
  } catch (error) {
    if (error instanceof InvalidAgentMetadata) return error.error;
    throw error;
  }
  return undefined;
};

describe('agentMetadata with metadata of real agents', () => {
  it.each([
    {
      agent: 'a command line without an application type',
      sent: {
        client_name: 'Agent of the command line',
        redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
      type: 'native',
    },
    {
      agent: 'an editor with pages and ports',
      sent: {
        application_type: 'native',
        client_name: 'Editor with pages',
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        redirect_uris: ['https://editor.example.org/redirect', 'http://127.0.0.1:33418/'],
      },
      type: 'native',
    },
    {
      agent: 'an editor with a scheme of its own',
      sent: {
        client_name: 'Editor',
        redirect_uris: ['org.example.editor://publisher.extension/oauth/callback'],
      },
      type: 'native',
    },
    {
      agent: 'a page',
      sent: { client_name: 'Chat', redirect_uris: ['https://chat.example.org/api/mcp/auth_callback'] },
      type: 'web',
    },
  ])('the metadata of $agent are accepted', ({ sent, type }) => {
    const { client_name, redirect_uris } = sent;
    expect(kept(sent, 'document')).toEqual({
      client_name,
      redirect_uris,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: type,
      scope: AGENT_SCOPES.join(' '),
    });
  });
});

describe('agentMetadata', () => {
  it.each([
    ['all scopes when none is asked for', {}, { scope: AGENT_SCOPES.join(' ') }],
    [
      'scopes there are',
      { scope: 'sites:write_all sites:read_all offline_access openid' },
      { scope: 'openid sites:read_all' },
    ],
    ['all scopes when none of those asked for is there', { scope: 'mcp' }, { scope: AGENT_SCOPES.join(' ') }],
    ['Basic when nothing is said', {}, { token_endpoint_auth_method: 'client_secret_basic' }],
    ['no secret', { token_endpoint_auth_method: 'none' }, { token_endpoint_auth_method: 'none' }],
    [
      'web, when it says so, and so the ports of loopback addresses',
      { application_type: 'web', redirect_uris: ['http://localhost:3000/cb'] },
      { application_type: 'web' },
    ],
    [
      'what an application on https says, in so far as it matters',
      { application_type: 'native' },
      { application_type: 'web' },
    ],
    [
      'pages on https',
      { logo_uri: 'https://a.example.org/l.svg' },
      { logo_uri: 'https://a.example.org/l.svg' },
    ],
  ])('metadata are reduced to: %s', (_, sent, expected) => {
    expect(kept(sent)).toMatchObject(expected);
  });

  it('fields with content to fetch, and unsafe addresses, are dropped', () => {
    const dropped = {
      jwks_uri: 'https://agent.example.org/jwks',
      jwks: { keys: [] },
      sector_identifier_uri: 'https://agent.example.org/sector',
      request_uris: ['https://agent.example.org/request'],
      client_secret: 'chosen by the agent',
      client_id: 'chosen',
      heliograph_agent: false,
      subject_type: 'pairwise',
      client_uri: 'http://agent.example.org',
      logo_uri: 'javascript:alert(1)',
      tos_uri: 'https://user:password@agent.example.org/',
      policy_uri: `https://agent.example.org/${'x'.repeat(2_000)}`,
    };
    expect(Object.keys(kept(dropped)).sort()).toEqual(Object.keys(kept({})).sort());
  });

  it('the name of the agent becomes readable text', () => {
    expect(kept({ client_name: '  Evil\u202egnip\u200b\n Agent\u0000 ' }).client_name).toBe('Evilgnip Agent');
    expect(kept({ client_name: '\u3164\u200b' }).client_name).toBe('Unnamed agent (agent.example.org)');
    expect(kept({ client_name: 7 }).client_name).toBe('Unnamed agent (agent.example.org)');
    expect(kept({ redirect_uris: ['com.example.app:/cb'] }).client_name).toBe(
      'Unnamed agent (com.example.app)',
    );
    expect([...kept({ client_name: '☀️'.repeat(300) }).client_name]).toHaveLength(100);
  });
});

describe('refusals of agentMetadata', () => {
  it.each<[string, Record<string, unknown>, Source?]>([
    ['no way to a code', { grant_types: ['client_credentials'] }],
    ['the implicit way', { response_types: ['token'] }],
    ['a list that is none', { grant_types: 'authorization_code' }],
    ['keys instead of a secret', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['a kind of application that there is not', { application_type: 'desktop' }],
    ['a secret that everybody could read', { token_endpoint_auth_method: 'client_secret_post' }, 'document'],
  ])('metadata are refused for: %s', (_, sent, source) => {
    expect(refused(sent, source)).toBe('invalid_client_metadata');
  });

  it('a document with keys is accepted when it allows no authentication too', () => {
    const offered = {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
    };
    expect(kept(offered, 'document').token_endpoint_auth_method).toBe('none');
  });

  it.each([
    ['none', []],
    ['no list', CALLBACK],
    ['no text', [null]],
    ['a list within the list', [[CALLBACK]]],
    ['none that is safe', ['https://0x7f.1/cb', 'odd://cb']],
    ['too many', Array.from({ length: 11 }, (_, index) => CALLBACK + index)],
    ['a scheme of its own in a web application', ['com.example.app:/cb'], 'web'],
    ['https at the own machine beside a native address', ['https://localhost/cb', 'http://localhost/cb']],
  ])('redirect URIs are refused: %s', (_, uris, type?: unknown) => {
    const sent = { redirect_uris: uris, ...(type !== undefined && { application_type: type }) };
    expect(refused(sent)).toBe('invalid_redirect_uri');
  });
});

it('an unsafe redirect URI beside a safe one is left out', () => {
  const uris = ['https://0x7f.1/cb', CALLBACK, null, 'odd://cb'];
  expect(kept({ redirect_uris: uris }).redirect_uris).toEqual([CALLBACK]);
});

it('arbitrary metadata are stored or refused with InvalidAgentMetadata', () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.array(fc.string(), { maxLength: 2 }),
  );
  const start = fc.constantFrom(
    'https://agent.example.org/',
    'http://localhost:1/',
    'app://',
    'com.example.app://',
    'com.example:/',
    '',
  );
  const uri = fc.tuple(start, fc.string()).map((parts) => parts.join(''));
  const uris = fc.array(fc.oneof(uri, fc.string()), { maxLength: 3 });
  const names = ['client_name', 'scope', 'token_endpoint_auth_method', 'application_type', 'logo_uri'];
  const anything = fc
    .tuple(fc.oneof(uris, value), fc.dictionary(fc.constantFrom(...names), value))
    .map(([redirect_uris, others]): Record<string, unknown> => ({ ...others, redirect_uris }));
  fc.assert(
    fc.property(anything, (sent) => {
      try {
        const { client_name, redirect_uris } = agentMetadata(sent, 'registration');
        expect(client_name).toMatch(/\S/);
        expect(redirect_uris).not.toEqual([]);
        expect(sent.redirect_uris).toEqual(expect.arrayContaining([...redirect_uris]));
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidAgentMetadata);
      }
    }),
  );
});
