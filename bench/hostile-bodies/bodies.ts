import { crc32 } from 'node:zlib';

/** Files of 10 MiB, images of 256 KiB and catalogues of 1 MiB, by the route that takes them. */
export function hostileFiles(): readonly (readonly [
  route: string,
  type: string,
  about: string,
  body: string | Buffer,
])[] {
  const logo = 'PUT /api/v1/organizations/1/logo';
  const upload = 'POST /api/v1/uploads?name=a.txt';
  const preview = 'POST /portal/api/catalogue/preview';
  const svg = '<svg xmlns="http://www.w3.org/2000/svg">';
  const within = (start: string, repeated: string, end: string, size: number) =>
    start + repeated.repeat((size - start.length - end.length - 100) / repeated.length) + end;
  const products = Array.from(
    { length: 2_000 },
    (_, at) =>
      `  - { sku: s${at}, name: Product ${at}, kind: device, prices: { EUR: 1.50 }, description: "${'x'.repeat(300)}" }`,
  );
  return [
    [upload, 'text/plain', 'letters of three bytes', within('', '€', '', (10 * 2 ** 20) / 3)],
    [upload, 'text/plain', 'a NUL at the end', within('', 'a', '\0', 10 * 2 ** 20)],
    [logo, 'image/svg+xml', 'comments before the root', within('', '<!-- -->', `${svg}</svg>`, 2 ** 18)],
    [logo, 'image/svg+xml', 'attributes', within('<svg ', 'xmlns = ', `"${svg}</svg>`, 2 ** 18)],
    [logo, 'image/svg+xml', 'spaces', within('<svg xmlns', ' ', '></svg>', 2 ** 18)],
    [logo, 'image/png', 'many chunks', pngOf(21_000)],
    [preview, 'application/yaml', 'names', Array.from({ length: 80_000 }, (_, at) => `k${at}: x`).join('\n')],
    [preview, 'application/yaml', 'comments', within('a:\n', '# x\n', ' 1', 2 ** 20)],
    [preview, 'application/yaml', '2,000 products', `products:\n${products.join('\n')}`],
  ];
}

/** A PNG with so many empty chunks. */
function pngOf(chunks: number): Buffer {
  const chunk = (type: string, data = Buffer.alloc(0)): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const empty = chunk('tEXt');
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...[chunk('IHDR', header), ...Array<Buffer>(chunks).fill(empty), chunk('IDAT'), chunk('IEND')],
  ]);
}

/** Searches of the longest text. */
export function hostileSearches(): readonly string[] {
  const texts = ['a ', 'kind:', '-', '"a" ', '%', '_', 'a:b ', '< '].map((text) =>
    text.repeat(200).slice(0, 200),
  );
  return ['sites', 'orders', 'tickets', 'products', 'users'].flatMap((list) =>
    texts.map((text) => `GET /api/v1/${list}?q=${encodeURIComponent(text)}`),
  );
}

/** Bodies that cost a parser as much work as their size allows. @param bytes approximate size */
export function hostileBodies(bytes: number): Readonly<Record<string, string>> {
  const repeated = (text: string) => text.repeat(Math.floor((bytes - 200) / text.length));
  return {
    'nested arrays': repeated('['),
    'nested objects': repeated('{"a":'),
    'a flat array': `[${repeated('0,')}0]`,
    'many objects': `[${repeated('{},')}{}]`,
    'many keys': `{${Array.from({ length: bytes / 12 }, (_, i) => `"${i.toString(36)}":0`).join(',')}}`,
    'many escapes': `["${repeated('\\u0041')}"]`,
    'many short strings': `[${repeated('"\\n",')}""]`,
    'half a string': `"${repeated('\\\\')}`,
    'a long description': JSON.stringify({ description: repeated('é\u200d') }),
    'a long name': JSON.stringify({ name: repeated('x'), first_name: repeated('\u202e') }),
    'many redirect addresses': `{"name":"x","redirect_uris":[${repeated('"a://",')}""],"scopes":["openid"]}`,
    'many scopes': `{"name":"x","scopes":[${repeated('"x",')}"x"]}`,
    'a batch': `[${repeated('{"jsonrpc":"2.0","id":1,"method":"ping"},')}0]`,
    'a long text': JSON.stringify({ text: repeated('-\\n').slice(0, 200_000) }),
  };
}
