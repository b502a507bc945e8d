import { type Static, Type } from 'typebox';
import { DateTime, nullable } from './common.ts';

export const ProxyParams = Type.Object({
  name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' }),
});

/** A proxy as operators see it. */
export const ProxySummary = Type.Object({
  name: Type.String(),
  region: Type.String(),
  region_domain: nullable(Type.String({ description: 'Sites of the region are browsed at names below it' })),
  host: Type.String({ description: 'What clients put after https://' }),
  url: Type.String({ description: 'Where devices and other proxies dial' }),
  state: Type.Enum(['open', 'draining', 'gone'], {
    description: 'open takes devices, draining sends them away, gone was not heard of for a while',
  }),
  drain_wanted: Type.Boolean({ description: 'Whether an operator drains it' }),
  sessions: Type.Integer({ description: 'Number of connected devices' }),
  capacity: Type.Integer({ description: 'How many it is to hold at most' }),
  announced_at: DateTime,
});
export type ProxySummary = Static<typeof ProxySummary>;
