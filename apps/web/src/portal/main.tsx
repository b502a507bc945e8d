import { queries, show } from '../shared/app-frame.tsx';
import { startTexts, type TextFile } from '../shared/i18n/i18n.ts';
import { App } from './app.tsx';
import { sessionQuery } from './session/session.ts';
import { watchSession } from './session/watch-session.ts';

const texts = import.meta.glob<TextFile>([
  '../locales/*/*.json',
  // Those of the device's own pages.
  '!../locales/*/{device,configuration}.json',
]);
watchSession();
const session = queries.prefetchQuery(sessionQuery);
await Promise.all([startTexts(texts, ['shared', 'portal']), session]);
show(<App />);
