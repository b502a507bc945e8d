import { queries, show } from '../shared/app-frame.tsx';
import { startTexts } from '../shared/i18n/i18n.ts';
import { App } from './app.tsx';
import { sessionQuery } from './session/session.ts';

const session = queries.prefetchQuery(sessionQuery);
await Promise.all([startTexts(['shared', 'portal']), session]);
show(<App />);
