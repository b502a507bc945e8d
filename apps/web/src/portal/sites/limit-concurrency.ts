/**
 * Runs what it is given, at most so many at a time; the others wait for their turn in the order in which they came.
 *
 * @param limit how many may run at once
 */
export function limitConcurrency(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // The place goes to the next one as it is, so that nobody can come between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
