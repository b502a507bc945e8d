import type { TSchema } from 'typebox';
import { Alert } from '../readings/alerts.ts';
import { FullMetricRow, MetricDefinitionRow, SetMetricBody } from '../readings/metrics.ts';
import {
  StreamAlerts,
  StreamData,
  StreamDefinitions,
  StreamEmpty,
  StreamJoin,
  StreamReply,
  StreamSetResult,
  StreamSystem,
  StreamTopics,
} from '../readings/stream.ts';
import { pascal, SchemaComponents } from './name-schemas.ts';
import { HEADERS, QUERY, SECURITY_SCHEMES, SERVERS } from './stream-connection.ts';

const INTRODUCTION = `
The live values of one home. A client joins the channel \`metrics\`, gets the definition of each topic that it asked for
and then values as they change, each at least every 15 seconds. It sends a heartbeat every 30 seconds: a connection that
is silent for a minute is closed.

**Credentials.** On the network of the home: the device password as \`password=\` in the query, or a site token as \`token=\`, or
as \`Authorization: Bearer\` of programs that set headers. The password is not taken from headers, since browsers add it by themselves. Through the proxy: the site token with the id and the key of the
site, all three from the cloud's operation \`authorizeSite\`. Programs send these as the headers \`Site-Id\` and \`Site-Key\`. A
browser cannot set headers of a WebSocket, and takes the query for all:
\`wss://{host}/api/websocket?token=…&site_id=…&site_key=…&vsn=2.0.0\`.

**Framing.** With \`vsn=2.0.0\` each frame is an array \`[join_ref, ref, topic, event, payload]\`; with \`vsn=1.0.0\` it is an
object of these fields. Without \`vsn\`, or with another, the answers have the framing of the client's first frame. All frames are text;
one of a client that has more than 64 KiB closes the connection with 1009. The \`join_ref\` of a frame is that of the latest join, or null; a frame with another one is ignored.

**Writes.** The outcome of a \`set\` is its \`set_result\`. The \`phx_reply\` after it has the status \`ok\` also when nothing was
written, because clients take \`error\` as the end of the connection; its response repeats the \`set_result\`.
`.trim();

interface StreamMessage {
  readonly event: string;
  readonly summary: string;
  readonly payload: TSchema;
  /** Of the frame. */
  readonly topic?: 'metrics' | 'phoenix';
  readonly example: unknown;
}

const SENT: Readonly<Record<string, StreamMessage>> = {
  join: {
    event: 'phx_join',
    summary: 'Joins the channel, also again: definitions and values start over',
    payload: StreamJoin,
    example: ['1', '2', 'metrics', 'phx_join', { topics: [{ topic: 'total*' }] }],
  },
  topics: {
    event: 'topics',
    summary: 'Asks for other topics',
    payload: StreamTopics,
    example: ['1', '3', 'metrics', 'topics', { topics: [{ topic: 'inverter_1/pv*', max_frequency_s: 10 }] }],
  },
  set: {
    event: 'set',
    summary: 'Writes a setting to the hardware, at once, and reads it back; `set_result` has the outcome',
    payload: SetMetricBody,
    example: ['1', '4', 'metrics', 'set', { topic: 'inverter_1/battery_reserve', value: '33' }],
  },
  leave: {
    event: 'phx_leave',
    summary: 'Leaves the channel',
    payload: StreamEmpty,
    example: ['1', '5', 'metrics', 'phx_leave', {}],
  },
  heartbeat: {
    event: 'heartbeat',
    summary: 'Keeps the connection open',
    payload: StreamEmpty,
    topic: 'phoenix',
    example: [null, '6', 'phoenix', 'heartbeat', {}],
  },
};

const RECEIVED: Readonly<Record<string, StreamMessage>> = {
  reply: {
    event: 'phx_reply',
    summary: 'Answers a frame of the client, under its `ref`; to a `set` with `ok`, also if it was refused',
    payload: StreamReply,
    example: ['1', '2', 'metrics', 'phx_reply', { status: 'ok', response: {} }],
  },
  system: {
    event: 'system',
    summary: 'The metrics of the device itself, at a join and every 15 seconds',
    payload: StreamSystem,
    example: ['1', null, 'metrics', 'system', { metrics: [] }],
  },
  definition: {
    event: 'definition',
    summary: 'How topics are shown, and which values they accept; before their first values',
    payload: StreamDefinitions,
    example: ['1', null, 'metrics', 'definition', { definitions: [] }],
  },
  data: {
    event: 'data',
    summary: 'Values that changed, and all of them every 15 seconds',
    payload: StreamData,
    example: ['1', null, 'metrics', 'data', { metrics: [{ topic: 'total/pv_power', value: 1240 }] }],
  },
  alert: {
    event: 'alert',
    summary: 'Alerts, to clients that asked for them when they joined',
    payload: StreamAlerts,
    example: ['1', null, 'metrics', 'alert', { alerts: [] }],
  },
  set_result: {
    event: 'set_result',
    summary: 'How a write ended: `ok`, or `error` with the reason',
    payload: StreamSetResult,
    example: ['1', null, 'metrics', 'set_result', { topic: 'inverter_1/battery_reserve', result: 'ok' }],
  },
};

/** The AsyncAPI document of a device's live stream. */
export function streamDocument(): object {
  const all = Object.entries({ ...SENT, ...RECEIVED });
  const frames = new Map(all.map(([name, message]) => [name, framesOf(message)]));
  const components = new SchemaComponents(
    {
      Metric: FullMetricRow,
      MetricDefinition: MetricDefinitionRow,
      RaisedAlert: Alert,
      JoinEvent: JOIN_EVENT,
      ...Object.fromEntries(
        [...frames].flatMap(([name, { either, v1, v2 }]) => [
          [`${pascal(name)}Frame`, either],
          [`${pascal(name)}FrameV1`, v1],
          [`${pascal(name)}FrameV2`, v2],
        ]),
      ),
    },
    { namesEnums: true },
  );
  const messages = Object.fromEntries(
    all.map(([name, { event, summary, example }]) => [
      name,
      {
        name: event,
        title: name,
        summary,
        payload: components.refer(frames.get(name)?.either ?? {}, ''),
        examples: [{ payload: example }],
      },
    ]),
  );
  const channel = (address: string) => ({
    address,
    title: address,
    messages: Object.fromEntries(
      [...Object.keys(SENT), ...Object.keys(RECEIVED)].map((name) => [
        name,
        { $ref: `#/components/messages/${name}` },
      ]),
    ),
    bindings: { ws: { query: QUERY, headers: HEADERS } },
  });
  return {
    asyncapi: '3.0.0',
    info: { title: 'Heliograph live stream', version: '1', description: INTRODUCTION },
    defaultContentType: 'application/json',
    servers: SERVERS,
    channels: { stream: channel('/api/websocket'), streamAsDocumented: channel('/api/socket/websocket') },
    operations: {
      ...operationsOf('stream', { send: 'send', receive: 'receive' }),
      ...operationsOf('streamAsDocumented', { send: 'sendAsDocumented', receive: 'receiveAsDocumented' }),
    },
    components: { messages, schemas: components.schemas, securitySchemes: SECURITY_SCHEMES },
  };
}

/** The operations of a channel, as the device has them: it receives what clients send. */
function operationsOf(channel: string, names: { readonly send: string; readonly receive: string }): object {
  const reference = { $ref: `#/channels/${channel}` };
  return {
    [names.send]: { action: 'receive', channel: reference, messages: namesIn(channel, SENT) },
    [names.receive]: { action: 'send', channel: reference, messages: namesIn(channel, RECEIVED) },
  };
}

function namesIn(channel: string, messages: object): object[] {
  return Object.keys(messages).map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` }));
}

const JOIN_EVENT = { enum: ['phx_join', 'join'] };

/** A frame in both framings: V1 is the object, V2 the array. */
function framesOf({ event, payload, topic = 'metrics' }: StreamMessage) {
  const ref = { type: ['string', 'number', 'null'] };
  const events = event === 'phx_join' ? JOIN_EVENT : { const: event };
  // Heartbeats are answered under their own topic.
  const topics = event === 'phx_reply' ? { type: 'string' } : { const: topic };
  const properties = { topic: topics, event: events, payload, ref, join_ref: ref };
  const v1 = { type: 'object', properties, required: ['topic', 'event', 'payload'] };
  const v2 = { type: 'array', items: [ref, ref, topics, events, payload], minItems: 5, maxItems: 5 };
  return { v1, v2, either: { oneOf: [v2, v1] } };
}
