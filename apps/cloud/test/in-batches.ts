/** Calls that wait for the database of one cloud at a time: it has as many connections, and refuses after seconds. */
const BATCH = 10;

/** Makes many calls, ten at a time, so that a slow machine refuses none. @returns their answers in order */
export async function inBatches<T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  while (answers.length < count) {
    const from = answers.length;
    const size = Math.min(BATCH, count - from);
    answers.push(...(await Promise.all(Array.from({ length: size }, (_, i) => call(from + i)))));
  }
  return answers;
}
