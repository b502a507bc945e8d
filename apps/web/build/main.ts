/** `npm run build`: makes the pages that the cloud and the device serve. */
import { buildPages } from './build-pages.ts';

await buildPages();
