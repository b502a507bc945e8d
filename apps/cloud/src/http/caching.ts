import type { App } from './app-type.ts';

/**
 * No cache and no browser keeps answers of the API and the MCP server, which show tokens and what only their caller
 * may see, and none takes them for anything but what they say they are. A route whose answer is for everybody says so
 * itself.
 */
export function forbidCaching(app: App): void {
  app.addHook('onRequest', async ({ url }, reply) => {
    if (!url.startsWith('/api/v1/') && !url.startsWith('/mcp')) return;
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
  });
}
