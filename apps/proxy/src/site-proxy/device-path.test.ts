import { describe, expect, test } from 'vitest';
import { useOneSite } from '../../test/one-site.ts';
import { readText } from '../../test/raw-request.ts';
import { devicePath } from './device-path.ts';

const site = useOneSite({});

describe('devicePath', () => {
  test.each([
    ['/api/v1/mcp', '/mcp'],
    ['/api/v1/mcp?session=1', '/mcp?session=1'],
    ['/api/v1/mcp/', '/api/v1/mcp/'],
    ['/api/v1/mcpx', '/api/v1/mcpx'],
    ['/api/v1/metrics', '/api/v1/metrics'],
    ['/api/v1/metrics?x=/api/v1/mcp', '/api/v1/metrics?x=/api/v1/mcp'],
    ['/mcp', '/mcp'],
    ['/__proto__', '/__proto__'],
    ['*', '*'],
  ])('the path of %s is %s', (requested, path) => {
    expect(devicePath(requested)).toBe(path);
  });

  test('the answer of the MCP endpoint is streamed', async () => {
    const request = site.nextRequest();
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const requested = site.send({ method: 'POST', body, headers }, '/api/v1/mcp');
    const { stream, headers: seen } = await request;
    expect(seen).toMatchObject({ ':method': 'POST', ':path': '/mcp', accept: headers.accept });
    let received = '';
    for await (const part of stream) received += part;
    expect(received).toBe(body);
    stream.respond({ ':status': 200, 'content-type': 'text/event-stream', 'mcp-session-id': 's1' });
    stream.write('data: 1\n\n');
    const answer = await requested;
    expect(answer.headers.get('mcp-session-id')).toBe('s1');
    const reader = answer.body?.getReader();
    expect(await readText(reader, 9)).toBe('data: 1\n\n');
    stream.end('data: 2\n\n');
    expect(await readText(reader, 9)).toBe('data: 2\n\n');
    expect((await reader?.read())?.done).toBe(true);
  });
});
