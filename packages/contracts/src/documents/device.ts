import { type Operation, takesDevicePassword } from '../common/operation.ts';
import { DeviceAbout } from '../device/about.ts';
import { DeviceAuditEntry } from '../device/audit.ts';
import { DeviceClaim } from '../device/claim.ts';
import { DeviceLinks } from '../device/links.ts';
import { DeviceSession } from '../device/session.ts';
import { deviceOperations } from '../operations/device.ts';
import { Alert, NotificationTest } from '../readings/alerts.ts';
import { HistoryAnswer } from '../readings/history.ts';
import { FullMetricRow, MetricRow } from '../readings/metrics.ts';
import { type OpenApiDocument, openApiDocument } from './document.ts';

const INTRODUCTION = `
Live values, settings and history of one home, from the device that reads its hardware: on its own network,
and from anywhere through its proxy. Paths and answers are the same both ways.

**On the network of the home** a request shows the device password (HTTP Basic, any user name), or a site token as
\`Authorization: Bearer <token>\`. **Through the proxy** it needs a site token and two headers, \`Site-Id\` and
\`Site-Key\`: the cloud's operation \`authorizeSite\` answers with all three and with the proxy's host.

A write changes the hardware at once. It is sent at most once, and read back before the answer.

**Live values** are pushed on a WebSocket at \`/api/websocket\`, also at \`/api/socket/websocket\`; \`/asyncapi.json\`
describes it. Agents that speak the Model Context Protocol ask at \`POST /mcp\`; \`tools/list\` tells what.

**Wrong passwords** are limited: after ten different ones from an address within a minute it is answered 429 with
\`Retry-After\` until the minute is over, also with the right password, which would else be guessed. Who
repeats one wrong password is refused alone, and tokens and sessions are not concerned.

**Errors** are \`{ "error": "a sentence" }\` or, about fields, \`{ "errors": { "field": ["what is wrong"] } }\`. Any
operation may answer 429 or 503 with \`Retry-After\` when it is to be asked again later. The proxy answers 503 while the
device is offline, and 502 or 504 where it is unknown whether the device carried out the request.
`.trim();

const TAGS = [
  { name: 'metrics', description: 'Live values, settings and their history' },
  { name: 'device', description: 'The device itself: connections, configuration, search for hardware' },
  { name: 'session', description: 'Password and sign-in of browsers on the network of the home' },
];

/** Schemas that the document of a device names otherwise than the contract, as clients know them. */
const SCHEMAS = {
  Metric: MetricRow,
  MetricWithDiscovery: FullMetricRow,
  History: HistoryAnswer,
  Device: DeviceAbout,
  Links: DeviceLinks,
  Claim: DeviceClaim,
  AuditEntry: DeviceAuditEntry,
  RaisedAlert: Alert,
  NotificationTestResult: NotificationTest,
  Session: DeviceSession,
};

const SERVERS = [
  {
    url: 'http://{device}',
    description: 'The device, on the network of the home',
    variables: {
      device: { description: 'Its name or address, with its port', default: 'heliograph.local' },
    },
  },
  {
    url: 'https://{proxy}',
    description: 'The proxy that the device is connected to, from anywhere',
    variables: { proxy: { description: 'The host of authorizeSite', default: 'proxy.example.com' } },
  },
];

/**
 * The OpenAPI document of a device.
 *
 * @param address of the device or proxy that was asked, as the first server: generated clients call this one
 */
export function deviceDocument(address?: string): OpenApiDocument {
  const document = openApiDocument({
    title: 'Heliograph device',
    introduction: INTRODUCTION,
    tags: TAGS,
    operations: deviceOperations,
    schemas: SCHEMAS,
    securitySchemes: {
      password: { type: 'http', scheme: 'basic', description: 'The device password, on its network only' },
      token: { type: 'http', scheme: 'bearer', description: 'A site token' },
      siteId: { type: 'apiKey', in: 'header', name: 'Site-Id', description: 'Through the proxy' },
      siteKey: { type: 'apiKey', in: 'header', name: 'Site-Key', description: 'Through the proxy' },
    },
    security,
  });
  return { ...document, servers: [...(address === undefined ? [] : [{ url: address }]), ...SERVERS] };
}

function security({ requires }: Operation): object[] {
  const throughProxy = { token: [], siteId: [], siteKey: [] };
  if (takesDevicePassword(requires)) return [{ password: [] }, { token: [] }, throughProxy];
  return requires === 'nothing' ? [{}, throughProxy] : [];
}
