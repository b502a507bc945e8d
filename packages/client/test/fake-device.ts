import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { compileGlob, type MetricValue } from '@heliograph/metrics';
import { decodeFrame, encodeFrame } from '@heliograph/wire/channel-frame';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Metric } from '../src/device-client.ts';
import { closeServer, listen, readJson, sendJson } from './http.ts';

/** The password on the LAN; token, site id and site key through the proxy. */
export interface FakeCredentials {
  password: string;
  token: string;
  siteId: number;
  siteKey: string;
}

interface Listener {
  readonly socket: WebSocket;
  readonly joinRef: string | null;
  readonly globs: readonly string[];
}

/** A device (or a proxy before it) that speaks the documented API and is controlled by a test. */
export class FakeDevice {
  readonly credentials: FakeCredentials;
  readonly rows: Map<string, Metric>;
  /** Requests that came, as `METHOD /path?query`. */
  readonly requests: string[] = [];
  /** Host and port. */
  address = '';
  /** Heartbeats that were answered. */
  heartbeats = 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #vanished = new WeakSet<WebSocket>();
  #listeners: Listener[] = [];

  constructor(rows: readonly Metric[], credentials: Partial<FakeCredentials> = {}) {
    this.rows = new Map(rows.map((row) => [row.topic, row]));
    this.credentials = { password: 'pass', token: 'site-token', siteId: 7, siteKey: 'key', ...credentials };
    this.#server.on('upgrade', (request, socket, head) => {
      if (!this.#admitsSocket(request)) socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
      else this.#sockets.handleUpgrade(request, socket, head, (client) => this.#serve(client));
    });
  }

  async start(): Promise<this> {
    this.address = await listen(this.#server);
    return this;
  }

  async stop(): Promise<void> {
    this.dropConnections();
    await closeServer(this.#server);
  }

  /** Changes a value and pushes it to the streams. */
  change(topic: string, value: MetricValue): void {
    const row = this.rows.get(topic);
    if (row !== undefined) this.rows.set(topic, { ...row, value });
    for (const listener of this.#listeners) {
      if (listener.globs.some((glob) => compileGlob(glob)(topic)))
        push(listener, 'data', { metrics: [{ topic, value }] });
    }
  }

  /** Leaves everything unanswered on the connections of this moment, as if their network were gone. */
  vanish(): void {
    for (const client of this.#sockets.clients) this.#vanished.add(client);
    this.#listeners = [];
  }

  dropConnections(): void {
    for (const client of this.#sockets.clients) client.terminate();
    this.#listeners = [];
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(`${request.method} ${request.url}`);
    const url = new URL(request.url ?? '', 'http://device');
    if (!this.#admits(request)) return sendJson(response, 401, { error: 'Unauthorized' });
    if (url.pathname !== '/api/v1/metrics') return sendJson(response, 404, { error: 'Not found' });
    if (request.method === 'POST') {
      const { topic, value } = await readJson(request);
      const refusal = this.#write(String(topic), value);
      return refusal === null
        ? sendJson(response, 200, { topic, result: 'ok' })
        : sendJson(response, 422, { error: refusal });
    }
    const matches = compileGlob(url.searchParams.get('topic') ?? '*');
    const rows = [...this.rows.values()].filter(({ topic }) => matches(topic));
    if (url.searchParams.get('value') !== '1') return sendJson(response, 200, rows);
    response.writeHead(200, { 'content-type': 'text/plain' }).end(String(rows[0]?.value ?? ''));
  }

  /** @returns why not, or null when it was written */
  #write(topic: string, value: unknown): string | null {
    const row = this.rows.get(topic);
    if (row?.group !== 'Settings') return `${topic} cannot be written`;
    if (typeof value !== 'string' || !(Number(value) >= 0 && Number(value) <= 100))
      return `${topic} must be a number from 0 to 100`;
    this.change(topic, Number(value));
    return null;
  }

  #admits({ headers }: IncomingMessage): boolean {
    const { password, token, siteId, siteKey } = this.credentials;
    const basic = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
    if (headers.authorization === basic) return true;
    if (headers.authorization !== `Bearer ${token}`) return false;
    return headers['site-key'] === siteKey && headers['site-id'] === String(siteId);
  }

  #admitsSocket({ url = '' }: IncomingMessage): boolean {
    const { pathname, searchParams: query } = new URL(url, 'http://device');
    const { password, token, siteId, siteKey } = this.credentials;
    if (pathname !== '/api/websocket' || query.get('vsn') !== '2.0.0') return false;
    if (query.get('password') === password) return true;
    if (query.get('token') !== token) return false;
    return query.get('site_id') === String(siteId) && query.get('site_key') === siteKey;
  }

  #serve(socket: WebSocket): void {
    socket.on('message', (data) => {
      const frame = decodeFrame(String(data));
      if (frame === null || this.#vanished.has(socket)) return;
      const { joinRef, ref, topic, event, payload } = frame;
      const listener: Listener = { socket, joinRef, globs: globsOf(payload) };
      if (event === 'set') {
        const refusal = this.#write(String(payload.topic), payload.value);
        const outcome = refusal === null ? { result: 'ok' } : { result: 'error', message: refusal };
        return push(listener, 'set_result', { topic: payload.topic, ...outcome });
      }
      const reply = { joinRef, ref, topic, event: 'phx_reply', payload: { status: 'ok', response: {} } };
      socket.send(encodeFrame(reply, 'array'));
      if (event === 'heartbeat') this.heartbeats++;
      if (event === 'phx_join') this.#join(listener);
      if (event === 'topics') this.#changeTopics(listener);
    });
  }

  /** Devices define topics that they have defined before no second time. */
  #changeTopics(listener: Listener): void {
    const joined = this.#listeners.find(({ socket }) => socket === listener.socket);
    const isDefined = (topic: string): boolean =>
      joined?.globs.some((glob) => compileGlob(glob)(topic)) === true;
    this.#listeners = this.#listeners.filter((other) => other !== joined);
    this.#join(listener, isDefined);
  }

  #join(listener: Listener, isDefined = (_topic: string): boolean => false): void {
    this.#listeners.push(listener);
    const rows = [...this.rows.values()].filter((row) =>
      listener.globs.some((glob) => compileGlob(glob)(row.topic)),
    );
    push(listener, 'system', { metrics: [] });
    push(listener, 'definition', { definitions: rows.filter(({ topic }) => !isDefined(topic)) });
    push(listener, 'data', { metrics: rows.map(({ topic, value }) => ({ topic, value })) });
  }
}

function push({ socket, joinRef }: Listener, event: string, payload: Record<string, unknown>): void {
  socket.send(encodeFrame({ joinRef, ref: null, topic: 'metrics', event, payload }, 'array'));
}

function globsOf({ topics }: Readonly<Record<string, unknown>>): readonly string[] {
  return Array.isArray(topics) ? topics.map(({ topic }: { topic: string }) => topic) : ['total/*'];
}
