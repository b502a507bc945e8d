import { loadTexts } from 'virtual:texts';
import { show } from '../shared/app-frame.tsx';
import { startI18n } from '../shared/i18n/i18n.ts';
import { queries } from '../shared/queries/query-client.ts';
import { makeReady } from '../shared/routing/lazy-page.ts';
import { App } from './app.tsx';
import { preloaded } from './preload.ts';
import { sessionQuery } from './session/session.ts';
import { watchSession } from './session/watch-session.ts';

watchSession();
const session = queries.prefetchQuery(sessionQuery);
await Promise.all([startI18n(loadTexts, ['shared', 'portal']), session, preloaded.loaded]);
await makeReady(preloaded.sources);
show(<App />);
