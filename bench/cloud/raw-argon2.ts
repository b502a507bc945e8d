import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

/** The cost that the cloud hashes passwords with. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The peer of sign-in: as many verifications as the cores carry, and nothing else. */
process.once('message', async ({ durationS }: { durationS: number }) => {
  const stored = await hash('Correct-horse-7', COST);
  const end = performance.now() + durationS * 1000;
  let count = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      await verify(stored, 'Correct-horse-7');
      count += 1;
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  process.send?.({ perSecond: (count / (performance.now() - start)) * 1000 });
  process.disconnect();
});
