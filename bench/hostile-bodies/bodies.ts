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
