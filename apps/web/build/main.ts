/** `npm run build`: makes the pages that the cloud and the device serve. */
process.env.NODE_ENV = 'production';
const { buildPages } = await import('./build-pages.ts');
await buildPages();
