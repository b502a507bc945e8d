/** A request and the key that makes it happen once. */
export interface KeyedRequest {
  readonly key: string;
  /** The request as text. */
  readonly body: string;
}

/** The key of a request: that of the attempt before while it is the same request, so that a repetition orders nothing twice. */
export function keyFor(request: unknown, before: KeyedRequest | undefined): KeyedRequest {
  const body = JSON.stringify(request);
  return before?.body === body ? before : { key: newKey(), body };
}

/** 128 random bits; `randomUUID` is missing on pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
