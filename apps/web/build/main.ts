/** `npm run build [-- --quick]`: makes the pages that the cloud and the device serve. */
process.env.NODE_ENV = 'production';
const { buildPages } = await import('./build-pages.ts');
await buildPages(process.argv.includes('--quick') ? 'quick' : 'smallest');
