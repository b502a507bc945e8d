/** Opens the store of a folder, and prints what is in it as JSON. */
import { silentLogger, systemClock } from '@heliograph/kit';
import { openStore } from '../../src/storage/opening/open-store.ts';

const store = await openStore(process.argv[2] ?? '', systemClock, silentLogger);
const { hours } = store.db.prepare('SELECT count(*) AS hours FROM energy_hours').get() ?? {};
const { uid } = store.identity;
console.log(
  JSON.stringify({ uid, hours, tariffs: store.settings.get('tariffs'), loss: store.losses.current }),
);
await store.close();
