import { setSourceMapsSupport } from 'node:module';
// Evaluated once for a worker; this file is, for each file of tests.
import './own-modules.ts';

// Node strips types in place, so there are none; Vitest has Node search each compiled function, such as those of routes, for one.
setSourceMapsSupport(false);
