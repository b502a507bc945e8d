import type { App } from './app-type.ts';

/**
 * No cache and no browser keeps answers of the API and the MCP server, which show tokens and what only their caller
 * may see. A route whose answer is for everybody says so itself.
 */
export function keepNothing(app: App): void {
  app.addHook('onRequest', async ({ url }, reply) => {
    if (url.startsWith('/api/v1/') || url.startsWith('/mcp')) reply.header('cache-control', 'no-store');
  });
}
