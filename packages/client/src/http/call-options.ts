export interface CallOptions {
  /** Gives up the request when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** For operations that are done once, however often the request is repeated. */
export interface OnceOptions extends CallOptions {
  /** Chosen by the caller, such as a UUID: the same request with the same key within a day is answered as the first was. */
  readonly idempotencyKey?: string | undefined;
}
