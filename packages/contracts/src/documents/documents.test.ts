import { describe, expect, it } from 'vitest';
import { DOCUMENT_RULES, type Node, SCHEMA_RULES, schemasIn } from '../../test/documents/generator-rules.ts';
import { cloudDocument } from './cloud.ts';
import { deviceDocument } from './device.ts';
import { streamDocument } from './stream.ts';

const RULES = [...SCHEMA_RULES, ...DOCUMENT_RULES];

const DOCUMENTS: readonly (readonly [name: string, document: Node])[] = [
  [
    'cloud',
    {
      ...cloudDocument({ oauth: [], tools: [] }),
      servers: [{ url: 'https://cloud.example.org' }],
    },
  ],
  ['device', { ...deviceDocument('http://192.0.2.7') }],
  ['device at the cloud', { ...deviceDocument() }],
  ['stream', streamDocument() as Node],
];

describe.each(DOCUMENTS)('generators make a client of the document of the %s', (_name, document) => {
  it('the document has schemas to check', () => {
    expect([...schemasIn(document)].length).toBeGreaterThan(100);
  });

  it.each(RULES)('$name', (rule) => {
    expect(rule.faults(document)).toEqual([]);
  });
});

const withSchema = (schema: object): Node => ({ components: { schemas: { Probe: schema } } });
const withProperty = (property: object): Node => withSchema({ type: 'object', properties: { a: property } });
const withSchemas = (...names: string[]): Node => ({
  components: { schemas: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
});
const withOperation = (operation: object, schemas: object = {}): Node => ({
  paths: { '/probe': { get: { operationId: 'readProbe', ...operation } } },
  components: { schemas },
});
const text = { type: 'string' };
const object = (properties: object, required: string[] = []): object => ({
  type: 'object',
  properties,
  required,
});

/** Documents that some generator fails on, or makes a wrong client of. */
const FAULTY: Readonly<Record<string, readonly Node[]>> = {
  'no schema is null alone': [
    withProperty({ type: 'null' }),
    withSchema({ type: 'null' }),
    withProperty({ enum: [null] }),
  ],
  'numbers have a format that holds them': [
    withProperty({ type: 'integer' }),
    withProperty({ type: 'integer', format: 'int32', maximum: Number.MAX_SAFE_INTEGER }),
    withProperty({ type: 'integer', format: 'int32', minimum: -3_000_000_000 }),
    withProperty({ type: 'number' }),
    withProperty({ type: 'number', format: 'float' }),
    withOperation({ parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }] }),
  ],
  'enums and constants have one type': [
    withProperty({ enum: ['on', 'off'] }),
    withProperty({ const: 'on' }),
    withProperty({ type: 'string', enum: ['none', 1] }),
  ],
  'values of an enum have different names': [
    withProperty({ type: 'string', enum: ['+', '-'] }),
    withProperty({ type: 'string', enum: ['', '-'] }),
    withProperty({ type: 'string', enum: ['on_line', 'onLine'] }),
    withProperty({ type: 'string', enum: ['kWh', 'kwh'] }),
  ],
  'choices can be told apart without a list': [
    withSchema({ anyOf: [{ type: 'array', items: text }, text] }),
    withSchema({ oneOf: [object({ a: text }), object({ a: text })] }),
    withSchema({ anyOf: [object({ a: text, b: text }, ['a']), object({ a: text }, ['a'])] }),
  ],
  'objects and choices are components': [
    withProperty(object({ b: text })),
    withProperty({ anyOf: [text, { type: 'boolean' }] }),
    withOperation({
      responses: { 200: { content: { 'application/json': { schema: object({ a: text }) } } } },
    }),
  ],
  'objects have properties or a choice': [
    withSchema({ ...object({ a: text, b: text }), anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
  ],
  'properties have different names in every case': [
    withSchema(object({ site_id: text, siteId: text })),
    withSchema(object({ 'Site-Id': text, site_id: text })),
    withSchema(object({ URL: text, url: text })),
  ],
  'keywords are no new properties': ['class', 'def', 'func', 'package', 'namespace', 'function'].map((name) =>
    withSchema(object({ [name]: text })),
  ),
  'patterns are for every engine': ['^[^\\u200b]*$', '^\\p{L}+$', '(?=a)', '(?<name>a)', 'é'].map((pattern) =>
    withProperty({ type: 'string', pattern }),
  ),
  'formats are known to generators': [withProperty({ type: 'string', format: 'uri' })],
  'texts end no comment and no string': [
    withProperty({ type: 'string', description: 'Such as battery_*/voltage' }),
    withProperty({ type: 'string', description: 'Such as total/*' }),
    withProperty({ type: 'string', description: 'Three """ quotes' }),
    withProperty({ type: 'string', description: 'C:\\users' }),
    withProperty({ type: 'string', examples: ['battery_*/voltage'] }),
    withOperation({ summary: 'Reads a*/b' }),
  ],
  'a server has an address': [
    {},
    { servers: [] },
    { servers: [{ url: '/' }] },
    { servers: [{ url: 'http://{host}' }] },
    { servers: { proxy: { host: '{host}' } } },
  ],
  'names of schemas are types of their own': [
    withSchemas('Configuration'),
    withSchemas('Error'),
    withSchemas('Class'),
    withSchemas('Stream'),
    withSchemas('Code', 'NewCode'),
    withSchemas('Code', 'NullableCode'),
    withSchemas('NotificationTest'),
    withSchemas('ApiToken', 'APIToken'),
    withSchemas('site'),
    withSchemas('Site_View'),
  ],
  'operations have names of their own': [
    withOperation({ operationId: 'delete' }),
    withOperation({ operationId: 'read-probe' }),
    withOperation({ operationId: 'ReadProbe' }),
    { paths: { '/a': { get: { operationId: 'readSite' }, put: { operationId: 'readsite' } } } },
    withOperation({}, { ReadProbeRequest: text }),
    withOperation({}, { ReadProbe: text }),
    withOperation({ tags: ['sites'] }, { SitesApi: text }),
  ],
  'parameters have names of their own': [
    withOperation({ parameters: [{ name: 'site_id' }, { name: 'siteId' }] }),
    withOperation({ parameters: [{ name: 'Site-Id' }, { name: 'site_id' }] }),
    withOperation({ parameters: [{ name: 'class' }] }),
    withOperation({
      parameters: [{ name: 'site_view' }],
      requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/SiteView' } } } },
    }),
  ],
  'files are binary': [
    withOperation({ responses: { 200: { content: { 'application/zip': { schema: text } } } } }),
    withOperation({ requestBody: { content: { 'image/png': { schema: {} } } } }),
  ],
};

describe.each(RULES)('the rule "$name"', ({ name, faults }) => {
  it.each((FAULTY[name] ?? [{}]).map((document) => [JSON.stringify(document), document] as const))(
    'a fault is found in %s',
    (_text, document) => {
      expect(faults(document)).not.toEqual([]);
    },
  );
});
