import { setSourceMapsSupport } from 'node:module';

// Node strips types in place, so there are none; Vitest has Node search each compiled function, such as those of routes, for one.
setSourceMapsSupport(false);
