import { queries, show } from '../shared/app-frame.tsx';
import { startTexts, type TextFile } from '../shared/i18n/i18n.ts';
import { App, preloadPage } from './app.tsx';
import { sessionQuery } from './session/session.ts';
import { watchRefusals } from './session/watch-refusals.ts';

const texts = import.meta.glob<TextFile>('../locales/*/{shared,device,configuration,site}.json');
const session = queries.prefetchQuery(sessionQuery).then(() => {
  if (queries.getQueryData(sessionQuery.queryKey)?.signed_in === true) preloadPage();
});
watchRefusals();
await Promise.all([startTexts(texts, ['shared', 'device']), session]);
show(<App />);
