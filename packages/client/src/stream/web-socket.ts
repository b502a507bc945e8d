/** Browsers have a WebSocket, and so does Node since 22. */
export function openWebSocket(url: string): WebSocket {
  return new WebSocket(url);
}
