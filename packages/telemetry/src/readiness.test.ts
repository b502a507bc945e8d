import { describe, expect, it } from 'vitest';
import { Readiness } from './readiness.ts';

describe('Readiness', () => {
  it('an answer has a row for each check, and the detail of the first that failed', async () => {
    const readiness = new Readiness({
      one: () => ({ status: 'ok', detail: 'Well' }),
      two: async () => ({ status: 'warning', detail: 'Soon' }),
      three: () => {
        throw new Error('a secret address');
      },
    });
    expect(await readiness.answer()).toEqual({
      status: 'not_ready',
      error: 'The check failed',
      checks: [
        { name: 'one', status: 'ok', detail: 'Well' },
        { name: 'two', status: 'warning', detail: 'Soon' },
        { name: 'three', status: 'failed', detail: 'The check failed' },
      ],
    });
  });

  it('a warning keeps no process from being ready', async () => {
    const readiness = new Readiness({ disk: () => ({ status: 'warning', detail: 'Nearly full' }) });
    expect(await readiness.answer()).toMatchObject({ status: 'ready' });
  });

  it('a check that never ends fails its row, and is not begun a second time', async () => {
    let begun = 0;
    const silent = (): Promise<never> => {
      begun++;
      return new Promise(() => undefined);
    };
    const readiness = new Readiness({ database: silent }, 5);
    const row = { name: 'database', status: 'failed', detail: 'The check takes too long' };
    expect((await readiness.answer()).checks).toEqual([row]);
    expect((await readiness.answer()).checks).toEqual([row]);
    expect(begun).toBe(1);
  });
});
