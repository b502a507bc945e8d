/** Runs a job for each item, a few at a time. @returns the results in the items' order */
export async function inParallel<T, R>(
  items: readonly T[],
  concurrency: number,
  job: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, item] = next;
      results[index] = await job(item);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
