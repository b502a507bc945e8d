/** That of browsers, and of Node 22 and later. */
export const { WebSocket } = globalThis;
