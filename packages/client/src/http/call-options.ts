export interface CallOptions {
  /** Gives up the request when it aborts. */
  readonly signal?: AbortSignal | undefined;
}
