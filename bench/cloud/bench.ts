import type { Bench } from '../bench.ts';
import { benchReads } from './reads.ts';
import { benchScale } from './scale.ts';
import { BenchServer } from './server.ts';
import { benchSignIn } from './sign-in.ts';

const FEW = 1_000;
const MANY = 1_000_000;

export const bench: Bench = {
  description: `the cloud: reads against a bare handler, ${MANY} rows against ${FEW}, sign-in against argon2id`,
  async run() {
    await using server = await BenchServer.start();
    const few = await server.cloud(FEW);
    const reads = await benchReads(server, few);
    const signIn = await benchSignIn(few);
    console.log(`filling a database with ${MANY} sites and users`);
    const many = await server.cloud(MANY);
    const scale = await benchScale({ ...few, rows: FEW }, { ...many, rows: MANY });
    return reads && signIn && scale;
  },
};
