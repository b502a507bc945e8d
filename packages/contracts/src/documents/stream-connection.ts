/** Of the address of the WebSocket. */
export const QUERY = {
  type: 'object',
  properties: {
    vsn: {
      type: 'string',
      description: '2.0.0: arrays; 1.0.0: objects; left out or another: as in the first frame',
    },
    password: { type: 'string', description: "The device password, on the device's network" },
    token: { type: 'string', description: 'A site token' },
    site_id: { type: 'string', description: 'Through the proxy, where no header Site-Id can be set' },
    site_key: { type: 'string', description: 'Through the proxy, where no header Site-Key can be set' },
  },
};

/** Of the request that opens the WebSocket. */
export const HEADERS = {
  type: 'object',
  properties: {
    Authorization: {
      type: 'string',
      description: 'In place of the query: Bearer with a site token',
    },
    'Site-Id': { type: 'string', description: 'Through the proxy: the site_id of authorizeSite' },
    'Site-Key': { type: 'string', description: 'Through the proxy: the site_key of authorizeSite' },
  },
};

/** Credentials of clients; the token in the query is for browsers. */
export const SECURITY_SCHEMES = {
  password: {
    type: 'httpApiKey',
    in: 'query',
    name: 'password',
    description: "The device password, on the device's network only",
  },
  siteToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A site token; through the proxy with the headers Site-Id and Site-Key',
  },
  siteTokenInQuery: {
    type: 'httpApiKey',
    in: 'query',
    name: 'token',
    description: 'A site token; through the proxy with site_id and site_key',
  },
};

/** A client needs one of the schemes of its server. */
export const SERVERS = {
  proxy: {
    host: '{host}',
    protocol: 'wss',
    description: 'The proxy that the device is connected to, from anywhere',
    security: schemesIn('siteToken', 'siteTokenInQuery'),
    variables: { host: { description: 'The host of authorizeSite', default: 'proxy.example.com' } },
  },
  device: {
    host: '{host}',
    protocol: 'ws',
    description: 'The device, on the network of the home',
    security: schemesIn('password', 'siteToken', 'siteTokenInQuery'),
    variables: {
      host: { description: 'Name or address of the device, with its port', default: 'heliograph.local' },
    },
  },
};

function schemesIn(...names: readonly (keyof typeof SECURITY_SCHEMES)[]): object[] {
  return names.map((name) => ({ $ref: `#/components/securitySchemes/${name}` }));
}
