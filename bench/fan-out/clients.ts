import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startChild } from '../child.ts';
import type { ReadersOrder, ReadersReport } from './readers.ts';

/** Readers in a process of their own, connected. */
export interface Clients extends Disposable {
  /** @returns the messages of the next `durationS` seconds */
  watch(durationS: number): Promise<ReadersReport>;
}

export async function connectClients(order: ReadersOrder): Promise<Clients> {
  const { process: child } = await startChild(join(import.meta.dirname, 'readers.ts'), { order });
  const report = async (): Promise<ReadersReport> => {
    child.send('report');
    const [answer] = (await once(child, 'message')) as [ReadersReport];
    return answer;
  };
  return {
    async watch(durationS) {
      await report();
      await delay(durationS * 1000);
      return await report();
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}
