interface EitherSignal {
  /** Aborts as soon as one of the two does, with its reason. */
  readonly signal: AbortSignal;
  /** Ends the listening: the caller's signal may outlive many requests. */
  readonly release: () => void;
}

/** Joins two signals as `AbortSignal.any` does, which the oldest supported browsers lack. */
export function eitherSignal(first: AbortSignal, second: AbortSignal | undefined): EitherSignal {
  if (second === undefined) return { signal: first, release: () => undefined };
  const controller = new AbortController();
  const signals = [first, second];
  const follow = (): void => controller.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', follow);
  if (signals.some(({ aborted }) => aborted)) follow();
  return {
    signal: controller.signal,
    release: () => {
      for (const signal of signals) signal.removeEventListener('abort', follow);
    },
  };
}
